// TamisFilter: one filter that learns, deletes and grows.
//
// Every entry is a prefix of its member's hash: shorter where it is old, longer
// where it was once wrong.  There are two tables in the order of hashes:
//
//   active       home | fingerprint        every member, up to *full* (F bits)
//   extensions   home | F bits | rest      longer prefixes of those few members
//                                          that an absent key was taken for
//   voids        part of the home          what is too old to have a home
//
// A look-up asks the active table.  Absent keys, all but the false positives,
// end there.  If an entry matches that is shorter than full, the answer is
// maybe.  Otherwise the extensions under the same full prefix p decide:
//
//   entries equal to p      x x x          three members
//   extensions under p      e f            two of them are extended
//   key matches e or f      maybe
//   matches none            maybe, while one entry is not extended; else no
//
//   Adapt    pairs the entries around a false positive with the members there,
//            longest entry first: prefixes nest, so that is a perfect matching.
//            Each entry that matches the key is lengthened by its member's true
//            bits: in place up to full, beyond it as an extension that ends at
//            the first bit in which member and key differ.
//   Expand   with steps=k, a step lets a line have fewer homes (2^(-1/k) as
//            many) and moves no bit; the k-th doubles the homes.  Then each
//            entry gives a bit to its home, and ages; an extended one takes
//            one from its extension instead.
//   Erase    removes the longest match; whoever owned it takes the shorter one.
//   Forget   drops extensions, never members.  At the end of its budget three
//            new fixes of four are turned away (kNotFixed), and for the fourth
//            an old one is forgotten (kReset), its neighbour: of more keys than
//            it has room for, asked for in turn, most that are fixed stay so.
//
//   guarantee   no false negative, as long as only members are erased or
//               rejuvenated, and lists of members name members only.  A fixed
//               key stays negative until it is forgotten, the filter contracts
//               or is merged, or a new member shares its full prefix
//   adversary   one who repeats every false positive wins nothing as long as the
//               budget for extensions lasts: each costs about 32 bits, once
//               (`tamis reproduce tamis-adversary`).  Beyond it, and under what
//               ends a fix (above), they come again.  Who can guess collisions
//               needs no answers at all: keep the seed, take kSipHash
//   members     mirror: the filter keeps all hashes, some 20 bytes each, beside
//               the table.  source: it asks the one it was made with.  caller:
//               Adapt(x, members, num_erases) brings them; Adapt(x) alone then
//               fixes nothing, and Erase can't tell who is a member
//   growing     grow=no: slots as the RSQF's, half the rate at equal bits; full
//               at `slots` keys
//   cost        a look-up of an absent key reads one line, and one bit if there
//               are voids; of a member one bit of the extensions' screen more
//   space       512 / S bits a slot, S = floor(504 / (F + 3)), and about 30
//               bits an extension, screen included; SizeBits counts all
//   when full   it grows; kFull for grow=no, or at 2^56 homes
//   multiset    a key inserted twice is there twice
//
// Invariants beside those of the parts (CheckInvariants tests all of them):
//   (X1) Every extension is longer than full.
//   (X2) Under each full prefix there are at most as many extensions as entries
//        equal to it.
//   (X3) Hence an extended entry is never shorter than full.
//   (X4) With a mirror: its members can be paired with the entries, one each.
//
// Thread safety: as all filters.  In shards that split it is sharded_tamis.h's,
// for many threads concurrent_tamis.h's.

#ifndef TAMIS_TAMIS_FILTER_H_
#define TAMIS_TAMIS_FILTER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/bits/plain_vector.h"
#include "tamis/internal/filters/tamis/active_table.h"
#include "tamis/internal/filters/tamis/extension_table.h"
#include "tamis/internal/filters/tamis/member_mirror.h"
#include "tamis/internal/filters/tamis/prefix.h"
#include "tamis/internal/filters/tamis/void_array.h"
#include "tamis/internal/keys/home_range.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"

