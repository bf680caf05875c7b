#include "thunky/tooling/program_diff.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <unordered_map>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds.h"
#include "thunky/schema/signature.h"
#include "thunky/schema/walk.h"
#include "thunky/tooling/alignment.h"
#include "thunky/tooling/kernel_code.h"
#include "thunky/tooling/message_diff.h"

namespace thunky::tooling {
namespace {

using google::protobuf::Message;
using schema::ThunkList;

std::string ConstantName(const Message& element) {
  return dynamic_cast<const wire::GpuExecutableProto::ConstantInfoProto&>(element)
      .symbol_name();
}

std::string AllocationName(const Message& element) {
  return absl::StrCat(dynamic_cast<const wire::BufferAllocationProto&>(element).index());
}

std::string CodeName(const Message& element) {
  return absl::BytesToHexString(
      dynamic_cast<const wire::KernelCodeProto&>(element).hash());
}

std::string OutputName(const Message& element) {
  const auto& entry =
      dynamic_cast<const wire::GpuExecutableProto::OutputInfoMapEntry&>(element);
  return absl::StrCat("{", absl::StrJoin(entry.shape_index().indexes(), ","), "}");
}

// Thunks are compared by themselves, not as fields of what holds them.
const DiffRules& Rules() {
  static const DiffRules& rules = *new DiffRules{
      .treatments =
          {
              {"thunky.wire.ThunkProto", FieldTreatment::kIgnore},
              {"thunky.wire.ThunkInfoProto.thunk_id", FieldTreatment::kIgnore},
              {"thunky.wire.HloModuleProtoWithConfig", FieldTreatment::kOpaque},
              {"thunky.wire.BufferAssignmentProto", FieldTreatment::kOpaque},
          },
      .named = {
          {"thunky.wire.GpuExecutableProto.constants", ConstantName},
          {"thunky.wire.GpuExecutableProto.RepeatedBufferAllocations.values",
           AllocationName},
          {"thunky.wire.GpuExecutableProto.output_info_map", OutputName},
          {"thunky.wire.ThunkyExtensionProto.kernel_code", CodeName},
      }};
  return rules;
}

std::optional<schema::ThunkKind> KindIn(const wire::ThunkProto& thunk) {
  const auto kind = schema::KindOf(thunk);
  if (!kind.ok()) return std::nullopt;
  return *kind;
}

std::string KindText(const std::optional<schema::ThunkKind>& kind) {
  return kind.has_value() ? std::string(schema::KindName(*kind)) : "unknown";
}

// What a thunk calls; empty for kinds that call nothing by name.
std::string CalleeOf(const std::optional<schema::ThunkKind>& kind,
                     const wire::ThunkProto& thunk) {
  if (!kind.has_value()) return "";
  if (const auto launch = LaunchOf(*kind, thunk)) return launch->entry;
  return thunk.custom_call_thunk().target_name();
}

// "custom_kernel add_to".
std::string ThunkText(const wire::ThunkProto& thunk) {
  const auto kind = KindIn(thunk);
  const std::string callee = CalleeOf(kind, thunk);
  return absl::StrCat(KindText(kind), callee.empty() ? "" : " ", callee);
}

class ProgramDiffer {
 public:
  ProgramDiff Take() && { return std::move(diff_); }

  void CompareMessages(const Message& a, const Message& b, const std::string& where) {
    CompareFields(a, b, where, where, "");
  }

  void CompareSignatures(const wire::GpuExecutableProto& a,
                         const wire::GpuExecutableProto& b) {
    const auto signature_a = schema::SignatureOf(a);
    const auto signature_b = schema::SignatureOf(b);
    // Of a program without one, its fields have to do.
    if (!signature_a.ok() || !signature_b.ok()) return;
    const std::vector<std::string> lines_a = LinesOf(*signature_a);
    const std::vector<std::string> lines_b = LinesOf(*signature_b);
    CompareLines(lines_a, lines_b);
  }

  // Lists of thunks at these paths. Recursion is safe: the trees have been walked.
  void CompareThunks(const ThunkList& a, const std::string& path_a, const ThunkList& b,
                     const std::string& path_b) {
    for (const AlignedPair& pair : Align(KeysOf(a), KeysOf(b))) {
      const std::string at_a = pair.a ? absl::StrCat(path_a, "[", *pair.a, "]") : "";
      const std::string at_b = pair.b ? absl::StrCat(path_b, "[", *pair.b, "]") : "";
      if (pair.a && pair.b) {
        CompareThunk(a[static_cast<int>(*pair.a)], at_a, b[static_cast<int>(*pair.b)],
                     at_b);
      } else if (pair.a) {
        Add({Change::kOnlyInA, at_a, "", ThunkText(a[static_cast<int>(*pair.a)]), "", "",
             ""});
      } else {
        Add({Change::kOnlyInB, "", at_b, ThunkText(b[static_cast<int>(*pair.b)]), "", "",
             ""});
      }
    }
  }

 private:
  void Add(ProgramDifference difference) {
    if (++diff_.total <= kMaxDifferences) {
      diff_.differences.push_back(std::move(difference));
    }
  }

  void CompareFields(const Message& a, const Message& b, const std::string& where_a,
                     const std::string& where_b, const std::string& thunk) {
    DiffMessages(a, b, Rules(), [&](const FieldDifference& field) {
      Add({Change::kChanged, where_a, where_b, thunk, field.path, field.a, field.b});
    });
  }

