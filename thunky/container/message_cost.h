// What a protobuf message takes in memory, told from its schema. Parsing turns two
// bytes on the wire into an object of several hundred, so readers add up the cost
// before they parse.
#ifndef THUNKY_CONTAINER_MESSAGE_COST_H_
#define THUNKY_CONTAINER_MESSAGE_COST_H_

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace thunky {

// How deep messages may be nested below the outermost one. The limit of protobuf's
// own parsers.
inline constexpr int kMaxMessageDepth = 100;

// Upper bounds, in bytes, of what one element adds to the peak. Growing arrays count
// three times: twice as long as needed, next to the half that is being replaced.
inline constexpr uint64_t kHeapOverhead = 16;
inline constexpr uint64_t kPointerInArray = 3 * sizeof(void*);
inline constexpr uint64_t kScalarInArray = 3;  // times the size of the scalar
inline constexpr uint64_t kStringObject = 32 + kHeapOverhead;
inline constexpr uint64_t kUnknownField = 3 * 16;
inline constexpr uint64_t kUnknownFieldSet = 64;
inline constexpr uint64_t kMapNode = 128;

// The content of a string of this size.
inline uint64_t StringCost(uint64_t size) {
  constexpr uint64_t kInsideObject = 15;
  return kStringObject + (size > kInsideObject ? size + 1 + kHeapOverhead : 0);
}

struct MessageShape {
  struct Field {
    const google::protobuf::FieldDescriptor* descriptor = nullptr;
    // Of a scalar in memory; 0 for strings and messages.
    uint64_t scalar_size = 0;
  };

  const google::protobuf::Descriptor* descriptor = nullptr;
  // The object with its place on the heap, without what hangs off it.
  uint64_t size = 0;

  // Null when the schema has no such field.
  const Field* Find(uint32_t number) const;

  // Fields with small numbers, by number; the others.
  std::vector<Field> dense;
  std::unordered_map<uint32_t, Field> sparse;
};

// Shapes made once per message type. Not thread-safe.
class MessageShapes {
 public:
  // `descriptor` belongs to a generated message. The result lives as long as this.
  const MessageShape& Of(const google::protobuf::Descriptor* descriptor);

 private:
  std::unordered_map<const google::protobuf::Descriptor*, std::unique_ptr<MessageShape>>
      shapes_;
};

}  // namespace thunky

#endif  // THUNKY_CONTAINER_MESSAGE_COST_H_
