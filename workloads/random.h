// Random numbers for workloads: seeded, small, and equal on every machine.
//
//   Random     64 bits a step (splitmix64): a counter that advances by a fixed
//              odd step, passed through Mix64.
//   RandR      the 31-bit generator of the original FireHose programs, which
//              is the C library's rand_r; written out so that a stream does not
//              depend on the C library in use.
//   Mix64      a bijection of the 64-bit numbers: distinct counters give
//              distinct keys that look random, with no table to prove it.
//
// None of them is for secrets.
//
// Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_RANDOM_H_
#define TAMIS_WORKLOADS_RANDOM_H_

#include <cassert>
#include <cmath>
#include <cstdint>

#include "tamis/internal/bits/words.h"

namespace tamis::workloads {

// Returns a number that looks unrelated to `x`.  Each step (xor with its own
// upper bits, multiplication by an odd number) can be undone, so no two x
// share an image.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

// Returns the key number `index` of the family `seed`: for one seed, all keys
// are distinct.
constexpr uint64_t DistinctKey(uint64_t seed, uint64_t index) {
  return Mix64(index + Mix64(seed + 0x9e3779b97f4a7c15));
}

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15;
    return Mix64(state_);
  }
  // Returns a number from [0, limit), each equally likely: the upper half of
  // a 128-bit product, redrawn where the lower half shows an uneven share.
  // REQUIRES: limit > 0
  uint64_t Below(uint64_t limit) {
    assert(limit > 0);
    const uint64_t uneven = (0 - limit) % limit;  // 2^64 mod limit
    for (;;) {
      const auto product = static_cast<internal::Uint128>(Next()) * limit;
      if (static_cast<uint64_t>(product) >= uneven) {
        return static_cast<uint64_t>(product >> 64);
      }
    }
  }
  // Returns a multiple of 2^-53 from (0, 1]: never 0, so its log is finite.
  double Unit() { return (static_cast<double>(Next() >> 11) + 1) * 0x1.0p-53; }
  // Returns an exponentially distributed number of that mean.
  double Exponential(double mean) { return -mean * std::log(Unit()); }

 private:
  uint64_t state_;
};

class RandR {
 public:
  explicit RandR(uint32_t seed) : state_(seed) {}

  // Returns 31 bits: 11, 10 and 10 bits of three steps of a 32-bit linear
  // congruence.
  uint32_t Next() {
    const uint32_t first = Step() % 2048;
    const uint32_t second = Step() % 1024;
    const uint32_t third = Step() % 1024;
    return (first << 20) | (second << 10) | third;
  }

 private:
  uint32_t Step() {
    state_ = state_ * 1103515245 + 12345;
    return state_ >> 16;
  }

  uint32_t state_;
};

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_RANDOM_H_
