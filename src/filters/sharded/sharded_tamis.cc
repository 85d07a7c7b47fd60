#include "tamis/sharded_tamis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "tamis/internal/hash/look_ahead.h"
#include "tamis/internal/table/matching_shape.h"

namespace tamis {

using internal::kLineBytes;
using internal::RunMatch;
using internal::ShardView;

template <int kWidth>
struct ShardedTamis::FinderOf {
  static bool Function(const ShardedTamis& filter, KeyHash hash) {
    if constexpr (kWidth == 0) {
      return filter.Ask(filter.shape_, hash);
    } else {
      return filter.Ask(internal::LineShape<kWidth>(kWidth), hash);
    }
  }
};

ShardedTamis::Finder ShardedTamis::FinderFor(int width) {
  static constexpr auto kFinders = internal::ByMatchingWidth<FinderOf>();
  return kFinders[static_cast<size_t>(width)];
}

template <typename Shape>
bool ShardedTamis::Ask(const Shape& shape, KeyHash hash) const {
  const ShardView& view = ViewOf(hash);
  const ShardView::Spot at = view.Locate(hash);
  const RunMatch match = internal::MatchInLine(
      shape, view.lines + kLineBytes * at.line, at.index, QueryOf(at.string));
  if (match == RunMatch::kNone && !view.MayBeVoid(hash)) [[likely]]
    return false;
  return Decide(view, hash, match);
}

bool ShardedTamis::Decide(const ShardView& view, KeyHash hash,
                          RunMatch match) const {
  if (match == RunMatch::kUnknown) {
    const ShardView::Spot at = view.Locate(hash);
    const std::byte* line = view.lines + kLineBytes * at.line;
    match = internal::MatchInTwoLines(shape_, line, line + kLineBytes, at.index,
                                      QueryOf(at.string));
  }
  const bool may_be_void = view.MayBeVoid(hash);
  if (match == RunMatch::kNone && !may_be_void) return false;
  if (match == RunMatch::kSome && !view.extended) return true;
  const Shard& shard = *shards_[view.shard];
  const KeyHash local = shard.place.ToLocal(hash);
  switch (match) {
    case RunMatch::kNone:
      return shard.filter.voids().MayContain(local);
    case RunMatch::kSome:
      return shard.filter.DecideMatch(local);
    case RunMatch::kUnknown:
      break;
  }
  return shard.filter.MayContain(local);
}

void ShardedTamis::MayContain(std::span<const KeyHash> hashes,
                              std::span<bool> results) const {
  internal::WithMatchingShape(
      shape_, [&](const auto& shape) { AskAll(shape, hashes, results); });
}

// Three things are fetched for a key, each some keys before it is read: its
// view, its line, and the next line where the run goes on.
template <typename Shape>
void ShardedTamis::AskAll(const Shape& shape, std::span<const KeyHash> hashes,
                          std::span<bool> results) const {
  struct Begun {
    const std::byte* line;
    uint64_t query;
    int index;
    bool is_void;
    bool is_extended;
  };
  // Those whose run goes on, and what that may need, come a round later.
  struct Unfinished {
    std::array<size_t, internal::kLinesInFlight> keys;
    std::array<RunMatch, internal::kLinesInFlight> matches;
    size_t count = 0;
  };
  constexpr size_t kViewsInFlight = 16;
  std::array<Unfinished, 2> unfinished;
  Unfinished* now = &unfinished[0];
  Unfinished* before = &unfinished[1];
  const auto finish = [&](Unfinished& left) {
    for (size_t j = 0; j < left.count; ++j) {
      const KeyHash hash = hashes[left.keys[j]];
      results[left.keys[j]] = Decide(ViewOf(hash), hash, left.matches[j]);
    }
    left.count = 0;
  };
  internal::LookAheadInRounds<internal::kLinesInFlight>(
      hashes.size(),
      [&](size_t i) {
        const size_t later = std::min(i + kViewsInFlight, hashes.size() - 1);
        internal::Prefetch(&ViewOf(hashes[later]));
        const ShardView& view = ViewOf(hashes[i]);
        const ShardView::Spot at = view.Locate(hashes[i]);
        const std::byte* line = view.lines + kLineBytes * at.line;
        __builtin_prefetch(line);
        return Begun{line, QueryOf(at.string), at.index,
                     view.MayBeVoid(hashes[i]), view.extended};
      },
      [&](size_t i, const Begun& begun) {
        const RunMatch match =
            internal::MatchInLine(shape, begun.line, begun.index, begun.query);
        const bool is_some = match == RunMatch::kSome;
        results[i] = is_some;
        // Not by `||`: each branch of its own would be hard to predict.
        const bool is_open = (match == RunMatch::kUnknown) | begun.is_void |
                             (is_some & begun.is_extended);
        now->keys[now->count] = i;
        now->matches[now->count] = match;
        now->count += static_cast<size_t>(is_open);
        const auto goes_on = static_cast<size_t>(match == RunMatch::kUnknown);
        __builtin_prefetch(begun.line + kLineBytes * goes_on);
      },
      [&] {
        finish(*before);
        std::swap(now, before);
      });
  finish(*before);
}

Status ShardedTamis::Insert(KeyHash hash) {
  Shard* shard = &ShardAt(hash);
  while (shard->filter.MustExpand() &&
         shard->filter.SlotsAfterExpand() > options_.shard_slots) {
    TAMIS_RETURN_IF_ERROR(CheckWritable());
    const Status status = SplitShard(ViewOf(hash).shard);
    if (status.code() == StatusCode::kUnsupported) break;  // it doubles
    TAMIS_RETURN_IF_ERROR(status);
    shard = &ShardAt(hash);
  }
  TAMIS_RETURN_IF_ERROR(shard->filter.Insert(shard->place.ToLocal(hash)));
  // Whatever else an insert changes comes with other lines.
  const ShardView& view = ViewOf(hash);
  if (view.lines != shard->filter.active().table().line(0)) [[unlikely]]
    WriteViews(view.shard);
  return {};
}

Status ShardedTamis::Erase(KeyHash hash) {
  Shard& shard = ShardAt(hash);
  TAMIS_RETURN_IF_ERROR(shard.filter.Erase(shard.place.ToLocal(hash)));
  ++num_erases_;
  Refresh(hash);
  JoinIfSparse(hash);
  return {};
}

std::optional<HashRange> ShardedTamis::CollisionRange(KeyHash hash) const {
  const Shard& shard = *shards_[ViewOf(hash).shard];
  const auto local = shard.filter.CollisionRange(shard.place.ToLocal(hash));
  if (!local) return std::nullopt;
  return shard.place.FromLocal(*local);
}

Result<AdaptOutcome> ShardedTamis::Adapt(KeyHash absent) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (options_.filter.members != Members::kSource) {
    Shard& shard = ShardAt(absent);
    Result<AdaptOutcome> outcome =
        shard.filter.Adapt(shard.place.ToLocal(absent));
    Refresh(absent);
    return outcome;
  }
  const std::optional<HashRange> range = CollisionRange(absent);
  if (!range) return AdaptOutcome::kNothingToFix;
  const uint64_t erases = num_erases_;
  std::vector<KeyHash> members;
  TAMIS_RETURN_IF_ERROR(options_.filter.source.ForEachInRange(
      range->low, range->high, [&](KeyHash hash) { members.push_back(hash); }));
  return Adapt(absent, members, erases);
}

