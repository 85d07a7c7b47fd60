// Which shard of a filter over a cluster an item belongs to.
//
//   shard = CRC16(item) * n >> 16
//
// CRC16 is the one of the cluster's slots (XMODEM: polynomial 0x1021, from 0,
// not reflected), so every client has it.  docs/guide/redis.md says how to use
// it; an item at the wrong shard is an error, never a wrong answer.

#ifndef TAMIS_REDIS_SHARDS_H_
#define TAMIS_REDIS_SHARDS_H_

#include <cstdint>
#include <string_view>

#include "redis/command.h"
#include "redis/value.h"

namespace tamis::redis {

uint16_t Crc16(std::string_view bytes);

inline uint64_t ShardOf(std::string_view item, uint64_t num_shards) {
  return Crc16(item) * num_shards >> 16;
}

inline constexpr char kWrongShard[] =
    "ERR item belongs to another shard: shard = CRC16(item) * n >> 16";

// kWrongShard if one of the arguments [first, limit) is of another shard.
inline const char* ShardProblem(const Call& call, const Value& value, int first,
                                int limit) {
  const Plan& plan = value.plan();
  if (plan.num_shards == 0) return nullptr;
  for (int i = first; i < limit; ++i) {
    if (ShardOf(call[i], plan.num_shards) != plan.shard) return kWrongShard;
  }
  return nullptr;
}

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_SHARDS_H_
