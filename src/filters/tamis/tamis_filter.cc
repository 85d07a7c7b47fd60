#include "tamis/tamis_filter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace tamis {

using internal::ActiveTable;
using internal::HomeOf;
using internal::kStringBits;
using internal::Position;
using internal::Prefix;
using internal::PrefixOf;

TamisFilter::Matches TamisFilter::MatchesOf(Position at) const {
  Matches found;
  active_.ForEachOf(HomeOf(at), [&](const Prefix& entry) {
    if (!entry.Covers(at)) return;
    ++(entry.length < bits() ? found.shorter : found.equal);
  });
  if (found.equal == 0) return found;
  extensions_.ForEachUnder(at, [&](const Prefix& extension) {
    ++found.under;
    found.extended += static_cast<uint64_t>(extension.Covers(at));
  });
  return found;
}

// None is under its prefix, or one covers it.
bool TamisFilter::FindMaybe(KeyHash hash) const {
  const internal::ExtensionTable::Under under = extensions_.FindUnder(hash);
  return under.count == 0 || under.covers;
}

bool TamisFilter::CountMaybe(KeyHash hash) const {
  return MatchesOf(active_.Read(hash)).count() > 0 || voids_.MayContain(hash);
}

uint64_t TamisFilter::Count(KeyHash hash) const {
  const Position at = active_.Read(hash);
  return MatchesOf(at).count() + voids_.Count(HomeOf(at));
}

void TamisFilter::MayContain(std::span<const KeyHash> hashes,
                             std::span<bool> results) const {
  active_.MayContain(hashes, results);
  if (!extensions_.empty()) AskExtensions(hashes, results);
  if (voids_.empty()) return;
  for (size_t i = 0; i < hashes.size(); ++i) {
    results[i] = results[i] || voids_.MayContain(hashes[i]);
  }
}

// Those that match and pass the screen are collected, however many keys that
// takes, and then asked all at once.
void TamisFilter::AskExtensions(std::span<const KeyHash> hashes,
                                std::span<bool> results) const {
  constexpr size_t kAtOnce = 64;
  std::array<size_t, 2 * kAtOnce> passed;
  size_t count = 0;
  for (size_t first = 0; first < hashes.size(); first += kAtOnce) {
    const size_t limit = std::min(first + kAtOnce, hashes.size());
    // Of absent keys all are passed over at once.
    if (std::memchr(&results[first], 1, limit - first) == nullptr) continue;
    for (size_t i = first; i < limit; ++i) {
      // Written always, counted if needed: no branch to mispredict.
      passed[count] = i;
      count += static_cast<size_t>(extensions_.PassesScreen(hashes[i])) &
               static_cast<size_t>(results[i]);
    }
    if (count < kAtOnce) continue;
    AskPassed(hashes, results, std::span(passed).first(count));
    count = 0;
  }
  AskPassed(hashes, results, std::span(passed).first(count));
}

// Their extensions are fetched for all before any is read.
void TamisFilter::AskPassed(std::span<const KeyHash> hashes,
                            std::span<bool> results,
                            std::span<const size_t> passed) const {
  for (const size_t i : passed) {
    extensions_.Prefetch(internal::Place(hashes[i], active_.homes()).home);
  }
  for (const size_t i : passed) {
    results[i] = FindMaybe(hashes[i]) || CountMaybe(hashes[i]);
  }
}

Status TamisFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (mirrors()) TAMIS_RETURN_IF_ERROR(mirror_.Reserve(1));
  const uint64_t entries = active_.size() + 1;
  if (options_.grow && entries > limit_) [[unlikely]] {
    TAMIS_ASSIGN_OR_RETURN(Parts parts, Grown(StageFor(entries), {}));
    TAMIS_RETURN_IF_ERROR(parts.active->Insert(parts.active->Read(hash)));
    TAMIS_RETURN_IF_ERROR(Commit(std::move(parts)));
  } else {
    TAMIS_RETURN_IF_ERROR(active_.Insert(active_.Read(hash)));
  }
  if (mirrors()) mirror_.Add(hash);
  return {};
}

Status TamisFilter::Erase(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(EraseEntry(hash));
  // Where memory is lacking, the larger table stays.
  if (IsSparse()) (void)Contract().ok();
  return {};
}

bool TamisFilter::ErasesOnlyLines(KeyHash hash) const {
  return !extensions_.MayHave(hash) &&
         active_.FindLongest(active_.Read(hash), bits()).has_value();
}

Status TamisFilter::EraseEntry(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  Status none(StatusCode::kNotFound, "no such fingerprint in the filter");
  if (mirrors() && !mirror_.Contains(hash)) return none;
  const Position at = active_.Read(hash);
  // The longest match: an extension, then any entry that is not extended.
  Prefix longest = {0, bits()};
  uint64_t under = 0;
  extensions_.ForEachUnder(at, [&](const Prefix& extension) {
    ++under;
    if (extension.Covers(at) && extension.length > longest.length) {
      longest = extension;
    }
  });
  uint64_t equal = 0;
  active_.ForEachOf(HomeOf(at), [&](const Prefix& entry) {
    equal += static_cast<uint64_t>(entry.length == bits() && entry.Covers(at));
  });
  const bool extended = longest.length > bits();
  const int max_length = extended || equal > under ? bits() : bits() - 1;
  if (const auto match = active_.FindLongest(at, max_length)) {
    if (extended) extensions_.Erase(longest);
    active_.Erase(*match);
  } else if (const auto place = voids_.FindLongest(HomeOf(at))) {
    voids_.Erase(*place);
  } else {
    return none;
  }
  ++num_erases_;
  if (mirrors()) mirror_.Remove(hash);
  return {};
}

