// Holds the files under proto/ to the schema of a jaxlib release: every message,
// field and enum value of ours must be theirs. They may have fields that we lack
// (those stay in the unknown fields); the test lists them. What this project adds is
// known by two rules: files that upstream has none of (ProjectFiles), and fields with
// numbers from kFirstProjectField. Nothing else is exempt.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "gmock/gmock.h"
#include "google/protobuf/descriptor.pb.h"
#include "gtest/gtest.h"
#include "proto/executable.pb.h"
#include "proto/ifrt.pb.h"
#include "proto/module_origin.pb.h"
#include "proto/options.pb.h"
#include "proto/riegeli.pb.h"
#include "proto/split_proto.pb.h"

namespace thunky::schema {
namespace {

using google::protobuf::DescriptorProto;
using google::protobuf::EnumDescriptorProto;
using google::protobuf::FieldDescriptorProto;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

// The upstream packages that each of our files takes its names from. Packages are
// flattened into one here, so a name has to be in exactly one of them.
const std::map<std::string, std::vector<std::string>>& UpstreamPackages() {
  static const auto& packages = *new std::map<std::string, std::vector<std::string>>{
      {"abi", {"stream_executor", "stream_executor.cuda", "xla", "xla.cpu"}},
      {"algorithm", {"stream_executor.dnn"}},
      {"attributes", {"xla.ffi"}},
      {"blas", {"xla"}},
      {"buffers", {"xla", "xla.buffer_assignment"}},
      {"collective_thunks", {"xla.gpu"}},
      {"collectives", {"xla", "xla.gpu"}},
      {"dnn", {"xla", "xla.gpu"}},
      {"executable", {"xla.gpu"}},
      {"hlo", {"xla"}},
      {"host_thunks", {"xla", "xla.gpu"}},
      {"ifrt", {"xla.ifrt"}},
      {"kernel", {"stream_executor", "xla.gpu", "stream_executor.gpu"}},
      {"kernel_thunks", {"xla", "xla.gpu"}},
      {"library_thunks", {"xla.gpu"}},
      {"literal", {"xla"}},
      {"memory_thunks", {"xla.gpu"}},
      {"options", {"xla"}},
      {"riegeli", {"riegeli"}},
      {"shape", {"xla"}},
      {"split_proto", {"xla"}},
      {"thunk", {"xla.gpu"}},
      {"thunk_kind", {"xla.gpu"}},
  };
  return packages;
}

// Files of ours alone.
const std::set<std::string>& ProjectFiles() {
  static const auto& files = *new std::set<std::string>{"extension", "module_origin"};
  return files;
}

// Upstream numbers its fields far below.
constexpr int kFirstProjectField = 100000;

// Upstream messages and enums by full name, with a leading dot.
struct Upstream {
  std::map<std::string, const DescriptorProto*> messages;
  std::map<std::string, const EnumDescriptorProto*> enums;

  void Add(const std::string& scope, const DescriptorProto& message) {
    const std::string name = absl::StrCat(scope, ".", message.name());
    messages[name] = &message;
    for (const DescriptorProto& nested : message.nested_type()) Add(name, nested);
    for (const EnumDescriptorProto& nested : message.enum_type()) {
      enums[absl::StrCat(name, ".", nested.name())] = &nested;
    }
  }
  void Add(const FileDescriptorProto& file) {
    const std::string scope =
        file.package().empty() ? "" : absl::StrCat(".", file.package());
    for (const DescriptorProto& message : file.message_type()) Add(scope, message);
    for (const EnumDescriptorProto& value : file.enum_type()) {
      enums[absl::StrCat(scope, ".", value.name())] = &value;
    }
  }
};

// Our files, and those that they import.
void Collect(const google::protobuf::FileDescriptor* file,
             std::map<std::string, FileDescriptorProto>* files) {
  if (!absl::StartsWith(file->name(), "proto/")) return;
  if (!files->emplace(file->name(), FileDescriptorProto()).second) return;
  file->CopyTo(&(*files)[file->name()]);
  for (int i = 0; i < file->dependency_count(); ++i) Collect(file->dependency(i), files);
}

std::map<std::string, FileDescriptorProto> OurFiles() {
  std::map<std::string, FileDescriptorProto> files;
  for (const google::protobuf::Descriptor* root :
       {wire::GpuExecutableProto::descriptor(),
        wire::ExecutableAndOptionsProto::descriptor(),
        wire::SplitProtoManifest::descriptor(), wire::RecordsMetadata::descriptor(),
        wire::ModuleOriginProto::descriptor(),
        wire::ifrt::SerializedXlaExecutableMetadata::descriptor()}) {
    Collect(root->file(), &files);
  }
  return files;
}

std::string StemOf(const FileDescriptorProto& file) {
  absl::string_view name = file.name();
  absl::ConsumePrefix(&name, "proto/");
  absl::ConsumeSuffix(&name, ".proto");
  return std::string(name);
}

// ".thunky.wire.A.B" without the package; other packages' names stay.
std::string WithoutPackage(std::string name) {
  for (const char* package : {".thunky.wire.ifrt.", ".thunky.wire."}) {
    if (absl::StartsWith(name, package)) return name.substr(std::string(package).size());
  }
  return name;
}

class Comparison {
 public:
  explicit Comparison(const FileDescriptorSet& theirs) {
    for (const FileDescriptorProto& file : theirs.file()) upstream_.Add(file);
  }

