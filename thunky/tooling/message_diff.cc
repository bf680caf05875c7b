#include "thunky/tooling/message_diff.h"

#include <algorithm>
#include <functional>
#include <set>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/text_format.h"
#include "google/protobuf/unknown_field_set.h"

namespace thunky::tooling {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr size_t kShortBytes = 64;
constexpr char kAbsent[] = "absent";

// The same bytes for equal messages, maps in order.
std::string Serialize(const Message& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializePartialToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

std::string SerializeUnknown(const Message& message) {
  std::string bytes;
  message.GetReflection()->GetUnknownFields(message).SerializeToString(&bytes);
  return bytes;
}

uint64_t HashOf(std::string_view bytes) { return std::hash<std::string_view>()(bytes); }

std::string Join(const std::string& path, const std::string& name) {
  return path.empty() ? name : absl::StrCat(path, ".", name);
}

bool Has(const Message& message, const FieldDescriptor& field) {
  return message.GetReflection()->HasField(message, &field);
}

// The fields that `a` or `b` has, by number.
std::vector<const FieldDescriptor*> FieldsOf(const Message& a, const Message& b) {
  const auto by_number = [](const FieldDescriptor* x, const FieldDescriptor* y) {
    return x->number() < y->number();
  };
  std::set<const FieldDescriptor*, decltype(by_number)> fields(by_number);
  for (const Message* message : {&a, &b}) {
    std::vector<const FieldDescriptor*> listed;
    message->GetReflection()->ListFields(*message, &listed);
    fields.insert(listed.begin(), listed.end());
  }
  return {fields.begin(), fields.end()};
}

bool IsMessage(const FieldDescriptor& field) {
  return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
}

FieldTreatment TreatmentOf(const FieldDescriptor& field, const DiffRules& rules) {
  auto found = rules.treatments.find(field.full_name());
  if (found == rules.treatments.end() && IsMessage(field)) {
    found = rules.treatments.find(field.message_type()->full_name());
  }
  return found == rules.treatments.end() ? FieldTreatment::kPlain : found->second;
}

const std::string& Text(const Message& message, const FieldDescriptor& field, int index,
                        std::string* scratch) {
  const Reflection& reflection = *message.GetReflection();
  return index < 0
             ? reflection.GetStringReference(message, &field, scratch)
             : reflection.GetRepeatedStringReference(message, &field, index, scratch);
}

// A value that is no message; index -1 for fields that are not repeated.
std::string Value(const Message& message, const FieldDescriptor& field, int index) {
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    std::string scratch;
    return DescribeBytes(Text(message, field, index, &scratch));
  }
  std::string text;
  google::protobuf::TextFormat::PrintFieldValueToString(message, &field, index, &text);
  return text;
}

// The key of a map's entry.
std::string MapKey(const Message& entry) {
  return Value(entry, *entry.GetDescriptor()->FindFieldByNumber(1), -1);
}

// Whether two values that are no messages are the same.
bool SameValue(const Message& a, int at_a, const Message& b, int at_b,
               const FieldDescriptor& field) {
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
    std::string scratch_a;
    std::string scratch_b;
    return Text(a, field, at_a, &scratch_a) == Text(b, field, at_b, &scratch_b);
  }
  return Value(a, field, at_a) == Value(b, field, at_b);
}

class Differ {
 public:
  Differ(const DiffRules& rules, absl::FunctionRef<void(FieldDifference)> report)
      : rules_(rules), report_(report) {}

  void Compare(const Message& a, const Message& b, const std::string& path) {
    for (const FieldDescriptor* field : FieldsOf(a, b)) {
      const std::string inner = Join(path, field->name());
      const FieldTreatment treatment = TreatmentOf(*field, rules_);
      if (treatment == FieldTreatment::kIgnore) continue;
      if (treatment == FieldTreatment::kOpaque) {
        CompareOpaque(a, b, *field, inner);
      } else if (field->is_repeated()) {
        CompareRepeated(a, b, *field, inner);
      } else {
        CompareSingle(a, b, *field, inner);
      }
    }
    const std::string unknown_a = SerializeUnknown(a);
    const std::string unknown_b = SerializeUnknown(b);
    if (unknown_a == unknown_b) return;
    report_({Join(path, "unknown fields"), DescribeUnknown(unknown_a),
             DescribeUnknown(unknown_b)});
  }

 private:
  static std::string DescribeUnknown(const std::string& bytes) {
    return bytes.empty() ? kAbsent : DescribeBytes(bytes);
  }

  static std::string DescribeOpaque(const Message& message,
                                    const FieldDescriptor& field) {
    if (!Has(message, field)) return kAbsent;
    return DescribeBytes(Serialize(message.GetReflection()->GetMessage(message, &field)));
  }

  void CompareOpaque(const Message& a, const Message& b, const FieldDescriptor& field,
                     const std::string& path) {
    if (Has(a, field) && Has(b, field) &&
        Serialize(a.GetReflection()->GetMessage(a, &field)) ==
            Serialize(b.GetReflection()->GetMessage(b, &field))) {
      return;
    }
    report_({path, DescribeOpaque(a, field), DescribeOpaque(b, field)});
  }

