// How a tamis filter learns: it pairs the entries around a false positive with
// the members there, and lengthens those that match it.
//
// Everything is read and paired before anything changes; from then on each
// entry is changed by itself, and the filter is whole after each.

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "filters/tamis/pairing.h"
#include "tamis/internal/keys/home_range.h"
#include "tamis/tamis_filter.h"

namespace tamis {

using internal::ExtensionTable;
using internal::HomeOf;
using internal::Pair;
using internal::PlainVector;
using internal::Position;
using internal::Prefix;
using internal::PrefixOf;
using internal::SharedBits;

// REQUIRES: an entry covers `at`
Prefix TamisFilter::ShortestMatch(Position at) const {
  if (const auto place = voids_.FindShortest(HomeOf(at))) {
    return voids_.PrefixOfEntry(voids_.entries()[*place]);
  }
  Prefix shortest = PrefixOf(at, bits());
  active_.ForEachOf(HomeOf(at), [&](const Prefix& entry) {
    if (entry.Covers(at) && entry.length < shortest.length) shortest = entry;
  });
  return shortest;
}

std::optional<HashRange> TamisFilter::CollisionRange(KeyHash hash) const {
  if (!MayContain(hash)) return std::nullopt;
  const Prefix match = ShortestMatch(active_.Read(hash));
  // The interval of home i in a table of homes * 2^length homes, or of the
  // most that can be counted: a larger interval is as good.
  const int most = 62 - internal::CeilLog2(active_.homes());
  const int length = std::min(match.length, most);
  const auto index =
      static_cast<uint64_t>(match.low >> (internal::kStringBits - length));
  const uint64_t homes =
      length >= 0 ? active_.homes() << length : active_.homes() >> -length;
  return internal::HashesOfHome(index, homes);
}

// All that the entries within `range` are known to be: of those that are
// extended, the extension.
std::vector<Prefix> TamisFilter::EntriesIn(const Prefix& range) const {
  std::vector<Prefix> found;
  for (const auto& entry : voids_.entries()) {
    const Prefix prefix = voids_.PrefixOfEntry(entry);
    if (range.Covers(prefix.low) && prefix.length >= range.length) {
      found.push_back(prefix);
    }
  }
  const uint64_t last = std::min(HomeOf(range.last()), active_.homes() - 1);
  for (uint64_t home = HomeOf(range.low); home <= last; ++home) {
    std::optional<Prefix> full;  // the last full prefix seen
    uint64_t extended = 0;       // and how many of its entries still are
    active_.ForEachOf(home, [&](const Prefix& entry) {
      if (!range.Covers(entry.low) || entry.length < range.length) return;
      if (entry.length == bits() && entry != full) {
        full = entry;
        extended = 0;
        extensions_.ForEachUnder(entry.low, [&](const Prefix& extension) {
          ++extended;
          found.push_back(extension);
        });
      }
      if (entry.length == bits() && extended > 0) {
        --extended;
      } else {
        found.push_back(entry);
      }
    });
  }
  return found;
}

Result<std::vector<KeyHash>> TamisFilter::ReadMembers(
    const HashRange& range) const {
  if (options_.members == Members::kMirror) {
    return mirror_.Range(range.low, range.high);
  }
  std::vector<KeyHash> members;
  if (options_.source) {
    TAMIS_RETURN_IF_ERROR(options_.source.ForEachInRange(
        range.low, range.high, [&](KeyHash hash) { members.push_back(hash); }));
  }
  return members;
}

Result<AdaptOutcome> TamisFilter::Adapt(KeyHash absent) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  const std::optional<HashRange> range = CollisionRange(absent);
  if (!range) return AdaptOutcome::kNothingToFix;
  if (options_.members == Members::kCaller) return AdaptOutcome::kNotFixed;
  const uint64_t erases = num_erases_;
  TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> members,
                         ReadMembers(*range));
  return Adapt(absent, members, erases);
}

