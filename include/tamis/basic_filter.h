// BasicFilter: what a filter of one's own says as all others do.
//
//   class OwnFilter : public tamis::BasicFilter<OwnFilter> { ... };
//
// It keeps spec, hasher, capacity and the number of keys, and answers batches
// one by one.  F brings the rest of what filter.h asks of a FilterType:
// Create, FromSnapshot, ToSnapshot, Insert, MayContain(KeyHash), SizeBits,
// ExpectedFpr and CheckInvariants; examples/own_filter shows it.
//
// Thread safety: as F's.

#ifndef TAMIS_BASIC_FILTER_H_
#define TAMIS_BASIC_FILTER_H_

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "tamis/filter_stats.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/spec.h"

namespace tamis {

template <typename F>
class BasicFilter {
 public:
  // F has a MayContain of its own, and says `using BasicFilter::MayContain`.
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    std::transform(hashes.begin(), hashes.end(), results.begin(),
                   [&](KeyHash hash) { return self().MayContain(hash); });
  }
  FilterStats stats() const {
    return {.size = size_,
            .capacity = capacity_,
            .size_bits = self().SizeBits(),
            .expected_fpr = self().ExpectedFpr(),
            .details = {}};
  }
  uint64_t size() const { return size_; }
  uint64_t capacity() const { return capacity_; }
  Spec spec() const { return spec_; }
  const Hasher& hasher() const { return hasher_; }

 protected:
  BasicFilter(Spec spec, const Hasher& hasher, uint64_t capacity)
      : spec_(std::move(spec)), hasher_(hasher), capacity_(capacity) {}

  void set_size(uint64_t size) { size_ = size; }

 private:
  const F& self() const { return static_cast<const F&>(*this); }

  Spec spec_;
  Hasher hasher_;
  uint64_t capacity_;
  uint64_t size_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_BASIC_FILTER_H_
