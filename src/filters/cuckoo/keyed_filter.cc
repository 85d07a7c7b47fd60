#include "tamis/internal/filters/cuckoo/keyed_filter.h"

#include <string>

#include "filters/cuckoo/cuckoo_math.h"
#include "filters/cuckoo/keyed_adapt.h"
#include "filters/cuckoo/kicks.h"
#include "filters/cuckoo/parameters.h"

namespace tamis::internal {

namespace {

// What only Cuckooing has.
Status ReadMove(const ParameterReader& read, CuckooShape& shape) {
  TAMIS_ASSIGN_OR_RETURN(const size_t move, read.Choice("move"));
  TAMIS_ASSIGN_OR_RETURN(const size_t by_table, read.Choice("fingerprints"));
  TAMIS_ASSIGN_OR_RETURN(const size_t rebuilds, read.Choice("rebuild"));
  shape.move = static_cast<Move>(move);
  shape.by_table = by_table == 1;
  shape.rebuilds = rebuilds == 1;
  return {};
}

void WriteMove(const CuckooShape& shape, Spec& spec) {
  if (shape.move != Move::kRandom) {
    spec.Set("move",
             std::string(kMove.Choices()[static_cast<size_t>(shape.move)]));
  }
  if (shape.by_table) spec.Set("fingerprints", "table");
  if (shape.rebuilds) spec.Set("rebuild", "auto");
}

}  // namespace

template <typename Traits>
Result<CuckooShape> KeyedFilter<Traits>::ReadShape(const Spec& spec) {
  const ParameterReader read(spec, kKeyedParameters<Traits>);
  TAMIS_RETURN_IF_ERROR(read.Check());
  CuckooShape shape = Traits::kDefault;
  TAMIS_ASSIGN_OR_RETURN(shape.f, read.Int("f"));
  TAMIS_ASSIGN_OR_RETURN(shape.k, read.Int("k"));
  TAMIS_ASSIGN_OR_RETURN(shape.b,
                         read.Int("b", static_cast<uint64_t>(shape.b)));
  TAMIS_ASSIGN_OR_RETURN(shape.s, read.Int("s"));
  if constexpr (Traits::kMending == Mending::kMove) {
    TAMIS_RETURN_IF_ERROR(ReadMove(read, shape));
  }
  return shape;
}

template <typename Traits>
int KeyedFilter<Traits>::AlternativesOf(CuckooShape shape) {
  switch (Traits::kAlternatives) {
    case Alternatives::kBySelector:
      return 1 << shape.s;
    case Alternatives::kBySlot:
      return shape.b;
    case Alternatives::kOne:
      break;
  }
  return shape.by_table ? shape.k : 1;
}

template <typename Traits>
KeyedFilter<Traits>::KeyedFilter(CuckooShape shape, BinTable table,
                                 SlotMirror mirror, const Hasher& hasher,
                                 uint64_t salt)
    : BinFilter(std::move(table), hasher),
      shape_(shape),
      mirror_(std::move(mirror)),
      reader_(shape.k, table_.bins() / static_cast<unsigned>(shape.k), shape.f,
              AlternativesOf(shape), salt),
      fingerprint_mask_(LowBits(static_cast<unsigned>(shape.f))) {}

template <typename Traits>
Result<KeyedFilter<Traits>> KeyedFilter<Traits>::Empty(CuckooShape shape,
                                                       uint64_t bins,
                                                       const Hasher& hasher,
                                                       uint64_t salt) {
  TAMIS_ASSIGN_OR_RETURN(BinTable table,
                         BinTable::Create(bins, shape.b, shape.f + shape.s));
  TAMIS_ASSIGN_OR_RETURN(SlotMirror mirror, SlotMirror::Create(table.slots()));
  return KeyedFilter(shape, std::move(table), std::move(mirror), hasher, salt);
}

template <typename Traits>
Result<KeyedFilter<Traits>> KeyedFilter<Traits>::Create(const Spec& spec,
                                                        uint64_t slots,
                                                        const Hasher& hasher) {
  TAMIS_ASSIGN_OR_RETURN(const CuckooShape shape, ReadShape(spec));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bins, BinsFor(slots, shape.k, shape.b));
  return Empty(shape, bins, hasher, /*salt=*/0);
}

