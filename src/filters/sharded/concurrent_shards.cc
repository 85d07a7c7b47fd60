// How a ConcurrentTamis is written: one shard at a time.

#include "filters/sharded/concurrent_shards.h"

#include "tamis/internal/table/line_stage.h"

namespace tamis::internal {
namespace {

using Keep = TamisFilter::Keep;

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
      finder_(FinderFor(shape_.width())),
      num_shards_(leaves.size()),
      num_erases_(num_erases) {
  directory_.store(DirectoryOf(std::move(leaves), num_erases).release(),
                   std::memory_order_release);
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
  Status status = Staged(filter, stage, [&] { return filter.Insert(local); });
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

uint64_t ConcurrentShards::LastErase(KeyHash hash) const {
  const Epochs::Section section;
  return Find(hash)->last_erase.load(std::memory_order_acquire);
}

}  // namespace tamis::internal
