// KeyedFilter: how each kind mends a false positive.
//
// Cuckooing moves the member that collides, and whoever must make room for it:
//
//   move=random   a shortest path to a free slot.  It begins in one of the
//                 member's other bins, and goes on by any of the shortest ways,
//                 as random bits choose
//   move=paper    a walk: the member to its next table, each that is pushed out
//                 to a free slot of its own bins if there is one, the nearest
//                 following table first, else to its next table
//   move=next     a walk in which everyone goes to its next table
//
// A walk may come to a slot twice.  It ends at a free slot, or after kMaxMoves,
// and is then walked back, so that every key is where it was:
//
//   x -> [a] -> [b] -> [a'] ...       trail: slot of a, slot of b, slot of a'
//
// Random bits come from the query and the number of adapts: equal histories
// give equal filters, and a query that comes back meets another choice.  A rule
// without them lets two queries undo each other's fix for ever.

#ifndef TAMIS_FILTERS_CUCKOO_KEYED_ADAPT_H_
#define TAMIS_FILTERS_CUCKOO_KEYED_ADAPT_H_

#include <string>
#include <utility>
#include <vector>

#include "filters/cuckoo/kicks.h"
#include "tamis/internal/filters/cuckoo/keyed_filter.h"

namespace tamis::internal {

// The moves after which a walk is given up.
inline constexpr size_t kMaxMoves = 1000;
// How many hashes are tried when all keys are placed anew.
inline constexpr uint64_t kRebuildTries = 4;

template <typename Traits>
Result<AdaptOutcome> KeyedFilter<Traits>::Adapt(KeyHash hash) requires(
    Traits::kMending != Mending::kNone) {
  return MendAll(hash);
}

template <typename Traits>
Result<AdaptOutcome> KeyedFilter<Traits>::MendAll(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  const KeyBins places = reader_.Read(hash);
  const std::vector<uint64_t> colliding = CollidingSlots(places);
  for (const uint64_t slot : colliding) {
    if (mirror_.at(slot) != hash) continue;
    return Status(StatusCode::kIsMember,
                  std::string(Traits::kName) +
                      " holds the key, so it is no false positive");
  }
  if (colliding.empty()) return AdaptOutcome::kNothingToFix;
  ++adapts_;
  bool mended = true;
  for (const uint64_t slot : colliding) {
    // An earlier one may have pushed this one out already.
    const uint64_t value = table_.Get(slot);
    if (value == 0 || !SlotMatches(places, slot, value)) continue;
    mended &= Mend(slot, hash);
  }
  if (!mended && shape_.rebuilds) return RebuildFor(hash);
  return mended && !Matches(places) ? AdaptOutcome::kFixed
                                    : AdaptOutcome::kNotFixed;
}

template <typename Traits>
Result<AdaptOutcome> KeyedFilter<Traits>::Adapt(
    KeyHash absent, std::span<const KeyHash> members,
    uint64_t num_erases) requires(Traits::kMending == Mending::kCountUp) {
  if (num_erases != num_erases_) return ErasedSinceTheRead();
  if (members.size() > size_) {
    return Status(StatusCode::kInvalidArgument, std::to_string(members.size()) +
                                                    " members named of " +
                                                    std::to_string(size_));
  }
  return MendAll(absent);
}

template <typename Traits>
bool KeyedFilter<Traits>::Mend(uint64_t slot, KeyHash query) {
  if constexpr (Traits::kMending == Mending::kCountUp) return CountUp(slot);
  if constexpr (Traits::kMending == Mending::kSwap) {
    return SwapWithinBin(slot, query);
  }
  const KeyHash random = RandomFor(query);
  return shape_.move == Move::kRandom ? MoveByShortestPath(slot, random)
                                      : MoveByWalk(slot, random.low);
}

template <typename Traits>
KeyHash KeyedFilter<Traits>::RandomFor(KeyHash query) const {
  return Extend(query, BinReader::kSaltBit ^ adapts_);
}

// Places all keys anew, under other hashes.  kNotFixed, and nothing has
// changed, if they found no place under any that was tried.
template <typename Traits>
AdaptOutcome KeyedFilter<Traits>::RebuildFor(KeyHash query) {
  const KeyHash random = RandomFor(query);
  for (uint64_t i = 0; i < kRebuildTries; ++i) {
    if (!Rebuild(random.high + i).ok()) continue;
    ++rebuilds_;
    return MayContain(query) ? AdaptOutcome::kNotFixed : AdaptOutcome::kReset;
  }
  return AdaptOutcome::kNotFixed;
}

// Cyclic: the next selector, and the fingerprint that goes with it.
template <typename Traits>
bool KeyedFilter<Traits>::CountUp(uint64_t slot) {
  const uint64_t selector = (table_.Get(slot) >> shape_.f) + 1;
  Store(slot, mirror_.at(slot),
        selector & LowBits(static_cast<unsigned>(shape_.s)));
  return true;
}

// Swapping: another slot of the bin, at random.
template <typename Traits>
bool KeyedFilter<Traits>::SwapWithinBin(uint64_t slot, KeyHash query) {
  const auto b = static_cast<uint64_t>(shape_.b);
  const uint64_t step = 1 + MultiplyHigh(RandomFor(query).high, b - 1);
  const uint64_t begin = slot / b * b;
  const uint64_t other = begin + (slot - begin + step) % b;
  const bool other_in_use = table_.Get(other) != 0;
  const KeyHash mine = mirror_.at(slot), theirs = mirror_.at(other);
  Store(other, mine);
  other_in_use ? Store(slot, theirs) : Clear(slot);
  ++moves_;
  return true;
}

// Cuckooing, ours.  The slot that is left counts as free, so a ring of keys may
// move round by one.  Where there is no path nothing has changed.
template <typename Traits>
bool KeyedFilter<Traits>::MoveByShortestPath(uint64_t slot, KeyHash random) {
  OtherBinsArray others;
  const auto count = static_cast<uint64_t>(OtherBins(slot, others));
  const uint64_t first = others[MultiplyHigh(random.high, count)];
  const auto path = KickSearch(*this, slot, random.low).FindPath({&first, 1});
  if (path.empty()) return false;
  const KeyHash hash = mirror_.at(slot);
  Clear(slot);
  MoveAlong(path);
  Store(path.front(), hash);
  ++moves_;
  return true;
}

// Cuckooing, the papers'.  A walk that fails never comes to the slot that it
// left, since that is free.
template <typename Traits>
bool KeyedFilter<Traits>::MoveByWalk(uint64_t slot, uint64_t random) {
  std::vector<uint64_t> trail;
  trail.reserve(kMaxMoves);
  KeyHash in_hand = mirror_.at(slot);
  int table = TableOf(slot);
  Clear(slot);
  while (trail.size() < kMaxMoves) {
    random = NextRandom(random);
    const uint64_t to = NextOfWalk(in_hand, table, trail.empty(), random);
    trail.push_back(to);
    if (table_.Get(to) == 0) {
      Store(to, in_hand);
      moves_ += trail.size();
      return true;
    }
    in_hand = Exchange(to, in_hand);
    table = TableOf(to);
  }
  for (; !trail.empty(); trail.pop_back()) {
    in_hand = Exchange(trail.back(), in_hand);
  }
  Store(slot, in_hand);
  return false;
}

// Returns the slot for a key that leaves `table`: the first to leave must go to
// the next one.
template <typename Traits>
uint64_t KeyedFilter<Traits>::NextOfWalk(KeyHash hash, int table, bool first,
                                         uint64_t random) const {
  const KeyBins places = reader_.Read(hash);
  uint64_t bins[kMaxTables];  // in the order in which they follow
  const int tables = reader_.tables();
  for (int i = 1; i < tables; ++i)
    bins[i - 1] = places.bins[(table + i) % tables];
  const bool any = shape_.move == Move::kPaper && !first;
  const auto allowed = static_cast<size_t>(any ? tables - 1 : 1);
  const uint64_t free = FirstFree(table_, {bins, allowed});
  if (free != kNoSlot) return free;
  const uint64_t b = table_.slots_per_bin();
  return bins[0] * b + MultiplyHigh(random, b);
}

// Stores the key in a slot in use; returns the one that was there.
template <typename Traits>
KeyHash KeyedFilter<Traits>::Exchange(uint64_t slot, KeyHash hash) {
  const KeyHash before = mirror_.at(slot);
  Store(slot, hash);
  return before;
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_CUCKOO_KEYED_ADAPT_H_
