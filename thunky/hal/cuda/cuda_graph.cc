#include "thunky/hal/cuda/cuda_graph.h"

#include <cstring>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_replace.h"
#include "thunky/base/status_macros.h"
#include "thunky/hal/cuda/graph_setters.h"

namespace thunky::hal::cuda {
namespace {

// What a node does, in the driver's terms: what an instantiated graph can be given anew.
struct KernelWork {
  std::shared_ptr<const Kernel> kernel;
  Dim3 grid;
  Dim3 block;
  uint64_t shared_bytes = 0;
  bool programmatic = false;
  std::vector<std::vector<uint8_t>> arguments;
};
struct CopyWork {
  uint64_t destination = 0;
  uint64_t source = 0;
  uint64_t size = 0;
};
struct FillWork {
  uint64_t destination = 0;
  uint64_t size = 0;
  uint32_t pattern = 0;
};
using Work = std::variant<KernelWork, CopyWork, FillWork>;

bool Equal(const Dim3& a, const Dim3& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
bool Equal(const KernelWork& a, const KernelWork& b) {
  return a.kernel == b.kernel && Equal(a.grid, b.grid) && Equal(a.block, b.block) &&
         a.shared_bytes == b.shared_bytes && a.arguments == b.arguments;
}
bool Equal(const CopyWork& a, const CopyWork& b) {
  return a.destination == b.destination && a.source == b.source && a.size == b.size;
}
bool Equal(const FillWork& a, const FillWork& b) {
  return a.destination == b.destination && a.size == b.size && a.pattern == b.pattern;
}

CUDA_KERNEL_NODE_PARAMS ParamsOf(const KernelWork& work, std::vector<void*>& arguments) {
  for (const std::vector<uint8_t>& argument : work.arguments) {
    // The driver copies what it points to.
    arguments.push_back(const_cast<uint8_t*>(argument.data()));
  }
  CUDA_KERNEL_NODE_PARAMS params = {};
  params.func = static_cast<const CudaKernel&>(*work.kernel).function();
  params.gridDimX = static_cast<unsigned>(work.grid.x);
  params.gridDimY = static_cast<unsigned>(work.grid.y);
  params.gridDimZ = static_cast<unsigned>(work.grid.z);
  params.blockDimX = static_cast<unsigned>(work.block.x);
  params.blockDimY = static_cast<unsigned>(work.block.y);
  params.blockDimZ = static_cast<unsigned>(work.block.z);
  params.sharedMemBytes = static_cast<unsigned>(work.shared_bytes);
  params.kernelParams = arguments.data();
  return params;
}

CUDA_MEMCPY3D ParamsOf(const CopyWork& work) {
  CUDA_MEMCPY3D params = {};
  params.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  params.srcDevice = work.source;
  params.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  params.dstDevice = work.destination;
  params.WidthInBytes = work.size;
  params.Height = 1;
  params.Depth = 1;
  return params;
}

CUDA_MEMSET_NODE_PARAMS ParamsOf(const FillWork& work) {
  const bool words = work.size % 4 == 0 && work.destination % 4 == 0;
  CUDA_MEMSET_NODE_PARAMS params = {};
  params.dst = work.destination;
  params.value = words ? work.pattern : work.pattern & 0xffu;
  params.elementSize = words ? 4 : 1;
  params.width = words ? work.size / 4 : work.size;
  params.height = 1;
  return params;
}

using Nodes = std::vector<CUgraphNode>;

// One node that can be given other work.
struct Placed {
  CUgraphNode node = nullptr;
  Work work;
};

class CudaGraph : public GraphInstance {
 public:
  CudaGraph(std::shared_ptr<Context> context, RunResourcePool& pool,
            const GraphSetters& setters)
      : context_(std::move(context)),
        api_(context_->api()),
        pool_(pool),
        setters_(setters) {}

  ~CudaGraph() override {
    if (!context_->MakeCurrent().ok()) return;
    if (exec_ != nullptr) api_.cuGraphExecDestroy(exec_);
    if (graph_ != nullptr) api_.cuGraphDestroy(graph_);
  }

  absl::Status Build(const GraphPlan& plan) {
    RETURN_IF_ERROR(Check(api_.cuGraphCreate(&graph_, 0), "making a graph"));
    Nodes ends;
    RETURN_IF_ERROR(AddPlan(graph_, plan, {}, ends));
    return Check(api_.cuGraphInstantiate(&exec_, graph_, 0), "instantiating a graph");
  }

  absl::Status Run(const RunOptions& options) override {
    return RunOnStream(pool_, options, [&](CUstream stream) {
      return Check(api_.cuGraphLaunch(exec_, stream), "launching a graph");
    });
  }

  absl::StatusOr<int64_t> Update(const GraphPlan& plan) override {
    RETURN_IF_ERROR(context_->MakeCurrent());
    updating_ = true;
    next_ = 0;
    next_handle_ = 0;
    changed_ = 0;
    shape_matches_ = true;
    Nodes ends;
    RETURN_IF_ERROR(AddPlan(graph_, plan, {}, ends));
    if (!shape_matches_ || next_ != placed_.size()) {
      return absl::FailedPreconditionError("the plan has other nodes or another order");
    }
    return changed_;
  }

 private:
  absl::Status Check(CUresult result, std::string_view what) {
    return context_->Check(result, what);
  }

  // Adds the nodes of a plan to a graph, those that wait for nothing behind `before`.
  // `ends` are those that nothing waits for (`before` where there is none).
  absl::Status AddPlan(CUgraph graph, const GraphPlan& plan, const Nodes& before,
                       Nodes& ends) {
    std::vector<CUgraphNode> done(plan.nodes.size());
    std::vector<bool> waited(plan.nodes.size(), false);
    for (size_t i = 0; i < plan.nodes.size(); ++i) {
      const GraphNode& node = plan.nodes[i];
      Nodes after;
      for (const int earlier : node.after) {
        after.push_back(done[static_cast<size_t>(earlier)]);
        waited[static_cast<size_t>(earlier)] = true;
      }
      if (node.after.empty()) after = before;
      ASSIGN_OR_RETURN(done[i], AddNode(graph, node, after));
    }
    for (size_t i = 0; i < done.size(); ++i) {
      if (!waited[i]) ends.push_back(done[i]);
    }
    if (ends.empty()) ends = before;
    return absl::OkStatus();
  }

  absl::StatusOr<CUgraphNode> AddNode(CUgraph graph, const GraphNode& node,
                                      const Nodes& after) {
    switch (node.kind) {
      case GraphNode::Kind::kLaunch:
        return Place(graph, after,
                     KernelWork{node.launch.kernel, node.launch.grid, node.launch.block,
                                node.launch.dynamic_shared_bytes,
                                node.launch.programmatic, node.launch.arguments});
      case GraphNode::Kind::kCopy:
        return Place(
            graph, after,
            CopyWork{node.destination.address, node.source.address, node.source.size});
      case GraphNode::Kind::kFill:
        return Place(
            graph, after,
            FillWork{node.destination.address, node.destination.size, node.pattern});
      case GraphNode::Kind::kBranch:
        return AddBranch(graph, node, after);
      case GraphNode::Kind::kLoop:
        return AddLoop(graph, node, after);
    }
    return absl::InternalError("a node of no kind");
  }

  // The condition, and as long as it holds the body and the condition again.
  absl::StatusOr<CUgraphNode> AddLoop(CUgraph graph, const GraphNode& node,
                                      const Nodes& after) {
    ASSIGN_OR_RETURN(const CUgraphConditionalHandle handle, NewHandle(graph));
    Nodes tested;
    RETURN_IF_ERROR(AddPlan(graph, node.bodies[0], after, tested));
    ASSIGN_OR_RETURN(CUgraphNode set,
                     AddSetter(graph, tested, *setters_.loop, handle, node.source, {}));
    ASSIGN_OR_RETURN(const std::vector<CUgraph> bodies,
                     AddConditional(graph, {set}, CU_GRAPH_COND_TYPE_WHILE, handle, 1));
    CUgraphNode loop = last_conditional_;
    Nodes repeated;
    RETURN_IF_ERROR(AddPlan(bodies[0], node.bodies[1], {}, repeated));
    Nodes tested_again;
    RETURN_IF_ERROR(AddPlan(bodies[0], node.bodies[0], repeated, tested_again));
    RETURN_IF_ERROR(
        AddSetter(bodies[0], tested_again, *setters_.loop, handle, node.source, {})
            .status());
    return loop;
  }

  absl::StatusOr<CUgraphNode> AddBranch(CUgraph graph, const GraphNode& node,
                                        const Nodes& after) {
    ASSIGN_OR_RETURN(const CUgraphConditionalHandle handle, NewHandle(graph));
    const auto count = static_cast<uint32_t>(node.bodies.size());
    std::vector<uint8_t> bodies_argument(sizeof(count));
    std::memcpy(bodies_argument.data(), &count, sizeof(count));
    const bool is_bool = node.source.size == 1;
    ASSIGN_OR_RETURN(
        CUgraphNode set,
        is_bool ? AddSetter(graph, after, *setters_.branch_bool, handle, node.source, {})
                : AddSetter(graph, after, *setters_.branch_i32, handle, node.source,
                            {std::move(bodies_argument)}));
    ASSIGN_OR_RETURN(
        const std::vector<CUgraph> bodies,
        AddConditional(graph, {set}, CU_GRAPH_COND_TYPE_SWITCH, handle, count));
    CUgraphNode branch = last_conditional_;
    for (size_t i = 0; i < node.bodies.size(); ++i) {
      Nodes ends;
      RETURN_IF_ERROR(AddPlan(bodies[i], node.bodies[i], {}, ends));
    }
    return branch;
  }

  absl::StatusOr<CUgraphConditionalHandle> NewHandle(CUgraph graph) {
    if (updating_) {
      // Handles count with the conditional nodes, in order.
      if (next_handle_ < handles_.size()) return handles_[next_handle_++];
      shape_matches_ = false;
      return 0;
    }
    CUgraphConditionalHandle handle = 0;
    RETURN_IF_ERROR(Check(
        api_.cuGraphConditionalHandleCreate(&handle, graph, context_->handle(), 0, 0),
        "making a handle of a graph"));
    handles_.push_back(handle);
    return handle;
  }

  absl::StatusOr<CUgraphNode> AddSetter(CUgraph graph, const Nodes& after,
                                        const CudaKernel& kernel,
                                        CUgraphConditionalHandle handle,
                                        const DeviceSpan& value,
                                        std::vector<std::vector<uint8_t>> more) {
    KernelWork work;
    work.programmatic = setters_.programmatic;
    work.kernel = &kernel == setters_.loop.get()          ? setters_.loop
                  : &kernel == setters_.branch_bool.get() ? setters_.branch_bool
                                                          : setters_.branch_i32;
    std::vector<uint8_t> first(sizeof(handle));
    std::memcpy(first.data(), &handle, sizeof(handle));
    std::vector<uint8_t> second(sizeof(value.address));
    std::memcpy(second.data(), &value.address, sizeof(value.address));
    work.arguments = {std::move(first), std::move(second)};
    for (std::vector<uint8_t>& argument : more) {
      work.arguments.push_back(std::move(argument));
    }
    return Place(graph, after, std::move(work));
  }

  // The graphs of the bodies; the node is last_conditional_.
  absl::StatusOr<std::vector<CUgraph>> AddConditional(CUgraph graph, const Nodes& after,
                                                      CUgraphConditionalNodeType type,
                                                      CUgraphConditionalHandle handle,
                                                      unsigned bodies) {
    if (updating_) {
      last_conditional_ = nullptr;
      return std::vector<CUgraph>(bodies, nullptr);
    }
    CUgraphNodeParams params = {};
    params.type = CU_GRAPH_NODE_TYPE_CONDITIONAL;
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = bodies;
    params.conditional.ctx = context_->handle();
    RETURN_IF_ERROR(Check(api_.cuGraphAddNode(&last_conditional_, graph, after.data(),
                                              nullptr, after.size(), &params),
                          "adding a conditional node"));
    return std::vector<CUgraph>(params.conditional.phGraph_out,
                                params.conditional.phGraph_out + bodies);
  }

  absl::StatusOr<CUgraphNode> Place(CUgraph graph, const Nodes& after, Work work) {
    if (updating_) return Replace(std::move(work));
    CUgraphNode node = nullptr;
    RETURN_IF_ERROR(std::visit(
        [&](const auto& what) { return AddWork(graph, after, what, node); }, work));
    placed_.push_back({node, std::move(work)});
    return node;
  }

  absl::Status AddWork(CUgraph graph, const Nodes& after, const KernelWork& work,
                       CUgraphNode& node) {
    std::vector<void*> arguments;
    const CUDA_KERNEL_NODE_PARAMS params = ParamsOf(work, arguments);
    CUgraphNodeParams all = {};
    all.type = CU_GRAPH_NODE_TYPE_KERNEL;
    all.kernel.func = params.func;
    all.kernel.gridDimX = params.gridDimX;
    all.kernel.gridDimY = params.gridDimY;
    all.kernel.gridDimZ = params.gridDimZ;
    all.kernel.blockDimX = params.blockDimX;
    all.kernel.blockDimY = params.blockDimY;
    all.kernel.blockDimZ = params.blockDimZ;
    all.kernel.sharedMemBytes = params.sharedMemBytes;
    all.kernel.kernelParams = params.kernelParams;
    // A kernel that waits by itself may start as the kernels in front of it end.
    std::vector<CUgraphEdgeData> edges(after.size());
    for (size_t i = 0; i < after.size(); ++i) {
      edges[i] = {};
      if (!work.programmatic || kernels_.count(after[i]) == 0) continue;
      edges[i].from_port = CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC;
      edges[i].type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    }
    RETURN_IF_ERROR(Check(
        api_.cuGraphAddNode(&node, graph, after.data(), edges.data(), after.size(), &all),
        "adding a kernel to a graph"));
    kernels_.insert(node);
    return absl::OkStatus();
  }
  absl::Status AddWork(CUgraph graph, const Nodes& after, const CopyWork& work,
                       CUgraphNode& node) {
    const CUDA_MEMCPY3D params = ParamsOf(work);
    return Check(api_.cuGraphAddMemcpyNode(&node, graph, after.data(), after.size(),
                                           &params, context_->handle()),
                 "adding a copy to a graph");
  }
  absl::Status AddWork(CUgraph graph, const Nodes& after, const FillWork& work,
                       CUgraphNode& node) {
    const CUDA_MEMSET_NODE_PARAMS params = ParamsOf(work);
    return Check(api_.cuGraphAddMemsetNode(&node, graph, after.data(), after.size(),
                                           &params, context_->handle()),
                 "adding a fill to a graph");
  }

  // Gives the next node of the instantiated graph this work, where it is another.
  absl::StatusOr<CUgraphNode> Replace(Work work) {
    if (next_ == placed_.size() || placed_[next_].work.index() != work.index()) {
      shape_matches_ = false;
      return nullptr;
    }
    Placed& placed = placed_[next_++];
    const bool same = std::visit(
        [&](const auto& what) {
          return Equal(what, std::get<std::decay_t<decltype(what)>>(placed.work));
        },
        work);
    if (same) return placed.node;
    RETURN_IF_ERROR(
        std::visit([&](const auto& what) { return SetWork(placed.node, what); }, work));
    placed.work = std::move(work);
    ++changed_;
    return placed.node;
  }

  absl::Status SetWork(CUgraphNode node, const KernelWork& work) {
    std::vector<void*> arguments;
    const CUDA_KERNEL_NODE_PARAMS params = ParamsOf(work, arguments);
    return Check(api_.cuGraphExecKernelNodeSetParams(exec_, node, &params),
                 "updating a kernel of a graph");
  }
  absl::Status SetWork(CUgraphNode node, const CopyWork& work) {
    const CUDA_MEMCPY3D params = ParamsOf(work);
    return Check(
        api_.cuGraphExecMemcpyNodeSetParams(exec_, node, &params, context_->handle()),
        "updating a copy of a graph");
  }
  absl::Status SetWork(CUgraphNode node, const FillWork& work) {
    const CUDA_MEMSET_NODE_PARAMS params = ParamsOf(work);
    return Check(
        api_.cuGraphExecMemsetNodeSetParams(exec_, node, &params, context_->handle()),
        "updating a fill of a graph");
  }

  std::shared_ptr<Context> context_;
  const DriverApi& api_;
  RunResourcePool& pool_;
  const GraphSetters& setters_;
  CUgraph graph_ = nullptr;
  CUgraphExec exec_ = nullptr;
  std::vector<Placed> placed_;  // in the order in which AddPlan meets them
  std::set<CUgraphNode> kernels_;
  std::vector<CUgraphConditionalHandle> handles_;
  size_t next_handle_ = 0;
  CUgraphNode last_conditional_ = nullptr;
  // While a plan is compared with what is there.
  bool updating_ = false;
  bool shape_matches_ = true;
  size_t next_ = 0;
  int64_t changed_ = 0;
};

absl::StatusOr<std::shared_ptr<const CudaKernel>> LoadSetter(
    KernelCache& kernels, const std::shared_ptr<const std::string>& code,
    const char* entry) {
  KernelSource source;
  source.entry = entry;
  source.ptx = code;
  source.origin = "thunky";
  ASSIGN_OR_RETURN(std::shared_ptr<const Kernel> kernel, kernels.Load(source));
  return std::static_pointer_cast<const CudaKernel>(std::move(kernel));
}

}  // namespace

absl::StatusOr<GraphSetters> GraphSetters::Load(KernelCache& kernels, int major) {
  constexpr int kFirstToWait = 9;
  GraphSetters setters;
  setters.programmatic = major >= kFirstToWait;
  const auto code = std::make_shared<const std::string>(
      setters.programmatic
          ? absl::StrReplaceAll(kGraphSetters, {{".target sm_75", ".target sm_90"},
                                                {"//wait", "griddepcontrol.wait;"}})
          : std::string(kGraphSetters));
  ASSIGN_OR_RETURN(setters.loop, LoadSetter(kernels, code, "set_loop"));
  ASSIGN_OR_RETURN(setters.branch_bool, LoadSetter(kernels, code, "set_branch_bool"));
  ASSIGN_OR_RETURN(setters.branch_i32, LoadSetter(kernels, code, "set_branch_i32"));
  return setters;
}

absl::StatusOr<std::unique_ptr<GraphInstance>> MakeCudaGraph(
    std::shared_ptr<Context> context, RunResourcePool& pool, const GraphSetters& setters,
    const GraphPlan& plan) {
  RETURN_IF_ERROR(context->lost());
  RETURN_IF_ERROR(context->MakeCurrent());
  auto graph = std::make_unique<CudaGraph>(std::move(context), pool, setters);
  RETURN_IF_ERROR(graph->Build(plan));
  return graph;
}

}  // namespace thunky::hal::cuda
