// Require: what a fuzzer does when it has found something.

#ifndef TAMIS_FUZZ_REQUIRE_H_
#define TAMIS_FUZZ_REQUIRE_H_

#include <cstdio>
#include <cstdlib>

#include "tamis/status.h"

namespace tamis::fuzz {

// Stops the fuzzer, which then keeps its input, if `status` is an error.
inline void Require(const Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

inline void Require(bool condition, const char* what) {
  if (!condition) Require(Status(StatusCode::kCorrupt, what));
}

}  // namespace tamis::fuzz

#endif  // TAMIS_FUZZ_REQUIRE_H_
