// KeyedFilter: the cuckoo filters that can ask for the keys they hold.
//
// k tables of bins of b slots.  A key may live in one bin of each table, by k
// independent hashes (key_reader.h); a mirror beside the table knows the hash
// of the key in every slot, so entries can be moved, and changed, by an
// entirely new hash.  Four filters are made of it, which differ in how many
// fingerprints a key has, and in how they mend a false positive:
//
//   traits      fingerprint of a slot    mends by
//   Static      one                      nothing
//   Cyclic      by s selector bits       counting the slot's selector up
//   Swapping    by its place in the bin  swapping it with another slot
//   Cuckooing   one, or one per table    moving the key to another table
//
// A slot holds, from its low end, f bits of fingerprint and the s bits of the
// selector (Cyclic only).  All zeros is a free slot; a fingerprint is never 0.
//
// Invariants:
//   (K1) size() slots are in use, and exactly they have a key in the mirror
//        (the mirror of a free slot is zero).
//   (K2) a slot in use lies in one of the bins of its key, and holds the
//        fingerprint of that key under the slot's alternative.
//
// Cost: k bins, so k lines, a look-up.  Adapt and Erase read the mirror.
// What adapts is in src/filters/cuckoo/keyed_adapt.h.
// Paper: Kopelowitz, McCauley and Porat; Mitzenmacher, Pontarelli and
// Reviriego for Cyclic and Swapping.

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_KEYED_FILTER_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_KEYED_FILTER_H_

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/cuckoo/bin_filter.h"
#include "tamis/internal/filters/cuckoo/bin_reader.h"
#include "tamis/internal/filters/cuckoo/bin_table.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/internal/hash/look_ahead.h"
#include "tamis/internal/keys/slot_mirror.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/sizing.h"
#include "tamis/spec.h"

namespace tamis::internal {

// Where Cuckooing moves a member that collides, and those that make room.
enum class Move {
  kRandom,  // ours: a shortest path that begins in another table, all at random
  kPaper,   // the member to its next table; who is pushed out, to a free slot
            // of its own bins, or to its next table (ACF paper, 2.3)
  kNext,    // everyone to its next table (telescoping paper, A.2)
};

// f, k, b as in cuckoo_math.h; s selector bits.
struct CuckooShape {
  int f = 12;
  int k = 4;
  int b = 1;
  int s = 0;
  // For Cuckooing alone:
  Move move = Move::kRandom;
  bool by_table = false;  // each table has a fingerprint of its own
  bool rebuilds = false;  // when a member can't be moved
};

// Which of a key's fingerprints a slot holds.
enum class Alternatives { kOne, kBySelector, kBySlot };
// How a filter mends a false positive.
enum class Mending { kNone, kCountUp, kSwap, kMove };

struct StaticTraits {
  static constexpr std::string_view kName = "cuckoo";
  static constexpr std::string_view kSpec = "cuckoo:k=4";  // the shortest
  static constexpr Alternatives kAlternatives = Alternatives::kOne;
  static constexpr Mending kMending = Mending::kNone;
  static constexpr CuckooShape kDefault{.f = 12, .k = 4, .b = 1, .s = 0};
  static constexpr int kMinB = 1, kMaxB = 8;
};
struct CyclicTraits {
  static constexpr std::string_view kName = "cyclic";
  static constexpr std::string_view kSpec = "cyclic";  // the shortest
  static constexpr Alternatives kAlternatives = Alternatives::kBySelector;
  static constexpr Mending kMending = Mending::kCountUp;
  static constexpr CuckooShape kDefault{.f = 12, .k = 4, .b = 1, .s = 1};
  static constexpr int kMinB = 1, kMaxB = 1;
};
struct SwappingTraits {
  static constexpr std::string_view kName = "swapping";
  static constexpr std::string_view kSpec = "swapping";  // the shortest
  static constexpr Alternatives kAlternatives = Alternatives::kBySlot;
  static constexpr Mending kMending = Mending::kSwap;
  static constexpr CuckooShape kDefault{.f = 12, .k = 2, .b = 4, .s = 0};
  static constexpr int kMinB = 2, kMaxB = 8;
};
struct CuckooingTraits {
  static constexpr std::string_view kName = "cuckooing";
  static constexpr std::string_view kSpec = "cuckooing";  // the shortest
  static constexpr Alternatives kAlternatives = Alternatives::kOne;
  static constexpr Mending kMending = Mending::kMove;
  static constexpr CuckooShape kDefault{.f = 12, .k = 4, .b = 1, .s = 0};
  static constexpr int kMinB = 1, kMaxB = 8;
};

template <typename Traits>
class KeyedFilter : public BinFilter {
 public:
  static Result<KeyedFilter> Create(const KeysAndRate& wanted,
                                    const Hasher& hasher = Hasher()) {
    return CreateSized<KeyedFilter>(Traits::kSpec, wanted, hasher);
  }
  // Parameters: f (4 to 32), k (2 to 4), b (1 to 8, as the kind allows), for
  // Cyclic s (1 to 3), for Cuckooing move, fingerprints and rebuild; the
  // kind's default for those not given.
  static Result<KeyedFilter> Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher);
  static Result<KeyedFilter> FromSnapshot(const Snapshot& snapshot,
                                          const LoadOptions& load = {});
  // "cuckoo" without k and b is another filter, the classic one.
  static bool IsFor(const Spec& spec) requires(Traits::kMending ==
                                               Mending::kNone) {
    return spec.Has("k") || spec.Has("b");
  }
  Snapshot ToSnapshot() const;

