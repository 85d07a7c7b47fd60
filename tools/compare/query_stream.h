// QueryStream: a set, and the queries asked of it, with the truth beside them.
//
//   keys      k0 k1 k2 k3 ...        each different key once, by its identity
//   member    1  0  0  1  ...        whether it is in the set
//   queries   1 2 1 1 3 2 ...        the stream, in order: indices of keys
//
// The identity of a key is its hash under one fixed seed; from then on nobody
// needs the key.  What a filter is given is the identity hashed again under the
// filter's own seed (HashedStream), so that one stream, read once, serves runs
// under any number of seeds.  Equal keys have equal indices, hence exact truth
// and exact counts of first and repeated mistakes cost an array access.
//
//   StreamBuilder builder;
//   while (...) builder.AddQuery(IdentityOf(key));
//   Result<QueryStream> stream = std::move(builder).Finish();
//   DrawMembers(*stream, 10);                   // a tenth of the keys, by hash
//
// Cost: 17 bytes a different key, 4 a query.  Thread safety: a finished stream
// is not changed any more.

#ifndef TAMIS_TOOLS_COMPARE_QUERY_STREAM_H_
#define TAMIS_TOOLS_COMPARE_QUERY_STREAM_H_

#include <cstdint>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::tools {

// Returns the hash that stands for a key; an integer's is that of its bytes.
KeyHash IdentityOf(std::string_view key);
KeyHash IdentityOf(uint64_t key);

struct QueryStream {
  std::vector<KeyHash> keys;
  std::vector<bool> member;       // of each key
  std::vector<uint32_t> queries;  // indices of keys
  uint64_t num_members = 0;
};

// Makes the set one key in `m`, chosen by their hashes: equal keys are chosen in
// every stream alike.  REQUIRES: m > 0
void DrawMembers(QueryStream& stream, uint64_t m);

// The keys of a stream as a filter with this hasher sees them.  The stream must
// outlive it.
struct HashedStream {
  HashedStream(const QueryStream& from, uint64_t seed);

  const QueryStream* stream;
  Hasher hasher;
  std::vector<KeyHash> hashes;          // of stream->keys, in the same places
  std::vector<KeyHash> members;         // those of them that are in the set
  std::vector<KeyHash> sorted_members;  // as a store sorted by hash has them
};

class StreamBuilder {
 public:
  static constexpr uint64_t kMaxKeys = std::numeric_limits<uint32_t>::max();

  // A key of the set; again and again is the same as once.
  void AddMember(KeyHash identity) { SetMember(IndexOf(identity)); }
  void AddQuery(KeyHash identity) {
    stream_.queries.push_back(IndexOf(identity));
  }
  uint64_t num_queries() const { return stream_.queries.size(); }
  // kOutOfMemory after more than kMaxKeys different keys.
  Result<QueryStream> Finish() && {
    TAMIS_RETURN_IF_ERROR(status_);
    return std::move(stream_);
  }

 private:
  struct LowWord {
    size_t operator()(const KeyHash& hash) const {
      return static_cast<size_t>(hash.low);
    }
  };

  uint32_t IndexOf(KeyHash identity);
  void SetMember(uint32_t index);

  QueryStream stream_;
  std::unordered_map<KeyHash, uint32_t, LowWord> index_of_;
  Status status_;
};

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMPARE_QUERY_STREAM_H_
