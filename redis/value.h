// Value: what a key of the server holds, one filter and what was asked of it.
//
//   plan      what its maker asked for: reported back, and kept to
//   filter    one filter that grows in small steps (or a fixed one)
//   extra     copies beyond the eighth of one fingerprint, by full hash: what
//             would make a run of slots long costs one counter instead
//   loader    a filter that arrives in chunks and is not complete yet; until
//             then every answer is maybe, and nothing can be changed
//
// Invariants
//   (V1) filter or loader is there, never both.
//   (V2) size() is what was added less what was deleted.
//   (V3) A hash in `extra` has a counter above 0.  It need not have an entry of
//        its own: those that matched when it was added may be of others, and
//        gone.
//   (V4) `bytes` is what the value holds of the server's memory.
//   (V5) It may be moved as bytes: the server's defragmentation does so.  Hence
//        members are numbers and owning pointers, and `extra` is one, too.
//
// Thread safety: that of the server's data, one command at a time; the last
// free may come from another thread.

#ifndef TAMIS_REDIS_VALUE_H_
#define TAMIS_REDIS_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/engine.h"
#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/result.h"

namespace tamis::redis {

// Values are in dumps: never renumber.
enum class Family : uint8_t { kBloom = 1, kCuckoo = 2, kAdaptive = 3 };
// Returns "BF", "CF" or "AF".
const char* Prefix(Family family);

// Parts that a filter over a cluster can have: as many as a cluster has slots.
inline constexpr uint64_t kMaxShards = 16384;

// What its maker asked for.
struct Plan {
  Family family = Family::kBloom;
  double error = 0.01;
  uint64_t capacity = 100;
  uint64_t expansion = 2;       // 0: it never grows
  uint64_t bucket_size = 0;     // CF: reported back, of no effect
  uint64_t max_iterations = 0;  // CF: the same
  uint64_t max_bytes = 0;       // AF: its budget; 0: none
  uint64_t shard = 0;           // AF: of a filter over a cluster, the shard ...
  uint64_t num_shards = 0;      // ... of so many; 0: it is no such part

  bool fixed() const { return expansion == 0; }
};

class Loader;
struct Shape;  // shape.h

class Value {
 public:
  using Copies = std::map<KeyHash, uint64_t>;

  // From the server, also where C++ has an allocator of its own: (V5).
  static void* operator new(size_t bytes);
  static void operator delete(void* memory);

  // Makes an empty filter.
  static Result<std::unique_ptr<Value>> Create(const Plan& plan,
                                               const Shape& shape,
                                               const Hasher& hasher);
  // One that is being loaded.
  static std::unique_ptr<Value> Loading(std::unique_ptr<Loader> loader);
  static Result<std::unique_ptr<Value>> Copy(const Value& other);
  Value(const Plan& plan, std::optional<Engine> filter);
  ~Value();
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;

  bool is_complete() const { return filter_.has_value(); }
  const Plan& plan() const { return plan_; }
  // REQUIRES of all below: is_complete()
  const Engine& filter() const { return *filter_; }
  Engine& filter() { return *filter_; }
  KeyHash Hash(std::string_view item) const {
    return filter_->hasher().Hash(item);
  }

  bool MayContain(KeyHash hash) const {
    return filter_->MayContain(hash) || IsCounted(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // Whether copies of it are counted: then it is there, whatever the filter
  // says, whose entries may all have been those of others.
  bool IsCounted(KeyHash hash) const {
    return extra_copies_ != 0 && extra_->contains(hash);
  }
  // kFull if it may not grow; kOutOfMemory at the end of its budget.
  Status Add(KeyHash hash, uint64_t max_bytes);
  // kNotFound if nothing matches.
  Status Delete(KeyHash hash);
  // How often it was added, or more.
  uint64_t Count(KeyHash hash) const;
  // Adds all of `other`.
  Status Merge(const Value& other);
  // As small as its items allow.
  Status Shrink();
  Result<AdaptOutcome> Report(KeyHash absent, std::span<const KeyHash> members,
                              uint64_t token);
  // Changes with every erase, and differs from filter to filter.
  uint64_t Token() const;

  uint64_t size() const { return filter_->size() + extra_copies_; }
  uint64_t num_deleted() const { return num_deleted_; }
  // What was asked for; beyond that, the items that fit before it grows.
  uint64_t capacity() const;
  uint64_t bytes() const { return static_cast<uint64_t>(bytes_); }
  int64_t* account() { return &bytes_; }
  // Changes since it was made, also in other servers.
  uint64_t version() const { return version_; }
  const Copies& extra() const { return *extra_; }
  // (V3)
  Status CheckCopies() const;
  // (V3), and the filter's own.
  Status CheckInvariants() const;

  Loader* loader() const { return loader_.get(); }

  // What a dump has beside plan and filter.
  struct Counters {
    uint64_t num_deleted = 0;
    uint64_t version = 0;
  };
  void SetFilter(Engine filter) { filter_ = std::move(filter); }
  void Restore(const Counters& counters, Copies extra);

 private:
  std::vector<KeyHash> StoredOf(std::span<const KeyHash> members) const;

  Plan plan_;
  std::optional<Engine> filter_;
  std::unique_ptr<Loader> loader_;
  std::unique_ptr<Copies> extra_;
  uint64_t extra_copies_ = 0;
  uint64_t num_deleted_ = 0;
  uint64_t version_ = 0;
  int64_t bytes_ = 0;
};

}  // namespace tamis::redis

#endif  // TAMIS_REDIS_VALUE_H_
