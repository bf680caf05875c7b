#include "thunky/compiler/dialect/payload.h"

#include <map>
#include <mutex>
#include <set>

#include "google/protobuf/descriptor.h"

namespace thunky::compiler {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Fields that lead from a message to messages of one type. Most parts of a payload
// lead to none, so that few fields are looked at.
class Route {
 public:
  // `barrier` fields are not passed.
  Route(const Descriptor* target, std::set<const FieldDescriptor*> barrier)
      : target_(target), barrier_(std::move(barrier)) {
    find(wire::ThunkProto::descriptor());
  }

  // Appends every message of the type below `message`, itself included.
  template <typename T>
  void collect(Message& message, std::vector<T*>& found) const {
    if (message.GetDescriptor() == target_) found.push_back(static_cast<T*>(&message));
    const auto fields = fields_.find(message.GetDescriptor());
    if (fields == fields_.end()) return;
    const google::protobuf::Reflection& reflection = *message.GetReflection();
    for (const FieldDescriptor* field : fields->second) {
      if (!field->is_repeated()) {
        if (!reflection.HasField(message, field)) continue;
        collect(*reflection.MutableMessage(&message, field), found);
        continue;
      }
      const int size = reflection.FieldSize(message, field);
      for (int i = 0; i < size; ++i) {
        collect(*reflection.MutableRepeatedMessage(&message, field, i), found);
      }
    }
  }

 private:
  // Messages are recursive, so whether a field leads to the target is settled in
  // rounds until nothing changes.
  void find(const Descriptor* root) {
    std::set<const Descriptor*> reachable;
    visit(root, reachable);
    std::set<const Descriptor*> leads = {target_};
    for (bool changed = true; changed;) {
      changed = false;
      for (const Descriptor* message : reachable) {
        if (leads.count(message) != 0) continue;
        for (int i = 0; i < message->field_count(); ++i) {
          const FieldDescriptor* field = message->field(i);
          if (field->message_type() == nullptr || barrier_.count(field) != 0) continue;
          if (leads.count(field->message_type()) == 0) continue;
          leads.insert(message);
          changed = true;
          break;
        }
      }
    }
    for (const Descriptor* message : reachable) {
      for (int i = 0; i < message->field_count(); ++i) {
        const FieldDescriptor* field = message->field(i);
        if (field->message_type() == nullptr || barrier_.count(field) != 0) continue;
        if (leads.count(field->message_type()) == 0) continue;
        fields_[message].push_back(field);
      }
    }
  }

  static void visit(const Descriptor* message, std::set<const Descriptor*>& reachable) {
    if (!reachable.insert(message).second) return;
    for (int i = 0; i < message->field_count(); ++i) {
      if (message->field(i)->message_type() != nullptr) {
        visit(message->field(i)->message_type(), reachable);
      }
    }
  }

  const Descriptor* target_;
  std::set<const FieldDescriptor*> barrier_;
  std::map<const Descriptor*, std::vector<const FieldDescriptor*>> fields_;
};

// What lies behind these counts in slice_allocations.
std::set<const FieldDescriptor*> localFields() {
  const Descriptor* fusion = wire::DynamicSliceFusionThunkProto::descriptor();
  return {fusion->FindFieldByName("embedded_thunks"),
          fusion->FindFieldByName("slice_allocations")};
}

}  // namespace

std::vector<wire::BufferAllocationSliceProto*> slicesOf(wire::ThunkProto& thunk) {
  static const Route& route =
      *new Route(wire::BufferAllocationSliceProto::descriptor(), localFields());
  std::vector<wire::BufferAllocationSliceProto*> slices;
  route.collect(thunk, slices);
  return slices;
}

std::vector<wire::KernelLoaderSpecProto*> kernelsOf(wire::ThunkProto& thunk) {
  static const Route& route = *new Route(wire::KernelLoaderSpecProto::descriptor(), {});
  std::vector<wire::KernelLoaderSpecProto*> kernels;
  route.collect(thunk, kernels);
  return kernels;
}

std::vector<wire::ThunkProto*> embeddedThunksOf(wire::ThunkProto& thunk) {
  static const Route& route = *new Route(wire::ThunkProto::descriptor(), {});
  std::vector<wire::ThunkProto*> thunks;
  route.collect(thunk, thunks);
  thunks.erase(thunks.begin());
  return thunks;
}

}  // namespace thunky::compiler
