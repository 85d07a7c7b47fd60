// How a ConcurrentTamis is written: one shard at a time.

#include "filters/sharded/concurrent_shards.h"

#include <algorithm>
#include <bit>
#include <string>

#include "filters/growing/threshold.h"
#include "tamis/internal/table/line_stage.h"

namespace tamis::internal {
namespace {

using Keep = TamisFilter::Keep;

int CeilLog2Of(uint64_t number) {
  return static_cast<int>(std::bit_width(std::max<uint64_t>(number, 1) - 1));
}

// Runs change() on a filter with its lines staged.
template <typename Change>
Status Staged(TamisFilter& filter, LineStage& stage, Change&& change) {
  filter.set_stage(&stage);
  Status status = change();
  filter.set_stage(nullptr);
  if (!status.ok()) stage.Drop();
  return status;
}
thread_local LineStage stage_of_thread;

}  // namespace

thread_local bool ConcurrentShards::has_retired_ = false;

ConcurrentShards::Shard::Shard(const ShardPlace& at,
                               std::unique_ptr<TamisFilter> first,
                               uint64_t erase)
    : place(at), filter(std::move(first)), last_erase(erase) {
  StoreView();
}

void ConcurrentShards::Shard::StoreView() {
  constexpr auto kRelease = std::memory_order_release;
  const ShardView view = ShardedTamis::ViewFor(*filter, place.depth);
  lines.store(view.lines, kRelease);
  home_reciprocal.store(view.home_reciprocal, kRelease);
  void_cells.store(view.void_cells, kRelease);
  form.store(uint64_t{view.homes_per_line} | uint64_t{view.home_bits} << 8 |
                 uint64_t{view.depth} << 16 | uint64_t{view.extended} << 24,
             kRelease);
  num_lines.store(filter->active().table().num_lines(), kRelease);
  published.store(filter.get(), kRelease);
}

ConcurrentShards::ConcurrentShards(const ShardedTamis::Options& options,
                                   const Hasher& hasher, uint64_t num_erases,
                                   std::vector<Leaf> leaves)
    : options_(options),
      hasher_(hasher),
      shape_(options.filter.fingerprint_bits + 1),
      num_shards_(leaves.size()),
      num_erases_(num_erases) {
  int depth = 0;
  for (const Leaf& leaf : leaves) depth = std::max(depth, leaf.first.depth);
  auto directory = std::make_unique<Directory>(depth);
  for (Leaf& leaf : leaves) {
    Enter(*directory,
          new Shard(leaf.first,
                    std::make_unique<TamisFilter>(std::move(leaf.second)),
                    num_erases));
  }
  directory_.store(directory.release(), std::memory_order_release);
}

ConcurrentShards::~ConcurrentShards() {
  const std::unique_ptr<Directory> directory(directory_.load());
  for (size_t i = 0; i < directory->entries.size();) {
    const std::unique_ptr<Shard> shard(directory->entries[i].load());
    i += size_t{1} << (directory->depth - shard->place.depth);
  }
}

void ConcurrentShards::Enter(Directory& directory, Shard* shard) {
  const size_t copies = size_t{1} << (directory.depth - shard->place.depth);
  const size_t first = shard->place.index() * copies;
  for (size_t i = first; i < first + copies; ++i) {
    directory.entries[i].store(shard, std::memory_order_release);
  }
}

void ConcurrentShards::Retire(std::unique_ptr<Shard> shard) {
  retired_.Retire(std::move(shard));
  has_retired_ = true;
}

void ConcurrentShards::Publish(Shard& shard,
                               std::unique_ptr<TamisFilter> next) {
  std::unique_ptr<TamisFilter> old =
      std::exchange(shard.filter, std::move(next));
  shard.BeginChange();
  shard.StoreView();
  shard.EndChange();
  retired_.Retire(std::move(old));
  has_retired_ = true;
}

Status ConcurrentShards::Insert(KeyHash hash) {
  for (;;) {
    Status status =
        Locked(hash, [&](Shard& shard) { return InsertLocked(shard, hash); });
    if (status.code() != StatusCode::kStale) return status;
  }
}

Result<bool> ConcurrentShards::TestAndInsert(KeyHash hash) {
  bool answer = false;
  for (;;) {
    const Status status = Locked(hash, [&](Shard& shard) {
      answer = shard.filter->MayContain(shard.place.ToLocal(hash));
      return InsertLocked(shard, hash);
    });
    if (status.ok()) return answer;
    if (status.code() != StatusCode::kStale) return status;
  }
}

Status ConcurrentShards::InsertLocked(Shard& shard, KeyHash hash) {
  if (shard.filter->MustExpand()) TAMIS_RETURN_IF_ERROR(Grow(shard));
  const KeyHash local = shard.place.ToLocal(hash);
  LineStage& stage = stage_of_thread;
  TamisFilter& filter = *shard.filter;
  const Status status =
      Staged(filter, stage, [&] { return filter.Insert(local); });
  if (status.ok()) {
    shard.BeginChange();
    filter.Commit(stage);
    shard.EndChange();
    return {};
  }
  if (status.code() != StatusCode::kOutOfMemory) return status;
  // The lines do not suffice: a copy gets more.
  TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, filter.Copy(Keep::kMirrorHere));
  copy.SwapMirror(filter);
  if (Status failed = copy.Insert(local); !failed.ok()) {
    copy.SwapMirror(filter);
    return failed;
  }
  Publish(shard, std::make_unique<TamisFilter>(std::move(copy)));
  return {};
}

