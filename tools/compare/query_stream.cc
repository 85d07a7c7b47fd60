#include "tools/compare/query_stream.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

namespace tamis::tools {
namespace {

constexpr Seed kIdentitySeed{.low = 0x7461'6d69'73, .high = 0};

std::span<const std::byte> BytesOf(const KeyHash& identity) {
  return std::as_bytes(std::span(&identity, 1));
}

}  // namespace

KeyHash IdentityOf(std::string_view key) {
  return Hasher(kIdentitySeed).Hash(key);
}
KeyHash IdentityOf(uint64_t key) { return Hasher(kIdentitySeed).Hash(key); }

HashedStream::HashedStream(const QueryStream& from, uint64_t seed)
    : stream(&from), hasher(Seed{.low = seed, .high = 0}) {
  hashes.reserve(from.keys.size());
  members.reserve(from.num_members);
  for (size_t i = 0; i < from.keys.size(); ++i) {
    hashes.push_back(hasher.Hash(BytesOf(from.keys[i])));
    if (from.member[i]) members.push_back(hashes.back());
  }
  sorted_members = members;
  std::sort(sorted_members.begin(), sorted_members.end());
}

void DrawMembers(QueryStream& stream, uint64_t m) {
  assert(m > 0);
  stream.num_members = 0;
  for (size_t i = 0; i < stream.keys.size(); ++i) {
    stream.member[i] = stream.keys[i].high % m == 0;
    stream.num_members += stream.member[i] ? 1 : 0;
  }
}

uint32_t StreamBuilder::IndexOf(KeyHash identity) {
  const auto next = static_cast<uint32_t>(stream_.keys.size());
  const auto [found, is_new] = index_of_.try_emplace(identity, next);
  if (!is_new) return found->second;
  if (stream_.keys.size() == kMaxKeys) {
    index_of_.erase(found);
    status_ = {StatusCode::kOutOfMemory,
               "more than 2^32 - 1 different keys in one stream"};
    return 0;
  }
  stream_.keys.push_back(identity);
  stream_.member.push_back(false);
  return next;
}

void StreamBuilder::SetMember(uint32_t index) {
  if (stream_.member[index]) return;
  stream_.member[index] = true;
  ++stream_.num_members;
}

}  // namespace tamis::tools
