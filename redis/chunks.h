// Chunks: a filter in pieces that carry their own proof.
//
// One form for all that leaves the server: SCANDUMP and LOADCHUNK, RDB files,
// DUMP and RESTORE, the AOF, and what replicas are sent when a filter is made.
//
//   header   "TMSH" | version | plan, counters, spec, seed, numbers, and the
//            names and lengths of the arrays | checksum
//   chunk    "TMSC" | identity of the header | offset | bytes | checksum
//
// The arrays of the filter's snapshot, one after the other, then the extra
// copies, are the *payload*; a chunk is a stretch of it.  The identity is the
// header's checksum, and the header counts the changes: chunks of a filter that
// was changed between two calls do not fit together, and are refused.  A header
// alone, of a filter without a payload, makes an empty one: all that is random
// in it (the seed) is in there.
//
// docs/format/redis.md has the bytes.

#ifndef TAMIS_REDIS_CHUNKS_H_
#define TAMIS_REDIS_CHUNKS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/value.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"

namespace tamis::redis {

// Payload bytes of a chunk.
inline constexpr uint64_t kChunkBytes = uint64_t{4} << 20;

// The pieces of a value, complete or not.  REQUIRES of all: the value does not
// change meanwhile
class Dump {
 public:
  explicit Dump(const Value& value);
  const std::string& header() const { return header_; }
  uint64_t payload_bytes() const { return payload_bytes_; }
  // The chunk at `offset`; empty at the end.
  std::string Chunk(uint64_t offset) const;

 private:
  void Append(std::span<const std::byte> bytes);

  std::optional<internal::Snapshot> snapshot_;  // keeps copies alive
  std::string extra_;
  std::vector<std::span<const std::byte>> parts_;
  uint64_t payload_bytes_ = 0;
  uint64_t identity_ = 0;
  std::string header_;
};

// The command that loads a chunk, such as BF.LOADCHUNK.
std::string LoadCommand(Family family);

// The header of an empty filter made like `value`.
std::string EmptyHeader(const Value& value);

// A filter that arrives in chunks, in order.
class Loader {
 public:
  // kCorrupt if the header is damaged.
  static Result<Loader> Start(std::string_view header);
  // kCorrupt if the chunk is damaged; kIncompatible if it is of another dump or
  // not the next one; kFull if it is larger than what is missing.  Nothing has changed then.
  Status Feed(std::string_view chunk);
  // Takes back the last `size_bytes` that were fed.
  void Unfeed(uint64_t size_bytes);

  Family family() const { return plan_.family; }
  const Plan& plan() const { return plan_; }
  const std::string& header() const { return header_; }
  uint64_t payload_bytes() const { return payload_bytes_; }
  // About what the filter will take.
  uint64_t expected_bytes() const;
  const std::vector<std::byte>& received() const { return payload_; }
  bool is_complete() const { return payload_.size() == payload_bytes_; }
  // The filter; kCorrupt if the payload is none.  REQUIRES: is_complete()
  Result<std::unique_ptr<Value>> Finish() const;

 private:
  struct Number {
    std::string name;
    uint64_t value;
  };
  struct Array {
    std::string name;
    uint64_t size_bytes;
  };
  friend class HeaderReader;

  std::string header_;
  uint64_t identity_ = 0;
  Plan plan_;
  Value::Counters counters_;
  Spec spec_ = Spec("tamis");
  uint64_t slots_ = 0;  // of an empty filter; 0: there is a snapshot
  Hasher hasher_ = Hasher(Seed{});
  std::vector<Number> numbers_;
  std::vector<Array> arrays_;
  uint64_t num_extra_ = 0;
  uint64_t payload_bytes_ = 0;
  std::vector<std::byte> payload_;
};

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_CHUNKS_H_
