// The two FireHose streams that the papers query: active set and power law.
//
// Equal seed and exponent give the keys of the original generators, one by
// one; tests compare SHA-256 sums of millions of them.
//
// Active set.  A ring of 16,384 slots, each a stack of keys, is 131,072 live
// keys together.  A cursor walks round the ring; the keys it finds are emitted
// and pushed again some slots ahead:
//
//            cursor
//              |     wait kWaits[1024 * emitted / lifetime]
//   ring  ..[ ][k]-------------------------------->[ ]..    until emitted
//                                                           lifetime times,
//                                                           then a new key
//
// The wait is long when a key is young or old and short in between, so that a
// key trends and retires.  The lifetime is drawn from 65,536 values that fall
// from 65,537 to 1 as the power i^exponent does:
//
//   exponent   repeats of a key in 10 M
//     -0.5      54    keys trend and retire; take this where one is needed
//     +0.5      76    lifetimes so long that it is almost a round-robin
//     -1.5       1.2  the original program's default
//
// Power law.  Indices below 100,000 of a Yule-Simon distribution (rho = 0.5),
// by inversion of a table; keys are the dense integers from 1,000,000,000 on,
// so a weak hash would be flattered or hurt.
//
// Cost: Next is a few array accesses (active set: 2.6 MB, power law: 0.4 MB
// and a binary search).  Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_FIREHOSE_H_
#define TAMIS_WORKLOADS_FIREHOSE_H_

#include <cstdint>
#include <vector>

#include "workloads/random.h"

namespace tamis::workloads {

inline constexpr uint32_t kFirehoseSeed = 678912345;  // the original's

class ActiveSetStream {
 public:
  struct Options {
    uint32_t seed = kFirehoseSeed;
    double exponent = -0.5;
  };

  explicit ActiveSetStream(const Options& options);
  uint64_t Next();

 private:
  struct Key {
    uint64_t id;
    uint32_t emitted;   // how often so far
    uint32_t lifetime;  // how often in all
    uint32_t below;     // the next key of the same stack, or kNone
  };

  // Makes `key` a new one, not yet emitted, and pushes it on a random slot.
  void Renew(uint32_t key);
  void Push(uint32_t slot, uint32_t key);

  RandR random_;
  std::vector<uint32_t> lifetimes_;
  std::vector<uint32_t> waits_;
  std::vector<Key> keys_;
  std::vector<uint32_t> ring_;  // top of each slot's stack, or kNone
  uint32_t cursor_ = 0;
  uint32_t working_;  // top of the stack that was detached at the cursor
  uint32_t id_seed_;
  uint64_t ids_made_ = 0;
};

class PowerLawStream {
 public:
  explicit PowerLawStream(uint32_t seed = kFirehoseSeed);
  uint64_t Next();

 private:
  RandR random_;
  std::vector<uint32_t> cumulative_;  // P(index <= i), scaled to 31 bits
};

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_FIREHOSE_H_
