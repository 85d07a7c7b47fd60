// What a bulk load of shards works on.

#ifndef TAMIS_FILTERS_SHARDED_LOADING_H_
#define TAMIS_FILTERS_SHARDED_LOADING_H_

#include <memory>
#include <vector>

#include "tamis/sharded_tamis.h"

namespace tamis {

// A shard, and the keys that are to come into it, as it reads them.
struct ShardedTamis::Growing {
  internal::ShardPlace place;
  TamisFilter filter;
  std::vector<KeyHash> keys;
};
// What became of it: a shard of the new filter, or two that go on.
struct ShardedTamis::Loaded {
  std::vector<Growing> next;
  std::unique_ptr<Shard> done;
};

}  // namespace tamis

#endif  // TAMIS_FILTERS_SHARDED_LOADING_H_
