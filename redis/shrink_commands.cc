// DEL, and COMPACT (CF) or RESIZE (AF): what takes items or room away.

#include "redis/commands.h"
#include "redis/shards.h"

namespace tamis::redis {
namespace {

template <Family family>
int Del(Call& call) {
  if (call.size() != 3) return call.WrongArity();
  constexpr const char* kMissing =
      family == Family::kCuckoo ? "ERR Not found" : kNotFound;
  return WithFilter(call, family, kRead | kWrite, kMissing, [&](Value& value) {
    if (const char* problem = ShardProblem(call, value, 2, 3)) {
      return call.Error(problem);
    }
    if (!value.Delete(value.Hash(call[2])).ok()) return call.Bool(false);
    api.ReplicateVerbatim(call.context());
    return call.Bool(true);
  });
}

template <Family family>
int Shrink(Call& call) {
  if (call.size() != 2) return call.WrongArity();
  constexpr const char* kMissing =
      family == Family::kCuckoo ? "ERR Cuckoo filter was not found" : kNotFound;
  return WithFilter(call, family, kRead | kWrite, kMissing, [&](Value& value) {
    if (!value.Shrink().ok()) return call.Error(kNoMemory);
    api.ReplicateVerbatim(call.context());
    return call.Ok();
  });
}

}  // namespace

CommandFunction const kCfDel = Run<Del<Family::kCuckoo>>;
CommandFunction const kAfDel = Run<Del<Family::kAdaptive>>;
CommandFunction const kCfCompact = Run<Shrink<Family::kCuckoo>>;
CommandFunction const kAfResize = Run<Shrink<Family::kAdaptive>>;

}  // namespace tamis::redis