template <typename Traits>
Result<KeyedFilter<Traits>> KeyedFilter<Traits>::FromSnapshot(
    const Snapshot& snapshot, const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(const CuckooShape shape, ReadShape(snapshot.spec()));
  TAMIS_ASSIGN_OR_RETURN(BinTable table,
                         LoadTable(snapshot, shape.b, shape.f + shape.s, load));
  TAMIS_ASSIGN_OR_RETURN(const auto hashes, snapshot.Outer("mirror", load));
  TAMIS_ASSIGN_OR_RETURN(SlotMirror mirror,
                         SlotMirror::FromBytes(hashes, table.slots()));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t salt, snapshot.Number("salt"));
  if (table.bins() % static_cast<unsigned>(shape.k) != 0 ||
      (salt != 0 && salt < BinReader::kSaltBit)) {
    return Status(StatusCode::kCorrupt,
                  "'bins' is no multiple of the tables, or 'salt' is none");
  }
  KeyedFilter filter(shape, std::move(table), std::move(mirror),
                     snapshot.hasher(), salt);
  TAMIS_RETURN_IF_ERROR(filter.LoadCounters(snapshot));
  TAMIS_ASSIGN_OR_RETURN(filter.adapts_, snapshot.Number("adapts"));
  if (shape.rebuilds) {
    TAMIS_ASSIGN_OR_RETURN(filter.rebuilds_, snapshot.Number("rebuilds"));
  }
  return CheckedIfAsked(std::move(filter), load);
}

template <typename Traits>
Snapshot KeyedFilter<Traits>::ToSnapshot() const {
  Snapshot snapshot = SaveBins(WithDefaults(spec(), kKeyedParameters<Traits>));
  snapshot.AddNumber("adapts", adapts_);
  snapshot.AddNumber("salt", reader_.salt());
  if (shape_.rebuilds) snapshot.AddNumber("rebuilds", rebuilds_);
  snapshot.AddArray("mirror", mirror_.bytes());
  return snapshot;
}

template <typename Traits>
Status KeyedFilter<Traits>::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  if (size_ == capacity()) {
    return FullStatus(Traits::kName);
  }
  return WithTables([&](auto tables) { return InsertIn<tables>(hash); });
}

template <typename Traits>
template <int kTables>
Status KeyedFilter<Traits>::InsertIn(KeyHash hash) {
  const KeyBins places = reader_.template Read<kTables>(hash);
  uint64_t slot = FirstFree(table_, Bins(places));
  if (slot == kNoSlot) {
    const auto path = KickSearch(*this).FindPath(Bins(places));
    if (path.empty()) return FullStatus(Traits::kName);
    MoveAlong(path);
    slot = path.front();
  }
  StoreRead(slot, hash, places, 0);
  ++size_;
  return {};
}

template <typename Traits>
Status KeyedFilter<Traits>::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  const uint64_t slot = FindMember(reader_.Read(hash), hash);
  if (slot == kNoSlot) return NotFoundStatus(Traits::kName);
  Clear(slot);
  --size_;
  ++num_erases_;
  return {};
}

template <typename Traits>
Status KeyedFilter<Traits>::RebuildTo(uint64_t slots) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t bins,
                         BinsFor(slots, shape_.k, shape_.b));
  return RebuildWith(bins, reader_.salt());
}

