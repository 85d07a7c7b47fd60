#include "tools/bench/bench_keys.h"

#include <algorithm>
#include <random>

namespace tamis::tools {

Result<HashArray> HashArray::Allocate(uint64_t count) {
  TAMIS_ASSIGN_OR_RETURN(
      internal::AlignedBuffer buffer,
      internal::AlignedBuffer::Allocate(count * sizeof(KeyHash)));
  return HashArray(std::move(buffer));
}

void HashRange(const Hasher& hasher, uint64_t first,
               std::span<KeyHash> hashes) {
  for (KeyHash& hash : hashes) hash = hasher.Hash(first++);
}

Result<BenchKeys> BenchKeys::Make(const Hasher& hasher, uint64_t member_count,
                                  uint64_t query_count, uint64_t seed) {
  TAMIS_ASSIGN_OR_RETURN(HashArray members, HashArray::Allocate(member_count));
  TAMIS_ASSIGN_OR_RETURN(HashArray present, HashArray::Allocate(query_count));
  TAMIS_ASSIGN_OR_RETURN(HashArray absent, HashArray::Allocate(query_count));
  HashRange(hasher, 0, members.hashes());
  HashRange(hasher, kFirstAbsent, absent.hashes());
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<uint64_t> any_member(0, member_count - 1);
  for (KeyHash& hash : present.hashes()) {
    hash = members.hashes()[any_member(random)];
  }
  return BenchKeys{std::move(members), std::move(present), std::move(absent)};
}

Result<HashArray> RandomTenth(std::span<const KeyHash> members, uint64_t seed) {
  const size_t count = std::max<size_t>(members.size() / 10, 1);
  TAMIS_ASSIGN_OR_RETURN(HashArray tenth, HashArray::Allocate(count));
  std::mt19937_64 random(seed);
  std::sample(members.begin(), members.end(), tenth.hashes().begin(), count,
              random);
  std::shuffle(tenth.hashes().begin(), tenth.hashes().end(), random);
  return tenth;
}

}  // namespace tamis::tools
