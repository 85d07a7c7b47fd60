// KeyHash: the 128 bits that every filter accepts in place of a key.
//
// A key is hashed once, at the edge, by a Hasher.  From then on the library
// reads the hash as a number in [0, 1), most significant bit first:
//
//   hash  =  0 . h127 h126 ... h64 | h63 ... h0        (binary fraction)
//                \---- high -----/   \-- low --/
//
// Multiplied by the number of homes m, its integer part says where the key
// lives and its fraction, a string of bits, says what is stored there.
// internal/hash/hash_string.h does that multiplication.

#ifndef TAMIS_KEY_HASH_H_
#define TAMIS_KEY_HASH_H_

#include <compare>
#include <cstdint>

#include "tamis/internal/base/cxx20.h"

namespace tamis {

struct KeyHash {
  uint64_t high = 0;
  uint64_t low = 0;

  // Orders by the number in [0, 1): also the order of homes in a table.
  friend constexpr auto operator<=>(const KeyHash&, const KeyHash&) = default;
};
static_assert(sizeof(KeyHash) == 16, "a mirror spends 16 bytes on a slot");

}  // namespace tamis

#endif  // TAMIS_KEY_HASH_H_