  Status Insert(KeyHash hash);
  // Fetches what Insert(hash) will change, some other inserts before it.
  void PrefetchInsert(KeyHash hash) const { ReadAhead<AnyLayout>(hash); }
  // kNotFound, and nothing has changed, if the key is not in the set.
  Status Erase(KeyHash hash);
  // Mends every member that collides with `hash`.  kNotFixed if one of them
  // could not be moved (that one is then where it was) or if the key still
  // collides afterwards; kReset if all were placed anew to mend it.
  Result<AdaptOutcome> Adapt(KeyHash hash) requires(Traits::kMending !=
                                                    Mending::kNone);
  // AdaptsWithMembers of filter.h, where a fix needs no other member's key.
  // Members that collide may lie anywhere.  Inserts need the mirror, so it is
  // there, and knows better than the list, which is only checked.
  uint64_t num_erases() const requires(Traits::kMending == Mending::kCountUp) {
    return num_erases_;
  }
  std::optional<HashRange> CollisionRange(KeyHash hash) const
      requires(Traits::kMending == Mending::kCountUp) {
    return MayContain(hash) ? std::optional(kAllHashes) : std::nullopt;
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) requires(Traits::kMending ==
                                                           Mending::kCountUp);
  // Places all keys anew, under hashes that `seed` chooses.  The filter's
  // hasher stays, so the user goes on as before; adaptations are forgotten.
  // kFull, and nothing has changed, if some key finds no place.
  Status Rebuild(uint64_t seed) {
    return RebuildWith(table_.bins(), seed | BinReader::kSaltBit);
  }
  // Places all keys anew in so many slots; the same otherwise.
  Status RebuildTo(uint64_t slots);

  bool MayContain(KeyHash hash) const {
    return WithLayout([&](auto layout) {
      using L = decltype(layout);
      return Matches<L>(reader_.template Read<L::kTables>(hash));
    });
  }
  // Flat, because a call for each key would pass all it finds through memory;
  // and a call itself, of the library, which may be made for more than the
  // program is.
  [[gnu::flatten, gnu::noinline]] void MayContain(
      std::span<const KeyHash> hashes, std::span<bool> results) const {
    WithLayout([&](auto layout) {
      using L = decltype(layout);
      LookAhead<kLinesInFlight / 2 / kMaxTables>(
          hashes, results, [this](KeyHash hash) { return ReadAhead<L>(hash); },
          [this](const KeyBins& places) { return Matches<L>(places); });
    });
  }

  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  Status CheckInvariants() const;

