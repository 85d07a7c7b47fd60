// The directory of a ShardedTamis, and how its shards split and join.

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "filters/growing/threshold.h"
#include "tamis/sharded_tamis.h"

namespace tamis {

using internal::ShardPlace;
using internal::ShardView;

namespace {

// The cells of the first 6 bits of `prefix`, which has `bits` bits: several if
// those are fewer, all if there are none.
uint64_t CellsOf(uint64_t prefix, int bits) {
  constexpr int kCellBits = 6;
  const int known = std::clamp(bits, 0, kCellBits);
  const uint64_t first = prefix >> (bits > kCellBits ? bits - kCellBits : 0) &
                         internal::LowBits(static_cast<unsigned>(known));
  const int unknown = kCellBits - known;
  return internal::LowBits(1U << unknown) << (first << unknown);
}
// Those of a void (shard_view.h).
uint64_t CellsOf(const internal::VoidArray::Entry& entry) {
  const auto bits = static_cast<int>(entry.resolution);
  const uint64_t after_first =
      entry.prefix &
      internal::LowBits(static_cast<unsigned>(std::max(bits - 6, 0)));
  return CellsOf(entry.prefix, bits) | CellsOf(after_first, bits - 6);
}

int CeilLog2Of(uint64_t number) {
  return static_cast<int>(std::bit_width(std::max<uint64_t>(number, 1) - 1));
}

}  // namespace

ShardView ShardedTamis::ViewFor(const TamisFilter& filter, int depth) {
  const internal::QuotientTable& table = filter.active().table();
  ShardView view;
  view.lines = table.line(0);
  view.home_reciprocal = internal::Reciprocal(table.homes_per_line());
  for (const auto& entry : filter.voids().entries()) {
    view.void_cells |= CellsOf(entry);
  }
  view.homes_per_line = static_cast<uint8_t>(table.homes_per_line());
  view.home_bits = static_cast<uint8_t>(std::countr_zero(table.homes()));
  view.depth = static_cast<uint8_t>(depth);
  view.extended = !filter.extensions().empty();
  return view;
}

uint64_t ShardedTamis::ShardLimit() const {
  return internal::ThresholdLimit(options_.filter.threshold,
                                  options_.shard_slots);
}

// The shards never read a source; who else knows the members is their affair.
TamisFilter::Options ShardedTamis::ShardOptions() const {
  TamisFilter::Options options = options_.filter;
  if (options.members == Members::kSource) options.members = Members::kCaller;
  options.source = {};
  return options;
}

void ShardedTamis::Take(Shards shards) {
  shards_ = std::move(shards);
  depth_ = 0;
  for (const auto& shard : shards_) {
    depth_ = std::max(depth_, shard->place.depth);
  }
  directory_.assign(size_t{1} << depth_, {});
  for (uint32_t i = 0; i < shards_.size(); ++i) WriteViews(i);
}

void ShardedTamis::WriteViews(uint32_t number) {
  const Shard& shard = *shards_[number];
  ShardView view = ViewFor(shard.filter, shard.place.depth);
  view.shard = number;
  const size_t copies = size_t{1} << (depth_ - shard.place.depth);
  std::fill_n(
      directory_.begin() + static_cast<ptrdiff_t>(shard.place.index() * copies),
      copies, view);
}

void ShardedTamis::Refresh(KeyHash hash) {
  const ShardView& view = ViewOf(hash);
  const TamisFilter& filter = shards_[view.shard]->filter;
  // What only a new table or another list of voids can change is compared by
  // those.
  const bool is_same =
      view.lines == filter.active().table().line(0) &&
      view.extended == !filter.extensions().empty() &&
      view.homes_per_line == filter.active().homes_per_line() &&
      uint64_t{1} << view.home_bits == filter.active().homes() &&
      (view.void_cells == 0) == filter.voids().empty();
  if (!is_same) WriteViews(view.shard);
}

// A directory must not explode where hashes are not random.
bool ShardedTamis::MaySplitTo(int depth) const {
  return depth <= internal::kMaxShardDepth &&
         depth <= std::max(16, CeilLog2Of(shards_.size()) + 3);
}

Status ShardedTamis::SplitShard(uint32_t number) {
  Shard& shard = *shards_[number];
  if (!MaySplitTo(shard.place.depth + 1)) {
    return {StatusCode::kUnsupported, "the directory would be too large"};
  }
  TAMIS_ASSIGN_OR_RETURN(auto halves, shard.filter.Split({}));
  const ShardPlace place = shard.place;
  auto upper = std::make_unique<Shard>(
      Shard{place.Half(true), std::move(halves.second)});
  shards_.reserve(shards_.size() + 1);
  if (place.depth == depth_) {
    std::vector<ShardView> larger(2 * directory_.size());
    for (size_t i = 0; i < larger.size(); ++i) larger[i] = directory_[i / 2];
    directory_ = std::move(larger);
    ++depth_;
  }
  shard.place = place.Half(false);
  shard.filter = std::move(halves.first);
  shards_.push_back(std::move(upper));
  WriteViews(number);
  WriteViews(static_cast<uint32_t>(shards_.size() - 1));
  return {};
}

Status ShardedTamis::Adopt(const ShardPlace& place,
                           const internal::QuotientTable& table) {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  const KeyHash first = {place.prefix, 0};
  Shard& shard = ShardAt(first);
  if (shard.place != place || shard.filter.size() != 0) {
    return {StatusCode::kInvalidArgument, "no empty shard has these hashes"};
  }
  TAMIS_ASSIGN_OR_RETURN(shard.filter,
                         TamisFilter::ShardOf(ShardOptions(), hasher_, table));
  WriteViews(ViewOf(first).shard);
  return {};
}

void ShardedTamis::JoinIfSparse(KeyHash hash) {
  const uint32_t number = ViewOf(hash).shard;
  const Shard& shard = *shards_[number];
  const uint64_t most = 3 * ShardLimit() / 8;
  if (shard.place.depth == 0 || shard.filter.size() > most / 2) return;
  const uint32_t other = ViewOf({shard.place.Sibling().prefix, 0}).shard;
  const Shard& sibling = *shards_[other];
  if (sibling.place.depth != shard.place.depth ||
      shard.filter.size() + sibling.filter.size() > most ||
      depth_ > std::max(20, CeilLog2Of(shards_.size() - 1) + 4)) {
    return;
  }
  const bool is_upper = (shard.place.index() & 1) != 0;
  // Without memory they stay two.
  (void)JoinShards(is_upper ? other : number, is_upper ? number : other).ok();
}

Status ShardedTamis::JoinShards(uint32_t low, uint32_t high) {
  Shard& shard = *shards_[low];
  TAMIS_ASSIGN_OR_RETURN(
      TamisFilter joined,
      TamisFilter::Join(shard.filter, shards_[high]->filter));
  shard.filter = std::move(joined);
  shard.place = shard.place.Parent();
  WriteViews(low);
  // The last shard takes the number that is free now.
  std::swap(shards_[high], shards_.back());
  shards_.pop_back();
  if (high < shards_.size()) WriteViews(high);
  if (directory_.size() > 4 * shards_.size()) Take(std::move(shards_));
  return {};
}

Status ShardedTamis::Expand() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  // New shards are put behind, and have grown.
  const auto count = static_cast<uint32_t>(shards_.size());
  for (uint32_t i = 0; i < count; ++i) {
    Status status(StatusCode::kUnsupported, "");
    if (shards_[i]->filter.SlotsAfterExpand() > options_.shard_slots) {
      status = SplitShard(i);
    }
    if (status.code() == StatusCode::kUnsupported) {
      status = shards_[i]->filter.Expand();
    }
    TAMIS_RETURN_IF_ERROR(status);
    WriteViews(i);
  }
  return {};
}

Status ShardedTamis::Contract() {
  TAMIS_RETURN_IF_ERROR(CheckWritable());
  Status result(StatusCode::kUnsupported, "the filter can't be smaller");
  bool has_changed = false;
  for (uint32_t i = 0; i < shards_.size(); ++i) {
    const Status status = shards_[i]->filter.Contract();
    has_changed |= status.ok();
    if (status.code() == StatusCode::kFull) result = status;
    WriteViews(i);
  }
  return has_changed ? Status() : result;
}

}  // namespace tamis
