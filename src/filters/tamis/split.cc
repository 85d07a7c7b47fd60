// A tamis filter as a shard: cut in the middle of its hashes, and put together
// again.
//
// A shard's homes are a power of two, m = 2^g, so a home is the first g bits of
// the hash, and its first bit says which half it is in:
//
//   homes      0 ........ m/2 - 1 | m/2 ........ m - 1
//   hash       0 b1 b2 ...        | 1 b1 b2 ...
//   halves     home               | home - m/2          of m/2 homes each, which
//                                                       read b1 b2 ... as hash
//
// No bit of an entry or extension changes; a void, whose length is counted from
// the first bit, becomes one bit shorter.  One that has no bit to give would
// belong to both halves, and its owner could be erased from one only: such a
// shard is not split, but doubles.  (With F fingerprint bits that takes as many
// splits after an insert as its home and fingerprint had bits together.)

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ActiveTable;
using internal::HomeOf;
using internal::kStringBits;
using internal::PlainVector;
using internal::Position;
using internal::Prefix;
using internal::QuotientTable;
using internal::TableEntry;
using internal::VoidArray;

namespace {

constexpr Position FirstPosition(uint64_t home) {
  return static_cast<Position>(home) << kStringBits;
}

KeyHash ShiftedLeft(KeyHash hash) {
  return {hash.high << 1 | hash.low >> 63, hash.low << 1};
}
// REQUIRES: the last bit is 0
KeyHash ShiftedRight(KeyHash hash, uint64_t first_bit) {
  return {hash.high >> 1 | first_bit << 63, hash.low >> 1 | hash.high << 63};
}

}  // namespace

// As if it were the last bits of a shard's place: neighbours differ, and all
// phases are there as soon as there are eight shards.
int TamisFilter::PhaseOfHalf(bool upper) const {
  return (2 * phase_ + (upper ? 1 : 0)) % NumPhases();
}

Result<TamisFilter> TamisFilter::CreateShard(const Options& options,
                                             const Hasher& hasher,
                                             uint64_t keys) {
  Options one = options;
  one.slots = 1;
  TAMIS_ASSIGN_OR_RETURN(TamisFilter first, Create(one, hasher));
  if (!options.grow) {
    return Status(StatusCode::kUnsupported, "grow=no: a shard has to grow");
  }
  Parts parts{first.SmallestFor(keys), nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.active, first.TableFor(parts.stage));
  return first.MakeFrom(std::move(parts), Keep::kMirrorHere);
}

Result<TamisFilter> TamisFilter::ShardOf(const Options& options,
                                         const Hasher& hasher,
                                         const QuotientTable& table) {
  TAMIS_ASSIGN_OR_RETURN(const TamisFilter first,
                         CreateShard(options, hasher, 1));
  if (!std::has_single_bit(table.homes()) || table.width() < 2 ||
      table.width() > options.fingerprint_bits ||
      options.members == Members::kMirror) {
    return Status(StatusCode::kInvalidArgument, "the table is no shard's");
  }
  // Where there are too many for its homes, each gives a bit to its home.
  int generation = std::countr_zero(table.homes());
  const uint64_t wanted = table.size() + table.size() / 16;
  const int given =
      wanted > first.Limit({generation, options.steps - 1, 0}) ? 1 : 0;
  generation += given;
  Parts parts{first.FirstStep(generation, 0, wanted), nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.active, first.TableFor(parts.stage));
  const int length = table.width() - given;
  ActiveTable::Builder builder(*parts.active);
  for (QuotientTable::Cursor at(table); !at.done(); at.Next()) {
    const uint64_t home = at.home() << given | at.value() >> length;
    const uint64_t rest =
        at.value() & internal::LowBits(static_cast<unsigned>(length));
    TAMIS_RETURN_IF_ERROR(builder.Append(
        home, (rest << 1 | 1) << (options.fingerprint_bits - length)));
  }
  builder.Finish();
  return first.MakeFrom(std::move(parts), Keep::kMirrorHere);
}