  void Compare(const FileDescriptorProto& file) {
    if (ProjectFiles().count(StemOf(file)) != 0) {
      CheckProjectFile(file);
      return;
    }
    const auto packages = UpstreamPackages().find(StemOf(file));
    if (packages == UpstreamPackages().end()) {
      Differ(file.name(), "is not in the list of files");
      return;
    }
    for (const DescriptorProto& message : file.message_type()) {
      const std::string theirs =
          Find(upstream_.messages, packages->second, message.name());
      if (!theirs.empty()) CompareMessage(message, theirs);
    }
    for (const EnumDescriptorProto& value : file.enum_type()) {
      const std::string theirs = Find(upstream_.enums, packages->second, value.name());
      if (!theirs.empty()) CompareEnum(value, theirs);
    }
  }

  const std::vector<std::string>& differences() const { return differences_; }
  const std::vector<std::string>& lacking() const { return lacking_; }
  const std::vector<std::string>& added() const { return added_; }
  int fields_compared() const { return fields_compared_; }

 private:
  template <typename Map>
  std::string Find(const Map& map, const std::vector<std::string>& packages,
                   const std::string& name) {
    std::vector<std::string> found;
    for (const std::string& package : packages) {
      const std::string full = absl::StrCat(".", package, ".", name);
      if (map.count(full) != 0) found.push_back(full);
    }
    if (found.size() == 1) return found.front();
    Differ(name, absl::StrCat("is in ", found.size(), " upstream packages"));
    return "";
  }

  // A name that upstream has would be taken for theirs.
  void CheckProjectFile(const FileDescriptorProto& file) {
    for (const DescriptorProto& message : file.message_type()) {
      for (const auto& [name, theirs] : upstream_.messages) {
        if (absl::EndsWith(name, "." + message.name())) {
          Differ(message.name(), "is called as upstream's " + name);
        }
      }
    }
  }

  // A field that this project adds to a message of theirs.
  void CheckProjectField(const FieldDescriptorProto& field, const std::string& message) {
    const std::string where = absl::StrCat(message, ".", field.name());
    if (!absl::StartsWith(field.name(), "thunky")) {
      Differ(where, "is numbered as a field of this project but not called thunky...");
    }
    added_.push_back(absl::StrCat(where, " = ", field.number()));
  }

  void CompareMessage(const DescriptorProto& ours, const std::string& name) {
    const DescriptorProto& theirs = *upstream_.messages.at(name);
    if (ours.options().map_entry() != theirs.options().map_entry()) {
      Differ(name, "is a map entry on one side only");
    }
    std::map<int, const FieldDescriptorProto*> by_number;
    for (const FieldDescriptorProto& field : theirs.field()) {
      by_number[field.number()] = &field;
    }
    for (const FieldDescriptorProto& field : ours.field()) {
      const auto found = by_number.find(field.number());
      if (found == by_number.end() && field.number() >= kFirstProjectField) {
        CheckProjectField(field, name);
        continue;
      }
      if (found == by_number.end()) {
        Differ(absl::StrCat(name, ".", field.name()), "has no counterpart");
        continue;
      }
      CompareField(ours, field, theirs, *found->second, name);
      by_number.erase(found);
    }
    for (const auto& [number, field] : by_number) {
      lacking_.push_back(absl::StrCat(name, ".", field->name(), " = ", number));
    }
    for (const DescriptorProto& nested : ours.nested_type()) {
      const std::string inner = absl::StrCat(name, ".", nested.name());
      if (upstream_.messages.count(inner) == 0) {
        Differ(inner, "has no counterpart");
      } else {
        CompareMessage(nested, inner);
      }
    }
    for (const EnumDescriptorProto& nested : ours.enum_type()) {
      const std::string inner = absl::StrCat(name, ".", nested.name());
      if (upstream_.enums.count(inner) == 0) {
        Differ(inner, "has no counterpart");
      } else {
        CompareEnum(nested, inner);
      }
    }
  }