Result<AdaptOutcome> ShardedTamis::Adapt(KeyHash absent,
                                         std::span<const KeyHash> members,
                                         uint64_t num_erases) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  if (num_erases != num_erases_) return internal::ErasedSinceTheRead();
  Shard& shard = ShardAt(absent);
  std::vector<KeyHash> inside;
  for (const KeyHash member : members) {
    if (shard.place.Contains(member)) {
      inside.push_back(shard.place.ToLocal(member));
    }
  }
  Result<AdaptOutcome> outcome = shard.filter.Adapt(
      shard.place.ToLocal(absent), inside, shard.filter.num_erases());
  Refresh(absent);
  return outcome;
}

void ShardedTamis::Forget(uint64_t extensions) {
  uint64_t all = 0;
  for (const auto& shard : shards_) all += shard->filter.extensions().size();
  if (all <= extensions) return;
  const double part =
      static_cast<double>(extensions) / static_cast<double>(all);
  for (const auto& shard : shards_) {
    const auto now = static_cast<double>(shard->filter.extensions().size());
    shard->filter.Forget(static_cast<uint64_t>(now * part));
    Refresh({shard->place.prefix, 0});
  }
}

Status ShardedTamis::Rejuvenate(KeyHash hash) {
  return Rejuvenate(std::span(&hash, 1));
}

