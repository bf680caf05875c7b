// Attributes of a kernel: the records of a cubin's section .nv.info.NAME.
#ifndef THUNKY_CUBIN_ENTRY_ATTRIBUTES_H_
#define THUNKY_CUBIN_ENTRY_ATTRIBUTES_H_

#include <string_view>

#include "absl/status/status.h"
#include "thunky/cubin/cubin_reader.h"

namespace thunky::cubin {

// Fills in the entry's parameters and launch bounds. Attributes that say something
// else are passed over.
absl::Status ReadEntryAttributes(std::string_view section, CubinEntry* entry);

}  // namespace thunky::cubin

#endif  // THUNKY_CUBIN_ENTRY_ATTRIBUTES_H_