  static std::string OneofOf(const DescriptorProto& message,
                             const FieldDescriptorProto& field) {
    if (!field.has_oneof_index() || field.proto3_optional()) return "none";
    return message.oneof_decl(field.oneof_index()).name();
  }

  void CompareField(const DescriptorProto& our_message, const FieldDescriptorProto& ours,
                    const DescriptorProto& their_message,
                    const FieldDescriptorProto& theirs, const std::string& message) {
    ++fields_compared_;
    const std::string where = absl::StrCat(message, ".", theirs.name());
    if (ours.name() != theirs.name()) Differ(where, "is called " + ours.name());
    if (ours.type() != theirs.type()) Differ(where, "has another type");
    if (ours.label() != theirs.label()) Differ(where, "has another label");
    if (ours.proto3_optional() != theirs.proto3_optional()) {
      Differ(where, "is optional on one side only");
    }
    if (OneofOf(our_message, ours) != OneofOf(their_message, theirs)) {
      Differ(where, "is in another oneof");
    }
    if (ours.default_value() != theirs.default_value()) {
      Differ(where, "has another default");
    }
    if (ours.options().has_packed() != theirs.options().has_packed() ||
        ours.options().packed() != theirs.options().packed()) {
      Differ(where, "is packed on one side only");
    }
    CompareTypeName(ours.type_name(), theirs.type_name(), where);
  }

  // Ours is the end of theirs, after a dot.
  void CompareTypeName(const std::string& ours, const std::string& theirs,
                       const std::string& where) {
    const std::string name = WithoutPackage(ours);
    if (name == theirs || absl::EndsWith(theirs, absl::StrCat(".", name))) return;
    Differ(where, absl::StrCat("has type ", ours, ", upstream ", theirs));
  }

  void CompareEnum(const EnumDescriptorProto& ours, const std::string& name) {
    std::map<std::string, int> a;
    std::map<std::string, int> b;
    for (const auto& value : ours.value()) a[value.name()] = value.number();
    for (const auto& value : upstream_.enums.at(name)->value()) {
      b[value.name()] = value.number();
    }
    if (a != b) Differ(name, "has other values");
  }

  void Differ(const std::string& where, const std::string& how) {
    differences_.push_back(absl::StrCat(where, " ", how));
  }

