// Adversaries of the adaptive cuckoo filters, and the query sets that defeat
// two of them without one.
//
// In the *adaptivity game* an adversary asks one query after another, is told
// of each whether it was a false positive (the filter adapts to those), and at
// last names a key: it wins if that key is a false positive then.  A filter
// that stands up to every adversary loses with probability eps only.  None of
// these does:
//
//   RepeatedQueryAdversary     Theorems 9 and 10: against Cyclic and Swapping.
//     A member has 2^s (Swapping: b) fingerprints in its place.  A query that
//     agrees with it in all of them can't be fixed; 1/eps^(2^s) random keys
//     contain one.  Ask each key as often as there are fingerprints; one that
//     is a false positive every time is it.
//
//   MutuallyUnfixableAdversary  Theorem 12: against every filter that stores a
//     member under one of k hashes in turn, Cuckooing among them.  Wherever a
//     member lives, one of k queries that each share one of its k homes
//     collides with it.  A birthday attack finds such a set among
//     (1 + 1/k) N / (eps n^(1/k)) random keys: ask all of them for k
//     preliminary and k testing rounds; those that are false positives in the
//     testing rounds are candidates; then ask k of them in random orders until
//     an order in which all are false positives twice shows who they are.
//
// SmallSetFalsePositives asks queries drawn from a small fixed set (section
// 3): no adversary at all, yet Cyclic and Swapping, unlike Cuckooing, give a
// constant share of false positives if the set holds one of the keys above.
//
// Everything is deterministic for a seed.  Keys asked are never members.
// Paper: Kopelowitz, McCauley and Porat, sections 3 and 5.

#ifndef TAMIS_LAB_ADVERSARIES_CUCKOO_ADVERSARY_H_
#define TAMIS_LAB_ADVERSARIES_CUCKOO_ADVERSARY_H_

#include <cstdint>

#include "tamis/any_filter.h"
#include "tamis/key_hash.h"
#include "workloads/random.h"

namespace tamis::workloads {

// The referee: asks the filter and lets it adapt.
class AdaptivityGame {
 public:
  // REQUIRES: `filter` adapts, outlives this, and holds none of the keys that
  // Draw(seed) will give.
  AdaptivityGame(AnyFilter& filter, uint64_t seed)
      : filter_(filter), seed_(seed) {}

  // Returns the next of a sequence of distinct random keys, as a hash.
  KeyHash Draw() { return filter_.hasher().Hash(DistinctKey(seed_, drawn_++)); }
  // Asks for a key; says whether it was a false positive.
  bool Ask(KeyHash hash);

  uint64_t drawn() const { return drawn_; }
  uint64_t asked() const { return asked_; }
  uint64_t false_positives() const { return false_positives_; }

 private:
  AnyFilter& filter_;
  uint64_t seed_;
  uint64_t drawn_ = 0;
  uint64_t asked_ = 0;
  uint64_t false_positives_ = 0;
};

// How a game ended.
struct GameResult {
  bool named = false;    // whether the adversary named a key
  bool won = false;      // and that key was a false positive then
  uint64_t tried = 0;    // different keys asked
  uint64_t asked = 0;    // queries until the key was named
  uint64_t found = 0;    // candidates after the testing rounds, where there are
  double sustained = 0;  // false positives of 100 more queries of the key (or
                         // of its set in turn), as a share
};

// Asks each of at most `tries` random keys up to `repeats` times.
GameResult RepeatedQueryAdversary(AnyFilter& filter, uint64_t repeats,
                                  uint64_t tries, uint64_t seed);

struct MutuallyUnfixableOptions {
  int k = 2;               // hashes of a member
  uint64_t set_size = 0;   // |Q|: MutuallyUnfixableSearchSize (cuckoo_math.h)
  uint64_t max_found = 0;  // gives up if more candidates are left; 0: 16 k
  uint64_t seed = 1;
};
// REQUIRES: options.k >= 2, options.set_size >= k
GameResult MutuallyUnfixableAdversary(AnyFilter& filter,
                                      const MutuallyUnfixableOptions& options);

// Returns how many of `queries` queries, drawn from `set_size` random keys,
// were false positives.
uint64_t SmallSetFalsePositives(AnyFilter& filter, uint64_t set_size,
                                uint64_t queries, uint64_t seed);

}  // namespace tamis::workloads

#endif  // TAMIS_LAB_ADVERSARIES_CUCKOO_ADVERSARY_H_
