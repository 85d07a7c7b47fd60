#include "tools/bench/bench_keys.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace tamis::tools {

void HashRange(const Hasher& hasher, uint64_t first,
               std::span<KeyHash> hashes) {
  for (KeyHash& hash : hashes) hash = hasher.Hash(first++);
}

Result<BenchKeys> BenchKeys::Make(const Hasher& hasher, uint64_t member_count,
                                  uint64_t query_count, uint64_t seed) {
  TAMIS_ASSIGN_OR_RETURN(HashArray members, HashArray::Allocate(member_count));
  TAMIS_ASSIGN_OR_RETURN(KeyArray present_keys,
                         KeyArray::Allocate(query_count));
  TAMIS_ASSIGN_OR_RETURN(KeyArray absent_keys, KeyArray::Allocate(query_count));
  TAMIS_ASSIGN_OR_RETURN(HashArray present, HashArray::Allocate(query_count));
  TAMIS_ASSIGN_OR_RETURN(HashArray absent, HashArray::Allocate(query_count));
  HashRange(hasher, 0, members.items());
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<uint64_t> any_member(0, member_count - 1);
  for (uint64_t& key : present_keys.items()) key = any_member(random);
  std::iota(absent_keys.items().begin(), absent_keys.items().end(),
            kFirstAbsent);
  hasher.Hash(present_keys.items(), present.items());
  hasher.Hash(absent_keys.items(), absent.items());
  return BenchKeys{std::move(members), std::move(present_keys),
                   std::move(absent_keys), std::move(present),
                   std::move(absent)};
}

Result<HashArray> RandomTenth(std::span<const KeyHash> members, uint64_t seed) {
  const size_t count = std::max<size_t>(members.size() / 10, 1);
  TAMIS_ASSIGN_OR_RETURN(HashArray tenth, HashArray::Allocate(count));
  std::mt19937_64 random(seed);
  std::sample(members.begin(), members.end(), tenth.items().begin(), count,
              random);
  std::shuffle(tenth.items().begin(), tenth.items().end(), random);
  return tenth;
}

}  // namespace tamis::tools
