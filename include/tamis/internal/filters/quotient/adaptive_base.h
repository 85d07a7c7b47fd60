// AdaptiveBase: what the adaptive quotient filters are beside their look-ups.
//
// Three arrays, in step with one another:
//
//   table    [ v0 ][ v1 ][ v2 ][ v3 ] ...   the quotient table, r bits a slot
//   letters  [ l0 ][ l1 ][ l2 ][ l3 ] ...   how each slot was adapted; coded
//   mirror   [ h0 ][ h1 ][ h2 ][ h3 ] ...   whose it is; or a key source, or
//                                           what the caller brings
//
// A LetterScheme says what a letter means: a selector (TAF, uTAF) or an
// extension (exAF).
//
// Invariants (CheckInvariants tests all of them, those of the table included):
//   (A1) The slots of a home and its members can be paired so that each slot
//        matches its member: Value(member, letter of slot) == value of slot.
//        With a mirror, slot s is paired with mirror[s].  (A source may lack
//        members: those it has can be paired.)
//   (A2) Free slots have letter 0, and mirror 0.
//   (A3) Each code word is the one that its letters have.
//   (A4) Where lines are marked, a line with a letter above 1 is.  It stays so.
//   (A5) A letter that is not 0, or a rehash, implies is_adapted().
//
// (A1) is what rules out false negatives.  Every change is planned first, on
// what the members' owners say (slot_plan.h), and then made as a whole: a source
// that fails has changed nothing.
//
// New entries go to the end of their run; the order within a run is free.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_BASE_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_BASE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tamis/adaptive_options.h"
#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/quotient/letter_scheme.h"
#include "tamis/internal/filters/quotient/letter_store.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/keys/member_index.h"
#include "tamis/internal/keys/slot_mirror.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_source.h"
#include "tamis/result.h"

namespace tamis::internal {

class SlotPlan;

class AdaptiveBase {
 public:
  using Options = AdaptiveOptions;

  // Of all changes: kStale if a slot must be rewritten and the source does not
  // list its member (yet); kFull if that can't be known at all.
  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const;
  // Removes one occurrence; kNotFound if `hash` is no member.  With a source,
  // which has it no more, kStale if others on their way in or out make it
  // uncertain which entry is meant: once they have arrived it succeeds.
  Status Erase(KeyHash hash);
  // The same for a filter whose caller brings the members, where Erase(hash)
  // says kStale: `members` as in Adapt.
  Status Erase(KeyHash hash, std::span<const KeyHash> members,
               uint64_t num_erases);
  // Changes every member that collides with x, which is not a member itself
  // (kIsMember).  kFixed and kReset: MayContain(x) is false now.  kNotFixed:
  // nothing has changed.
  Result<AdaptOutcome> Adapt(KeyHash x);
  // AdaptsWithMembers of filter.h.  The range is x's home.
  uint64_t num_erases() const { return num_erases_; }
  std::optional<HashRange> CollisionRange(KeyHash x) const;
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases);
  // Inserts all of `hashes`, in any order, or none.  An empty filter is filled
  // in one pass.
  Status BulkLoad(std::span<const KeyHash> hashes);

  uint64_t size() const { return table_.size(); }
  uint64_t capacity() const { return table_.homes(); }
  uint64_t SizeBits() const { return table_.SizeBits() + letters().SizeBits(); }
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  Snapshot ToSnapshot() const;
  Status CheckInvariants() const;

  // For look-ups, tests and experiments.
  const QuotientTable& table() const { return table_; }
  uint64_t epoch() const { return counts_.rehashes; }
  bool is_adapted() const { return is_adapted_; }
  uint64_t groups_reset() const { return counts_.resets; }

 protected:
  AdaptiveBase(const Options& options, QuotientTable table, SlotMirror mirror,
               const Hasher& hasher)
      : options_(options),
        table_(std::move(table)),
        mirror_(std::move(mirror)),
        hasher_(hasher) {}
  AdaptiveBase(AdaptiveBase&&) noexcept = default;
  AdaptiveBase& operator=(AdaptiveBase&&) noexcept = default;
  virtual ~AdaptiveBase() = default;

  virtual const LetterScheme& scheme() const = 0;
  virtual const LetterStore& letters() const = 0;
  virtual LetterStore& mutable_letters() = 0;

