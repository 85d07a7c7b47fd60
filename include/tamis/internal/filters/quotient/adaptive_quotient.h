// AdaptiveQuotient: the quotient filters that learn from their mistakes.
//
// Three arrays, in step with one another:
//
//   table    [ v0 ][ v1 ][ v2 ][ v3 ] ...   the quotient table, r bits a slot
//   letters  [ l0 ][ l1 ][ l2 ][ l3 ] ...   how each slot was adapted; coded
//   mirror   [ h0 ][ h1 ][ h2 ][ h3 ] ...   whose it is; or a key source
//
// Kind says what a letter means: a selector (TAF, uTAF) or an extension (exAF).
// A look-up reads the table, seldom a code, never the mirror.
//
// Invariants (CheckInvariants tests all of them, those of the table included):
//   (A1) The slots of a home and its members can be paired so that each slot
//        matches its member: Value(member, letter of slot) == value of slot.
//        With a mirror, slot s is paired with mirror[s].
//   (A2) Free slots have letter 0, and mirror 0.
//   (A3) Each code word is the one that its letters have.
//   (A4) Where lines are marked, a line with a letter above 1 is.  It stays so.
//   (A5) A letter that is not 0, or a rehash, implies is_adapted().
//
// (A1) is what rules out false negatives.  Dropping a letter and rewriting the
// value that depended on it are one operation for this reason.
//
// New entries go to the end of their run; the order within a run is free.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_QUOTIENT_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_QUOTIENT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/quotient/adaptive_options.h"
#include "tamis/internal/filters/quotient/extension_kind.h"
#include "tamis/internal/filters/quotient/letter_store.h"
#include "tamis/internal/filters/quotient/selector_kind.h"
#include "tamis/internal/filters/quotient_sizing.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/keys/slot_mirror.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/internal/table/remainder_policy.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/sizing.h"

namespace tamis::internal {

template <typename Kind>
class AdaptiveQuotient {
 public:
  using Options = AdaptiveOptions;
  using Letters = typename Kind::Letters;