// Reads the entries of one half, and what belongs to them.
Result<TamisFilter> TamisFilter::HalfOf(const Half& half,
                                        QuotientTable::Cursor& from) const {
  const bool upper = half.upper;
  const uint64_t homes = active_.homes() / 2;
  const uint64_t first = upper ? homes : 0;
  const int generation = half.aged ? generation_ : generation_ - 1;
  // A sixteenth more than there are, not to grow at once.
  const Stage stage = FirstStep(generation, PhaseOfHalf(upper),
                                half.entries + half.entries / 16);
  Parts parts{stage, nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.active, TableFor(stage));
  for (const VoidArray::Entry& entry : voids_.entries()) {
    const uint64_t top = uint64_t{1} << (entry.resolution - 1);
    if (((entry.prefix & top) != 0) != upper) continue;
    TAMIS_RETURN_IF_ERROR(
        parts.voids.Append({entry.resolution - 1, entry.prefix & ~top}));
  }
  const auto resolution = static_cast<uint64_t>(generation_ - 1);
  ActiveTable::Builder builder(*parts.active);
  for (; !from.done() && from.home() < first + homes; from.Next()) {
    const TableEntry entry = {from.home() - first, from.value()};
    TAMIS_RETURN_IF_ERROR(half.aged
                              ? AppendAgedOne(entry, resolution, builder, parts)
                              : builder.Append(entry.home, entry.value));
  }
  builder.Finish();
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> all, extensions_.All());
  for (const Prefix& extension : all) {
    if ((HomeOf(extension.low) >= homes) != upper) continue;
    TAMIS_RETURN_IF_ERROR(parts.extensions.Append(
        {extension.low - FirstPosition(first), extension.length}));
  }
  TAMIS_ASSIGN_OR_RETURN(TamisFilter made,
                         MakeFrom(std::move(parts), Keep::kMirrorHere));
  TAMIS_RETURN_IF_ERROR(made.mirror_.Reserve(mirrors() ? made.size() : 0));
  mirror_.ForEach([&](KeyHash hash) {
    if ((hash.high >> 63 != 0) == upper) made.mirror_.Add(ShiftedLeft(hash));
  });
  TAMIS_RETURN_IF_ERROR(made.ExpandTo(made.active_.size()));
  if (options_.rejuvenate_all && options_.members == Members::kMirror) {
    TAMIS_RETURN_IF_ERROR(made.RejuvenateAll());
  }
  return made;
}

Result<std::pair<TamisFilter, TamisFilter>> TamisFilter::Split(
    const SplitOptions& options) const {
  TAMIS_RETURN_IF_ERROR(CheckIfMapped());
  const uint64_t half = active_.homes() / 2;
  const uint64_t entries_below =
      half == 0 ? 0 : active_.table().SizeBelow(half);
  const uint64_t below = entries_below + options.low_to_come;
  const uint64_t above = active_.size() - entries_below + options.high_to_come;
  const bool is_even = 4 * std::max(below, above) <= 3 * (below + above);
  if (generation_ < 2 || (options.evenly && !is_even)) {
    return Status(StatusCode::kUnsupported,
                  "nearly all keys would be in one half");
  }
  const auto voids = voids_.entries();
  if (!voids.empty() && voids.front().resolution == 0) {
    return Status(StatusCode::kUnsupported,
                  "a void entry would belong to both halves");
  }
  // Halves that do not fit half of the homes get all of them.
  const uint64_t larger =
      std::max(entries_below, active_.size() - entries_below);
  const bool aged = larger > Limit({generation_ - 1, options_.steps - 1, 0});
  if (aged && !extensions_.empty()) {
    TAMIS_ASSIGN_OR_RETURN(TamisFilter doubled, Expanded(Keep::kCopy));
    while (doubled.generation_ == generation_) {
      TAMIS_RETURN_IF_ERROR(doubled.Expand());
    }
    return doubled.Split(options);
  }
  QuotientTable::Cursor from(active_.table());
  TAMIS_ASSIGN_OR_RETURN(TamisFilter low, HalfOf({false, aged, below}, from));
  TAMIS_ASSIGN_OR_RETURN(TamisFilter high, HalfOf({true, aged, above}, from));
  return std::pair(std::move(low), std::move(high));
}