  // kInvalidArgument, or the options without what the scheme does not read.
  static Result<Options> CheckOptions(Options options,
                                      const LetterScheme& scheme);
  static Result<Options> ReadSpec(const Spec& spec, uint64_t slots,
                                  const LetterScheme& scheme);
  // Options and table of a saved filter; the rest of it.
  static Result<Options> LoadedOptions(const Snapshot& snapshot,
                                       const LetterScheme& scheme,
                                       KeySourceRef source);
  static Result<QuotientTable> LoadedTable(const Snapshot& snapshot,
                                           const Options& options,
                                           const LoadOptions& load);
  static Result<SlotMirror> EmptyMirror(const Options& options, uint64_t slots);
  Status LoadArrays(const Snapshot& snapshot, const LoadOptions& load);
  // Adds all keys of `other`, a filter of the same kind.
  Status MergeWith(const AdaptiveBase& other);
  // The same into an empty filter, which takes the other's place.
  Status Replace(const AdaptiveBase& other);

  Options options_;
  QuotientTable table_;
  SlotMirror mirror_;  // of no slots if there is none
  Hasher hasher_;
  bool is_adapted_ = false;  // else it is an RSQF, as far as look-ups go

 private:
  friend class SlotPlan;

  // Events since creation.
  struct Counts {
    uint64_t adapts = 0;     // calls that found something to fix
    uint64_t resets = 0;     // groups reset as a whole
    uint64_t evictions = 0;  // letters dropped one by one
    uint64_t refusals = 0;   // false positives left unfixed
    uint64_t rehashes = 0;
  };
  // A copy to go back to.
  struct Saved {
    QuotientTable table;
    AlignedBuffer letters;
    SlotMirror mirror;
    Counts counts;
    bool is_adapted;
  };
  class Side;  // follows the table's shifts

  static bool KeepsMirror(const Options& options) {
    return !options.source && options.members == MembersFrom::kMirror;
  }
  bool has_mirror() const { return KeepsMirror(options_); }
  // What the filter knows by itself.
  MemberIndex index() const {
    return has_mirror() ? MemberIndex(mirror_) : MemberIndex(options_.source);
  }
  HashString StringOf(KeyHash hash) const {
    return HashString(HashOfEpoch(hash, counts_.rehashes), table_.homes());
  }
  uint64_t HomeOf(KeyHash hash) const {
    return Place(hash, table_.homes()).home;
  }
  bool MarksLines() const { return scheme().MarksLines(table_.width()); }
  bool SlotMatches(uint64_t slot, const HashString& string) const;
  bool AnyMatch(SlotRange run, KeyHash x) const;
  uint64_t HomeOfSlot(uint64_t slot) const;
  RunOfSlots RunOf(uint64_t home) const;
  Result<Owners> OwnersOf(uint64_t home, const MemberIndex& index) const;

  void PrefetchSide(uint64_t home) const;
  Status CheckRoomFor(uint64_t more) const;
  Status CheckList(KeyHash hash, std::span<const KeyHash> members,
                   uint64_t num_erases) const;
  Status InsertKnowing(KeyHash hash, const MemberIndex& index);
  Status InsertPlanned(KeyHash hash, uint64_t value, const MemberIndex& index);
  Status EraseKnowing(KeyHash hash, const MemberIndex& others,
                      const MemberIndex& all);
  Status EraseSlot(uint64_t home, uint64_t slot, const MemberIndex& index);
  Result<AdaptOutcome> AdaptKnowing(KeyHash x, const MemberIndex& index);
  Result<bool> IsMember(KeyHash x, const MemberIndex& index) const;
  bool RehashIsDue() const;
  Result<bool> AdaptByRehash(KeyHash x, const MemberIndex& index);
  Result<std::optional<QuotientTable>> RehashedTable() const;

  Result<QuotientTable> CopyOfTable() const;
  Result<Saved> Save() const;
  void Restore(Saved saved);
  Status InsertAll(std::span<const KeyHash> hashes);
  Status InsertMirrorOf(const AdaptiveBase& other);
  Status InsertSourceOf(const AdaptiveBase& other);
  Status FillFrom(std::span<const KeyHash> sorted);
  Status SeparateAll(std::span<const KeyHash> sorted);
  void CarryLetter(KeyHash hash, uint32_t letter);

  void AddLetterStats(FilterStats& stats) const;
  bool MustBeAdapted() const;  // (A5)
  Status CheckFreeSlots() const;
  Status CheckMarks() const;
  Status CheckPairs() const;
  Status CheckMirror() const;
  Status CheckSource() const;

  Counts counts_;
  uint64_t num_erases_ = 0;  // since it was made or loaded
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_ADAPTIVE_BASE_H_