template <typename Traits>
Status KeyedFilter<Traits>::RebuildWith(uint64_t bins, uint64_t salt) {
  TAMIS_RETURN_IF_ERROR(table_.CheckWritable());
  TAMIS_ASSIGN_OR_RETURN(KeyedFilter rebuilt,
                         Empty(shape_, bins, hasher_, salt));
  for (uint64_t slot = 0; slot < capacity(); ++slot) {
    if (table_.Get(slot) == 0) continue;
    TAMIS_RETURN_IF_ERROR(rebuilt.Insert(mirror_.at(slot)));
  }
  rebuilt.moves_ += moves_;
  rebuilt.adapts_ = adapts_;
  rebuilt.num_erases_ = num_erases_;
  rebuilt.rebuilds_ = rebuilds_;
  *this = std::move(rebuilt);
  return {};
}

template <typename Traits>
int KeyedFilter<Traits>::OtherBins(uint64_t slot, uint64_t* bins) const {
  return WithTables([&](auto tables) {
    const KeyBins places = reader_.template Read<tables>(mirror_.at(slot));
    const uint64_t slots = table_.slots_per_bin();
    int count = 0;
    for (const uint64_t bin : Bins<Layout<tables, AnyBins>>(places)) {
      // All are written, others are counted: no branch, and no division.
      bins[count] = bin;
      count += slot - bin * slots >= slots ? 1 : 0;
    }
    return count;
  });
}

template <typename Traits>
std::vector<uint64_t> KeyedFilter<Traits>::CollidingSlots(
    const KeyBins& places) const {
  std::vector<uint64_t> slots;
  for (const uint64_t bin : Bins(places)) {
    const uint64_t begin = bin * table_.slots_per_bin();
    for (uint64_t i = 0; i < table_.slots_per_bin(); ++i) {
      const uint64_t value = table_.Get(begin + i);
      if (value != 0 && SlotMatches(places, begin + i, value)) {
        slots.push_back(begin + i);
      }
    }
  }
  return slots;
}

template <typename Traits>
uint64_t KeyedFilter<Traits>::FindMember(const KeyBins& places,
                                         KeyHash hash) const {
  for (const uint64_t slot : CollidingSlots(places)) {
    if (mirror_.at(slot) == hash) return slot;
  }
  return kNoSlot;
}

// Writes the key's fingerprint under the slot's alternative, and its mirror.
template <typename Traits>
void KeyedFilter<Traits>::Store(uint64_t slot, KeyHash hash,
                                uint64_t selector) {
  WithTables([&](auto tables) {
    StoreRead(slot, hash, reader_.template Read<tables>(hash), selector);
  });
}
template <typename Traits>
inline void KeyedFilter<Traits>::StoreRead(uint64_t slot, KeyHash hash,
                                           const KeyBins& places,
                                           uint64_t selector) {
  const uint64_t value = selector << shape_.f;
  const int alternative = AlternativeOf(slot, value);
  table_.Set(slot, value | reader_.Fingerprint(places, alternative));
  mirror_.Set(slot, hash);
}

template <typename Traits>
void KeyedFilter<Traits>::Clear(uint64_t slot) {
  table_.Set(slot, 0);
  mirror_.Clear(slot);
}

// Moves every entry of the path to the path's next slot; the first is free
// then.  REQUIRES: the last is free now.
template <typename Traits>
void KeyedFilter<Traits>::MoveAlong(const std::vector<uint64_t>& path) {
  for (size_t i = path.size() - 1; i > 0; --i) {
    Store(path[i], mirror_.at(path[i - 1]));
    Clear(path[i - 1]);
  }
  moves_ += path.size() - 1;
}

template <typename Traits>
double KeyedFilter<Traits>::ExpectedFpr() const {
  return CuckooFpr(Load(), shape_.f, shape_.k, shape_.b);
}

template <typename Traits>
FilterStats KeyedFilter<Traits>::stats() const {
  return {.size = size_,
          .capacity = capacity(),
          .size_bits = SizeBits(),
          .side_bits = mirror_.size_bits(),
          .expected_fpr = ExpectedFpr(),
          .details = {{"load", Load()},
                      {"moves", static_cast<double>(moves_)},
                      {"adapts", static_cast<double>(adapts_)},
                      {"rebuilds", static_cast<double>(rebuilds_)}}};
}

