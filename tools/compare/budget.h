// Budget: which parameters give a filter so many bits a key, and no more.
//
//   const Budget budget{.keys = 1'000'000, .bits_per_key = 12.6};
//   Result<Fit> fit = FitComparable(*Spec::Parse("taf"), budget);
//   if (fit->choice) MakeFilled(*fit->choice, budget, members, hasher);
//
// What counts is all memory of the filter as it is made: SizeBits, everything
// that a look-up needs, tails, paddings and selectors included, and what lies
// beside it, mirrors and copies (FilterStats::side_bits), divided by the number
// of keys.  Where a store has the keys, filters that can ask it have no mirror
// (keys_in.h).
//
// A spec leaves open what is to be chosen, and fixes the rest:
//
//   rsqf       r and slots        taf:overflow=evict  r and slots
//   rsqf:r=8   slots only         bloom               bits and k
//   cached(S)  see below
//
// The library chooses (FitToBudget of sizing.h).  Empty, no filter exceeds the
// budget; filled, by kBudgetSlack at most.
//
// cached(S):share=5,policy=lru gives 5 % of the budget to the cache and fits S
// to the rest.  tamis:extensions=0.5 leaves room for as many bits a key of what
// it learns.  What is best depends on the queries: WithShares lists the ones to
// try.

#ifndef TAMIS_TOOLS_COMPARE_BUDGET_H_
#define TAMIS_TOOLS_COMPARE_BUDGET_H_

#include <cstdint>
#include <span>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"
#include "tools/compare/keys_in.h"

namespace tamis::tools {

using Budget = MemoryBudget;
using Choice = Sizing;

// A filter may exceed its budget by this share at most, when tails have grown.
inline constexpr double kBudgetSlack = 0.01;

// Says whether a filter of so many bits is within the budget and its slack.
bool Allows(const Budget& budget, uint64_t size_bits);

// Fails on what --bits-per-key can't be.
Status CheckBits(double bits_per_key);

// Chooses what `wanted` leaves open, so that all memory is within the budget.
// min_bits_per_key of one that does not fit is the least of all its memory.
// kInvalidArgument if there is no such filter or parameter.
// REQUIRES: budget.keys > 0, budget.bits_per_key > 0
Result<Fit> FitComparable(const Spec& wanted, const Budget& budget,
                          KeysIn keys_in = KeysIn::kUncounted);

// Fails if there is no such filter or parameter, before any data are read.
Status CheckComparable(const Spec& spec);

// Returns cached(S) with each of the shares 2, 5, 10 and 20 %, and where a store
// has the keys a tamis filter with room for fixes of 0.1, 0.25, 0.5 and 1 bits a
// key; any other spec, and one that gives its share, as it is.
std::vector<Spec> WithShares(const Spec& spec,
                             KeysIn keys_in = KeysIn::kUncounted);

// Makes the chosen filter and puts all members in.  If its tail has grown it
// beyond the budget's slack, it is made again with fewer slots.  kFull if that
// is not possible either, or if the members find no room.
// REQUIRES: members.size() == budget.keys
Result<AnyFilter> MakeFilled(const Choice& choice, const Budget& budget,
                             std::span<const KeyHash> members,
                             const Hasher& hasher,
                             KeysIn keys_in = KeysIn::kUncounted);

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_BUDGET_H_
