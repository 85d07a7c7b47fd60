// The shards of a tamis filter, each as the bytes of a file of its own: here,
// because only this layer knows bytes.

#include <algorithm>
#include <string_view>
#include <vector>

#include "filters/sharded/concurrent_shards.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"

namespace tamis {

namespace {

using Visit = std::function<Status(const HashRange&, std::string_view)>;

Status VisitPage(const TamisFilter& filter, const internal::ShardPlace& place,
                 const Visit& visit) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                         internal::SerializeSnapshot(filter.ToSnapshot()));
  return visit(place.range(),
               {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace

Status ShardedTamis::ForEachShard(const Visit& visit) const {
  for (size_t i = 0; i < directory_.size();) {
    const Shard& shard = *shards_[directory_[i].shard];
    TAMIS_RETURN_IF_ERROR(VisitPage(shard.filter, shard.place, visit));
    i += size_t{1} << (depth_ - shard.place.depth);
  }
  return {};
}

Result<ShardedTamis> ShardedTamis::FromShards(std::span<const ShardPage> pages,
                                              const Options& options,
                                              const LoadOptions& load) {
  if (load.map) {
    return Status(StatusCode::kUnsupported, "pages of shards can't be mapped");
  }
  std::vector<const ShardPage*> sorted;
  for (const ShardPage& page : pages) sorted.push_back(&page);
  std::ranges::sort(sorted, {},
                    [](const ShardPage* p) { return p->range.low; });
  Shards shards;
  for (const ShardPage* page : sorted) {
    TAMIS_ASSIGN_OR_RETURN(const internal::ShardPlace place,
                           internal::ShardPlace::ForRange(page->range));
    TAMIS_ASSIGN_OR_RETURN(
        TamisFilter filter,
        Deserialize<TamisFilter>(std::as_bytes(std::span(page->bytes)), load));
    shards.push_back(std::make_unique<Shard>(Shard{place, std::move(filter)}));
  }
  if (shards.empty()) {
    return Status(StatusCode::kCorrupt, "a filter without shards");
  }
  const Hasher hasher = shards.front()->filter.hasher();
  uint64_t erases = 0;
  for (const auto& shard : shards) erases += shard->filter.num_erases();
  TAMIS_ASSIGN_OR_RETURN(ShardedTamis filter,
                         Assemble(options, hasher, std::move(shards), load));
  filter.num_erases_ = erases;
  return filter;
}

Status ConcurrentTamis::ForEachShard(const Visit& visit) const {
  return shards_->ForEach(
      [&](const TamisFilter& filter, const internal::ShardPlace& place) {
        return VisitPage(filter, place, visit);
      });
}

Status ConcurrentTamis::VisitShard(KeyHash hash, const Visit& visit) const {
  return shards_->WithShard(
      hash, [&](const TamisFilter& filter, const internal::ShardPlace& place) {
        return VisitPage(filter, place, visit);
      });
}

HashRange ConcurrentTamis::ShardRange(KeyHash hash) const {
  return shards_->WithShard(
      hash, [](const TamisFilter& /*filter*/,
               const internal::ShardPlace& place) { return place.range(); });
}

Result<ConcurrentTamis> ConcurrentTamis::FromShards(
    std::span<const ShardPage> pages, const Options& options,
    const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(ShardedTamis filter,
                         ShardedTamis::FromShards(pages, options, load));
  return From(std::move(filter));
}

}  // namespace tamis
