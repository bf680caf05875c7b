// A run as data: what is done, to which bytes, and what must come before what.
//
// Nothing here knows a machine. A plan is made by recording a program with a
// PlanRecorder; a device makes something of it that it can start at once (a CUDA graph),
// and Replay runs it on any recorder.
#ifndef THUNKY_HAL_GRAPH_PLAN_H_
#define THUNKY_HAL_GRAPH_PLAN_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "thunky/hal/memory.h"
#include "thunky/hal/recorder.h"

namespace thunky::hal {

struct GraphPlan;

struct GraphNode {
  enum class Kind : uint8_t {
    kLaunch,
    kCopy,
    kFill,
    kBranch,  // one of `bodies`, by the value at `source`: as Recorder::Branch
    kLoop     // bodies[0] is the condition, bodies[1] what is repeated, `source` the byte
              // that says whether: as Recorder::Loop without a trip count
  };
  Kind kind = Kind::kLaunch;
  LaunchCommand launch;
  DeviceSpan destination;
  DeviceSpan source;
  uint32_t pattern = 0;
  std::vector<GraphPlan> bodies;
  // Numbers of the nodes of the same plan that must be done before, each smaller than the
  // node's own, ascending. What those wait for is not repeated.
  std::vector<int> after;
};

struct GraphPlan {
  std::vector<GraphNode> nodes;

  // Nodes, those in bodies included.
  int64_t CountNodes() const;
  // One line a node, for tests and people: "2 copy [64, 96) -> [0, 32) after 0".
  // Addresses are shown from `base`.
  std::string ToString(uint64_t base) const;
};

// Makes a plan of what is recorded. A node waits for those that it conflicts with: they
// touch the same bytes, and one of the two writes. Loops with a trip count are unrolled.
// Unimplemented, saying why, for what no plan can hold: offsets that are read from the
// device, offsets that depend on a loop whose iterations are not known, and more than
// `max_nodes` nodes.
class PlanRecorder : public Recorder {
 public:
  static constexpr int64_t kMaxNodes = 100000;

  explicit PlanRecorder(int64_t max_nodes = kMaxNodes);
  ~PlanRecorder() override;

  absl::Status Launch(const LaunchCommand& command) override;
  absl::Status Copy(DeviceSpan dst, DeviceSpan src) override;
  absl::Status Fill(DeviceSpan dst, uint32_t pattern) override;
  absl::Status Branch(DeviceSpan index, absl::Span<const Region> branches) override;
  absl::Status Loop(DeviceSpan predicate, std::optional<uint64_t> trip_count,
                    Region condition, Region body) override;
  absl::StatusOr<std::unique_ptr<ForkToken>> Fork(
      StreamId stream, bool forks_inside,
      std::function<absl::Status(Recorder&)> body) override;
  absl::Status Join(std::unique_ptr<ForkToken> token) override;
  absl::Status WithOffsets(
      absl::Span<const OffsetSource* const> sources,
      absl::FunctionRef<absl::Status(Recorder&, absl::Span<const uint64_t>)> body)
      override;
  absl::Status Finish() override { return absl::OkStatus(); }
  std::vector<uint64_t> iterations() const override { return iterations_; }

  // What was recorded so far.
  GraphPlan Take();

 private:
  class Order;

  // Of a body: counts with the plan around it.
  PlanRecorder(int64_t* budget, std::vector<uint64_t> iterations, bool counted);

  absl::Status Add(GraphNode node, absl::Span<const MemoryRange> accesses);
  absl::StatusOr<GraphPlan> PlanBody(Region body, bool counted,
                                     std::vector<MemoryRange>& accesses);

  GraphPlan plan_;
  std::unique_ptr<Order> order_;
  std::vector<MemoryRange> accesses_;  // of all nodes
  int64_t own_budget_;
  int64_t* budget_;  // nodes that may still be added
  std::vector<uint64_t> iterations_;
  bool counted_ = true;  // every loop around has a known number of iterations
};

// Runs a plan on a recorder, node by node. Does not call Finish.
absl::Status Replay(const GraphPlan& plan, Recorder& recorder);

}  // namespace thunky::hal

#endif  // THUNKY_HAL_GRAPH_PLAN_H_
