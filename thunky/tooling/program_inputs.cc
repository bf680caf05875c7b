#include "thunky/tooling/program_inputs.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "thunky/base/status_macros.h"
#include "thunky/tooling/files.h"
#include "thunky/tooling/named_arrays.h"
#include "thunky/tooling/npz.h"
#include "thunky/tooling/tensor_layout.h"
#include "thunky/tooling/zip_directory.h"

namespace thunky::tooling {
namespace {

// An array that a file holds, not read yet.
struct StoredArray {
  std::string where;
  NpyHeader header;
  std::function<absl::StatusOr<Array>()> read;
};

using StoredArrays = std::map<uint64_t, StoredArray>;  // by parameter position

absl::StatusOr<StoredArrays> OpenNpz(const std::string& path,
                                     std::vector<uint8_t> bytes) {
  absl::StatusOr<NpzReader> opened = NpzReader::Open(std::move(bytes));
  if (!opened.ok()) return Annotate(opened.status(), path);
  auto reader = std::make_shared<const NpzReader>(*std::move(opened));
  StoredArrays arrays;
  for (const std::string& name : reader->names()) {
    const std::optional<uint64_t> number = NumberedName(name, "in");
    if (!number.has_value()) {
      if (NumberedName(name, "out").has_value()) continue;
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": expected arrays in0, in1, ... and out0, out1, ..., found '", name,
          "'"));
    }
    absl::StatusOr<NpyHeader> header = reader->Header(name);
    if (!header.ok()) return Annotate(header.status(), path);
    arrays[*number] = {absl::StrCat(path, ": ", name), *std::move(header),
                       [reader, name] { return reader->Read(name); }};
  }
  return arrays;
}

absl::StatusOr<StoredArray> OpenNpy(const std::string& path, std::vector<uint8_t> bytes) {
  absl::StatusOr<NpyHeader> header = ParseNpyHeader(bytes);
  if (!header.ok()) return Annotate(header.status(), path);
  auto content = std::make_shared<std::vector<uint8_t>>(std::move(bytes));
  return StoredArray{path, *std::move(header),
                     [content] { return ParseNpy(std::move(*content)); }};
}

absl::StatusOr<StoredArrays> OpenFiles(const std::vector<std::string>& files) {
  StoredArrays arrays;
  for (const std::string& path : files) {
    ASSIGN_OR_RETURN(std::vector<uint8_t> bytes, ReadFile(path));
    if (IsZip(bytes)) {
      if (files.size() == 1) return OpenNpz(path, std::move(bytes));
      return absl::InvalidArgumentError(absl::StrCat(
          path, ": expected .npy files or a single .npz file, found .npz among ",
          files.size(), " files"));
    }
    if (!IsNpy(bytes)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ": expected a .npy or .npz file, found other content"));
    }
    ASSIGN_OR_RETURN(StoredArray array, OpenNpy(path, std::move(bytes)));
    arrays.emplace(arrays.size(), std::move(array));
  }
  return arrays;
}

std::string ListParameters(const schema::Signature& signature) {
  constexpr size_t kShown = 12;
  std::vector<std::string> texts;
  for (size_t i = 0; i < std::min(signature.parameters.size(), kShown); ++i) {
    texts.push_back(absl::StrCat("in", i, " ", signature.parameters[i].type.ToString()));
  }
  if (signature.parameters.size() > kShown) texts.push_back("...");
  return texts.empty() ? "" : absl::StrCat(" (", absl::StrJoin(texts, ", "), ")");
}

absl::Status CheckCount(const runtime::Executable& executable, const StoredArrays& arrays,
                        const Fill& fill) {
  const uint64_t expected = executable.signature().parameters.size();
  const bool too_many = !arrays.empty() && arrays.rbegin()->first >= expected;
  const bool too_few = fill.kind == Fill::Kind::kNone && arrays.size() < expected;
  if (!too_many && !too_few) return absl::OkStatus();
  const uint64_t given =
      std::max<uint64_t>(arrays.size(), too_many ? arrays.rbegin()->first + 1 : 0);
  return absl::InvalidArgumentError(absl::StrCat("arguments: expected ", expected,
                                                 ListParameters(executable.signature()),
                                                 ", found ", given));
}

absl::StatusOr<ArraySpec> SpecOf(const schema::SignatureParameter& parameter) {
  ASSIGN_OR_RETURN(const ElementType* element, ArrayElementType(parameter.type));
  return ArraySpec{"", element, ShapeOf(parameter.type)};
}

// A bool array may hold any byte in a file; a program takes 0 and 1 for granted.
absl::Status CheckBools(const StoredArray& stored, const Array& array) {
  for (uint8_t byte : array.data) {
    if (byte <= 1) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(stored.where, ": expected bools of 0 or 1, found ", byte));
  }
  return absl::OkStatus();
}

absl::StatusOr<ArgumentValue> ReadValue(const schema::SignatureParameter& parameter,
                                        const StoredArray& stored) {
  absl::StatusOr<Array> array = stored.read();
  if (!array.ok()) return Annotate(array.status(), stored.where);
  if (array->type.kind == 'b') RETURN_IF_ERROR(CheckBools(stored, *array));
  return ArgumentValue::Bytes(ToDeviceOrder(parameter.type, std::move(array->data)));
}

ArgumentValue MadeUp(const Fill& fill, const ElementType& element, uint64_t position) {
  return fill.kind == Fill::Kind::kRandom
             ? ArgumentValue::Random(element, fill.seed, position)
             : ArgumentValue::Zeros();
}

}  // namespace

absl::StatusOr<std::vector<ArgumentValue>> ReadInputs(
    const runtime::Executable& executable, const std::string& program_path,
    const std::vector<std::string>& files, const Fill& fill) {
  ASSIGN_OR_RETURN(const StoredArrays arrays, OpenFiles(files));
  RETURN_IF_ERROR(Annotate(CheckCount(executable, arrays, fill), program_path));
  const std::vector<runtime::Argument>& arguments = executable.arguments();
  const schema::Signature& signature = executable.signature();
  auto describe = [&](size_t i) {
    return arguments[i].Describe(signature, static_cast<int>(i));
  };

  std::vector<ArgumentValue> values(arguments.size(), ArgumentValue::Ones());
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].parameter.has_value()) continue;
    const size_t position = static_cast<size_t>(*arguments[i].parameter);
    const schema::SignatureParameter& parameter = signature.parameters[position];
    absl::StatusOr<ArraySpec> spec = SpecOf(parameter);
    if (!spec.ok()) {
      return Annotate(spec.status(), absl::StrCat(program_path, ": ", describe(i)));
    }
    auto it = arrays.find(position);
    if (it == arrays.end()) {
      values[i] = MadeUp(fill, *spec->element, position);
      continue;
    }
    RETURN_IF_ERROR(
        Annotate(CheckStored(*spec, it->second.header, absl::StrCat("for ", describe(i))),
                 it->second.where));
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].parameter.has_value()) continue;
    const size_t position = static_cast<size_t>(*arguments[i].parameter);
    auto it = arrays.find(position);
    if (it == arrays.end()) continue;
    ASSIGN_OR_RETURN(values[i], ReadValue(signature.parameters[position], it->second));
  }
  return values;
}

}  // namespace thunky::tooling