  void CompareSingle(const Message& a, const Message& b, const FieldDescriptor& field,
                     const std::string& path) {
    const bool in_a = Has(a, field);
    const bool in_b = Has(b, field);
    if (IsMessage(field)) {
      if (in_a && in_b) {
        Compare(a.GetReflection()->GetMessage(a, &field),
                b.GetReflection()->GetMessage(b, &field), path);
      } else {
        report_({path, in_a ? Whole(a, field, -1) : kAbsent,
                 in_b ? Whole(b, field, -1) : kAbsent});
      }
      return;
    }
    if (in_a == in_b && SameValue(a, -1, b, -1, field)) return;
    // Fields without presence are absent when they are zero; zero says more.
    const auto text = [&](const Message& message, bool is_there) -> std::string {
      return is_there || !field.has_presence() ? Value(message, field, -1) : kAbsent;
    };
    report_({path, text(a, in_a), text(b, in_b)});
  }

  // A message in one line.
  static std::string Whole(const Message& message, const FieldDescriptor& field,
                           int index) {
    const Reflection& reflection = *message.GetReflection();
    const Message& value = index < 0
                               ? reflection.GetMessage(message, &field)
                               : reflection.GetRepeatedMessage(message, &field, index);
    if (value.ByteSizeLong() > kShortBytes) {
      return absl::StrCat("a message of ", DescribeBytes(Serialize(value)));
    }
    return absl::StrCat("{ ", value.ShortDebugString(), " }");
  }

  void CompareRepeated(const Message& a, const Message& b, const FieldDescriptor& field,
                       const std::string& path) {
    if (field.is_map()) {
      CompareNamed(a, b, field, path, MapKey);
      return;
    }
    const auto named = rules_.named.find(field.full_name());
    if (named != rules_.named.end()) {
      CompareNamed(a, b, field, path, named->second);
      return;
    }
    const int size_a = a.GetReflection()->FieldSize(a, &field);
    const int size_b = b.GetReflection()->FieldSize(b, &field);
    for (int i = 0; i < std::max(size_a, size_b); ++i) {
      CompareElement(a, i < size_a ? i : -1, b, i < size_b ? i : -1, field,
                     absl::StrCat(path, "[", i, "]"));
    }
  }

  // -1: the element is not there.
  void CompareElement(const Message& a, int at_a, const Message& b, int at_b,
                      const FieldDescriptor& field, const std::string& path) {
    const auto text = [&](const Message& message, int at) -> std::string {
      if (at < 0) return kAbsent;
      return IsMessage(field) ? Whole(message, field, at) : Value(message, field, at);
    };
    if (IsMessage(field) && at_a >= 0 && at_b >= 0) {
      Compare(a.GetReflection()->GetRepeatedMessage(a, &field, at_a),
              b.GetReflection()->GetRepeatedMessage(b, &field, at_b), path);
      return;
    }
    if (at_a >= 0 && at_b >= 0 && SameValue(a, at_a, b, at_b, field)) return;
    report_({path, text(a, at_a), text(b, at_b)});
  }

  // Where a name is there twice, first goes with first.
  void CompareNamed(const Message& a, const Message& b, const FieldDescriptor& field,
                    const std::string& path, ElementName name) {
    std::map<std::pair<std::string, int>, std::pair<int, int>> places;
    const auto collect = [&](const Message& message, bool is_a) {
      std::map<std::string, int> times;
      for (int i = 0; i < message.GetReflection()->FieldSize(message, &field); ++i) {
        const std::string key =
            name(message.GetReflection()->GetRepeatedMessage(message, &field, i));
        auto& place = places.try_emplace({key, times[key]++}, -1, -1).first->second;
        (is_a ? place.first : place.second) = i;
      }
    };
    collect(a, true);
    collect(b, false);
    for (const auto& [key, place] : places) {
      CompareElement(a, place.first, b, place.second, field,
                     absl::StrCat(path, "[", key.first, "]"));
    }
  }

  const DiffRules& rules_;
  absl::FunctionRef<void(FieldDifference)> report_;
};

}  // namespace

std::string DescribeBytes(std::string_view bytes) {
  if (bytes.size() > kShortBytes) {
    return absl::StrCat(bytes.size(), " bytes, hash ",
                        absl::Hex(HashOf(bytes), absl::kZeroPad16));
  }
  return absl::StrCat(
      "'", absl::CHexEscape(absl::string_view(bytes.data(), bytes.size())), "'");
}

uint64_t MixHashes(uint64_t a, uint64_t b) {
  constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;
  const uint64_t product = (a ^ b) * kOdd + b;
  return product ^ (product >> 29);
}

void DiffMessages(const Message& a, const Message& b, const DiffRules& rules,
                  absl::FunctionRef<void(FieldDifference)> report) {
  Differ(rules, report).Compare(a, b, "");
}

uint64_t HashMessage(const Message& message, const DiffRules& rules) {
  uint64_t hash = HashOf(SerializeUnknown(message));
  for (const FieldDescriptor* field : FieldsOf(message, message)) {
    if (TreatmentOf(*field, rules) == FieldTreatment::kIgnore) continue;
    hash = MixHashes(hash, static_cast<uint64_t>(field->number()));
    const Reflection& reflection = *message.GetReflection();
    const int count = field->is_repeated() ? reflection.FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      const int index = field->is_repeated() ? i : -1;
      if (!IsMessage(*field)) {
        hash = MixHashes(hash, HashOf(Value(message, *field, index)));
      } else if (field->is_map()) {
        // In no order.
        hash ^= HashMessage(reflection.GetRepeatedMessage(message, field, i), rules);
      } else {
        hash = MixHashes(
            hash,
            HashMessage(index < 0 ? reflection.GetMessage(message, field)
                                  : reflection.GetRepeatedMessage(message, field, index),
                        rules));
      }
    }
  }
  return hash;
}

}  // namespace thunky::tooling