Status ShardedTamis::Rejuvenate(std::span<const KeyHash> hashes) {
  std::vector<KeyHash> sorted(hashes.begin(), hashes.end());
  std::sort(sorted.begin(), sorted.end());
  for (size_t i = 0; i < sorted.size();) {
    Shard& shard = ShardAt(sorted[i]);
    const KeyHash first = sorted[i];
    std::vector<KeyHash> inside;
    for (; i < sorted.size() && shard.place.Contains(sorted[i]); ++i) {
      inside.push_back(shard.place.ToLocal(sorted[i]));
    }
    const Status status = shard.filter.Rejuvenate(inside);
    Refresh(first);
    TAMIS_RETURN_IF_ERROR(status);
  }
  return {};
}

Status ShardedTamis::RejuvenateAll() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  for (const auto& shard : shards_) {
    if (options_.filter.members == Members::kMirror) {
      const Status status = shard->filter.RejuvenateAll();
      Refresh({shard->place.prefix, 0});
      TAMIS_RETURN_IF_ERROR(status);
    } else if (options_.filter.source) {
      std::vector<KeyHash> members;
      const HashRange range = shard->place.range();
      TAMIS_RETURN_IF_ERROR(options_.filter.source.ForEachInRange(
          range.low, range.high,
          [&](KeyHash hash) { members.push_back(hash); }));
      TAMIS_RETURN_IF_ERROR(Rejuvenate(members));
    }
  }
  return {};
}

uint64_t ShardedTamis::size() const {
  uint64_t size = 0;
  for (const auto& shard : shards_) size += shard->filter.size();
  return size;
}

uint64_t ShardedTamis::capacity() const {
  uint64_t capacity = 0;
  for (const auto& shard : shards_) capacity += shard->filter.capacity();
  return capacity;
}

uint64_t ShardedTamis::SizeBits() const {
  uint64_t bits = 8 * (sizeof(*this) + directory_.size() * sizeof(ShardView));
  for (const auto& shard : shards_) {
    bits += shard->filter.SizeBits() +
            8 * (sizeof(Shard) - sizeof(TamisFilter) + sizeof(shard));
  }
  return bits;
}

// A random key is in a shard as often as that has hashes.
double ShardedTamis::ExpectedFpr() const {
  double rate = 0;
  for (const auto& shard : shards_) {
    rate += std::ldexp(shard->filter.ExpectedFpr(), -shard->place.depth);
  }
  return rate;
}

Capabilities ShardedTamis::capabilities() const {
  Capabilities can = CapabilitiesOf<ShardedTamis>();
  can.knows_members = options_.filter.members != Members::kCaller;
  return can;
}

FilterStats ShardedTamis::stats() const {
  FilterStats stats;
  stats.size = size();
  stats.capacity = capacity();
  stats.size_bits = SizeBits();
  stats.expected_fpr = ExpectedFpr();
  double extensions = 0;
  double voids = 0;
  for (const auto& shard : shards_) {
    stats.side_bits += shard->filter.SideBits();
    extensions += static_cast<double>(shard->filter.extensions().size());
    voids += static_cast<double>(shard->filter.voids().size());
  }
  stats.details = {{"shards", static_cast<double>(shards_.size())},
                   {"directory_depth", depth_},
                   {"extensions", extensions},
                   {"voids", voids},
                   {"erases", static_cast<double>(num_erases_)}};
  return stats;
}

}  // namespace tamis
