#include "thunky/compiler/translate/expected_export.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "thunky/compiler/dialect/proto_attributes.h"
#include "thunky/schema/allocations.h"
#include "thunky/schema/constants.h"
#include "thunky/schema/kinds.h"
#include "thunky/schema/signature.h"

namespace thunky::compiler {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using schema::ThunkList;

// Calls `visit` with every message of type T in `message`, parents first. Goes into the
// thunks of a dynamic_slice_fusion only with `embedded`.
template <typename T>
void forEach(Message& message, bool embedded, const std::function<void(T&)>& visit) {
  if (message.GetDescriptor() == T::descriptor()) visit(static_cast<T&>(message));
  const google::protobuf::Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->message_type() == nullptr || field->is_map()) continue;
    const bool local =
        field->name() == "embedded_thunks" || field->name() == "slice_allocations";
    if (local && !embedded) continue;
    if (!field->is_repeated()) {
      forEach(*reflection.MutableMessage(&message, field), embedded, visit);
      continue;
    }
    const int size = reflection.FieldSize(message, field);
    for (int i = 0; i < size; ++i) {
      forEach(*reflection.MutableRepeatedMessage(&message, field, i), embedded, visit);
    }
  }
}

// Old number to new.
using Numbers = std::map<int64_t, int64_t>;

void sortAllocations(schema::AllocationList& list) {
  std::sort(list.pointer_begin(), list.pointer_end(),
            [](const auto* a, const auto* b) { return a->index() < b->index(); });
}

Numbers newNumbers(const wire::GpuExecutableProto& executable,
                   const schema::Signature& signature, int64_t* constantResult) {
  Numbers numbers;
  int64_t next = 0;
  for (const auto& parameter : signature.parameters) {
    numbers[parameter.allocation] = next++;
  }
  for (size_t i = 0; i < signature.results.size(); ++i) {
    const schema::SignatureResult& result = signature.results[i];
    if (result.constant.has_value()) {
      *constantResult = next++;
    } else if (!result.aliased_parameter.has_value() &&
               result.first_in_allocation == static_cast<int>(i)) {
      numbers[result.allocation] = next++;
    }
  }
  for (const auto& temporary : signature.temporaries) {
    numbers[temporary.allocation] = next++;
  }
  for (const auto& constant : signature.constants) {
    if (constant.allocation >= 0) numbers[constant.allocation] = next++;
  }
  const auto allocations = schema::AllocationsOf(executable);
  for (const wire::BufferAllocationProto& allocation : **allocations) {
    if (numbers.emplace(allocation.index(), next).second) ++next;
  }
  return numbers;
}

void renumber(wire::GpuExecutableProto& executable, const Numbers& numbers) {
  for (wire::ThunkProto& thunk : *executable.mutable_thunks()) {
    forEach<wire::BufferAllocationSliceProto>(
        thunk, /*embedded=*/false, [&](wire::BufferAllocationSliceProto& slice) {
          slice.set_buffer_allocation_index(numbers.at(slice.buffer_allocation_index()));
        });
  }
  for (auto& entry : *executable.mutable_output_info_map()) {
    auto& info = *entry.mutable_output_info();
    info.set_allocation_index(numbers.at(info.allocation_index()));
  }
  for (auto& constant : *executable.mutable_constants()) {
    if (constant.allocation_index() < 0) continue;
    constant.set_allocation_index(numbers.at(constant.allocation_index()));
  }
  const auto renumberList = [&](schema::AllocationList& list) {
    for (auto& allocation : list) allocation.set_index(numbers.at(allocation.index()));
    sortAllocations(list);
  };
  if (executable.has_buffer_allocations()) {
    renumberList(*executable.mutable_buffer_allocations()->mutable_values());
  }
  if (executable.has_buffer_assignment()) {
    auto& assignment = *executable.mutable_buffer_assignment();
    renumberList(*assignment.mutable_buffer_allocations());
    for (auto& trace : *assignment.mutable_heap_simulator_traces()) {
      const auto number = numbers.find(trace.buffer_allocation_index());
      if (number != numbers.end()) trace.set_buffer_allocation_index(number->second);
    }
  }
}

