// RunStream: one filter asks itself through one stream of queries.
//
// For each query, in order:
//
//   MayContain?  no   nothing; a member here is an error, kCorrupt
//                yes  a read of the key store, which tells the truth:
//                       a member     the read was wanted
//                       no member    a false positive; the first of this key,
//                                    or a repeated one; then Adapt, if it can
//
// The result is counts; nothing is timed (timing.h does that), so equal
// streams and seeds give equal results on every machine.
//
// Reads are what a look-up may wait for: one of the key store for each positive
// answer, and one more for each mistake that a filter is told of with members
// from the store.  A mirror or a cache in RAM is no read.

#ifndef TAMIS_TOOLS_COMPARE_STREAM_RUN_H_
#define TAMIS_TOOLS_COMPARE_STREAM_RUN_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/result.h"
#include "tools/compare/keys_in.h"
#include "tools/compare/query_stream.h"

namespace tamis::tools {

// A stretch of the stream.
struct StreamWindow {
  uint64_t end = 0;  // queries asked up to its end, from the stream's beginning
  uint64_t negatives = 0;
  uint64_t false_positives = 0;

  double fpr() const;
  // Makes this one reach to the end of `next`.
  void Append(const StreamWindow& next) {
    end = next.end;
    negatives += next.negatives;
    false_positives += next.false_positives;
  }
};

struct StreamRun {
  uint64_t queries = 0;
  uint64_t negatives = 0;   // queries of keys that are not in the set
  uint64_t first_time = 0;  // false positives, each of another key
  uint64_t repeated = 0;    // false positives of keys that were one before
  uint64_t adapts = 0;      // calls of Adapt; of these
  uint64_t resets = 0;      //   fixed, at the price of earlier fixes (kReset)
  uint64_t not_fixed = 0;   //   still a false positive (kNotFixed)
  uint64_t rebuilds = 0;    // of the whole filter, while adapting
  uint64_t reads = 0;       // of the key store
  // False positives that no filter of this rate avoids: each different absent
  // key is one once, with the chance that the filter itself expects at first.
  double unavoidable = 0;
  std::vector<StreamWindow> windows;

  uint64_t false_positives() const { return first_time + repeated; }
  // False positives per negative query; 0 without any.
  double fpr() const;
  // The `number`th of `count` stretches of about as many windows each.
  // REQUIRES: number < count <= windows.size()
  StreamWindow Stretch(size_t number, size_t count) const;
};

// Asks `filter`, which holds the stream's members, all queries; after an
// interrupt only those of the windows that are done.  kCorrupt if it denies a
// member.  REQUIRES: windows > 0
Result<StreamRun> RunStream(AnyFilter& filter, const HashedStream& hashed,
                            KeysIn keys_in = KeysIn::kRam, size_t windows = 50);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_STREAM_RUN_H_