Status ConcurrentShards::Grow(Shard& shard) {
  if (shard.filter->SlotsAfterExpand() > options_.shard_slots) {
    Status status = Split(shard);
    if (status.code() != StatusCode::kUnsupported) return status;
  }
  TAMIS_ASSIGN_OR_RETURN(TamisFilter larger,
                         shard.filter->Expanded(Keep::kMirrorHere));
  larger.SwapMirror(*shard.filter);
  if (options_.filter.rejuvenate_all &&
      options_.filter.members == TamisFilter::Members::kMirror) {
    // It is a filter without it, too.
    (void)larger.RejuvenateAll().ok();
  }
  Publish(shard, std::make_unique<TamisFilter>(std::move(larger)));
  return shard.filter->MustExpand() ? Grow(shard) : Status();
}

// Readers find the halves as soon as the directory has them, and what they read
// of the old shard until then is as good.
Status ConcurrentShards::Split(Shard& shard) {
  const ShardPlace place = shard.place;
  if (place.depth + 1 >
      std::min(kMaxShardDepth, std::max(16, CeilLog2Of(num_shards()) + 3))) {
    return {StatusCode::kUnsupported, "the directory would be too large"};
  }
  TAMIS_ASSIGN_OR_RETURN(auto halves, shard.filter->Split({}));
  const uint64_t erase = shard.last_erase.load(std::memory_order_relaxed);
  auto low = std::make_unique<Shard>(
      place.Half(false), std::make_unique<TamisFilter>(std::move(halves.first)),
      erase);
  auto high = std::make_unique<Shard>(
      place.Half(true), std::make_unique<TamisFilter>(std::move(halves.second)),
      erase);
  {
    const std::lock_guard lock(directory_mutex_);
    Directory* directory = directory_.load(std::memory_order_relaxed);
    if (place.depth == directory->depth) {
      auto larger = std::make_unique<Directory>(directory->depth + 1);
      for (size_t i = 0; i < larger->entries.size(); ++i) {
        larger->entries[i].store(
            directory->entries[i / 2].load(std::memory_order_relaxed),
            std::memory_order_relaxed);
      }
      retired_.Retire(std::unique_ptr<Directory>(directory));
      directory = larger.release();
      Enter(*directory, low.release());
      Enter(*directory, high.release());
      directory_.store(directory, std::memory_order_release);
    } else {
      Enter(*directory, low.release());
      Enter(*directory, high.release());
    }
    num_shards_.fetch_add(1, std::memory_order_relaxed);
  }
  shard.is_dead = true;
  shard.BeginChange();
  Retire(std::unique_ptr<Shard>(&shard));
  return {StatusCode::kStale, "the shard was split"};
}

Status ConcurrentShards::Expand() {
  KeyHash next = {0, 0};
  do {
    const Status status = Locked(next, [&](Shard& shard) {
      next = {shard.place.range().high.high + 1, 0};
      return Grow(shard);
    });
    if (status.code() != StatusCode::kStale) TAMIS_RETURN_IF_ERROR(status);
  } while (next.high != 0);
  return {};
}

Status ConcurrentShards::Contract() {
  Status result(StatusCode::kUnsupported, "the filter can't be smaller");
  bool has_changed = false;
  KeyHash next = {0, 0};
  do {
    Locked(next, [&](Shard& shard) {
      next = {shard.place.range().high.high + 1, 0};
      Result<TamisFilter> smaller = shard.filter->Contracted(Keep::kMirrorHere);
      if (smaller.ok()) {
        smaller->SwapMirror(*shard.filter);
        Publish(shard,
                std::make_unique<TamisFilter>(std::move(smaller).value()));
        has_changed = true;
      } else if (smaller.status().code() != StatusCode::kUnsupported) {
        result = smaller.status();
      }
      return 0;
    });
  } while (next.high != 0);
  return has_changed ? Status() : result;
}

