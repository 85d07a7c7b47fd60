// The concepts: what every filter can do, and what some can do besides.
//
// A filter stands for a set of keys.  MayContain(x) is true for every key in
// it, always; for a key not in it, it is false, but for a small share of false
// positives.  Every filter is also a value: movable, with a Hasher of its own,
// a spec that names it, and no global state.
//
//   concept           adds                      who has it
//   FilterType        Insert, MayContain, ...   all
//   ErasableFilter    Erase                     quotient, cuckoo, growing
//   AdaptiveFilter    Adapt                     taf, exaf, cyclic, abf, ...
//   KnowsMembers      Adapt refuses members     adaptive ones but abf...
//   AdaptsWithMembers Adapt(x, members, n)      quotient, cyclic
//   ExpandableFilter  Expand, Contract          infini, ...
//   RejuvenatingFilter  Rejuvenate              infini
//   MergeableFilter   Merge                     quotient, Bloom
//   BulkFilter        BulkLoad                  quotient
//   ProvingFilter     AdaptIfProven             abf, ...
//   RebuildableFilter Rebuild                   cuckoo:k=4, cyclic, ...
//   ResizableFilter   RebuildTo                 those with a mirror or source
//   CountingFilter    Count                     rsqf, tamis
//
// AnyFilter (any_filter.h) erases the type; conformance tests take any type
// that models FilterType.
//
// Thread safety of all filters: const functions may run concurrently with one
// another; a mutation needs exclusive access.

#ifndef TAMIS_FILTER_H_
#define TAMIS_FILTER_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tamis/filter_stats.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/load_options.h"
#include "tamis/result.h"
#include "tamis/spec.h"
#include "tamis/status.h"