Result<TamisFilter> TamisFilter::Join(const TamisFilter& low,
                                      const TamisFilter& high) {
  TAMIS_RETURN_IF_ERROR(low.CheckIfMapped());
  TAMIS_RETURN_IF_ERROR(high.CheckIfMapped());
  // Both at the same generation first.
  if (low.generation_ != high.generation_) {
    const bool low_is_smaller = low.generation_ < high.generation_;
    TAMIS_ASSIGN_OR_RETURN(TamisFilter smaller,
                           low_is_smaller ? low.Copy() : high.Copy());
    while (smaller.generation_ < std::max(low.generation_, high.generation_)) {
      TAMIS_RETURN_IF_ERROR(smaller.Expand());
    }
    return low_is_smaller ? Join(smaller, high) : Join(low, smaller);
  }
  const uint64_t half = low.active_.homes();
  const uint64_t entries = low.active_.size() + high.active_.size();
  Stage stage = low.FirstStep(low.generation_ + 1, low.phase_ / 2, entries);
  // Two that are large for their homes fit only what is as large for its own.
  if (entries > low.Limit(stage)) {
    stage = low.FirstStep(low.generation_ + 1,
                          std::max(low.phase_, high.phase_), entries);
  }
  Parts parts{stage, nullptr, {}, {}};
  TAMIS_ASSIGN_OR_RETURN(parts.active, low.TableFor(stage));
  ActiveTable::Builder builder(*parts.active);
  for (const TamisFilter* part : {&low, &high}) {
    const uint64_t first = part == &high ? half : 0;
    const uint64_t top_bit = part == &high ? 1 : 0;
    for (QuotientTable::Cursor at(part->active_.table()); !at.done();
         at.Next()) {
      TAMIS_RETURN_IF_ERROR(builder.Append(at.home() + first, at.value()));
    }
    TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> all,
                           part->extensions_.All());
    for (const Prefix& extension : all) {
      TAMIS_RETURN_IF_ERROR(parts.extensions.Append(
          {extension.low + FirstPosition(first), extension.length}));
    }
    for (const VoidArray::Entry& entry : part->voids_.entries()) {
      TAMIS_RETURN_IF_ERROR(parts.voids.Append(
          {entry.resolution + 1, entry.prefix | top_bit << entry.resolution}));
    }
  }
  builder.Finish();
  std::sort(parts.voids.begin(), parts.voids.end());
  TAMIS_ASSIGN_OR_RETURN(TamisFilter joined,
                         low.MakeFrom(std::move(parts), Keep::kMirrorHere));
  TAMIS_RETURN_IF_ERROR(
      joined.mirror_.Reserve(low.mirror_.size() + high.mirror_.size()));
  low.mirror_.ForEach(
      [&](KeyHash hash) { joined.mirror_.Add(ShiftedRight(hash, 0)); });
  high.mirror_.ForEach(
      [&](KeyHash hash) { joined.mirror_.Add(ShiftedRight(hash, 1)); });
  // No count that was taken of one part is that of the whole.
  joined.num_erases_ = std::max(low.num_erases_, high.num_erases_) + 1;
  joined.num_fixes_ += high.num_fixes_;
  joined.num_forgotten_ += high.num_forgotten_;
  while (joined.generation_ > 1 &&
         5 * joined.size() <= 3 * joined.Limit(joined.Before(joined.stage()))) {
    TAMIS_RETURN_IF_ERROR(joined.Contract());
  }
  return joined;
}

}  // namespace tamis
