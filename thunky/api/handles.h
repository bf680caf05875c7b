// What is behind the handles of the interface, for its own sources.
#ifndef THUNKY_API_HANDLES_H_
#define THUNKY_API_HANDLES_H_

#include <memory>
#include <utility>

#include "thunky/api/array.h"
#include "thunky/api/array_state.h"
#include "thunky/api/device.h"
#include "thunky/api/device_state.h"
#include "thunky/api/executable.h"
#include "thunky/api/future.h"
#include "thunky/api/loaded_executable.h"

namespace thunky::api {

struct Handles {
  template <typename Handle>
  static const auto& StateOf(const Handle& handle) {
    return handle.state_;
  }
  // A handle of `state` and what else it keeps.
  template <typename Handle, typename State, typename... More>
  static Handle Make(std::shared_ptr<State> state, More&&... more) {
    return Handle(std::move(state), std::forward<More>(more)...);
  }

  static hal::Device& HalOf(const Device& device) { return StateOf(device)->device(); }
};

}  // namespace thunky::api

#endif  // THUNKY_API_HANDLES_H_
