// Fourier transforms.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const wire::FftThunkProto& fft = thunk.fft_thunk();
  const Slice input = SliceOf(fft.input_buffer());
  const Slice output = SliceOf(fft.output_buffer());
  accesses->push_back({input, AccessMode::kRead, "input_buffer"});
  accesses->push_back({output, AccessMode::kWriteAll, "output_buffer"});
}

absl::Status CheckShape(const wire::ShapeProto& shape, int64_t size,
                        absl::string_view role) {
  const absl::StatusOr<TensorType> type = TensorTypeOf(shape);
  if (!type.ok()) return Invalid(role, " has a bad shape: ", type.status().message());
  if (ByteSize(*type) <= size) return absl::OkStatus();
  return Invalid(role, " has ", size, " bytes; its shape ", type->ToString(), " takes ",
                 ByteSize(*type));
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::FftThunkProto& fft = thunk.fft_thunk();
  RETURN_IF_ERROR(CheckPresent(fft.has_input_buffer(), "input_buffer"));
  RETURN_IF_ERROR(CheckPresent(fft.has_output_buffer(), "output_buffer"));
  if (!wire::FftType_IsValid(fft.fft_type())) {
    return Invalid("fft_type is ", static_cast<int>(fft.fft_type()),
                   ", which this build does not know");
  }
  if (fft.fft_length_size() < 1 || fft.fft_length_size() > 3) {
    return Invalid("has ", fft.fft_length_size(),
                   " fft_length entries; 1 to 3 are allowed");
  }
  for (const int64_t length : fft.fft_length()) {
    if (length < 0) return Invalid("has fft_length ", length);
  }
  RETURN_IF_ERROR(
      CheckShape(fft.input_shape(), fft.input_buffer().size(), "input_buffer"));
  RETURN_IF_ERROR(
      CheckShape(fft.output_shape(), fft.output_buffer().size(), "output_buffer"));
  return CheckOwnAccesses(ThunkKind::kFft, thunk, context);
}

constexpr KindRules kRules[] = {{ThunkKind::kFft, Verify, Accesses, nullptr}};

}  // namespace

absl::Span<const KindRules> FftRules() { return kRules; }

}  // namespace thunky::schema::kinds