// Lists of thunks below an operation, not those in payloads.
std::vector<ThunkList*> regionsOf(wire::ThunkProto& thunk) {
  std::vector<ThunkList*> lists;
  if (thunk.has_conditional_thunk()) {
    for (auto& branch : *thunk.mutable_conditional_thunk()->mutable_branch_thunks()) {
      lists.push_back(branch.mutable_thunks());
    }
  } else if (thunk.has_while_thunk()) {
    auto& loop = *thunk.mutable_while_thunk();
    lists = {loop.mutable_condition_thunk_sequence()->mutable_thunks(),
             loop.mutable_body_thunk_sequence()->mutable_thunks()};
  } else if (thunk.has_async_start_thunk()) {
    lists = {thunk.mutable_async_start_thunk()->mutable_thunks()->mutable_thunks()};
  } else if (thunk.has_collective_group_thunk()) {
    lists = {thunk.mutable_collective_group_thunk()->mutable_thunks()};
  }
  return lists;
}

void flatten(ThunkList& thunks, ThunkList& flat) {
  for (wire::ThunkProto& thunk : thunks) {
    if (thunk.has_sequential_thunk()) {
      flatten(*thunk.mutable_sequential_thunk()->mutable_thunks(), flat);
      continue;
    }
    for (ThunkList* list : regionsOf(thunk)) {
      ThunkList inside;
      flatten(*list, inside);
      list->Swap(&inside);
    }
    *flat.Add() = std::move(thunk);
  }
}

void ownCode(const wire::GpuExecutableProto& executable, wire::ThunkProto& thunk) {
  if (!thunk.has_kernel_thunk()) return;
  const wire::KernelThunkProto old = thunk.kernel_thunk();
  // Good enough for the files at hand.
  if (executable.asm_text().find(".entry " + old.kernel_name()) == std::string::npos) {
    return;
  }
  wire::CustomKernelThunkProto& fresh = *thunk.mutable_custom_kernel_thunk();
  for (int i = 0; i < old.args_size(); ++i) {
    wire::ShapedSliceProto& argument = *fresh.add_args();
    *argument.mutable_slice() = old.args(i);
    if (i < old.args_shape_size()) *argument.mutable_shape() = old.args_shape(i);
  }
  *fresh.mutable_written() = old.written();
  *fresh.mutable_zeroed_output_buffer_indices() = old.zeroed_output_buffer_indices();
  fresh.set_use_pdl(old.use_pdl());
  if (old.has_tma_metadata()) *fresh.mutable_tma_metadata() = old.tma_metadata();
  wire::CustomKernelProto& kernel = *fresh.mutable_custom_kernel();
  kernel.set_name(old.kernel_name());
  *kernel.mutable_block_dims() = old.launch_dimensions().block_counts();
  *kernel.mutable_thread_dims() = old.launch_dimensions().thread_counts_per_block();
  if (old.has_cluster_dim()) *kernel.mutable_cluster_dim() = old.cluster_dim();
  kernel.set_shared_memory_bytes(old.shmem_bytes());
  kernel.mutable_kernel_spec()->set_arity(old.args_size());
  kernel.mutable_kernel_spec()->set_kernel_name(old.kernel_name());
  kernel.mutable_kernel_spec()->mutable_ptx()->set_data(executable.asm_text());
}

// Copies the constant that is a result; one is enough for the tests.
void copyConstantResult(wire::GpuExecutableProto& executable, int64_t constant,
                        int64_t fresh, int64_t size) {
  for (auto& entry : *executable.mutable_output_info_map()) {
    if (entry.output_info().allocation_index() != constant) continue;
    entry.mutable_output_info()->set_allocation_index(fresh);
  }
  const auto add = [&](schema::AllocationList& list) {
    wire::BufferAllocationProto& allocation = *list.Add();
    allocation.set_index(fresh);
    allocation.set_size(size);
    allocation.set_maybe_live_out(true);
    sortAllocations(list);
  };
  if (executable.has_buffer_allocations()) {
    add(*executable.mutable_buffer_allocations()->mutable_values());
  }
  if (executable.has_buffer_assignment()) {
    add(*executable.mutable_buffer_assignment()->mutable_buffer_allocations());
  }
  wire::CopyThunkProto& copy = *executable.add_thunks()
                                    ->mutable_device_to_device_copy_thunk()
                                    ->mutable_copy_thunk();
  const auto fill = [&](wire::ShapedSliceProto& shaped, int64_t allocation) {
    shaped.mutable_slice()->set_size(size);
    shaped.mutable_slice()->set_buffer_allocation_index(allocation);
    shaped.mutable_slice()->set_element_type(wire::U8);
    shaped.mutable_shape()->set_element_type(wire::U8);
    shaped.mutable_shape()->add_dimensions(size);
    shaped.mutable_shape()->add_is_dynamic_dimension(false);
    shaped.mutable_shape()->mutable_layout()->add_minor_to_major(0);
    shaped.mutable_shape()->mutable_layout()->set_tail_padding_alignment_in_elements(1);
  };
  fill(*copy.mutable_source_buffer(), constant);
  fill(*copy.mutable_destination_buffer(), fresh);
  copy.set_mem_size(size);
}

}  // namespace

