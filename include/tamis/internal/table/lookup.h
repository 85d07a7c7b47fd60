// Look-ups: finding the run of a home, and asking whether an entry matches.
//
// The common case has no loop and one branch.  With i the home's place in its
// line, and the run ends of earlier lines (those below `spill`) masked out:
//
//   k       = occupied bits up to i                     (rank: popcount)
//   end     = the k-th run end                          (select: pdep)
//   start   = the later of i, spill, and one past the run end before `end`
//   run     = the bits [start, end], or none if home i is not occupied
//   answer  = (slots that match) & run                  (one compare of a line)
//
// If the line has fewer than k run ends, the run goes on in the next line; then
// `end` is 0, and the same arithmetic leaves [start, S): the part of the run in
// this line, unless an earlier run goes on as well, and this one starts behind
// it.  The rest is found by `runs_left`, with one look at the next line.
//
// A filter brings a policy, so that all share this code:
//
//   struct Policy {
//     struct Query { uint64_t home; ... };
//     Query Prepare(KeyHash) const;
//     // Does one of `slots` (a bit per slot of the line) match?
//     bool Match(const std::byte* line, uint64_t line_index, uint64_t slots,
//                const Query&) const;
//     // Optional: all slots of the line that could match, in any run; then
//     // Match is only asked about those.
//     uint64_t Screen(const std::byte* line, const Query&) const;
//   };
//
// A look-up ends early if its home is not occupied, or if no slot of the whole
// line could match and the run does not go on; at 8 bits and load 0.95 five of
// six do.  That needs neither select nor the run's bounds.
//
// A batch is a software pipeline of groups of 64 keys:
//
//   group g + 1   place the keys, prefetch their lines
//   group g       match; where a run goes on, prefetch the next line
//   group g - 1   match what went on

#ifndef TAMIS_INTERNAL_TABLE_LOOKUP_H_
#define TAMIS_INTERNAL_TABLE_LOOKUP_H_

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "tamis/internal/bits/select.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// The part of a run that lies in its home's line.
struct LineRun {
  uint64_t slots;      // a bit per slot; 0 if there are none here
  bool goes_on;        // is there more of it in later lines?
  unsigned runs_left;  // if it goes on: the runs that end there up to this one
};

// What both steps of a look-up need of a header.
struct LineRanks {
  uint64_t run_ends;    // of this line's runs
  uint64_t not_before;  // slots that a run of this home may use
  unsigned num_ends;    // how many run_ends there are
  unsigned rank;        // occupied homes up to this one, inclusive
};
inline LineRanks Rank(const LineHeader& header, int index) {
  const auto i = static_cast<unsigned>(index);
  const uint64_t spilled = LowBits(static_cast<unsigned>(header.spill));
  const uint64_t ends = header.run_end & ~spilled;
  const uint64_t homes = header.occupied & LowBits(i + 1);
  return {ends, ~(spilled | LowBits(i)),
          static_cast<unsigned>(std::popcount(ends)),
          static_cast<unsigned>(std::popcount(homes))};
}

// Returns false if no slot can match: the run is empty, or neither has one of
// the `candidates` nor goes on in the next line.
inline bool PassesScreen(const LineHeader& header, int index,
                         uint64_t candidates) {
  const LineRanks ranks = Rank(header, index);
  const auto goes_on = static_cast<unsigned>(ranks.rank > ranks.num_ends);
  const auto matches =
      static_cast<unsigned>((candidates & ranks.not_before) != 0);
  return (((header.occupied >> index) & (goes_on | matches)) & 1) != 0;
}

template <typename Shape>
__attribute__((always_inline)) inline LineRun FindLineRun(
    const Shape& shape, const LineHeader& header, int index) {
  const LineRanks ranks = Rank(header, index);
  const uint64_t ends = ranks.run_ends;
  // Rank 0 means no run: any select will do, the mask below drops it.
  const uint64_t end = SelectBit(ends, (ranks.rank - 1) & 63);
  const uint64_t before = ends & (end - 1);  // all of them if end is 0
  const uint64_t earlier_runs =
      LowBits(static_cast<unsigned>(64 - std::countl_zero(before)));
  const uint64_t up_to_end =
      (end | (end - 1)) & LowBits(static_cast<unsigned>(shape.slots()));
  // Of the runs that go on, only the first has slots in this line.
  const bool is_occupied = ((header.occupied >> index) & 1) != 0;
  const bool is_here = is_occupied & (ranks.rank <= ranks.num_ends + 1);
  return {up_to_end & ~earlier_runs & ranks.not_before &
              (uint64_t{0} - static_cast<uint64_t>(is_here)),
          static_cast<bool>(is_occupied & (ranks.rank > ranks.num_ends)),
          // If earlier runs use the whole line, this can't be told: 0.
          header.spill < shape.slots() ? ranks.rank - ranks.num_ends : 0};
}

// The part of a run that lies in the line after its home's.
struct NextLineRun {
  uint64_t slots;
  bool complete;  // false: it goes on still; look for it the slow way
};

// REQUIRES: runs_left as in LineRun; 0 gives an incomplete run
template <typename Shape>
inline NextLineRun FindNextLineRun(const Shape& shape, const std::byte* next,
                                   unsigned runs_left) {
  const uint64_t ends = shape.ReadHeader(next).run_end;
  const uint64_t end = SelectBit(ends, (runs_left - 1) & 63);
  const uint64_t before = ends & (end - 1);
  const auto start = static_cast<unsigned>(64 - std::countl_zero(before));
  const bool complete = runs_left != 0 && end != 0;
  return {(end | (end - 1)) & ~LowBits(start), complete};
}

