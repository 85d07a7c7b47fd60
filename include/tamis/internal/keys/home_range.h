// The hashes of one home: the interval that an ordered key source is asked for.
//
// Home q of m holds the hashes h, numbers in [0, 1), with floor(h * m) == q:
// those from q / m on and below (q + 1) / m.  In units of 2^-128:
//
//   [ ceil(q 2^128 / m),  ceil((q + 1) 2^128 / m) - 1 ]

#ifndef TAMIS_INTERNAL_KEYS_HOME_RANGE_H_
#define TAMIS_INTERNAL_KEYS_HOME_RANGE_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"

namespace tamis::internal {

// Returns ceil(q * 2^128 / m) by long division, 64 bits at a time.
// REQUIRES: q < m
constexpr Uint128 FirstHashOfHome(uint64_t q, uint64_t m) {
  const Uint128 first = static_cast<Uint128>(q) << 64;
  const Uint128 second = (first % m) << 64;
  const Uint128 quotient = ((first / m) << 64) | (second / m);
  return quotient + (second % m != 0 ? 1 : 0);
}

constexpr HashRange HashesOfHome(uint64_t home, uint64_t homes) {
  assert(home < homes);
  const Uint128 low = FirstHashOfHome(home, homes);
  const Uint128 limit =
      home + 1 == homes ? Uint128{0} : FirstHashOfHome(home + 1, homes);
  const Uint128 high = limit - 1;  // 0 - 1 is the last hash of all
  return {{static_cast<uint64_t>(low >> 64), static_cast<uint64_t>(low)},
          {static_cast<uint64_t>(high >> 64), static_cast<uint64_t>(high)}};
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_KEYS_HOME_RANGE_H_
