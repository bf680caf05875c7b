// A list of kernels as text and as JSON.
#ifndef THUNKY_TOOLING_COMMANDS_KERNELS_REPORT_H_
#define THUNKY_TOOLING_COMMANDS_KERNELS_REPORT_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "thunky/tooling/kernel_analysis.h"
#include "thunky/tooling/kernel_code.h"

namespace thunky::tooling {

struct ListedKernel {
  std::string entry;
  std::string code;  // "PTX", "cubin", ...
  size_t code_bytes = 0;
  std::string origin;  // file that the PTX is from, when not the program itself
  // Of the PTX; absent when there is none.
  std::string version;
  std::string target;
  std::optional<KernelAnalysis> analysis;
  std::string why_not;                 // why the host cannot run it; empty when it can
  std::vector<KernelLaunch> launches;  // empty for a PTX file
};

struct KernelsReport {
  std::string file;
  std::vector<ListedKernel> kernels;
  std::vector<std::string> extracted;  // paths of written files
};

std::string KernelsAsText(const KernelsReport& report);
std::string KernelsAsJson(const KernelsReport& report);

}  // namespace thunky::tooling

#endif  // THUNKY_TOOLING_COMMANDS_KERNELS_REPORT_H_
