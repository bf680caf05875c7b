#include "thunky/hal/graph_plan.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"

namespace thunky::hal {
namespace {

MemoryRange Reads(const DeviceSpan& span) {
  return {.begin = span.address, .end = span.address + span.size, .writable = false};
}
MemoryRange Writes(const DeviceSpan& span) {
  return {.begin = span.address, .end = span.address + span.size, .writable = true};
}

// Bodies are planned when they are recorded, and their nodes wait for what they conflict
// with; there is nothing to join.
class PlanForkToken : public ForkToken {};

absl::Status TooMany() {
  return absl::UnimplementedError("the plan of the run has too many nodes");
}

}  // namespace

// Who touched which bytes last.
class PlanRecorder::Order {
 public:
  // The nodes that `node`, which makes these accesses, must wait for; ascending.
  std::vector<int> Add(int node, absl::Span<const MemoryRange> accesses) {
    std::vector<int> after;
    for (const MemoryRange& access : accesses) {
      if (access.begin >= access.end) continue;
      Split(access.begin);
      Split(access.end);
      Cover(access.begin, access.end);
      for (auto at = segments_.find(access.begin);
           at != segments_.end() && at->first < access.end; ++at) {
        Visit(at->second, node, access.writable, after);
      }
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    return after;
  }

 private:
  struct Segment {
    uint64_t end = 0;
    int writer = -1;
    std::vector<int> readers;  // since it was written
  };

  static void Visit(Segment& segment, int node, bool writes, std::vector<int>& after) {
    // Readers waited for the writer themselves.
    if (segment.writer >= 0 && segment.writer != node &&
        (!writes || segment.readers.empty())) {
      after.push_back(segment.writer);
    }
    if (!writes) {
      if (segment.readers.empty() || segment.readers.back() != node) {
        segment.readers.push_back(node);
      }
      return;
    }
    for (const int reader : segment.readers) {
      if (reader != node) after.push_back(reader);
    }
    segment.readers.clear();
    segment.writer = node;
  }

  // Makes `address` the border of segments.
  void Split(uint64_t address) {
    auto at = segments_.upper_bound(address);
    if (at == segments_.begin()) return;
    --at;
    if (at->first == address || at->second.end <= address) return;
    Segment rest = at->second;
    at->second.end = address;
    segments_.emplace(address, std::move(rest));
  }

  // Fills gaps of [begin, end) with segments that nobody touched.
  void Cover(uint64_t begin, uint64_t end) {
    while (begin < end) {
      const auto at = segments_.lower_bound(begin);
      if (at != segments_.end() && at->first == begin) {
        begin = at->second.end;
        continue;
      }
      const uint64_t next =
          at == segments_.end() ? end : std::min<uint64_t>(end, at->first);
      segments_[begin].end = next;
      begin = next;
    }
  }

  std::map<uint64_t, Segment> segments_;  // by their begin
};

PlanRecorder::PlanRecorder(int64_t max_nodes)
    : order_(std::make_unique<Order>()), own_budget_(max_nodes), budget_(&own_budget_) {}

PlanRecorder::PlanRecorder(int64_t* budget, std::vector<uint64_t> iterations,
                           bool counted)
    : order_(std::make_unique<Order>()),
      own_budget_(0),
      budget_(budget),
      iterations_(std::move(iterations)),
      counted_(counted) {}

PlanRecorder::~PlanRecorder() = default;

GraphPlan PlanRecorder::Take() { return std::move(plan_); }

absl::Status PlanRecorder::Add(GraphNode node, absl::Span<const MemoryRange> accesses) {
  if (*budget_ == 0) return TooMany();
  --*budget_;
  node.after = order_->Add(static_cast<int>(plan_.nodes.size()), accesses);
  accesses_.insert(accesses_.end(), accesses.begin(), accesses.end());
  plan_.nodes.push_back(std::move(node));
  return absl::OkStatus();
}

absl::Status PlanRecorder::Launch(const LaunchCommand& command) {
  if (command.grid.count() == 0) return absl::OkStatus();
  GraphNode node;
  node.kind = GraphNode::Kind::kLaunch;
  node.launch = command;
  // For checked runs only, and long.
  node.launch.accesses.clear();
  return Add(std::move(node), command.accesses);
}

absl::Status PlanRecorder::Copy(DeviceSpan dst, DeviceSpan src) {
  if (dst.size != src.size) {
    return absl::InvalidArgumentError(absl::StrCat(
        "copy of ", src.size, " bytes to a destination of ", dst.size, " bytes"));
  }
  if (src.size == 0 || src.address == dst.address) return absl::OkStatus();
  GraphNode node;
  node.kind = GraphNode::Kind::kCopy;
  node.destination = dst;
  node.source = src;
  return Add(std::move(node), {Reads(src), Writes(dst)});
}

absl::Status PlanRecorder::Fill(DeviceSpan dst, uint32_t pattern) {
  if (dst.size == 0) return absl::OkStatus();
  const auto byte = static_cast<uint8_t>(pattern);
  if (dst.size % 4 != 0 && pattern != byte * 0x01010101u) {
    return absl::InvalidArgumentError(absl::StrCat(
        "fill of ", dst.size, " bytes with a 4-byte pattern: not a multiple of 4"));
  }
  GraphNode node;
  node.kind = GraphNode::Kind::kFill;
  node.destination = dst;
  node.pattern = pattern;
  return Add(std::move(node), {Writes(dst)});
}

absl::StatusOr<GraphPlan> PlanRecorder::PlanBody(Region body, bool counted,
                                                 std::vector<MemoryRange>& accesses) {
  PlanRecorder inner(budget_, iterations_, counted);
  RETURN_IF_ERROR(body(inner));
  accesses.insert(accesses.end(), inner.accesses_.begin(), inner.accesses_.end());
  return inner.Take();
}

absl::Status PlanRecorder::Branch(DeviceSpan index, absl::Span<const Region> branches) {
  if (branches.empty()) return absl::InvalidArgumentError("no branches");
  if (index.size != 4 && (index.size != 1 || branches.size() != 2)) {
    return absl::InvalidArgumentError(
        absl::StrCat("a branch index has 4 bytes, or 1 with two branches; this one has ",
                     index.size, " with ", branches.size()));
  }
  GraphNode node;
  node.kind = GraphNode::Kind::kBranch;
  node.source = index;
  std::vector<MemoryRange> accesses = {Reads(index)};
  for (const Region& branch : branches) {
    ASSIGN_OR_RETURN(GraphPlan body, PlanBody(branch, counted_, accesses));
    node.bodies.push_back(std::move(body));
  }
  return Add(std::move(node), accesses);
}

absl::Status PlanRecorder::Loop(DeviceSpan predicate, std::optional<uint64_t> trip_count,
                                Region condition, Region body) {
  if (trip_count.has_value()) {
    iterations_.push_back(0);
    absl::Status status;
    for (uint64_t i = 0; i < *trip_count && status.ok(); ++i) {
      iterations_.back() = i;
      const size_t before = plan_.nodes.size();
      status = body(*this);
      // Nothing is done any number of times.
      if (plan_.nodes.size() == before && i == 0 && status.ok()) break;
    }
    iterations_.pop_back();
    return status;
  }
  if (predicate.size != 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("a loop condition has 1 byte, this one has ", predicate.size));
  }
  GraphNode node;
  node.kind = GraphNode::Kind::kLoop;
  node.source = predicate;
  std::vector<MemoryRange> accesses = {Reads(predicate)};
  iterations_.push_back(0);
  for (const Region& region : {condition, body}) {
    absl::StatusOr<GraphPlan> plan = PlanBody(region, /*counted=*/false, accesses);
    if (!plan.ok()) {
      iterations_.pop_back();
      return plan.status();
    }
    node.bodies.push_back(*std::move(plan));
  }
  iterations_.pop_back();
  return Add(std::move(node), accesses);
}

absl::StatusOr<std::unique_ptr<ForkToken>> PlanRecorder::Fork(
    StreamId, bool, std::function<absl::Status(Recorder&)> body) {
  RETURN_IF_ERROR(body(*this));
  return std::make_unique<PlanForkToken>();
}

absl::Status PlanRecorder::Join(std::unique_ptr<ForkToken> token) {
  if (dynamic_cast<PlanForkToken*>(token.get()) != nullptr) return absl::OkStatus();
  return absl::InvalidArgumentError("the token is not one of a plan");
}

absl::Status PlanRecorder::WithOffsets(
    absl::Span<const OffsetSource* const> sources,
    absl::FunctionRef<absl::Status(Recorder&, absl::Span<const uint64_t>)> body) {
  if (!counted_) {
    return absl::UnimplementedError(
        "a slice lies where the number of an iteration says, in a loop whose end is not "
        "known before");
  }
  std::vector<uint64_t> offsets;
  for (const OffsetSource* source : sources) {
    if (!source->inputs().empty()) {
      return absl::UnimplementedError("a slice lies where the device computes");
    }
    ASSIGN_OR_RETURN(const uint64_t offset, source->Evaluate({}, iterations_));
    offsets.push_back(offset);
  }
  return body(*this, offsets);
}

int64_t GraphPlan::CountNodes() const {
  auto count = static_cast<int64_t>(nodes.size());
  for (const GraphNode& node : nodes) {
    for (const GraphPlan& body : node.bodies) count += body.CountNodes();
  }
  return count;
}

namespace {

std::string Range(const DeviceSpan& span, uint64_t base) {
  return absl::StrCat("[", span.address - base, ", ", span.address - base + span.size,
                      ")");
}

void Print(const GraphPlan& plan, uint64_t base, const std::string& indent,
           std::string& text) {
  for (size_t i = 0; i < plan.nodes.size(); ++i) {
    const GraphNode& node = plan.nodes[i];
    absl::StrAppend(&text, indent, i, " ");
    switch (node.kind) {
      case GraphNode::Kind::kLaunch:
        absl::StrAppend(&text, "launch ", node.launch.kernel->info().entry);
        break;
      case GraphNode::Kind::kCopy:
        absl::StrAppend(&text, "copy ", Range(node.source, base), " -> ",
                        Range(node.destination, base));
        break;
      case GraphNode::Kind::kFill:
        absl::StrAppend(&text, "fill ", Range(node.destination, base));
        break;
      case GraphNode::Kind::kBranch:
        absl::StrAppend(&text, "branch ", Range(node.source, base));
        break;
      case GraphNode::Kind::kLoop:
        absl::StrAppend(&text, "loop ", Range(node.source, base));
        break;
    }
    if (!node.after.empty()) {
      absl::StrAppend(&text, " after ", absl::StrJoin(node.after, ", "));
    }
    text += "\n";
    for (const GraphPlan& body : node.bodies) {
      absl::StrAppend(&text, indent, "  body\n");
      Print(body, base, indent + "    ", text);
    }
  }
}

}  // namespace

std::string GraphPlan::ToString(uint64_t base) const {
  std::string text;
  Print(*this, base, "", text);
  return text;
}

absl::Status Replay(const GraphPlan& plan, Recorder& recorder) {
  const auto body_of = [](const GraphPlan& body) {
    return [&body](Recorder& inner) { return Replay(body, inner); };
  };
  for (const GraphNode& node : plan.nodes) {
    switch (node.kind) {
      case GraphNode::Kind::kLaunch:
        RETURN_IF_ERROR(recorder.Launch(node.launch));
        break;
      case GraphNode::Kind::kCopy:
        RETURN_IF_ERROR(recorder.Copy(node.destination, node.source));
        break;
      case GraphNode::Kind::kFill:
        RETURN_IF_ERROR(recorder.Fill(node.destination, node.pattern));
        break;
      case GraphNode::Kind::kBranch: {
        std::vector<std::function<absl::Status(Recorder&)>> bodies;
        for (const GraphPlan& body : node.bodies) bodies.emplace_back(body_of(body));
        const std::vector<Region> regions(bodies.begin(), bodies.end());
        RETURN_IF_ERROR(recorder.Branch(node.source, regions));
        break;
      }
      case GraphNode::Kind::kLoop:
        RETURN_IF_ERROR(recorder.Loop(node.source, std::nullopt, body_of(node.bodies[0]),
                                      body_of(node.bodies[1])));
        break;
    }
  }
  return absl::OkStatus();
}

}  // namespace thunky::hal
