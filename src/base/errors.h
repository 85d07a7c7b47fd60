// Statuses that much of the library gives, in words of the place that does.

#ifndef TAMIS_BASE_ERRORS_H_
#define TAMIS_BASE_ERRORS_H_

#include <string>
#include <utility>

#include "tamis/status.h"

namespace tamis::internal {

// An argument that can't be.
inline Status Bad(std::string message) {
  return {StatusCode::kInvalidArgument, std::move(message)};
}

// A state that breaks an invariant.
inline Status Violation(std::string what) {
  return {StatusCode::kCorrupt, std::move(what)};
}

}  // namespace tamis::internal

#endif  // TAMIS_BASE_ERRORS_H_
