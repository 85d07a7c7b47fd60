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

using internal::HomeOf;
using internal::Pair;
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
  if (num_erases != num_erases_) {
    return Status(StatusCode::kStale,
                  "a key was erased since the members were read");
  }
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
  bool forgot = false;
  for (const Pair& pair : *pairs) {
    // What there is no room for stays a false positive.
    (void)Improve(pair.entry, pair.member, at, forgot).ok();
  }
  if (MayContain(absent)) return AdaptOutcome::kNotFixed;
  ++num_fixes_;
  return forgot ? AdaptOutcome::kReset : AdaptOutcome::kFixed;
}

Status TamisFilter::Improve(const Prefix& entry, Position member,
                            Position absent, bool& forgot) {
  if (entry.length < bits()) TAMIS_RETURN_IF_ERROR(MakeFull(entry, member));
  const int differ = SharedBits(member, absent) + 1;
  if (!entry.Covers(absent) || differ <= bits()) return {};
  if (differ > internal::kStringBits) {
    return {StatusCode::kFull, "key and member agree in too many bits"};
  }
  if (entry.length > bits()) {
    // It may have been forgotten to make room for another.
    extensions_.Erase(entry);
  }
  TAMIS_RETURN_IF_ERROR(MakeRoom(HomeOf(absent), forgot));
  return extensions_.Insert(PrefixOf(member, differ));
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

Status TamisFilter::MakeRoom(uint64_t keep, bool& forgot) {
  if (extensions_.size() < extensions_.capacity()) return {};
  const uint64_t most = MaxExtensions(active_.homes(), Limit(stage()));
  const uint64_t now = extensions_.capacity();
  if (now < most) {
    const auto plan = internal::ExtensionTable::Plan::For(
        active_.homes(), bits(), std::min(most, now + now / 4 + 8));
    TAMIS_ASSIGN_OR_RETURN(
        internal::ExtensionTable larger,
        internal::ExtensionTable::Build(plan, extensions_.All()));
    extensions_ = std::move(larger);
    return {};
  }
  if (extensions_.empty()) {
    return {StatusCode::kFull, "there is no budget for extensions"};
  }
  extensions_.DropNext(keep);
  ++num_forgotten_;
  forgot = true;
  return {};
}

void TamisFilter::Forget(uint64_t extensions) {
  while (extensions_.size() > extensions) {
    extensions_.DropNext(active_.homes());
    ++num_forgotten_;
  }
}

}  // namespace tamis
