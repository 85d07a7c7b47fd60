// ChainFilter: quotient filters one after the other, the newest takes inserts.
//
// When the newest link is as full as the threshold allows, another one is
// added; a look-up asks them all.  Three rules for the next link:
//
//   chain-linear    as many slots as the first, F bits: 2^X links after X
//                   doublings of the data
//   chain           twice the slots of the last, F bits: X + 1 links
//   chain-growing   twice the slots, and F + ceil(2 log2(i + 1)) bits for link
//                   i, so that the rates of all links converge (reciprocal
//                   squares, Pagh, Segev and Wieder)
//
//   guarantee   no false negative; the FPR is that of all links together
//   cost        a look-up reads a line of every link; inserts are the RSQF's
//   space       that of the RSQF for each link, divided by the threshold
//   when full   it adds a link; kFull only at 2^55 slots
//   contraction Contract drops the newest link if that is empty; Erase frees
//               every link that it empties, but for the first
//   multiset    a key inserted twice is there twice
//
// Erase asks the newest link first: its fingerprints, with more bits of home,
// are the longest, and whoever loses one to another key matches a shorter one.
//
// Paper: Dayan, Bercea, Reviriego, Pagh: InfiniFilter (SIGMOD 2023), section 3.

#ifndef TAMIS_FILTERS_GROWING_CHAIN_H_
#define TAMIS_FILTERS_GROWING_CHAIN_H_

#include <cstdint>
#include <span>
#include <utility>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/growing/table_list.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/rsqf.h"
#include "tamis/spec.h"

namespace tamis {

class ChainFilter {
 public:
  enum class Growth { kLinear, kGeometric, kGrowing };
  struct Options {
    uint64_t slots = 0;         // of the first link
    int fingerprint_bits = 12;  // F, 2 to 56
    Growth growth = Growth::kGeometric;
    double threshold = 0.8;  // load at which a link is added, 0.05 to 0.98
  };
  static Result<ChainFilter> Create(const Options& options,
                                    const Hasher& hasher = Hasher());
  // `spec` is chain:f=2..56,threshold=0.05..0.98, or the same as chain-linear
  // or chain-growing.
  static Result<ChainFilter> Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher);
  static Result<ChainFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                          const LoadOptions& options = {});
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const {
    links_.front().filter.PrefetchInsert(hash);
  }
  bool MayContain(KeyHash hash) const {
    for (const Link& link : links_) {
      if (link.filter.MayContain(hash)) return true;
    }
    return false;
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Removes one occurrence.  Only for members: see ErasableFilter.
  Status Erase(KeyHash hash);
  // Adds a link.
  Status Expand();
  // Drops the newest link: kFull if it holds keys, kUnsupported if it is the
  // only one.
  Status Contract();

  uint64_t size() const { return size_; }
  // Keys it holds before it adds a link.
  uint64_t capacity() const;
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;

  size_t num_links() const { return links_.size(); }

 private:
  struct Link {
    uint64_t number;  // 0 for the first, whether or not later ones were freed
    Rsqf filter;
  };

  ChainFilter(const Options& options, const Hasher& hasher)
      : options_(options), hasher_(hasher) {}

  Rsqf::Options LinkOptions(uint64_t number) const;
  uint64_t Limit(const Rsqf& link) const;
  Status AddLink(uint64_t number);
  Status CheckWritable() const {
    return links_.front().filter.table().CheckWritable();
  }
  // Frees link `index` if it is empty, unless it is the newest.
  void FreeIfEmpty(size_t index);

  Options options_;
  Hasher hasher_;
  internal::TableList<Link> links_;  // newest first, never empty
  uint64_t size_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_FILTERS_GROWING_CHAIN_H_