// Of n members whose full prefixes are equal, each has a prefix of it in the
// filter.  After it the n longest are full, and whoever owned one of them takes
// a shorter one instead: no member is without.
Status TamisFilter::RejuvenateSorted(std::span<const KeyHash> sorted) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  // Voids that are made whole need slots.
  if (options_.grow && !voids_.empty()) {
    TAMIS_RETURN_IF_ERROR(ExpandTo(
        active_.size() + std::min<uint64_t>(voids_.size(), sorted.size())));
  }
  for (size_t i = 0; i < sorted.size();) {
    const Prefix full = PrefixOf(active_.Read(sorted[i]), bits());
    uint64_t whole = 0;
    active_.ForEachOf(HomeOf(full.low), [&](const Prefix& entry) {
      whole += static_cast<uint64_t>(entry == full);
    });
    for (; i < sorted.size(); ++i) {
      const Position at = active_.Read(sorted[i]);
      if (!full.Covers(at)) break;
      if (whole > 0) {
        --whole;
        continue;
      }
      const auto match = active_.FindLongest(at, bits() - 1);
      const auto place = match ? std::nullopt : voids_.FindLongest(HomeOf(at));
      if (!match && !place) {
        return {StatusCode::kNotFound, "no such fingerprint in the filter"};
      }
      TAMIS_RETURN_IF_ERROR(
          MakeFull(match ? PrefixOf(at, match->length)
                         : voids_.PrefixOfEntry(voids_.entries()[*place]),
                   at));
    }
  }
  return {};
}

Status TamisFilter::Rejuvenate(KeyHash hash) {
  return RejuvenateSorted(std::span(&hash, 1));
}

Status TamisFilter::Rejuvenate(std::span<const KeyHash> hashes) {
  std::vector<KeyHash> sorted(hashes.begin(), hashes.end());
  std::sort(sorted.begin(), sorted.end());
  return RejuvenateSorted(sorted);
}

Status TamisFilter::RejuvenateAll() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (options_.grow) TAMIS_RETURN_IF_ERROR(ExpandTo(size()));
  // A stretch of homes at a time: members of equal fingerprints share a home.
  constexpr uint64_t kStretch = 4096;
  for (uint64_t home = 0; home < active_.homes(); home += kStretch) {
    const uint64_t last = std::min(home + kStretch, active_.homes()) - 1;
    const HashRange range = {
        internal::HashesOfHome(home, active_.homes()).low,
        internal::HashesOfHome(last, active_.homes()).high};
    TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> members,
                           ReadMembers(range));
    TAMIS_RETURN_IF_ERROR(RejuvenateSorted(members));
  }
  return {};
}

uint64_t TamisFilter::capacity() const { return limit_ + voids_.size(); }

uint64_t TamisFilter::SizeBits() const {
  return active_.SizeBits() + extensions_.SizeBits() + voids_.SizeBits() +
         8 * sizeof(*this);
}

double TamisFilter::ExpectedFpr() const {
  const auto homes = static_cast<double>(active_.homes());
  double log_none = 0;
  const auto add = [&](double count, int length) {
    if (count != 0)
      log_none += count * std::log1p(-std::ldexp(1 / homes, -length));
  };
  const std::vector<uint64_t> entries = active_.CountsByLength();
  for (int l = 0; l <= bits(); ++l) {
    add(static_cast<double>(entries[static_cast<size_t>(l)]), l);
  }
  // An extended entry matches as its extension does.
  add(-static_cast<double>(extensions_.size()), bits());
  const internal::ExtensionTable::Counts extended =
      extensions_.CountsByLength();
  for (int l = bits() + 1; l <= kStringBits; ++l) {
    add(static_cast<double>(extended[static_cast<size_t>(l)]), l);
  }
  for (const auto& entry : voids_.entries()) {
    add(1, static_cast<int>(entry.resolution) - generation_);
  }
  return 0 - std::expm1(log_none);  // without entries 0, and not -0
}

Capabilities TamisFilter::capabilities() const {
  Capabilities can = CapabilitiesOf<TamisFilter>();
  can.expand = options_.grow;
  can.knows_members = options_.members != Members::kCaller;
  return can;
}

FilterStats TamisFilter::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.side_bits = SideBits();
  stats.expected_fpr = ExpectedFpr();
  stats.details = {
      {"load", active_.table().load()},
      {"expansions", generation_},
      {"step", step_},
      {"homes_per_line", active_.homes_per_line()},
      {"extensions", static_cast<double>(extensions_.size())},
      {"extension_bits", static_cast<double>(extensions_.SizeBits())},
      {"voids", static_cast<double>(voids_.size())},
      {"fixes", static_cast<double>(num_fixes_)},
      {"forgotten", static_cast<double>(num_forgotten_)},
      {"erases", static_cast<double>(num_erases_)}};
  return stats;
}

}  // namespace tamis
