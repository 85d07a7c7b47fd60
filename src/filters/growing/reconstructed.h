// Reconstructed: a quotient filter that is built anew when it must grow.
//
// The simplest way to grow, and the only one that needs the keys: at the
// threshold all of them are read from their source again, hashed, and loaded
// into a filter of twice the size.  Fingerprints stay whole, so the false
// positive rate stays that of a filter made for the size; the price is the
// read.  A baseline of the InfiniFilter paper, section 3.
//
//   guarantee   no false negative; FPR = 1 - exp(-load * 2^-f)
//   cost        look-ups as the RSQF; growing reads all keys
//   when full   it is built anew; the source's error, if it fails, and then
//               nothing has changed
//
// It needs a source, so it has no spec and is not one of AnyFilter's kinds.
//
// Contract of the source: it reports every member as often as it is in the set,
// and the caller updates it *before* Insert and *after* Erase.

#ifndef TAMIS_FILTERS_GROWING_RECONSTRUCTED_H_
#define TAMIS_FILTERS_GROWING_RECONSTRUCTED_H_

#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/rsqf.h"

namespace tamis {

class Reconstructed {
 public:
  // Calls its argument with the hash of every member.
  using Visit = std::function<void(KeyHash)>;
  using Source = std::function<Status(const Visit&)>;

  struct Options {
    uint64_t slots = 0;  // at the start
    int fingerprint_bits = 12;
    double threshold = 0.8;  // load at which it grows, 0.05 to 0.98
  };
  static Result<Reconstructed> Create(const Options& options, Source source,
                                      const Hasher& hasher = Hasher());

  // REQUIRES: the source has the key already
  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const { return filter_.MayContain(hash); }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    filter_.MayContain(hashes, results);
  }
  // Removes one occurrence.  Only for members: see ErasableFilter.
  Status Erase(KeyHash hash) { return filter_.Erase(hash); }
  // Builds the filter anew, from the source, with `slots` slots.
  Status Rebuild(uint64_t slots);

  uint64_t size() const { return filter_.size(); }
  uint64_t SizeBits() const { return filter_.SizeBits(); }
  double ExpectedFpr() const { return filter_.ExpectedFpr(); }
  Status CheckInvariants() const { return filter_.CheckInvariants(); }
  const Rsqf& filter() const { return filter_; }

 private:
  Reconstructed(const Options& options, Source source, Rsqf filter)
      : options_(options),
        source_(std::move(source)),
        filter_(std::move(filter)) {}

  Options options_;
  Source source_;
  Rsqf filter_;
};

}  // namespace tamis

#endif  // TAMIS_FILTERS_GROWING_RECONSTRUCTED_H_