template <typename Traits>
Spec KeyedFilter<Traits>::spec() const {
  return SpecOf(shape_);
}

template <typename Traits>
Spec KeyedFilter<Traits>::SpecOf(CuckooShape shape) {
  constexpr CuckooShape kDefault = Traits::kDefault;
  // "cuckoo" without k and b is another filter, the classic one.
  constexpr bool kAlways = Traits::kMending == Mending::kNone;
  Spec spec{std::string(Traits::kName)};
  spec.Set("f", static_cast<uint64_t>(shape.f));
  if (kDefault.s > 0) spec.Set("s", static_cast<uint64_t>(shape.s));
  if (kAlways || shape.k != kDefault.k) {
    spec.Set("k", static_cast<uint64_t>(shape.k));
  }
  if (kAlways || shape.b != kDefault.b) {
    spec.Set("b", static_cast<uint64_t>(shape.b));
  }
  if constexpr (Traits::kMending == Mending::kMove) {
    WriteMove(shape, spec);
  }
  return spec;
}

template <typename Traits>
Result<Sizing> KeyedFilter<Traits>::SizeFor(std::string_view /*kind*/,
                                            uint64_t keys, double fpr) {
  CuckooShape shape = Traits::kDefault;
  const BinShape bins{shape.k, shape.k, shape.b, kMinFingerprintBits};
  TAMIS_ASSIGN_OR_RETURN(shape.f, FewestBits(bins, keys, fpr));
  const uint64_t slots = SlotsFor(keys);
  TAMIS_ASSIGN_OR_RETURN(const double expected,
                         FprOf(bins, shape.f, slots, keys));
  return Sizing{SpecOf(shape), slots, expected};
}

template <typename Traits>
Result<double> KeyedFilter<Traits>::FprFor(const Spec& spec, uint64_t slots,
                                           uint64_t keys) {
  TAMIS_ASSIGN_OR_RETURN(const CuckooShape shape, ReadShape(spec));
  return FprOf({shape.k, shape.k, shape.b, shape.f}, shape.f, slots, keys);
}

template <typename Traits>
Status KeyedFilter<Traits>::CheckInvariants() const {
  TAMIS_RETURN_IF_ERROR(CheckOccupancy().WithContext("(K1)"));
  for (uint64_t slot = 0; slot < capacity(); ++slot) {
    TAMIS_RETURN_IF_ERROR(CheckSlot(slot));
  }
  return {};
}

template <typename Traits>
Status KeyedFilter<Traits>::CheckSlot(uint64_t slot) const {
  const uint64_t value = table_.Get(slot);
  const KeyHash hash = mirror_.at(slot);
  if (value == 0) {
    if (hash == KeyHash()) return {};
    return {StatusCode::kCorrupt, "(K1): free slot " + std::to_string(slot) +
                                      " has a key in the mirror"};
  }
  const KeyBins places = reader_.Read(hash);
  const auto bins = Bins(places);
  const uint64_t bin = slot / table_.slots_per_bin();
  if (std::find(bins.begin(), bins.end(), bin) == bins.end()) {
    return {StatusCode::kCorrupt,
            "(K2): slot " + std::to_string(slot) + " is in no bin of its key"};
  }
  if (!SlotMatches(places, slot, value)) {
    return {StatusCode::kCorrupt, "(K2): slot " + std::to_string(slot) +
                                      " has another key's fingerprint"};
  }
  return {};
}

template class KeyedFilter<StaticTraits>;
template class KeyedFilter<CyclicTraits>;
template class KeyedFilter<SwappingTraits>;
template class KeyedFilter<CuckooingTraits>;

}  // namespace tamis::internal
