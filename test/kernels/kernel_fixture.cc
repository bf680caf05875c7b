#include "test/kernels/kernel_fixture.h"

#include <algorithm>
#include <memory>
#include <ostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "thunky/base/status_macros.h"

namespace thunky::kernel_tests {

void PrintTo(const KernelParam& param, std::ostream* os) {
  *os << param.machine.name << ", n = " << param.n << ", block (" << param.block.x << ","
      << param.block.y << "," << param.block.z << ")";
}

std::string KernelParamName(const ::testing::TestParamInfo<KernelParam>& info) {
  const KernelParam& p = info.param;
  return absl::StrCat(p.machine.name, "_n", p.n, "_block", p.block.x, "x", p.block.y, "x",
                      p.block.z);
}

std::string MachineName(const ::testing::TestParamInfo<MachineFactory>& info) {
  return info.param.name;
}

std::vector<KernelParam> KernelParams(hal::Dim3 first, hal::Dim3 second) {
  std::vector<KernelParam> params;
  for (const MachineFactory& machine : AllMachines()) {
    for (int n : {0, 1, 31, 33, 1000}) {
      params.push_back({machine, n, first, 0});
      params.push_back({machine, n, second, 1});
    }
  }
  return params;
}

uint64_t KernelTest::Blocks(uint64_t per_block) const {
  if (n() == 0) return GetParam().empty_grid;
  return (static_cast<uint64_t>(n()) + per_block - 1) / per_block;
}

void KernelTest::RunAndCheck(const Scenario& scenario, const Check& check) {
  const std::unique_ptr<Machine> machine = GetParam().machine.make();
  auto run = [&](std::vector<Bytes>& buffers, const MachineOptions& options) {
    const absl::Status status = machine->Run(scenario.launches, buffers, options);
    ASSERT_TRUE(status.ok()) << status;
    check(buffers);
  };
  std::vector<Bytes> same = scenario.buffers;
  for (int i = 0; i < 3 && !HasFailure(); ++i) {
    SCOPED_TRACE(absl::StrCat("same buffers, run ", i));
    for (size_t b = 0; b < same.size(); ++b) {
      std::copy(scenario.buffers[b].begin(), scenario.buffers[b].end(), same[b].begin());
    }
    run(same, {});
  }
  for (int i = 0; i < 3 && !HasFailure(); ++i) {
    SCOPED_TRACE(absl::StrCat("new buffers, run ", i));
    std::vector<Bytes> buffers = scenario.buffers;
    run(buffers, {});
  }
  if (HasFailure() || !GetParam().machine.has_checks) return;
  SCOPED_TRACE("all checks on");
  std::vector<Bytes> buffers = scenario.buffers;
  run(buffers, {.checks = kAllChecks});
}

absl::Status MachineTest::RunOnce(const Scenario& scenario, const MachineOptions& options,
                                  std::vector<Bytes>* results) {
  std::vector<Bytes> buffers = scenario.buffers;
  RETURN_IF_ERROR(GetParam().make()->Run(scenario.launches, buffers, options));
  if (results != nullptr) *results = std::move(buffers);
  return absl::OkStatus();
}

}  // namespace thunky::kernel_tests
