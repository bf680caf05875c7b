// How two messages of one type differ, field by field.
#ifndef THUNKY_TOOLING_MESSAGE_DIFF_H_
#define THUNKY_TOOLING_MESSAGE_DIFF_H_

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "google/protobuf/message.h"

namespace thunky::tooling {

// One field that differs. `path` is from the messages that were compared:
// "custom_kernel.block_dims.coordinates.x"; the values are "absent" where the field is.
struct FieldDifference {
  std::string path;
  std::string a;
  std::string b;
};

// How the values of one field are compared, where it is not plainly.
enum class FieldTreatment : uint8_t {
  kPlain,   // repeated messages by position
  kIgnore,  // not at all
  kOpaque,  // as bytes: whether they differ, not where
};

// By full name of the field ("thunky.wire.ThunkInfoProto.thunk_id"), or of the type of
// its messages.
using FieldTreatments = std::map<std::string_view, FieldTreatment>;

// For repeated fields whose elements have names of their own: the name of an element,
// and by it its partner. By full name of the field.
using ElementName = std::string (*)(const google::protobuf::Message& element);
using NamedElements = std::map<std::string_view, ElementName>;

struct DiffRules {
  FieldTreatments treatments;
  NamedElements named;
};

// Calls `report` for each difference, in the order of the fields, unknown fields last.
// Texts and bytes that are long are told by their length and hash.
void DiffMessages(const google::protobuf::Message& a, const google::protobuf::Message& b,
                  const DiffRules& rules,
                  absl::FunctionRef<void(FieldDifference)> report);

// A value for people: short bytes in quotes, long ones as "5316 bytes, hash
// 0123456789abcdef".
std::string DescribeBytes(std::string_view bytes);

// The content as one number; equal messages have equal numbers. Fields that are ignored
// play no part.
uint64_t HashMessage(const google::protobuf::Message& message, const DiffRules& rules);
// A hash of both, in this order.
uint64_t MixHashes(uint64_t a, uint64_t b);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_MESSAGE_DIFF_H_
