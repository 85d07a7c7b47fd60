// KeysAndRate: what users know of a filter that is to be made.  Every filter
// class takes it:
//
//   Result<CuckooingFilter> made =
//       CuckooingFilter::Create({.keys = 1'000'000, .fpr = 0.001});
//
// SizeFor of sizing.h makes a spec and a number of slots of it.

#ifndef TAMIS_KEYS_AND_RATE_H_
#define TAMIS_KEYS_AND_RATE_H_

#include <cstdint>

#include "tamis/internal/base/cxx20.h"

namespace tamis {

struct KeysAndRate {
  uint64_t keys = 0;  // that it holds without growing
  // The share of absent keys that it takes for members, at most; or how much
  // memory it may take.  Neither: what its spec says.
  double fpr = 0;
  double bits_per_key = 0;
  // Of a filter that grows: `fpr` holds for up to so many keys.
  uint64_t up_to_keys = 0;
};

}  // namespace tamis

#endif  // TAMIS_KEYS_AND_RATE_H_