  // For SizeFor and FprFor of sizing.h.
  static Result<Sizing> SizeFor(std::string_view kind, uint64_t keys,
                                double fpr);
  static Result<double> FprFor(const Spec& spec, uint64_t slots, uint64_t keys);

  // For KickSearch.
  int OtherBins(uint64_t slot, uint64_t* bins) const;
  void PrefetchKey(uint64_t slot) const { mirror_.Prefetch(slot); }

 private:
  Status RebuildWith(uint64_t bins, uint64_t salt);
  KeyedFilter(CuckooShape shape, BinTable table, SlotMirror mirror,
              const Hasher& hasher, uint64_t salt);
  static Spec SpecOf(CuckooShape shape);
  static Result<CuckooShape> ReadShape(const Spec& spec);
  static Result<KeyedFilter> Empty(CuckooShape shape, uint64_t bins,
                                   const Hasher& hasher, uint64_t salt);
  static int AlternativesOf(CuckooShape shape);

  // What of a table is known when compiling: the number of tables (0: it is
  // not) and the layout of bins.
  template <int kTableCount, typename BinsType>
  struct Layout {
    static constexpr int kTables = kTableCount;
    using Bins = BinsType;
  };
  using AnyLayout = Layout<0, AnyBins>;
  // Calls `function` with the layout; the papers' shapes at the usual widths
  // have code of their own.
  template <typename Function>
  auto WithLayout(Function function) const {
    if constexpr (Traits::kAlternatives == Alternatives::kOne) {
      if (shape_.k == 4 && shape_.b == 1 && !shape_.by_table) {
        switch (shape_.f) {
          case 8:
            return function(Layout<4, FixedBins<8, 1>>());
          case 12:
            return function(Layout<4, FixedBins<12, 1>>());
          case 16:
            return function(Layout<4, FixedBins<16, 1>>());
          default:
            break;
        }
      }
    } else if (shape_.k == Traits::kDefault.k) {
      return function(Layout<Traits::kDefault.k, AnyBins>());
    }
    return function(AnyLayout());
  }

  template <typename L = AnyLayout>
  std::span<const uint64_t> Bins(const KeyBins& places) const {
    const int tables = L::kTables == 0 ? reader_.tables() : L::kTables;
    return {places.bins, static_cast<size_t>(tables)};
  }
  template <typename L>
  KeyBins ReadAhead(KeyHash hash) const {
    const KeyBins places = reader_.template Read<L::kTables>(hash);
    for (const uint64_t bin : Bins<L>(places)) {
      table_.Prefetch<typename L::Bins>(bin);
    }
    return places;
  }

  template <typename L = AnyLayout>
  bool Matches(const KeyBins& places) const {
    if constexpr (Traits::kAlternatives == Alternatives::kOne) {
      return shape_.by_table ? MatchesByTable(places) : MatchesOne<L>(places);
    } else if constexpr (Traits::kAlternatives == Alternatives::kBySelector) {
      return MatchesBySelector<L>(places);
    } else {
      return MatchesBySlot<L>(places);
    }
  }
  template <typename L>
  bool MatchesOne(const KeyBins& places) const {
    const uint64_t fingerprint = OnlyFingerprint<L>(places);
    uint64_t marks = 0;
    for (const uint64_t bin : Bins<L>(places)) {
      marks |= table_.MarkEqual<typename L::Bins>(bin, fingerprint);
    }
    return marks != 0;
  }
  template <typename L>
  uint64_t OnlyFingerprint(const KeyBins& places) const {
    if constexpr (std::is_same_v<typename L::Bins, AnyBins>) {
      return reader_.Fingerprint(places, 0);
    } else {
      return BinReader::NotZero(BinReader::FirstBits(places, L::Bins::kWidth));
    }
  }
  bool MatchesByTable(const KeyBins& places) const {
    uint64_t marks = 0;
    for (int table = 0; table < reader_.tables(); ++table) {
      marks |= table_.MarkEqual<AnyBins>(places.bins[table],
                                         reader_.Fingerprint(places, table));
    }
    return marks != 0;
  }
  template <typename L>
  bool MatchesBySelector(const KeyBins& places) const {
    bool found = false;
    for (const uint64_t bin : Bins<L>(places)) {  // b = 1: a bin is a slot
      found |= SlotMatches(places, bin, table_.Get(bin));
    }
    return found;
  }
  // Compares the fingerprints of all places of a bin at once: they are the
  // first b f bits of the string, the last place of the bin in front.
  template <typename L>
  bool MatchesBySlot(const KeyBins& places) const {
    if (!table_.bins_are_words()) return !CollidingSlots(places).empty();
    const int bits = shape_.b * shape_.f;
    const uint64_t wanted =
        table_.lanes().ZerosToOnes(BinReader::FirstBits(places, bits));
    bool found = false;
    for (const uint64_t bin : Bins<L>(places)) {
      found |= table_.lanes().HasZeroLane(table_.BinWord(bin) ^ wanted);
    }
    return found;
  }