Result<AdaptOutcome> TamisFilter::Adapt(KeyHash absent,
                                        std::span<const KeyHash> members,
                                        uint64_t num_erases) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (num_erases != num_erases_) return internal::ErasedSinceTheRead();
  if (std::find(members.begin(), members.end(), absent) != members.end()) {
    return Status(StatusCode::kIsMember, "the key is a member");
  }
  if (!MayContain(absent)) return AdaptOutcome::kNothingToFix;
  const Position at = active_.Read(absent);
  const Prefix range = ShortestMatch(at);
  std::vector<Position> inside;
  for (const KeyHash member : members) {
    const Position position = active_.Read(member);
    if (range.Covers(position)) inside.push_back(position);
  }
  std::sort(inside.begin(), inside.end());
  const std::optional<std::vector<Pair>> pairs =
      internal::PairLongestFirst(EntriesIn(range), inside);
  if (!pairs) {
    return Status(StatusCode::kInvalidArgument,
                  "the list of members names a key that is none");
  }
  TAMIS_RETURN_IF_ERROR(ReserveFor(*pairs, at));
  // A filter with as many more keys to fix as it has room for would forget each
  // before it is asked for again, if every new fix cost an old one.
  const bool has_room = extensions_.size() < extensions_.capacity();
  if (!has_room) turn_ = (turn_ + 1) % kTurns;
  Forgetting forgetting{.may = has_room || turn_ == 0};
  for (const Pair& pair : *pairs) {
    // What there is no room for stays a false positive.
    (void)Improve(pair.entry, pair.member, at, forgetting).ok();
  }
  if (MayContain(absent)) return AdaptOutcome::kNotFixed;
  ++num_fixes_;
  return forgetting.has ? AdaptOutcome::kReset : AdaptOutcome::kFixed;
}

// The bit, counted from 1, in which a member differs from an absent key that
// one of its entries covers; 0 if that needs no extension.
int TamisFilter::ExtensionLength(const Prefix& entry, Position member,
                                 Position absent) const {
  const int differ = SharedBits(member, absent) + 1;
  return entry.Covers(absent) && differ > bits() ? differ : 0;
}

Status TamisFilter::Improve(const Prefix& entry, Position member,
                            Position absent, Forgetting& forgetting) {
  if (entry.length < bits()) TAMIS_RETURN_IF_ERROR(MakeFull(entry, member));
  const int length = ExtensionLength(entry, member, absent);
  if (length == 0) return {};
  if (length > internal::kStringBits) {
    return {StatusCode::kFull, "key and member agree in too many bits"};
  }
  if (entry.length > bits()) {
    // It may have been forgotten to make room for another.
    extensions_.Erase(entry);
  }
  if (extensions_.size() >= extensions_.capacity()) {
    if (extensions_.empty() || !forgetting.may) {
      return {StatusCode::kFull, "there is no budget for extensions"};
    }
    extensions_.DropAfter(HomeOf(absent));
    ++num_forgotten_;
    forgetting.has = true;
  }
  return extensions_.Insert(PrefixOf(member, length));
}

Status TamisFilter::MakeFull(const Prefix& entry, Position member) {
  if (entry.length >= 0) {
    active_.Lengthen(*active_.Find(entry), member);
    return {};
  }
  TAMIS_RETURN_IF_ERROR(active_.Insert(member));
  voids_.Erase(*voids_.Find(entry));
  return {};
}

// All memory is asked for before anything changes.
Status TamisFilter::ReserveFor(std::span<const Pair> pairs, Position absent) {
  uint64_t entries = 0;
  uint64_t extensions = 0;
  uint64_t longs = 0;
  for (const Pair& pair : pairs) {
    entries += static_cast<uint64_t>(pair.entry.length < 0);
    const int length = ExtensionLength(pair.entry, pair.member, absent);
    extensions += static_cast<uint64_t>(length != 0);
    longs += static_cast<uint64_t>(length - bits() > ExtensionTable::kRestBits);
  }
  if (entries > 0) TAMIS_RETURN_IF_ERROR(active_.Reserve(entries));
  if (extensions == 0) return {};
  const uint64_t now = extensions_.capacity();
  const uint64_t wanted = extensions_.size() + extensions;
  if (wanted <= now) return extensions_.Reserve(extensions, longs);
  const uint64_t most = MaxExtensions(active_.homes(), limit_);
  if (now >= most) return extensions_.Reserve(extensions, longs);
  const auto plan = ExtensionTable::Plan::For(
      active_.homes(), bits(),
      std::min(most, std::max(wanted, now + now / 4 + 8)));
  TAMIS_ASSIGN_OR_RETURN(const PlainVector<Prefix> all, extensions_.All());
  TAMIS_ASSIGN_OR_RETURN(ExtensionTable larger,
                         ExtensionTable::Build(plan, all.span()));
  TAMIS_RETURN_IF_ERROR(larger.Reserve(extensions, longs));
  extensions_ = std::move(larger);
  return {};
}

void TamisFilter::Forget(uint64_t extensions) {
  if (!CheckWritable().ok()) return;
  uint64_t home = active_.homes() - 1;
  while (extensions_.size() > extensions) {
    home = extensions_.DropAfter(home);
    ++num_forgotten_;
  }
}

}  // namespace tamis
