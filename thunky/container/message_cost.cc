#include "thunky/container/message_cost.h"

#include "google/protobuf/descriptor.pb.h"

namespace thunky {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::MessageFactory;

constexpr uint32_t kDenseNumbers = 128;

uint64_t ScalarSize(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return 1;
    case FieldDescriptor::CPPTYPE_INT32:
    case FieldDescriptor::CPPTYPE_UINT32:
    case FieldDescriptor::CPPTYPE_FLOAT:
    case FieldDescriptor::CPPTYPE_ENUM:
      return 4;
    case FieldDescriptor::CPPTYPE_INT64:
    case FieldDescriptor::CPPTYPE_UINT64:
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return 8;
    case FieldDescriptor::CPPTYPE_STRING:
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return 0;
  }
  return 0;
}

uint64_t ObjectSize(const Descriptor* descriptor) {
  // The default instance of a map entry cannot be asked for its size. An entry has a
  // key and a value, scalars or pointers, beside what every message has.
  constexpr uint64_t kMapEntry = 64;
  if (descriptor->options().map_entry()) return kMapEntry;
  return MessageFactory::generated_factory()->GetPrototype(descriptor)->SpaceUsedLong();
}

std::unique_ptr<MessageShape> MakeShape(const Descriptor* descriptor) {
  auto shape = std::make_unique<MessageShape>();
  shape->descriptor = descriptor;
  shape->size = ObjectSize(descriptor) + kHeapOverhead;
  for (int i = 0; i < descriptor->field_count(); ++i) {
    const FieldDescriptor* field = descriptor->field(i);
    const MessageShape::Field entry{field, ScalarSize(*field)};
    const auto number = static_cast<uint32_t>(field->number());
    if (number >= kDenseNumbers) {
      shape->sparse.emplace(number, entry);
      continue;
    }
    if (shape->dense.size() <= number) shape->dense.resize(number + 1);
    shape->dense[number] = entry;
  }
  return shape;
}

}  // namespace

const MessageShape::Field* MessageShape::Find(uint32_t number) const {
  if (number < dense.size()) {
    return dense[number].descriptor == nullptr ? nullptr : &dense[number];
  }
  const auto found = sparse.find(number);
  return found == sparse.end() ? nullptr : &found->second;
}

const MessageShape& MessageShapes::Of(const Descriptor* descriptor) {
  std::unique_ptr<MessageShape>& shape = shapes_[descriptor];
  if (shape == nullptr) shape = MakeShape(descriptor);
  return *shape;
}

}  // namespace thunky
