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
// A filter brings a matcher, so that all share this code:
//
//   struct Matcher {
//     struct Query { uint64_t home; ... };
//     Query Prepare(KeyHash) const;
//     // Does one of `slots` (a bit per slot of the line) match?
//     bool Match(const std::byte* line, uint64_t line_index, uint64_t slots,
//                const Query&) const;
//     // Optional: all slots of the line that could match, in any run (bits
//     // behind the last slot do not matter); then Match is only asked about
//     // those.
//     uint64_t Screen(const std::byte* line, const Query&) const;
//   };
//
// A look-up ends early if its home is not occupied, or if no slot of the whole
// line could match and the run does not go on; at 8 bits and load 0.95 five of
// six do.  That needs neither select nor the run's bounds.
//
// A batch goes through the pipeline of look_ahead.h, in rounds of 64 keys:
//
//   round g + 1   place the keys, prefetch their lines
//   round g       match; where a run goes on, prefetch the next line
//   round g - 1   match what went on

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
#include "tamis/internal/hash/look_ahead.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// What a header says of a home.
struct LineRanks {
  uint64_t run_ends;    // of this line's runs
  uint64_t not_before;  // slots that a run of this home may use
  unsigned rank;        // occupied homes up to this one, inclusive
};
inline LineRanks Rank(const LineHeader& header, int index) {
  const auto i = static_cast<unsigned>(index);
  const uint64_t spilled = LowBits(static_cast<unsigned>(header.spill));
  return {
      header.run_end & ~spilled, ~(spilled | LowBits(i)),
      static_cast<unsigned>(std::popcount(header.occupied & LowBits(i + 1)))};
}

// Returns the last slot of the run, alone in a word; 0 if the run ends in a
// later line.  (If there is no run, rank may be 0, and the result means nothing.)
inline uint64_t RunEnd(const LineRanks& ranks) {
  return SelectBit(ranks.run_ends, (ranks.rank - 1) & 63);
}
// Returns the slots from the end of the run before up to `end`, from the home
// on; if end is 0, all slots behind the runs that end in this line.
inline uint64_t SlotsUpTo(const LineRanks& ranks, uint64_t end) {
  const uint64_t before = ranks.run_ends & (end - 1);
  const uint64_t earlier_runs =
      LowBits(static_cast<unsigned>(64 - std::countl_zero(before)));
  return (end | (end - 1)) & ~earlier_runs & ranks.not_before;
}

// A run that goes on: its slots in its home's line and in the next.
struct TwoLineRun {
  uint64_t slots;
  uint64_t next_slots;
  bool complete;  // false: it reaches further, or starts further on
};
template <typename Shape>
inline TwoLineRun FindTwoLineRun(const Shape& shape, const LineHeader& header,
                                 int index, const LineHeader& next) {
  const LineRanks ranks = Rank(header, index);
  const auto ends_here = static_cast<unsigned>(std::popcount(ranks.run_ends));
  // The run is the runs_left-th to end in the next line, unless that has fewer
  // ends, or earlier runs use this line and perhaps more.
  const unsigned runs_left = ranks.rank - ends_here;
  const LineRanks in_next = {next.run_end, ~uint64_t{0}, runs_left};
  const uint64_t end = RunEnd(in_next);
  // Of the runs that go on, the first owns what is left of this line.
  const uint64_t slots = runs_left == 1 ? SlotsUpTo(ranks, 0) : 0;
  return {slots & LowBits(static_cast<unsigned>(shape.slots())),
          SlotsUpTo(in_next, end), header.spill < shape.slots() && end != 0};
}

template <typename Shape, typename Matcher>
class Lookup {
 public:
  using Query = typename Matcher::Query;

  Lookup(const QuotientTable& table, const Shape& shape, const Matcher& matcher)
      : table_(&table), shape_(shape), matcher_(matcher) {}