  void CompareThunk(const wire::ThunkProto& a, const std::string& path_a,
                    const wire::ThunkProto& b, const std::string& path_b) {
    CompareFields(a, b, path_a, path_b, ThunkText(a));
    const auto kind = KindIn(a);
    // Only thunks of one kind are paired.
    if (!kind.has_value()) return;
    const std::vector<schema::Child> children_a = schema::ChildrenOf(*kind, a);
    const std::vector<schema::Child> children_b = schema::ChildrenOf(*kind, b);
    const ThunkList none;
    for (size_t i = 0; i < std::max(children_a.size(), children_b.size()); ++i) {
      const std::string& label =
          i < children_a.size() ? children_a[i].label : children_b[i].label;
      const std::string step =
          absl::StrCat(".", KindText(kind), label.empty() ? "" : ".", label);
      CompareThunks(i < children_a.size() ? *children_a[i].thunks : none, path_a + step,
                    i < children_b.size() ? *children_b[i].thunks : none, path_b + step);
    }
  }

  std::vector<AlignmentKey> KeysOf(const ThunkList& thunks) {
    std::vector<AlignmentKey> keys;
    for (const wire::ThunkProto& thunk : thunks) {
      const auto kind = KindIn(thunk);
      const auto number = kind.has_value() ? static_cast<uint64_t>(*kind) + 1 : 0;
      keys.push_back({HashOf(thunk),
                      MixHashes(number, std::hash<std::string>()(CalleeOf(kind, thunk))),
                      number});
    }
    return keys;
  }

  // Of a thunk with all that it holds. Each is looked at once, however deep.
  uint64_t HashOf(const wire::ThunkProto& thunk) {
    const auto known = hashes_.find(&thunk);
    if (known != hashes_.end()) return known->second;
    uint64_t hash = HashMessage(thunk, Rules());
    if (const auto kind = KindIn(thunk)) {
      for (const schema::Child& child : schema::ChildrenOf(*kind, thunk)) {
        hash = MixHashes(hash, static_cast<uint64_t>(child.thunks->size()));
        for (const wire::ThunkProto& inner : *child.thunks) {
          hash = MixHashes(hash, HashOf(inner));
        }
      }
    }
    hashes_[&thunk] = hash;
    return hash;
  }

  // One line an argument, without allocation numbers: those are the program's own.
  static std::vector<std::string> LinesOf(const schema::Signature& signature) {
    std::vector<std::string> lines;
    const auto alias = [](schema::AliasKind kind) {
      return kind == schema::AliasKind::kMust  ? ", must be aliased"
             : kind == schema::AliasKind::kMay ? ", may be aliased"
                                               : "";
    };
    for (size_t i = 0; i < signature.parameters.size(); ++i) {
      const schema::SignatureParameter& in = signature.parameters[i];
      lines.push_back(absl::StrCat(
          "in", i, ": ", in.type.ToString(), ", ", in.size, " bytes, parameter ",
          in.number, " ", schema::ToString(in.shape_index), " '", in.name, "'",
          alias(in.alias), in.aliased_results.empty() ? "" : ", becomes out",
          absl::StrJoin(in.aliased_results, ", out")));
    }
    for (size_t i = 0; i < signature.results.size(); ++i) {
      const schema::SignatureResult& out = signature.results[i];
      lines.push_back(absl::StrCat("out", i, ": ", out.type.ToString(), ", ", out.size,
                                   " bytes, at ", schema::ToString(out.shape_index),
                                   alias(out.alias),
                                   out.passthrough ? ", passed through" : ""));
    }
    return lines;
  }

  void CompareLines(const std::vector<std::string>& a,
                    const std::vector<std::string>& b) {
    const auto split = [](const std::vector<std::string>& lines) {
      std::unordered_map<std::string, std::string> by_name;
      for (const std::string& line : lines) {
        const size_t colon = line.find(": ");
        by_name[line.substr(0, colon)] = line.substr(colon + 2);
      }
      return by_name;
    };
    const auto values_a = split(a);
    const auto values_b = split(b);
    const auto value = [](const auto& values, const std::string& name) -> std::string {
      const auto found = values.find(name);
      return found == values.end() ? "absent" : found->second;
    };
    const auto compare = [&](const std::string& line) {
      const std::string name = line.substr(0, line.find(": "));
      if (value(values_a, name) == value(values_b, name)) return;
      Add({Change::kChanged, "signature", "signature", "", name, value(values_a, name),
           value(values_b, name)});
    };
    for (const std::string& line : a) compare(line);
    for (const std::string& line : b) {
      if (values_a.count(line.substr(0, line.find(": "))) == 0) compare(line);
    }
  }

  ProgramDiff diff_;
  std::unordered_map<const wire::ThunkProto*, uint64_t> hashes_;
};

// Whether the tree can be walked at all.
absl::Status CheckTree(const wire::GpuExecutableProto& executable) {
  return schema::WalkThunks(executable.thunks(),
                            [](const schema::ThunkVisit&) { return absl::OkStatus(); });
}

}  // namespace

absl::StatusOr<ProgramDiff> DiffPrograms(const ExecutableFile& a,
                                         const ExecutableFile& b) {
  RETURN_IF_ERROR(CheckTree(a.executable));
  RETURN_IF_ERROR(CheckTree(b.executable));
  ProgramDiffer differ;
  differ.CompareSignatures(a.executable, b.executable);
  differ.CompareMessages(a.executable, b.executable, "program");
  differ.CompareThunks(a.executable.thunks(), "thunks", b.executable.thunks(), "thunks");
  if (a.options.has_value() && b.options.has_value()) {
    differ.CompareMessages(*a.options, *b.options, "options");
  }
  if (a.metadata.has_value() && b.metadata.has_value()) {
    differ.CompareMessages(*a.metadata, *b.metadata, "metadata");
  }
  return std::move(differ).Take();
}

}  // namespace thunky::tooling