  Upstream upstream_;
  std::vector<std::string> differences_;
  std::vector<std::string> lacking_;
  std::vector<std::string> added_;
  int fields_compared_ = 0;
};

FileDescriptorSet TheirFiles() {
  const char* data = std::getenv("THUNKY_TEST_DATA");
  EXPECT_NE(data, nullptr) << "THUNKY_TEST_DATA is not set";
  const std::string path =
      absl::StrCat(data != nullptr ? data : "", "/schema/jaxlib-0.11.2-descriptors.pb");
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  FileDescriptorSet set;
  EXPECT_TRUE(set.ParseFromString(bytes.str())) << path;
  EXPECT_GT(set.file_size(), 100) << path;
  return set;
}

TEST(ConformanceTest, EveryDefinitionIsUpstreams) {
  const FileDescriptorSet theirs = TheirFiles();
  const auto files = OurFiles();
  EXPECT_EQ(files.size(), UpstreamPackages().size() + ProjectFiles().size());
  Comparison comparison(theirs);
  for (const auto& [name, file] : files) comparison.Compare(file);
  EXPECT_THAT(comparison.differences(), testing::IsEmpty());
  EXPECT_GT(comparison.fields_compared(), 500);
  EXPECT_THAT(comparison.added(),
              testing::UnorderedElementsAre(
                  ".xla.gpu.GpuExecutableProto.thunky = 100000",
                  ".stream_executor.KernelLoaderSpecProto.thunky_code = 100000",
                  ".xla.gpu.CustomKernelThunkProto.thunky_access = 100000"));
  for (const std::string& field : comparison.lacking()) {
    std::cout << "left to unknown fields: " << field << "\n";
  }
}

TEST(ConformanceTest, OnlyReducedMessagesLackFields) {
  const FileDescriptorSet theirs = TheirFiles();
  Comparison comparison(theirs);
  for (const auto& [name, file] : OurFiles()) comparison.Compare(file);
  std::set<std::string> reduced;
  for (const std::string& field : comparison.lacking()) {
    reduced.insert(field.substr(0, field.rfind('.')));
  }
  EXPECT_THAT(reduced, testing::UnorderedElementsAre(
                           ".xla.BufferAssignmentProto", ".xla.CompileOptionsProto",
                           ".xla.DebugOptions", ".xla.ExecutableBuildOptionsProto",
                           ".xla.HeapSimulatorTrace", ".xla.HloInstructionProto",
                           ".xla.HloModuleProto", ".xla.HloModuleConfigProto",
                           ".xla.HostOffloadingExecutableProto",
                           ".xla.ifrt.SerializedXlaExecutableMetadata.OutputSpec",
                           ".xla.ifrt.SerializedXlaExecutableMetadata.ParameterSpec"));
}

// The comparison must be able to fail: each kind of change is noticed.
TEST(ConformanceTest, NoticesChanges) {
  const FileDescriptorSet original = TheirFiles();
  const auto differences = [&](auto&& change) {
    FileDescriptorSet changed = original;
    for (FileDescriptorProto& file : *changed.mutable_file()) {
      for (DescriptorProto& message : *file.mutable_message_type()) {
        if (file.package() == "xla.gpu" && message.name() == "WhileThunkProto") {
          change(message);
        }
      }
    }
    Comparison comparison(changed);
    for (const auto& [name, file] : OurFiles()) comparison.Compare(file);
    return comparison.differences();
  };
  using testing::ElementsAre;
  using testing::HasSubstr;
  EXPECT_THAT(differences([](DescriptorProto&) {}), testing::IsEmpty());
  EXPECT_THAT(differences([](DescriptorProto& m) { m.mutable_field(0)->set_name("x"); }),
              ElementsAre(HasSubstr("is called condition_result_buffer_index")));
  EXPECT_THAT(differences([](DescriptorProto& m) { m.mutable_field(0)->set_number(99); }),
              ElementsAre(HasSubstr("has no counterpart")));
  EXPECT_THAT(differences([](DescriptorProto& m) {
                m.mutable_field(3)->set_type(FieldDescriptorProto::TYPE_INT32);
              }),
              ElementsAre(HasSubstr("another type")));
  EXPECT_THAT(differences([](DescriptorProto& m) {
                m.mutable_field(3)->clear_proto3_optional();
                m.mutable_field(3)->clear_oneof_index();
              }),
              ElementsAre(HasSubstr("optional on one side only")));
  EXPECT_THAT(differences([](DescriptorProto& m) {
                m.mutable_field(1)->set_type_name(".xla.gpu.OtherProto");
              }),
              ElementsAre(HasSubstr("has type .thunky.wire.ThunkSequenceProto")));
  EXPECT_THAT(differences([](DescriptorProto& m) { m.set_name("Other"); }),
              ElementsAre(HasSubstr("WhileThunkProto is in 0 upstream packages")));
}

TEST(ConformanceTest, EveryThunkKindIsThere) {
  const FileDescriptorSet files = TheirFiles();
  std::set<std::string> theirs;
  for (const FileDescriptorProto& file : files.file()) {
    for (const DescriptorProto& message : file.message_type()) {
      if (file.package() != "xla.gpu" || message.name() != "ThunkProto") continue;
      for (const FieldDescriptorProto& field : message.field()) {
        if (!field.has_oneof_index()) continue;
        theirs.insert(absl::StrCat(field.name(), " = ", field.number()));
      }
    }
  }
  std::set<std::string> ours;
  const auto* impl = wire::ThunkProto::descriptor()->FindOneofByName("impl");
  for (int i = 0; i < impl->field_count(); ++i) {
    ours.insert(absl::StrCat(impl->field(i)->name(), " = ", impl->field(i)->number()));
  }
  EXPECT_EQ(ours, theirs);
  EXPECT_EQ(ours.size(), 46u);
}

}  // namespace
}  // namespace thunky::schema