namespace tamis {

namespace internal {
struct Pair;  // of an entry and a member
}

class TamisFilter {
 public:
  enum class Members { kMirror, kCaller, kSource };
  struct Options {
    uint64_t slots = 0;         // homes at the start
    int fingerprint_bits = 12;  // F, 3 to 40
    bool grow = true;
    int steps = 3;  // of growth to twice the homes, 1 to 3
    Members members = Members::kMirror;
    // The budget of extensions and their screen, in bits a key; 0 to 64.
    double extension_bits = 2;
    double threshold = 0.9;  // load at which it grows, 0.05 to 0.98
    // After a doubling, give every member a whole fingerprint again, from the
    // mirror; with a source call RejuvenateAll, for Insert never reads one.
    bool rejuvenate_all = false;
    KeySourceRef source = {};  // for Members::kSource
  };
  static Result<TamisFilter> Create(const Options& options,
                                    const Hasher& hasher = Hasher());
  static Result<TamisFilter> Create(const KeysAndRate& wanted,
                                    const Hasher& hasher = Hasher()) {
    return internal::CreateSized<TamisFilter>("tamis", wanted, hasher);
  }
  // `spec` is tamis:f=3..40,grow=yes|no,steps=1..3,
  // members=mirror|caller|source,extensions=0..64,threshold=0.05..0.98,
  // rejuvenate=no|all; with a source, members=source is understood.
  static Result<TamisFilter> Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher,
                                    KeySourceRef source = {});
  static Result<TamisFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                          const LoadOptions& load = {});
  internal::Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const {
    active_.table().PrefetchHome(internal::HomeOf(active_.Read(hash)));
  }
  bool MayContain(KeyHash hash) const {
    if (!active_.MayContain(hash)) [[likely]]
      return voids_.MayContain(hash);
    return DecideMatch(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  Status Erase(KeyHash hash);
  // Returns how many entries match: at least as often as it was inserted.
  uint64_t Count(KeyHash hash) const;
  Status BulkLoad(std::span<const KeyHash> hashes);
  // Adds all keys of `other`, which needs the same hasher, f, grow, steps,
  // members and slots at creation: kIncompatible says what differs.  Both keep
  // what they have learnt, as far as the budget goes.
  Status Merge(const TamisFilter& other);

  // Fixes a false positive with the members that the mirror or the source
  // names; kNotFixed with members=caller.
  Result<AdaptOutcome> Adapt(KeyHash absent);
  // The same with members from the caller's own read of CollisionRange: some or
  // all of them, each as often as it was inserted.  kStale if a key was erased
  // since num_erases() was `num_erases`, kIsMember if `absent` is among them,
  // kInvalidArgument if one of them can't be in the filter.
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases);
  // Where the members lie that collide with `hash`, and perhaps some others;
  // none if the filter does not claim to contain it.
  std::optional<HashRange> CollisionRange(KeyHash hash) const;
  uint64_t num_erases() const { return num_erases_; }
  // Drops extensions until they are at most so many.
  void Forget(uint64_t extensions);

  // Gives a member a whole fingerprint, where it had a shorter one.  kNotFound
  // if nothing matches; as dangerous as Erase for others.
  Status Rejuvenate(KeyHash hash);
  // The same for many, each at most as often as it was inserted.
  Status Rejuvenate(std::span<const KeyHash> hashes);
  // The same for all members, from the mirror or the source.
  Status RejuvenateAll();

  // Makes the filter anew with so many homes, from the members that the mirror
  // or the source names: all get whole fingerprints, and fixes are forgotten.
  // kUnsupported with members=caller, kStale if the source names fewer or more
  // than the filter has, kCorrupt if it is not sorted.
  Status RebuildTo(uint64_t slots);
  // One step; kUnsupported for grow=no.
  Status Expand();
  // One step back; kFull if the keys would exceed the threshold then,
  // kUnsupported at the size of creation.
  Status Contract();

  // As a shard of a larger filter (sharded_tamis.h): it has one slot at first,
  // so that its homes are a power of two, and room for `keys` at once, in steps
  // that fit them.
  static Result<TamisFilter> CreateShard(const Options& options,
                                         const Hasher& hasher, uint64_t keys);
  // The same of the entries of `table`, which are shorter than its own: a table
  // of 2^g homes whose values are fingerprints of width() bits, sorted in their
  // runs.  kInvalidArgument if it is another, or with a mirror.
  static Result<TamisFilter> ShardOf(const Options& options,
                                     const Hasher& hasher,
                                     const internal::QuotientTable& table);
  // The filters of both halves of the hashes; they read hash << 1.  In one
  // ordered pass, and each of the size that its keys ask for, those to come
  // included.  kUnsupported if one would have more than 3/4 of them (unless
  // that does not matter), or a void would belong to both.
  // REQUIRES of this and Join: made by CreateShard, Split or Join
  struct SplitOptions {
    uint64_t low_to_come = 0;
    uint64_t high_to_come = 0;
    bool evenly = true;
  };
  Result<std::pair<TamisFilter, TamisFilter>> Split(
      const SplitOptions& options) const;
  // The reverse.
  static Result<TamisFilter> Join(const TamisFilter& low,
                                  const TamisFilter& high);
  // The slots that one more Expand would give it.
  uint64_t SlotsAfterExpand() const { return SlotsOf(Next(stage())); }
  // Would one more insert expand it?
  bool MustExpand() const { return options_.grow && active_.size() >= limit_; }
  // The same filter again, or one step larger or smaller.  `Keep` says who has
  // the mirror then: both, or only this one, for SwapMirror to move.
  enum class Keep { kCopy, kMirrorHere };
  Result<TamisFilter> Copy(Keep keep = Keep::kCopy) const;
  Result<TamisFilter> Expanded(Keep keep) const;
  Result<TamisFilter> Contracted(Keep keep) const;
  void SwapMirror(TamisFilter& other) { std::swap(mirror_, other.mirror_); }
  // The answer for a key that an entry of the active table matches.
  bool DecideMatch(KeyHash hash) const {
    return ExtensionsSayMaybe(hash) || CountMaybe(hash);
  }
  // The part of it that needs no line of the active table: true is maybe, false
  // that it depends on them.
  bool ExtensionsSayMaybe(KeyHash hash) const {
    return !extensions_.MayHave(hash) || FindMaybe(hash);
  }
  // Changes made while others read the lines (concurrent_tamis.h).  With a
  // stage, Insert and EraseEntry change lines by it alone; kOutOfMemory, and
  // nothing has changed, if they would need other memory.
  // REQUIRES: !MustExpand() for Insert, ErasesOnlyLines(hash) for EraseEntry
  void set_stage(internal::LineStage* stage) { active_.set_stage(stage); }
  void Commit(internal::LineStage& stage) { active_.Commit(stage); }
  bool ErasesOnlyLines(KeyHash hash) const;
  // Erase, but for the contraction that may follow; and whether it should.
  Status EraseEntry(KeyHash hash);
  bool IsSparse() const;

  uint64_t size() const { return active_.size() + voids_.size(); }
  uint64_t capacity() const;
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const;

  // What this one can do: grow=no can't expand, and members=caller does not
  // know who is a member.
  Capabilities capabilities() const;
  // Of a filter that is mapped: kUnsupported.
  Status CheckWritable() const { return active_.CheckWritable(); }
  // What is mapped has not been checked yet, and is before others take it over.
  Status CheckIfMapped() const {
    return CheckWritable().ok() ? Status() : CheckInvariants();
  }
  // Memory beside the filter: the mirror's.
  uint64_t SideBits() const { return mirrors() ? mirror_.SizeBits() : 0; }
  const Options& options() const { return options_; }
  // Doublings since creation, less halvings, and steps since the last.
  int generation() const { return generation_; }
  int step() const { return step_; }
  int phase() const { return phase_; }
  const internal::ActiveTable& active() const { return active_; }
  const internal::ExtensionTable& extensions() const { return extensions_; }
  const internal::VoidArray& voids() const { return voids_; }

 private:
  TamisFilter(const Options& options, const Hasher& hasher,
              internal::ActiveTable active)
      : options_(options), hasher_(hasher), active_(std::move(active)) {}

  // What there is under the full prefix of a key, whose home has extensions.
  struct Matches {
    uint64_t shorter = 0;   // entries that match, shorter than full
    uint64_t equal = 0;     // entries that are full
    uint64_t under = 0;     // extensions of those
    uint64_t extended = 0;  // extensions that match

    uint64_t count() const { return shorter + (equal - under) + extended; }
  };
  Matches MatchesOf(internal::Position at) const;
  // The parts of DecideMatch that are rarely needed.
  bool FindMaybe(KeyHash hash) const;
  bool CountMaybe(KeyHash hash) const;
  void AskExtensions(std::span<const KeyHash> hashes,
                     std::span<bool> results) const;
  void AskPassed(std::span<const KeyHash> hashes, std::span<bool> results,
                 std::span<const size_t> passed) const;
  bool mirrors() const { return options_.members == Members::kMirror; }
  int bits() const { return options_.fingerprint_bits; }

  // Sizes.  A stage is a generation and a step in it; shards have different
  // phases, which say at what sizes their steps are (resize.cc).
  struct Stage {
    int generation;
    int step;
    int phase;

    friend bool operator==(const Stage&, const Stage&) = default;
  };
  Stage stage() const { return {generation_, step_, phase_}; }
  Stage Next(const Stage& stage) const;
  Stage Before(const Stage& stage) const;
  // The first stage from this one on that has room for so many entries.
  Stage StageFor(uint64_t entries) const;
  internal::ActiveTable::Form FormOf(const Stage& stage) const;
  uint64_t SlotsOf(const Stage& stage) const;
  uint64_t Limit(const Stage& stage) const;
  // The first step of a generation that has room for so many, or the last.
  Stage FirstStep(int generation, int phase, uint64_t entries) const;
  // The phases there are, and the smallest stage of any that has such room.
  int NumPhases() const;
  Stage SmallestFor(uint64_t entries) const;

  // Everything that growth makes anew; nothing changes before Commit.
  struct Parts {
    Stage stage;
    std::unique_ptr<internal::ActiveTable> active;  // none: the filter's own
    internal::PlainVector<internal::Prefix> extensions;  // sorted
    internal::PlainVector<internal::VoidArray::Entry> voids;
  };
  // An empty table for a stage.
  Result<std::unique_ptr<internal::ActiveTable>> TableFor(
      const Stage& stage) const;
  Result<Parts> Current() const;  // without a table
  // All parts in the stage `to`, with some keys more.
  Result<Parts> Grown(const Stage& to, std::span<const KeyHash> more) const;
  Result<Parts> Doubled(const Parts& parts) const;
  // Fills the table of the next generation.
  Status AppendAged(const internal::ActiveTable& from, Parts& to,
                    std::span<const internal::Prefix> extensions) const;
  Status AppendAgedOne(const internal::TableEntry& entry, uint64_t resolution,
                       internal::ActiveTable::Builder& builder,
                       Parts& to) const;
  Status AppendMirrored(internal::ActiveTable& active) const;
  Result<Parts> Halved() const;
  // Those of the next step, or of the one before.
  Result<Parts> LargerParts() const;
  Result<Parts> SmallerParts() const;
  Status Commit(Parts parts);
  Status ExpandTo(uint64_t entries);
  Status InsertFromSource(uint64_t expected);
  Status MergeSame(const TamisFilter& other);
  // A filter of the same options from parts.
  Result<TamisFilter> MakeFrom(Parts parts, Keep keep) const;
  // The half of the entries that `from` comes to next, of so many; `aged`: each
  // gives a bit to its home.
  struct Half {
    bool upper;
    bool aged;
    uint64_t entries;
  };
  Result<TamisFilter> HalfOf(const Half& half,
                             internal::QuotientTable::Cursor& from) const;
  // The phase of a half; Join takes it back.
  int PhaseOfHalf(bool upper) const;

  // Extensions.
  uint64_t MaxExtensions(uint64_t homes, uint64_t limit) const;
  Result<internal::ExtensionTable> MakeExtensions(
      const Parts& parts, std::span<const internal::Prefix> all) const;

  // Adapting.
  internal::Prefix ShortestMatch(internal::Position at) const;
  std::vector<internal::Prefix> EntriesIn(const internal::Prefix& range) const;
  int ExtensionLength(const internal::Prefix& entry, internal::Position member,
                      internal::Position absent) const;
  // Makes sure that improving all pairs needs no memory.
  Status ReserveFor(std::span<const internal::Pair> pairs,
                    internal::Position absent);
  // Lengthens an entry that belongs to `member`, if it covers `absent` or is
  // shorter than full.
  static constexpr uint32_t kTurns = 4;
  struct Forgetting {
    bool may;          // others may be forgotten for it
    bool has = false;  // and one was
  };
  Status Improve(const internal::Prefix& entry, internal::Position member,
                 internal::Position absent, Forgetting& forgetting);
  // Gives an entry shorter than full the full fingerprint of its member.
  Status MakeFull(const internal::Prefix& entry, internal::Position member);
  Result<std::vector<KeyHash>> ReadMembers(const HashRange& range) const;
  Status RejuvenateSorted(std::span<const KeyHash> sorted);
  Status LoadParts(const internal::Snapshot& snapshot, const LoadOptions& load);
  Status CheckExtensions() const;
  Status CheckMirror() const;

  Options options_;
  Hasher hasher_;
  int generation_ = 0;
  int step_ = 0;
  int phase_ = 0;
  uint32_t turn_ = 0;   // of those that come when the budget is used up
  uint64_t limit_ = 0;  // Limit(stage())
  internal::ActiveTable active_;
  internal::ExtensionTable extensions_;
  internal::VoidArray voids_;
  internal::MemberMirror mirror_;
  uint64_t num_erases_ = 0;
  uint64_t num_fixes_ = 0;
  uint64_t num_forgotten_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_TAMIS_FILTER_H_
