// The k largest elements of each row: data in; values and positions out.
#include "thunky/base/status_macros.h"
#include "thunky/schema/kinds/families.h"
#include "thunky/schema/kinds/slices.h"
#include "thunky/schema/tensor_type.h"

namespace thunky::schema::kinds {
namespace {

constexpr int kData = 0;
constexpr int kValues = 1;
constexpr int kPositions = 2;
constexpr int kArgs = 3;

void Accesses(const wire::ThunkProto& thunk, std::vector<Access>* accesses) {
  const auto& args = thunk.select_k_thunk().args();
  for (int i = 0; i < Listed(args.size()); ++i) {
    accesses->push_back({SliceOf(args[i]),
                         i == kData ? AccessMode::kRead : AccessMode::kWriteAll,
                         Indexed("args", i)});
  }
}

absl::Status CheckSize(int64_t size, uint64_t rows, uint64_t columns,
                       int64_t element_bytes, int arg) {
  // Two 32-bit counts and at most 16 bytes an element: 68 bits do not fit 64.
  const unsigned __int128 needed =
      static_cast<unsigned __int128>(rows) * columns * element_bytes;
  if (size >= 0 && static_cast<uint64_t>(size) >= needed) return absl::OkStatus();
  return Invalid(Indexed("args", arg), " has ", size, " bytes; ", rows, " rows of ",
                 columns, " elements of ", element_bytes, " bytes are more");
}

absl::Status Verify(const wire::ThunkProto& thunk, const VerifyContext& context) {
  const wire::SelectKThunkProto& select = thunk.select_k_thunk();
  if (select.args_size() != kArgs) {
    return Invalid("has ", select.args_size(), " args; data, values and positions are ",
                   kArgs);
  }
  ASSIGN_OR_RETURN(const int bits, ElementBits(select.dtype()));
  if (bits % 8 != 0) {
    return Invalid("dtype is ", ElementTypeName(select.dtype()),
                   ", which is no whole number of bytes");
  }
  if (select.k() > select.num_elements()) {
    return Invalid("k is ", select.k(), " of ", select.num_elements(), " elements");
  }
  RETURN_IF_ERROR(CheckOwnAccesses(ThunkKind::kSelectK, thunk, context));
  const uint64_t rows = select.batch_size();
  RETURN_IF_ERROR(
      CheckSize(select.args(kData).size(), rows, select.num_elements(), bits / 8, kData));
  RETURN_IF_ERROR(
      CheckSize(select.args(kValues).size(), rows, select.k(), bits / 8, kValues));
  return CheckSize(select.args(kPositions).size(), rows, select.k(), 4, kPositions);
}

constexpr KindRules kRules[] = {{ThunkKind::kSelectK, Verify, Accesses, nullptr}};

}  // namespace

absl::Span<const KindRules> SelectKRules() { return kRules; }

}  // namespace thunky::schema::kinds