  static Result<AdaptiveQuotient> Create(const Options& options,
                                         const Hasher& hasher = Hasher());
  static Result<AdaptiveQuotient> Create(const Spec& spec, uint64_t slots,
                                         const Hasher& hasher);
  // For sizing.h: the rate before anything is adapted, which is the highest.
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr) {
    return SizeQuotientFilter(kind, keys, fpr, kWidths);
  }
  static Result<double> FprFor(const Spec& spec, uint64_t slots,
                               uint64_t keys) {
    return QuotientFprFor(spec, slots, keys, kWidths);
  }
  // The second form is for a filter that was saved while it had a source: it
  // has no mirror, and needs that source again.
  static Result<AdaptiveQuotient> FromSnapshot(const Snapshot& snapshot,
                                               const LoadOptions& options = {});
  Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const {
    if (table_.width() == 8) [[likely]] {
      return LookupOf(LineShape<8>(8)).MayContain(hash);
    }
    return MayContainOfAnyWidth(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const;
  // Removes one occurrence; kNotFound if `hash` is no member.
  Status Erase(KeyHash hash);
  // Changes every member that collides with x, which is not a member itself
  // (kIsMember).  kFixed and kReset: MayContain(x) is false now.
  Result<AdaptOutcome> Adapt(KeyHash x);
  // Adds all keys of `other`, which must have equal hasher and r; its number
  // of slots does not matter, since hashes are known whole.  Fixes of `other`
  // are kept where they fit and the slots are equally many.  A filter with a
  // source, which must have the keys of both already, is built anew from it.
  // kFull, and nothing changed, if there is no room.  kOutOfMemory leaves the
  // members as they were; some fixes may have been dropped.
  Status Merge(const AdaptiveQuotient& other);
  // Inserts all of `hashes`, in any order.  An empty filter is filled in one
  // pass.  kOutOfMemory as in Merge.
  Status BulkLoad(std::span<const KeyHash> hashes);

  uint64_t size() const { return table_.size(); }
  uint64_t capacity() const { return table_.homes(); }
  uint64_t SizeBits() const { return table_.SizeBits() + letters_.SizeBits(); }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;

  // For look-ups, tests and experiments.
  const QuotientTable& table() const { return table_; }
  const Letters& letters() const { return letters_; }
  uint64_t epoch() const { return counts_.rehashes; }
  bool is_adapted() const { return is_adapted_; }
  uint64_t groups_reset() const { return counts_.resets; }

 private:
  // Events since creation.
  struct Counts {
    uint64_t adapts = 0;     // calls that found something to fix
    uint64_t resets = 0;     // groups reset as a whole
    uint64_t evictions = 0;  // letters dropped one by one
    uint64_t refusals = 0;   // false positives left unfixed
    uint64_t rehashes = 0;
  };
  class Side;  // follows the table's shifts

  static constexpr WidthRange kWidths = {Kind::kMinWidth, Kind::kMaxWidth};

  AdaptiveQuotient(const Options& options, QuotientTable table, Letters letters,
                   SlotMirror mirror, const Hasher& hasher)
      : options_(options),
        table_(std::move(table)),
        letters_(std::move(letters)),
        mirror_(std::move(mirror)),
        hasher_(hasher) {}
  static Result<Options> ReadSpec(const Spec& spec, uint64_t slots);
  Status LoadArrays(const Snapshot& snapshot);

  template <typename Shape>
  auto LookupOf(const Shape& shape) const {
    using Policy = typename Kind::template Policy<Shape, AdaptiveQuotient>;
    return Lookup<Shape, Policy>(table_, shape, Policy(shape, *this));
  }
  bool MayContainOfAnyWidth(KeyHash hash) const;

  bool has_mirror() const { return !options_.source; }
  HashString StringOf(KeyHash hash) const {
    return HashString(HashOfEpoch(hash, counts_.rehashes), table_.homes());
  }
  uint64_t HomeOf(KeyHash hash) const {
    return Place(hash, table_.homes()).home;
  }
  uint64_t ValueOf(KeyHash hash, uint32_t letter) const {
    return Kind::Value(StringOf(hash), table_.width(), letter);
  }

  // Slots and their members.
  uint32_t LetterAt(uint64_t slot) const;
  bool SlotMatches(uint64_t slot, const HashString& string) const;
  bool IsMember(KeyHash hash) const;
  std::optional<uint64_t> FindMatch(SlotRange run, KeyHash x) const;
  std::optional<uint64_t> FindSlotOf(KeyHash hash) const;
  std::optional<KeyHash> MemberAt(uint64_t slot) const;
  std::vector<KeyHash> MembersOfHome(uint64_t home) const;
  // The members of a run's slots, in their order; empty if source and filter
  // do not agree.
  std::vector<KeyHash> PairRun(uint64_t home, SlotRange run) const;
  uint64_t HomeOfSlot(uint64_t slot) const;

  // Changes of letters; all keep (A1).
  AdaptOutcome FixSlot(uint64_t slot, KeyHash x);
  AdaptOutcome MakeRoom(uint64_t slot, KeyHash member, uint32_t letter);
  void DropLetter(PendingGroup& pending, int place);
  void DropOthers(PendingGroup& pending, int keep);
  bool EvictUntilStored(PendingGroup& pending, int keep);
  void StorePending();
  bool MarksLines() const { return Kind::MarksLines(table_.width()); }
  void NoteLetter(uint64_t slot, uint32_t letter);
  void CarryMarks(SlotRange moved, int by);
  void RehashAll();
  void SeparateFromRun(KeyHash hash);
  void CarryLetter(KeyHash hash, uint32_t letter);

  void PrefetchSide(uint64_t home) const;
  Status CheckRoomFor(uint64_t more) const;
  Status InsertAll(std::span<const KeyHash> hashes);
  Status RebuildFromSource(uint64_t expected_size);
  Status FillFrom(std::span<const KeyHash> sorted);
  bool MustBeAdapted() const;  // (A5)
  Status CheckMarks() const;
  Status CheckPairs() const;
  Status CheckRunPairs(uint64_t home, SlotRange run) const;

  Options options_;
  QuotientTable table_;
  Letters letters_;
  SlotMirror mirror_;  // of no slots if there is a source
  Hasher hasher_;
  Counts counts_;
  bool is_adapted_ = false;  // else it is an RSQF, as far as look-ups go
  // During an operation only: groups whose letters are not stored yet, and a
  // key that the source has still but the table has not.
  std::vector<PendingGroup> pending_;
  std::optional<KeyHash> leaving_;
  bool source_differs_ = false;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_QUOTIENT_H_
