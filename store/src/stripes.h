// Stripes: locks for keys, by intervals of hashes.
//
//   hash 0         1/1024       2/1024                            1
//        |  stripe 0  |  stripe 1  |            ...  stripe 1023  |
//
// A writer holds the stripe of its key from the question whether the key is
// there until the filter knows what became of it.  A stripe is an interval, as
// the shards and the collision ranges of the filter are: whoever wants to see a
// range without writers locks the stripes that meet it.
//
// (L1) Whoever locks several does so in ascending order: no deadlock.
// (L2) Nobody who holds a lock of the filter waits for a stripe.

#ifndef TAMIS_STORE_SRC_STRIPES_H_
#define TAMIS_STORE_SRC_STRIPES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <span>
#include <vector>

#include "tamis/key_hash.h"
#include "tamis/key_source.h"

namespace tamis::internal {

class Stripes {
 public:
  static constexpr int kBits = 10;
  static constexpr size_t kCount = size_t{1} << kBits;

  static size_t Of(KeyHash hash) { return hash.high >> (64 - kBits); }
  // The hashes of one stripe.
  static HashRange RangeOf(size_t stripe) {
    const uint64_t low = static_cast<uint64_t>(stripe) << (64 - kBits);
    return {{low, 0}, {low + (~uint64_t{0} >> kBits), ~uint64_t{0}}};
  }

  std::mutex& operator[](size_t stripe) { return mutexes_[stripe].mutex; }
  std::mutex& ForHash(KeyHash hash) { return (*this)[Of(hash)]; }

 private:
  struct alignas(64) Padded {
    std::mutex mutex;
  };
  std::array<Padded, kCount> mutexes_;
};

// Holds all stripes that meet a range.
class RangeLock {
 public:
  RangeLock(Stripes& stripes, const HashRange& range)
      : stripes_(stripes),
        first_(Stripes::Of(range.low)),
        last_(Stripes::Of(range.high)) {
    for (size_t i = first_; i <= last_; ++i) stripes_[i].lock();
  }
  ~RangeLock() {
    for (size_t i = first_; i <= last_; ++i) stripes_[i].unlock();
  }
  RangeLock(const RangeLock&) = delete;
  RangeLock& operator=(const RangeLock&) = delete;

 private:
  Stripes& stripes_;
  size_t first_;
  size_t last_;
};

// Holds any set of mutexes that have an order, each once.
class ManyLock {
 public:
  explicit ManyLock(std::vector<std::mutex*> ordered)
      : mutexes_(std::move(ordered)) {
    for (std::mutex* one : mutexes_) one->lock();
  }
  ~ManyLock() {
    for (std::mutex* one : mutexes_) one->unlock();
  }
  ManyLock(const ManyLock&) = delete;
  ManyLock& operator=(const ManyLock&) = delete;

 private:
  std::vector<std::mutex*> mutexes_;
};

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_STRIPES_H_