template <typename Shape, typename Policy>
class Lookup {
 public:
  using Query = typename Policy::Query;

  Lookup(const QuotientTable& table, const Shape& shape, const Policy& policy)
      : table_(table), shape_(shape), policy_(policy) {}

  bool MayContain(KeyHash hash) const {
    const Query query = policy_.Prepare(hash);
    const auto at = shape_.Locate(query.home);
    const std::byte* line = table_.line(at.line);
    const LineHeader header = shape_.ReadHeader(line);
    const uint64_t candidates = Screen(line, query);
    // Without a screen, half of the look-ups would pass: no branch then.
    if constexpr (kScreens) {
      if (!PassesScreen(header, at.index, candidates)) return false;
    }
    const LineRun run = FindLineRun(shape_, header, at.index);
    if (policy_.Match(line, at.line, run.slots & candidates, query)) {
      return true;
    }
    if (!run.goes_on) [[likely]]
      return false;
    return MatchNext(at.line, run.runs_left, query);
  }

  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    assert(results.size() >= hashes.size());
    const size_t size = hashes.size();
    std::array<Placed, kGroup> ring;
    std::array<Unfinished, 2> unfinished;
    for (size_t i = 0; i < std::min(kGroup, size); ++i) {
      ring[i] = PlaceAndPrefetch(hashes[i]);
    }
    for (size_t first = 0; first < size; first += kGroup) {
      Unfinished& now = unfinished[first / kGroup % 2];
      Unfinished& before = unfinished[1 - first / kGroup % 2];
      const size_t limit = std::min(first + kGroup, size);
      const size_t limit_with_next =
          std::min(limit, std::max(size, kGroup) - kGroup);
      now.count = 0;
      size_t i = first;
      for (; i < limit_with_next; ++i) {
        results[i] = MatchPlaced(ring[i - first], i, now);
        ring[i - first] = PlaceAndPrefetch(hashes[i + kGroup]);
      }
      for (; i < limit; ++i) {
        results[i] = MatchPlaced(ring[i - first], i, now);
      }
      Finish(hashes, results, before);
    }
    for (Unfinished& rest : unfinished) Finish(hashes, results, rest);
  }

 private:
  static constexpr size_t kGroup = 64;
  static constexpr bool kScreens = requires(
      const Policy& policy, const std::byte* line, const Query& query) {
    policy.Screen(line, query);
  };

  struct Placed {
    Query query;
    const std::byte* line;
    int index;
  };
  // Keys whose run goes on in the next line, which is being fetched.
  struct Unfinished {
    std::array<size_t, kGroup> keys;
    size_t count = 0;
  };

  uint64_t Screen(const std::byte* line, const Query& query) const {
    if constexpr (kScreens) {
      return policy_.Screen(line, query);
    } else {
      return ~uint64_t{0};
    }
  }

  Placed PlaceAndPrefetch(KeyHash hash) const {
    const Query query = policy_.Prepare(hash);
    const auto at = shape_.Locate(query.home);
    const std::byte* line = table_.line(at.line);
    __builtin_prefetch(line);
    return {query, line, at.index};
  }

  bool MatchPlaced(const Placed& placed, size_t key,
                   Unfinished& unfinished) const {
    const LineRun run =
        FindLineRun(shape_, shape_.ReadHeader(placed.line), placed.index);
    const uint64_t candidates = Screen(placed.line, placed.query);
    const bool found = policy_.Match(placed.line, table_.LineIndex(placed.line),
                                     run.slots & candidates, placed.query);
    // Written always, counted if needed: no branch to mispredict.  Likewise the
    // prefetch: of the next line, or of this one, which costs nothing.
    const auto goes_on =
        static_cast<size_t>(run.goes_on) & ~static_cast<size_t>(found);
    unfinished.keys[unfinished.count] = key;
    unfinished.count += goes_on;
    __builtin_prefetch(placed.line + kLineBytes * goes_on);
    return found;
  }

  // Matches what goes on in the next line.
  void Finish(std::span<const KeyHash> hashes, std::span<bool> results,
              Unfinished& unfinished) const {
    for (size_t j = 0; j < unfinished.count; ++j) {
      const size_t key = unfinished.keys[j];
      const Query query = policy_.Prepare(hashes[key]);
      const auto at = shape_.Locate(query.home);
      const LineRun run = FindLineRun(
          shape_, shape_.ReadHeader(table_.line(at.line)), at.index);
      results[key] = MatchNext(at.line, run.runs_left, query);
    }
    unfinished.count = 0;
  }

  // Matches the rest of a run that goes on past line `index`.
  bool MatchNext(uint64_t index, unsigned runs_left, const Query& query) const {
    const std::byte* next = table_.line(index + 1);
    const NextLineRun run = FindNextLineRun(shape_, next, runs_left);
    if (!run.complete) return MatchLongRun(query);
    return policy_.Match(next, index + 1, run.slots & Screen(next, query),
                         query);
  }

  // Matches a run of any length and place, line by line.
  bool MatchLongRun(const Query& query) const {
    const SlotRange run = table_.FindRun(query.home);
    auto at = shape_.Locate(run.begin);
    for (uint64_t left = run.size(); left > 0; ++at.line, at.index = 0) {
      const auto here = static_cast<unsigned>(std::min<uint64_t>(
          left, static_cast<unsigned>(shape_.slots() - at.index)));
      const std::byte* line = table_.line(at.line);
      const uint64_t slots = LowBits(here) << at.index;
      if (policy_.Match(line, at.line, slots & Screen(line, query), query)) {
        return true;
      }
      left -= here;
    }
    return false;
  }

  const QuotientTable& table_;
  const Shape& shape_;
  const Policy& policy_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_LOOKUP_H_
