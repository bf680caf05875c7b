// A list of kernels as text and as JSON.
#ifndef THUNKY_TOOLING_COMMANDS_KERNELS_REPORT_H_
#define THUNKY_TOOLING_COMMANDS_KERNELS_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "thunky/tooling/kernel_analysis.h"
#include "thunky/tooling/kernel_code.h"

namespace thunky::tooling {

// What a cubin says of a kernel.
struct ListedCubin {
  std::string architecture;  // "sm_90a"; empty when it cannot be read
  size_t bytes = 0;
  std::optional<std::vector<uint32_t>> parameter_bytes;  // sizes, where it says so
  std::string problem;  // why it is of no use to the kernel; empty when it is
};

struct ListedKernel {
  std::string entry;
  std::string code;  // "PTX", "cubin", ...
  size_t code_bytes = 0;
  std::string origin;  // file that the PTX is from, when not the program itself
  std::vector<ListedCubin> cubins;
  // Of the PTX; absent when there is none.
  std::string version;
  std::string target;
  std::optional<KernelAnalysis> analysis;
  std::string why_not;                 // why the host cannot run it; empty when it can
  std::vector<KernelLaunch> launches;  // empty for a PTX file
};

struct KernelsReport {
  std::string file;
  std::vector<ListedKernel> kernels;
  std::vector<std::string> extracted;  // paths of written files
};

std::string KernelsAsText(const KernelsReport& report);
std::string KernelsAsJson(const KernelsReport& report);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_KERNELS_REPORT_H_