Status ConcurrentShards::Erase(KeyHash hash) {
  return Locked(hash, [&](Shard& shard) { return EraseLocked(shard, hash); });
}

Status ConcurrentShards::EraseLocked(Shard& shard, KeyHash hash) {
  const KeyHash local = shard.place.ToLocal(hash);
  TamisFilter& filter = *shard.filter;
  if (filter.ErasesOnlyLines(local)) {
    LineStage& stage = stage_of_thread;
    TAMIS_RETURN_IF_ERROR(
        Staged(filter, stage, [&] { return filter.EraseEntry(local); }));
    shard.BeginChange();
    filter.Commit(stage);
    shard.EndChange();
  } else {
    if (!filter.MayContain(local)) {
      return {StatusCode::kNotFound, "no such fingerprint in the filter"};
    }
    TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, filter.Copy(Keep::kMirrorHere));
    copy.SwapMirror(filter);
    if (Status failed = copy.EraseEntry(local); !failed.ok()) {
      copy.SwapMirror(filter);
      return failed;
    }
    Publish(shard, std::make_unique<TamisFilter>(std::move(copy)));
  }
  shard.last_erase.store(num_erases_.fetch_add(1) + 1,
                         std::memory_order_release);
  ShrinkIfSparse(shard);
  return {};
}

// Where memory is lacking, what there is stays.
void ConcurrentShards::ShrinkIfSparse(Shard& shard) {
  if (shard.filter->IsSparse()) {
    Result<TamisFilter> smaller = shard.filter->Contracted(Keep::kMirrorHere);
    if (smaller.ok()) {
      smaller->SwapMirror(*shard.filter);
      Publish(shard, std::make_unique<TamisFilter>(std::move(smaller).value()));
    }
  }
  JoinIfSparse(shard);
}

void ConcurrentShards::JoinIfSparse(Shard& shard) {
  const uint64_t most =
      3 * ThresholdLimit(options_.filter.threshold, options_.shard_slots) / 8;
  if (shard.place.depth == 0 || shard.filter->size() > most / 2) return;
  const ShardPlace sibling_place = shard.place.Sibling();
  Shard* sibling = Find({sibling_place.prefix, 0});
  // Never wait for a second shard: another thread may hold it and wait for
  // this one.
  const std::unique_lock lock(sibling->mutex, std::try_to_lock);
  if (!lock || sibling->is_dead || sibling->place != sibling_place ||
      shard.filter->size() + sibling->filter->size() > most) {
    return;
  }
  const bool is_upper = (shard.place.index() & 1) != 0;
  Result<TamisFilter> joined =
      TamisFilter::Join(*(is_upper ? sibling : &shard)->filter,
                        *(is_upper ? &shard : sibling)->filter);
  if (!joined.ok()) return;
  auto parent = std::make_unique<Shard>(
      shard.place.Parent(),
      std::make_unique<TamisFilter>(std::move(joined).value()),
      std::max(shard.last_erase.load(), sibling->last_erase.load()));
  {
    const std::lock_guard directory_lock(directory_mutex_);
    Directory* directory = directory_.load(std::memory_order_relaxed);
    if (directory->depth > std::max(20, CeilLog2Of(num_shards() - 1) + 4)) {
      return;
    }
    Enter(*directory, parent.release());
    num_shards_.fetch_sub(1, std::memory_order_relaxed);
  }
  for (Shard* old : {&shard, sibling}) {
    old->is_dead = true;
    old->BeginChange();
    Retire(std::unique_ptr<Shard>(old));
  }
}

uint64_t ConcurrentShards::LastErase(KeyHash hash) const {
  const Epochs::Section section;
  return Find(hash)->last_erase.load(std::memory_order_acquire);
}

uint64_t ConcurrentShards::OverheadBits() const {
  const Epochs::Section section;
  return 8 * (sizeof(*this) + sizeof(Shard) * num_shards() +
              8 * directory_.load()->entries.size());
}

// (D1) and (D2) of sharded_tamis.h.
Status ConcurrentShards::CheckDirectory() const {
  KeyHash next = {0, 0};
  do {
    TAMIS_RETURN_IF_ERROR(Locked(next, [&](Shard& shard) -> Status {
      const ShardView fresh =
          ShardedTamis::ViewFor(*shard.filter, shard.place.depth);
      if (shard.place.prefix != next.high || fresh != shard.LoadView() ||
          shard.published.load() != shard.filter.get()) {
        return {StatusCode::kCorrupt,
                "(D2): the shard at " + std::to_string(next.high) +
                    " is not where it should be, or its view is old"};
      }
      next = {shard.place.range().high.high + 1, 0};
      return {};
    }));
  } while (next.high != 0);
  return {};
}

}  // namespace tamis::internal
