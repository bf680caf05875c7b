// The PTX files below $THUNKY_TEST_DATA, for tests. Those in folders called Inputs
// belong to lit tests and may be wrong on purpose: they are left out.
#ifndef THUNKY_PTX_CORPUS_FOR_TEST_H_
#define THUNKY_PTX_CORPUS_FOR_TEST_H_

#include <string>
#include <vector>

namespace thunky::ptx {

struct CorpusFile {
  std::string path;
  std::string text;
};

// Sorted by path. Empty when the variable is not set.
std::vector<CorpusFile> ReadCorpus();

}  // namespace thunky::ptx

#endif  // THUNKY_PTX_CORPUS_FOR_TEST_H_