wire::GpuExecutableProto expectedExport(const wire::GpuExecutableProto& original) {
  wire::GpuExecutableProto expected = original;
  const absl::StatusOr<schema::Signature> signature = schema::SignatureOf(original);
  EXPECT_TRUE(signature.ok()) << signature.status();
  if (!signature.ok()) return expected;
  int64_t constantResult = -1;
  const Numbers numbers = newNumbers(original, *signature, &constantResult);
  renumber(expected, numbers);
  ThunkList flat;
  flatten(*expected.mutable_thunks(), flat);
  expected.mutable_thunks()->Swap(&flat);
  for (const schema::SignatureResult& result : signature->results) {
    if (!result.constant.has_value()) continue;
    copyConstantResult(expected, numbers.at(result.allocation), constantResult,
                       result.size);
  }
  for (wire::ThunkProto& thunk : *expected.mutable_thunks()) {
    forEach<wire::ThunkProto>(thunk, true,
                              [&](wire::ThunkProto& inner) { ownCode(original, inner); });
  }
  int64_t id = 1;
  for (wire::ThunkProto& thunk : *expected.mutable_thunks()) {
    forEach<wire::ThunkProto>(thunk, true, [&](wire::ThunkProto& inner) {
      inner.mutable_thunk_info()->set_thunk_id(id++);
    });
  }
  numberAsyncIds(expected);
  const auto constants = schema::ConstantsOf(original);
  EXPECT_TRUE(constants.ok()) << constants.status();
  if (!constants.ok()) return expected;
  for (int i = 0; i < expected.constants_size(); ++i) {
    if (expected.constants(i).allocation_index() < 0) continue;
    expected.mutable_constants(i)->mutable_content()->set_data((*constants)[i].bytes);
  }
  return expected;
}

wire::GpuExecutableProto withCodeInline(const wire::GpuExecutableProto& runtime) {
  EXPECT_EQ(runtime.binary(), "");
  EXPECT_EQ(runtime.asm_text(), "");
  wire::GpuExecutableProto executable = runtime;
  std::set<std::string> used;
  for (wire::ThunkProto& thunk : *executable.mutable_thunks()) {
    forEach<wire::KernelLoaderSpecProto>(
        thunk, true, [&](wire::KernelLoaderSpecProto& spec) {
          for (const wire::KernelCodeProto& code : runtime.thunky().kernel_code()) {
            if (code.hash() != spec.thunky_code()) continue;
            used.insert(code.hash());
            if (code.cubins_size() == 1) {
              spec.mutable_cubin()->set_data(code.cubins(0).data());
            } else {
              spec.mutable_ptx()->set_data(code.ptx());
            }
            spec.clear_thunky_code();
            return;
          }
          EXPECT_EQ(spec.thunky_code(), "") << "is not in the table";
        });
  }
  EXPECT_EQ(used.size(), runtime.thunky().kernel_code_size());
  executable.clear_thunky();
  return executable;
}

void numberAsyncIds(wire::GpuExecutableProto& executable) {
  Numbers ids;
  const auto number = [&](uint64_t id) {
    return ids.emplace(id, static_cast<int64_t>(ids.size()) + 1).first->second;
  };
  forEach<wire::ThunkProto>(executable, true, [&](wire::ThunkProto& thunk) {
    if (thunk.has_async_start_thunk()) {
      auto& start = *thunk.mutable_async_start_thunk();
      start.set_async_execution_id(number(start.async_execution_id()));
    } else if (thunk.has_async_done_thunk()) {
      auto& done = *thunk.mutable_async_done_thunk();
      done.set_async_execution_id(number(done.async_execution_id()));
    }
  });
}

std::string differenceOf(const Message& expected, const Message& actual) {
  if (bytesOf(expected) == bytesOf(actual)) return "";
  std::string report;
  google::protobuf::util::MessageDifferencer differencer;
  differencer.ReportDifferencesToString(&report);
  if (differencer.Compare(expected, actual)) report = "the order or form of fields";
  return report.substr(0, 2000);
}

}  // namespace thunky::compiler