namespace tamis {

// What Adapt did.  A filter that forgets earlier fixes says so: with kNotFixed
// the quotient filters have changed nothing.
enum class AdaptOutcome {
  kFixed,         // every member that collided was changed
  kNothingToFix,  // the filter did not claim to contain the key
  kReset,         // fixed, at the price of forgetting some earlier fixes
  kNotFixed,      // still a false positive: no room, or its members not known
};
std::string_view ToString(AdaptOutcome outcome);

// REQUIRES of every filter:
//   Insert      kFull if there is no room; then nothing has changed.
//   MayContain  false is certain, true is not.  Const: it never adapts.
//               The second form answers for a whole batch, overlapping the
//               memory accesses; results.size() >= hashes.size().
//   SizeBits    the memory of everything that a look-up needs.
//   CheckInvariants  linear; the first violation, in words.
//   Create      from a spec and the number of slots wanted.
//   ToSnapshot  the state, for format/; the views in a snapshot live as long
//               as the filter is neither changed nor moved.
//   FromSnapshot  the reverse.  Checks every number and length, and runs
//               CheckInvariants once if the options ask for it.
template <typename F>
concept FilterType = std::movable<F> &&
    requires(F filter, const F& view, KeyHash hash,
             std::span<const KeyHash> hashes, std::span<bool> results,
             const Spec& spec, const Hasher& hasher,
             const internal::Snapshot& snapshot, const LoadOptions& options) {
  { F::Create(spec, uint64_t{}, hasher) } -> std::same_as<Result<F>>;
  { F::FromSnapshot(snapshot, options) } -> std::same_as<Result<F>>;
  { view.ToSnapshot() } -> std::same_as<internal::Snapshot>;
  { filter.Insert(hash) } -> std::same_as<Status>;
  { view.MayContain(hash) } -> std::same_as<bool>;
  { view.MayContain(hashes, results) } -> std::same_as<void>;
  { view.size() } -> std::same_as<uint64_t>;
  { view.capacity() } -> std::same_as<uint64_t>;
  { view.SizeBits() } -> std::same_as<uint64_t>;
  { view.ExpectedFpr() } -> std::same_as<double>;
  { view.stats() } -> std::same_as<FilterStats>;
  { view.spec() } -> std::same_as<Spec>;
  { view.hasher() } -> std::same_as<const Hasher&>;
  { view.CheckInvariants() } -> std::same_as<Status>;
};

// Erase removes one occurrence.  A filter that can know (it has a mirror or a
// source) returns kNotFound for a key that is not a member.  The others return
// kNotFound only if nothing matches: erasing a key that was never inserted may
// then take away another one's fingerprint, and that one becomes a false
// negative.  Only erase what you know to be in the set.
template <typename F>
concept ErasableFilter = FilterType<F> && requires(F filter, KeyHash hash) {
  { filter.Erase(hash) } -> std::same_as<Status>;
};

// Adapt(x) is told that x, for which MayContain said true, is not a member.
// If x is one, no member is lost; the answer is kIsMember, and nothing has
// changed, if the filter knows its members, and kNotFixed otherwise.
template <typename F>
concept AdaptiveFilter = FilterType<F> && requires(F filter, KeyHash hash) {
  { filter.Adapt(hash) } -> std::same_as<Result<AdaptOutcome>>;
};

// An adaptive filter knows its members by a mirror or a source.  One that has
// neither says so by `static constexpr bool kKnowsMembers = false`.
template <typename F>
concept KnowsMembers = AdaptiveFilter<F> && !requires {
  requires !F::kKnowsMembers;
};

// Adapt can also be told the members that may collide: no mirror, no source.
//
//   const uint64_t count = filter.num_erases();      // before the read
//   if (const auto range = filter.CollisionRange(x)) {
//     members = ... all members with hashes in *range, as often as inserted
//     filter.Adapt(x, members, count);
//   }
//
// CollisionRange says where the members that collide with x lie; none if
// MayContain(x) is false.  Members of the list that lie elsewhere are ignored.
// A list that lacks members is safe: what has no partner for certain stays as
// it is, kNotFixed.  A list with a key that is not in the filter is not: that
// key could be taken for the owner of another one's entry.  So the filter
// counts its erases.  If some came after the count was taken Adapt answers
// kStale, and kInvalidArgument to a list that can't be one of members; nothing
// has changed then.  (S2) of key_source.h holds for what is read.
template <typename F>
concept AdaptsWithMembers = AdaptiveFilter<F> &&
    requires(F filter, const F& view, KeyHash hash,
             std::span<const KeyHash> members, uint64_t count) {
  { view.num_erases() } -> std::same_as<uint64_t>;
  { view.CollisionRange(hash) } -> std::same_as<std::optional<HashRange>>;
  { filter.Adapt(hash, members, count) } -> std::same_as<Result<AdaptOutcome>>;
};

// Expand doubles the number of homes, Contract halves it.
template <typename F>
concept ExpandableFilter = FilterType<F> && requires(F filter) {
  { filter.Expand() } -> std::same_as<Status>;
  { filter.Contract() } -> std::same_as<Status>;
};

// Rejuvenate(x) is told that x is a member, and may store more of its hash than
// growth has left of it.  kNotFound if nothing matches; as dangerous as Erase
// for a key that is not a member.  The second form is for many at once, each at
// most as often as it was inserted.
template <typename F>
concept RejuvenatingFilter = FilterType<F> &&
    requires(F filter, KeyHash hash, std::span<const KeyHash> hashes) {
  { filter.Rejuvenate(hash) } -> std::same_as<Status>;
  { filter.Rejuvenate(hashes) } -> std::same_as<Status>;
};

// Merge adds all keys of another filter.  kIncompatible says what differs.
template <typename F>
concept MergeableFilter = FilterType<F> && requires(F filter, const F& other) {
  { filter.Merge(other) } -> std::same_as<Status>;
};

// BulkLoad inserts many keys at once, in any order; all of them or none.
template <typename F>
concept BulkFilter = FilterType<F> &&
    requires(F filter, std::span<const KeyHash> hashes) {
  { filter.BulkLoad(hashes) } -> std::same_as<Status>;
};

// AdaptIfProven(x) is told that MayContain(x) said true, and adapts if the
// filter can prove by itself that x is not a member.
template <typename F>
concept ProvingFilter = AdaptiveFilter<F> && requires(F filter, KeyHash hash) {
  { filter.AdaptIfProven(hash) } -> std::same_as<Result<AdaptOutcome>>;
};

// Rebuild places all keys anew, under hashes of another seed.
template <typename F>
concept RebuildableFilter = FilterType<F> && requires(F filter, uint64_t seed) {
  { filter.Rebuild(seed) } -> std::same_as<Status>;
};

// RebuildTo makes the filter anew with so many slots, from the members it knows:
// more, when it is full.  What it has learnt is forgotten.  kUnsupported if it
// was made to know no members, kFull if they do not fit; nothing has changed
// then.
template <typename F>
concept ResizableFilter = FilterType<F> && requires(F filter, uint64_t slots) {
  { filter.RebuildTo(slots) } -> std::same_as<Status>;
};

// Count returns how many entries match a key: as often as it was inserted at
// the least.
template <typename F>
concept CountingFilter = FilterType<F> &&
    requires(const F& view, KeyHash hash) {
  { view.Count(hash) } -> std::same_as<uint64_t>;
};

// The same as data, for code that meets filters at run time.
struct Capabilities {
  bool erase = false;
  bool adapt = false;
  bool knows_members = false;
  bool adapt_with_members = false;
  bool expand = false;
  bool rejuvenate = false;
  bool merge = false;
  bool bulk_load = false;
  bool adapt_if_proven = false;
  bool rebuild = false;
  bool rebuild_to = false;
  bool count = false;

  friend bool operator==(const Capabilities&, const Capabilities&) = default;
};

template <FilterType F>
constexpr Capabilities CapabilitiesOf() {
  return {.erase = ErasableFilter<F>,
          .adapt = AdaptiveFilter<F>,
          .knows_members = KnowsMembers<F>,
          .adapt_with_members = AdaptsWithMembers<F>,
          .expand = ExpandableFilter<F>,
          .rejuvenate = RejuvenatingFilter<F>,
          .merge = MergeableFilter<F>,
          .bulk_load = BulkFilter<F>,
          .adapt_if_proven = ProvingFilter<F>,
          .rebuild = RebuildableFilter<F>,
          .rebuild_to = ResizableFilter<F>,
          .count = CountingFilter<F>};
}

}  // namespace tamis

#endif  // TAMIS_FILTER_H_
