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
// this line.  The rest is found by `runs_left`, with one look at the next line.
//
// A filter brings a policy, so that all share this code:
//
//   struct Policy {
//     struct Query { uint64_t home; ... };
//     Query Prepare(KeyHash) const;
//     // Does a slot in `run` (a bit per slot of the line) match?
//     bool Match(const std::byte* line, uint64_t line_index, uint64_t run,
//                const Query&) const;
//   };
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
  uint64_t slots;     // a bit per slot; 0 if there are none here
  bool goes_on;       // is there more of it in later lines?
  unsigned rank;      // k above
  uint64_t run_ends;  // of this line's runs
  int spill;
};

template <typename Shape>
inline LineRun FindLineRun(const Shape& shape, const std::byte* line,
                           int index) {
  const LineHeader header = shape.ReadHeader(line);
  const auto spill = static_cast<unsigned>(header.spill);
  const uint64_t ends = header.run_end & ~LowBits(spill);
  const auto rank = static_cast<unsigned>(std::popcount(
      header.occupied & LowBits(static_cast<unsigned>(index) + 1)));
  const uint64_t is_occupied = (header.occupied >> index) & 1;
  // Rank 0 means no run: any select will do, the mask below drops it.
  const uint64_t end = SelectBit(ends, (rank - 1) & 63);
  const uint64_t before = ends & (end - 1);  // all of them if end is 0
  const unsigned start =
      std::max({static_cast<unsigned>(64 - std::countl_zero(before)), spill,
                static_cast<unsigned>(index)});
  const uint64_t up_to_end =
      (end | (end - 1)) & LowBits(static_cast<unsigned>(shape.slots()));
  const uint64_t if_occupied = uint64_t{0} - is_occupied;
  return {up_to_end & ~LowBits(start) & if_occupied,
          is_occupied != 0 && end == 0, rank, ends, header.spill};
}

// The part of a run that lies in the line after its home's.
struct NextLineRun {
  uint64_t slots;
  bool complete;  // false: it goes on still; look for it the slow way
};

// How many run ends of the next line close runs up to the wanted one; 0 if the
// home's line is wholly used by earlier ones, so that this can't be told.
template <typename Shape>
inline unsigned RunsLeft(const Shape& shape, const LineRun& run) {
  const auto seen = static_cast<unsigned>(std::popcount(run.run_ends));
  return run.spill < shape.slots() ? run.rank - seen : 0;
}

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
    const LineRun run = FindLineRun(shape_, line, at.index);
    if (policy_.Match(line, at.line, run.slots, query)) return true;
    if (!run.goes_on) [[likely]]
      return false;
    return MatchNext(at.line, RunsLeft(shape_, run), query);
  }

  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    assert(results.size() >= hashes.size());
    std::array<Group, 2> groups;
    std::array<Unfinished, 2> unfinished;
    const size_t num_groups = (hashes.size() + kGroup - 1) / kGroup;
    for (size_t g = 0; g < num_groups + 2; ++g) {
      // g counts the groups placed; group g - 1 is matched, g - 2 finished.
      if (g < num_groups) PlaceGroup(hashes, g * kGroup, groups[g & 1]);
      if (g >= 1 && g - 1 < num_groups) {
        MatchGroup(groups[(g - 1) & 1], results, (g - 1) * kGroup,
                   unfinished[(g - 1) & 1]);
      }
      if (g >= 2) Finish(hashes, results, unfinished[g & 1]);
    }
  }

 private:
  static constexpr size_t kGroup = 64;

  struct Placed {
    Query query;
    uint64_t line;
    int index;
  };
  struct Group {
    std::array<Placed, kGroup> placed;
    size_t count = 0;
  };
  struct Unfinished {
    struct Item {
      size_t key;
      uint64_t line;
      unsigned runs_left;
    };
    std::array<Item, kGroup> items;
    size_t count = 0;
  };

  void PlaceGroup(std::span<const KeyHash> hashes, size_t first,
                  Group& group) const {
    group.count = std::min(kGroup, hashes.size() - first);
    for (size_t i = 0; i < group.count; ++i) {
      Placed& placed = group.placed[i];
      placed.query = policy_.Prepare(hashes[first + i]);
      const auto at = shape_.Locate(placed.query.home);
      placed.line = at.line;
      placed.index = at.index;
      __builtin_prefetch(table_.line(at.line));
    }
  }

  void MatchGroup(const Group& group, std::span<bool> results, size_t first,
                  Unfinished& unfinished) const {
    size_t count = 0;
    for (size_t i = 0; i < group.count; ++i) {
      const Placed& placed = group.placed[i];
      const std::byte* line = table_.line(placed.line);
      const LineRun run = FindLineRun(shape_, line, placed.index);
      results[first + i] =
          policy_.Match(line, placed.line, run.slots, placed.query);
      // Written always, counted if needed: no branch to mispredict.
      unfinished.items[count] = {first + i, placed.line, RunsLeft(shape_, run)};
      count += static_cast<size_t>(run.goes_on);
    }
    unfinished.count = count;
    for (size_t i = 0; i < count; ++i) {
      __builtin_prefetch(table_.line(unfinished.items[i].line + 1));
    }
  }

  void Finish(std::span<const KeyHash> hashes, std::span<bool> results,
              const Unfinished& unfinished) const {
    for (size_t i = 0; i < unfinished.count; ++i) {
      const auto& item = unfinished.items[i];
      if (results[item.key]) continue;
      results[item.key] = MatchNext(item.line, item.runs_left,
                                    policy_.Prepare(hashes[item.key]));
    }
  }

  // Matches the rest of a run that goes on past line `index`.
  bool MatchNext(uint64_t index, unsigned runs_left, const Query& query) const {
    const std::byte* next = table_.line(index + 1);
    const NextLineRun run = FindNextLineRun(shape_, next, runs_left);
    if (!run.complete) return MatchLongRun(query);
    return policy_.Match(next, index + 1, run.slots, query);
  }

  // Matches a run of any length and place, line by line.
  bool MatchLongRun(const Query& query) const {
    const SlotRange run = table_.FindRun(query.home);
    auto at = shape_.Locate(run.begin);
    for (uint64_t left = run.size(); left > 0; ++at.line, at.index = 0) {
      const auto here = static_cast<unsigned>(std::min<uint64_t>(
          left, static_cast<unsigned>(shape_.slots() - at.index)));
      const uint64_t slots = LowBits(here) << at.index;
      if (policy_.Match(table_.line(at.line), at.line, slots, query)) {
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