  bool MayContain(KeyHash hash) const {
    const Query query = matcher_.Prepare(hash);
    const auto at = shape_.LocateHome(query.home);
    const std::byte* line = table_->line(at.line);
    __builtin_prefetch(line + kLineBytes);
    const LineHeader header = shape_.ReadHeader(line);
    const LineRanks ranks = Rank(header, at.index);
    const auto num_ends = static_cast<unsigned>(std::popcount(ranks.run_ends));
    const uint64_t candidates = Screen(line, query) & ranks.not_before;
    const uint64_t is_occupied = (header.occupied >> at.index) & 1;
    const uint64_t goes_on =
        is_occupied & static_cast<uint64_t>(ranks.rank > num_ends);
    // One branch for all, because each alone is hard to predict; none without
    // a screen, because half of the look-ups would pass.
    if constexpr (kScreens) {
      const auto may_match = static_cast<uint64_t>(candidates != 0);
      if ((goes_on | (is_occupied & may_match)) == 0) return false;
    }
    // Of the runs that go on, only the first has slots in this line.
    const uint64_t is_here =
        is_occupied & static_cast<uint64_t>(ranks.rank <= num_ends + 1);
    const uint64_t slots = SlotsUpTo(ranks, RunEnd(ranks)) & candidates &
                           AllSlots() & (uint64_t{0} - is_here);
    if (matcher_.Match(line, at.line, slots, query)) return true;
    if (goes_on == 0) [[likely]]
      return false;
    return MatchGoingOn(*this, query);
  }

  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    assert(results.size() >= hashes.size());
    const KeyHash* const in = hashes.data();
    bool* const out = results.data();
    std::array<Unfinished, 2> unfinished;
    Unfinished* now = &unfinished[0];
    Unfinished* before = &unfinished[1];
    // A copy that nobody else can see need not be read again for every key.
    const Lookup lookup = *this;
    LookAheadInRounds<kGroup>(
        hashes.size(), [&](size_t i) { return lookup.PlaceAndPrefetch(in[i]); },
        [&](size_t i, const Placed& placed) {
          out[i] = lookup.MatchPlaced(placed, i, *now);
        },
        [&] {
          Finish(lookup, hashes, results, *before);
          std::swap(now, before);
        });
    Finish(lookup, hashes, results, *before);
  }

 private:
  static constexpr size_t kGroup = kLinesInFlight;
  static constexpr bool kScreens = requires(
      const Matcher& matcher, const std::byte* line, const Query& query) {
    matcher.Screen(line, query);
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
      return matcher_.Screen(line, query);
    } else {
      return ~uint64_t{0};
    }
  }
  // A run that goes on has no end in this line: its slots are no more than
  // there are.
  uint64_t AllSlots() const {
    return LowBits(static_cast<unsigned>(shape_.slots()));
  }

  Placed PlaceAndPrefetch(KeyHash hash) const {
    const Query query = matcher_.Prepare(hash);
    const auto at = shape_.LocateHome(query.home);
    const std::byte* line = table_->line(at.line);
    __builtin_prefetch(line);
    return {query, line, at.index};
  }

  bool MatchPlaced(const Placed& placed, size_t key,
                   Unfinished& unfinished) const {
    const LineHeader header = shape_.ReadHeader(placed.line);
    const LineRanks ranks = Rank(header, placed.index);
    const uint64_t end = RunEnd(ranks);
    const uint64_t is_occupied = (header.occupied >> placed.index) & 1;
    const uint64_t is_here = is_occupied & static_cast<uint64_t>(end != 0);
    const uint64_t slots = SlotsUpTo(ranks, end) & (uint64_t{0} - is_here);
    // Written always, counted if needed: no branch to mispredict.  Likewise the
    // prefetch: of the next line, or of this one, which costs nothing.
    const uint64_t goes_on = is_occupied ^ is_here;
    unfinished.keys[unfinished.count] = key;
    unfinished.count += goes_on;
    __builtin_prefetch(placed.line + kLineBytes * goes_on);
    return matcher_.Match(placed.line, table_->LineIndex(placed.line),
                          slots & Screen(placed.line, placed.query),
                          placed.query);
  }

  // The rare cases are not inlined, and get a copy of the look-up: were it
  // passed by reference, the common case would have to keep it in memory.
  [[gnu::noinline]] static void Finish(Lookup lookup,
                                       std::span<const KeyHash> hashes,
                                       std::span<bool> results,
                                       Unfinished& unfinished) {
    for (size_t j = 0; j < unfinished.count; ++j) {
      const size_t key = unfinished.keys[j];
      results[key] = lookup.MatchTwoLines(lookup.matcher_.Prepare(hashes[key]));
    }
    unfinished.count = 0;
  }
  [[gnu::noinline]] static bool MatchGoingOn(Lookup lookup, Query query) {
    return lookup.MatchTwoLines(query);
  }

  // Matches a run that goes on past its home's line.
  bool MatchTwoLines(const Query& query) const {
    const auto at = shape_.LocateHome(query.home);
    const std::byte* line = table_->line(at.line);
    const std::byte* next = table_->line(at.line + 1);
    const TwoLineRun run = FindTwoLineRun(shape_, shape_.ReadHeader(line),
                                          at.index, shape_.ReadHeader(next));
    if (!run.complete) return MatchLongRun(query);
    return matcher_.Match(line, at.line, run.slots & Screen(line, query),
                          query) ||
           matcher_.Match(next, at.line + 1,
                          run.next_slots & Screen(next, query), query);
  }

  // Matches a run of any length and place, line by line.  Where lines were not
  // checked, it may seem to end before it begins.
  bool MatchLongRun(const Query& query) const {
    const SlotRange run = table_->FindRun(query.home);
    auto at = shape_.LocateSlot(run.begin);
    uint64_t left = std::max(run.begin, run.limit) - run.begin;
    for (; left > 0; ++at.line, at.index = 0) {
      const auto here = static_cast<unsigned>(std::min<uint64_t>(
          left, static_cast<unsigned>(shape_.slots() - at.index)));
      const std::byte* line = table_->line(at.line);
      const uint64_t slots = LowBits(here) << at.index;
      if (matcher_.Match(line, at.line, slots & Screen(line, query), query)) {
        return true;
      }
      left -= here;
    }
    return false;
  }

  const QuotientTable* table_;
  [[no_unique_address]] Shape shape_;
  Matcher matcher_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_LOOKUP_H_
