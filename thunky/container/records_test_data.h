// Records files with the compressions that the project reads but does not write.
#ifndef THUNKY_CONTAINER_RECORDS_TEST_DATA_H_
#define THUNKY_CONTAINER_RECORDS_TEST_DATA_H_

#include <string>
#include <string_view>
#include <vector>

#include "thunky/container/riegeli_format.h"

namespace thunky::riegeli {

// All four compressions; without the decoded size that files write in front.
std::string CompressForTest(Compression compression, std::string_view bytes);

// The data of a simple chunk with these records.
std::string SimpleChunkData(Compression compression,
                            const std::vector<std::string>& records);

// A file of one simple chunk.
std::string RecordsFileForTest(Compression compression,
                               const std::vector<std::string>& records);

}  // namespace thunky::riegeli

#endif  // THUNKY_CONTAINER_RECORDS_TEST_DATA_H_