  // Which alternative the slot has while it holds `value`.
  int AlternativeOf(uint64_t slot, uint64_t value) const {
    if constexpr (Traits::kAlternatives == Alternatives::kBySelector) {
      return static_cast<int>(value >> shape_.f);
    } else if constexpr (Traits::kAlternatives == Alternatives::kBySlot) {
      return shape_.b - 1 -
             static_cast<int>(slot % static_cast<unsigned>(shape_.b));
    } else {
      return shape_.by_table ? TableOf(slot) : 0;
    }
  }
  int TableOf(uint64_t slot) const {
    return static_cast<int>(slot / table_.slots_per_bin() /
                            reader_.bins_per_table());
  }
  bool SlotMatches(const KeyBins& places, uint64_t slot, uint64_t value) const {
    const int alternative = AlternativeOf(slot, value);
    return (value & fingerprint_mask_) ==
           reader_.Fingerprint(places, alternative);
  }

  std::vector<uint64_t> CollidingSlots(const KeyBins& places) const;
  uint64_t FindMember(const KeyBins& places, KeyHash hash) const;
  // Calls function(tables), a constant, so that the bins of a key are read
  // without a loop; 0 where the papers' four are not meant.
  template <typename Function>
  auto WithTables(Function function) const {
    if (shape_.k == 4) [[likely]]
      return function(std::integral_constant<int, 4>());
    return function(std::integral_constant<int, 0>());
  }
  template <int kTables>
  Status InsertIn(KeyHash hash);
  void Store(uint64_t slot, KeyHash hash, uint64_t selector = 0);
  // The same of a hash whose bins were read.
  void StoreRead(uint64_t slot, KeyHash hash, const KeyBins& places,
                 uint64_t selector);
  void Clear(uint64_t slot);
  void MoveAlong(const std::vector<uint64_t>& path);
  // What Adapt does; not constrained, because clang 14 instantiates both forms of
  // it for every kind.
  Result<AdaptOutcome> MendAll(KeyHash hash);
  bool Mend(uint64_t slot, KeyHash query);
  bool CountUp(uint64_t slot);
  bool SwapWithinBin(uint64_t slot, KeyHash query);
  bool MoveByShortestPath(uint64_t slot, KeyHash random);
  bool MoveByWalk(uint64_t slot, uint64_t random);
  uint64_t NextOfWalk(KeyHash hash, int table, bool first,
                      uint64_t random) const;
  KeyHash Exchange(uint64_t slot, KeyHash hash);
  AdaptOutcome RebuildFor(KeyHash query);
  KeyHash RandomFor(KeyHash query) const;
  Status CheckSlot(uint64_t slot) const;

  CuckooShape shape_;
  SlotMirror mirror_;
  BinReader reader_;
  uint64_t fingerprint_mask_;
  uint64_t adapts_ = 0;      // calls of Adapt that found a false positive
  uint64_t num_erases_ = 0;  // since it was made or loaded
  uint64_t rebuilds_ = 0;    // and that placed all keys anew
};

extern template class KeyedFilter<StaticTraits>;
extern template class KeyedFilter<CyclicTraits>;
extern template class KeyedFilter<SwappingTraits>;
extern template class KeyedFilter<CuckooingTraits>;

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_KEYED_FILTER_H_
