// The directory of a ConcurrentTamis, and how its shards split, join and are
// replaced.

#include <algorithm>
#include <bit>
#include <string>

#include "filters/growing/threshold.h"
#include "filters/sharded/concurrent_shards.h"

namespace tamis::internal {
namespace {

int CeilLog2Of(uint64_t number) {
  return static_cast<int>(std::bit_width(std::max<uint64_t>(number, 1) - 1));
}

}  // namespace

std::unique_ptr<ConcurrentShards::Shard> ConcurrentShards::MakeShard(
    Leaf leaf, uint64_t erase) {
  return std::make_unique<Shard>(
      leaf.first, std::make_unique<TamisFilter>(std::move(leaf.second)), erase);
}

std::unique_ptr<ConcurrentShards::Directory> ConcurrentShards::DirectoryOf(
    std::vector<Leaf> leaves, uint64_t erase) {
  int depth = 0;
  for (const Leaf& leaf : leaves) depth = std::max(depth, leaf.first.depth);
  auto directory = std::make_unique<Directory>(depth);
  for (Leaf& leaf : leaves) {
    Enter(*directory, MakeShard(std::move(leaf), erase).release());
  }
  return directory;
}

ConcurrentShards::~ConcurrentShards() {
  const std::unique_ptr<Directory> directory(directory_.load());
  for (size_t i = 0; i < directory->entries.size();) {
    const std::unique_ptr<Shard> shard(directory->entries[i].load());
    i += size_t{1} << (directory->depth - shard->place.depth);
  }
}

uint64_t ConcurrentShards::Directory::CountShards() const {
  uint64_t count = 0;
  for (size_t i = 0; i < entries.size(); ++count) {
    i += size_t{1} << (depth - entries[i].load()->place.depth);
  }
  return count;
}

void ConcurrentShards::Enter(Directory& directory, Shard* shard) {
  const size_t copies = size_t{1} << (directory.depth - shard->place.depth);
  const size_t first = shard->place.index() * copies;
  for (size_t i = first; i < first + copies; ++i) {
    directory.entries[i].store(shard, std::memory_order_release);
  }
}

// The old one is retired when nobody can find it any more, not before: whoever
// enters a section after that must not be given it.
void ConcurrentShards::Publish(std::unique_ptr<Directory> next) {
  std::unique_ptr<Directory> old(
      directory_.exchange(next.release(), std::memory_order_acq_rel));
  retired_.Retire(std::move(old));
  has_retired_ = true;
}

// Readers find the new ones as soon as the directory has them, and what they
// read of the old shard until then is as good.
void ConcurrentShards::Replace(Shard& shard, std::vector<Leaf> leaves) {
  const uint64_t erase = shard.last_erase.load(std::memory_order_relaxed);
  std::vector<std::unique_ptr<Shard>> parts;
  int depth = 0;
  for (Leaf& leaf : leaves) {
    depth = std::max(depth, leaf.first.depth);
    parts.push_back(MakeShard(std::move(leaf), erase));
  }
  {
    const std::lock_guard lock(directory_mutex_);
    Directory* directory = directory_.load(std::memory_order_relaxed);
    std::unique_ptr<Directory> larger;
    if (depth > directory->depth) {
      larger = std::make_unique<Directory>(depth);
      for (size_t i = 0; i < larger->entries.size(); ++i) {
        larger->entries[i].store(
            directory->entries[i >> (depth - directory->depth)].load(
                std::memory_order_relaxed),
            std::memory_order_relaxed);
      }
      directory = larger.get();
    }
    num_shards_.fetch_add(parts.size() - 1, std::memory_order_relaxed);
    for (auto& part : parts) Enter(*directory, part.release());
    if (larger) Publish(std::move(larger));
  }
  Bury(shard);
}

void ConcurrentShards::Bury(Shard& shard) {
  shard.is_dead = true;
  shard.BeginChange();
  Retire(std::unique_ptr<Shard>(&shard));
}

Status ConcurrentShards::Load(
    KeyHash hash,
    const std::function<Result<std::vector<Leaf>>(Leaf copy)>& load) {
  return Locked(hash, [&](Shard& shard) -> Status {
    TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, shard.filter->Copy());
    TAMIS_ASSIGN_OR_RETURN(std::vector<Leaf> leaves,
                           load({shard.place, std::move(copy)}));
    if (leaves.size() > 1) {
      Replace(shard, std::move(leaves));
    } else {
      Publish(shard,
              std::make_unique<TamisFilter>(std::move(leaves.front().second)));
    }
    return {};
  });
}

Result<std::vector<ConcurrentShards::Leaf>> ConcurrentShards::Copies() const {
  std::vector<Leaf> copies;
  TAMIS_RETURN_IF_ERROR(ForEach(
      [&](const TamisFilter& filter, const ShardPlace& place) -> Status {
        TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, filter.Copy());
        copies.emplace_back(place, std::move(copy));
        return {};
      }));
  return copies;
}

// Locks all shards, in the order of hashes; whoever else locks a second one
// only tries to.
Status ConcurrentShards::ReplaceAll(
    const std::function<Result<std::vector<Leaf>>(std::vector<Leaf> copies)>&
        make) {
  const std::unique_lock walk(walks_);
  const Epochs::Section section;
  std::vector<Shard*> old;
  std::vector<std::unique_lock<std::mutex>> locks;
  std::vector<Leaf> copies;
  KeyHash next = {0, 0};
  do {
    Shard* shard = Find(next);
    std::unique_lock lock(shard->mutex);
    if (shard->is_dead) continue;
    TAMIS_ASSIGN_OR_RETURN(TamisFilter copy, shard->filter->Copy());
    copies.emplace_back(shard->place, std::move(copy));
    old.push_back(shard);
    locks.push_back(std::move(lock));
    next = {shard->place.range().high.high + 1, 0};
  } while (next.high != 0 || old.empty());
  TAMIS_ASSIGN_OR_RETURN(std::vector<Leaf> leaves, make(std::move(copies)));
  std::unique_ptr<Directory> directory =
      DirectoryOf(std::move(leaves), num_erases());
  {
    const std::lock_guard lock(directory_mutex_);
    num_shards_.store(directory->CountShards(), std::memory_order_relaxed);
    Publish(std::move(directory));
  }
  for (Shard* shard : old) Bury(*shard);
  return {};
}

Status ConcurrentShards::Split(Shard& shard) {
  const ShardPlace place = shard.place;
  if (place.depth + 1 >
      std::min(kMaxShardDepth, std::max(16, CeilLog2Of(num_shards()) + 3))) {
    return {StatusCode::kUnsupported, "the directory would be too large"};
  }
  TAMIS_ASSIGN_OR_RETURN(auto halves, shard.filter->Split({}));
  std::vector<Leaf> leaves;
  leaves.emplace_back(place.Half(false), std::move(halves.first));
  leaves.emplace_back(place.Half(true), std::move(halves.second));
  Replace(shard, std::move(leaves));
  return {StatusCode::kStale, "the shard was split"};
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
  // With both shards locked, a walk is at neither of them.
  const std::unique_lock walk(walks_, std::try_to_lock);
  if (!walk) return;
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
  for (Shard* old : {&shard, sibling}) Bury(*old);
}

uint64_t ConcurrentShards::OverheadBits() const {
  const Epochs::Section section;
  return 8 * (sizeof(*this) + sizeof(Shard) * num_shards() +
              8 * directory_.load()->entries.size());
}

// (D1) and (D2) of sharded_tamis.h.
Status ConcurrentShards::CheckDirectory() const {
  const std::shared_lock walk(walks_);
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
