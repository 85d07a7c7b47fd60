// ConcurrentShards: the directory and the shards of a ConcurrentTamis.
//
//   directory   an array of pointers, replaced as a whole when it doubles
//   shard       line 0   counter and view: what readers read
//               line 1   mutex, filter:    what writers use
//
// A published TamisFilter never changes, but for the words of its lines and
// what readers do not read (counts, the mirror): Insert and most erases store
// lines under the counter (line_stage.h); everything else is done to a copy,
// which is published in its place.
//
// Rules:
//   (C1) A shard's filter is changed or replaced only with its mutex held.
//   (C2) The counter is odd while words or the view are stored; of a shard that
//        was split or joined it is odd for ever.
//   (C3) Directory entries are changed only with the directory's mutex held,
//        which is taken after the mutexes of shards, never before.
//   (C4) Whoever has locked a shard looks whether it is still in the directory.
//   (C5) Pointers are followed in a section only (epochs.h), and what is
//        unlinked is retired, not freed: after it was unlinked, never before.
//   (C6) Nothing is joined during a walk over all shards, which would come to
//        the keys of some shards twice.  Walks share `walks_`, taken before any
//        shard; whoever joins has it alone, or does not join.
//
// Thread safety: all but construction and destruction, from any thread.

#ifndef TAMIS_FILTERS_SHARDED_CONCURRENT_SHARDS_H_
#define TAMIS_FILTERS_SHARDED_CONCURRENT_SHARDS_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <utility>
#include <vector>

#include "tamis/internal/filters/sharded/epochs.h"
#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/internal/filters/sharded/shard_view.h"
#include "tamis/sharded_tamis.h"

namespace tamis::internal {

class ConcurrentShards {
 public:
  using Leaf = std::pair<ShardPlace, TamisFilter>;

  // REQUIRES: the leaves' places are those of (D1) of sharded_tamis.h
  ConcurrentShards(const ShardedTamis::Options& options, const Hasher& hasher,
                   uint64_t num_erases, std::vector<Leaf> leaves);
  ~ConcurrentShards();
  ConcurrentShards(const ConcurrentShards&) = delete;
  ConcurrentShards& operator=(const ConcurrentShards&) = delete;

  // Readers.
  bool MayContain(KeyHash hash) const {
    const Answer answer = finder_(*this, hash);
    if (answer == Answer::kTorn) [[unlikely]]
      CountForced();
    return answer != Answer::kNo;
  }
  bool MayContain(KeyHash hash, std::chrono::nanoseconds retry) const;
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;

  // Writers.
  Status Insert(KeyHash hash);
  Result<bool> TestAndInsert(KeyHash hash);
  Status Erase(KeyHash hash);
  // One step, or its reverse, of every shard.
  Status Expand();
  Status Contract();
  // Changes a copy of the filter of a hash's shard, and publishes it if `change`
  // is ok: change(TamisFilter& copy, const ShardPlace&).  `needed` may say,
  // before anything is copied, that nothing is to be done.
  template <typename Needed, typename Change>
  Status ChangeCopy(KeyHash hash, Needed&& needed, Change&& change);
  // Calls visit(const TamisFilter&, const ShardPlace&) with writers held off.
  template <typename Visit>
  auto WithShard(KeyHash hash, Visit&& visit) const;
  // The same for every shard, in the order of hashes.
  template <typename Visit>
  Status ForEach(Visit&& visit) const;
  // Replaces a hash's shard by what load(copy) makes of it, one shard or more.
  Status Load(KeyHash hash,
              const std::function<Result<std::vector<Leaf>>(Leaf copy)>& load);
  // Copies of all shards, in the order of hashes, each as it was at one time.
  Result<std::vector<Leaf>> Copies() const;
  // Replaces all shards at once, with all writers held off; copies as above.
  Status ReplaceAll(
      const std::function<Result<std::vector<Leaf>>(std::vector<Leaf> copies)>&
          make);
  // The last erase of a hash's shard, as num_erases was then.
  uint64_t LastErase(KeyHash hash) const;

  Status CheckDirectory() const;
  const ShardedTamis::Options& options() const { return options_; }
  const Hasher& hasher() const { return hasher_; }
  uint64_t num_erases() const {
    return num_erases_.load(std::memory_order_acquire);
  }
  uint64_t num_forced() const {
    return num_forced_.load(std::memory_order_relaxed);
  }
  uint64_t num_shards() const {
    return num_shards_.load(std::memory_order_relaxed);
  }
  uint64_t OverheadBits() const;

 private:
  struct alignas(64) Shard {
    Shard(const ShardPlace& at, std::unique_ptr<TamisFilter> first,
          uint64_t erase);
    // What readers need of the filter, to be called with the counter odd, or
    // before anybody sees the shard.
    void StoreView();
    ShardView LoadView() const;
    void BeginChange() {
      sequence.store(sequence.load(std::memory_order_relaxed) + 1,
                     std::memory_order_relaxed);
    }
    void EndChange() {
      sequence.store(sequence.load(std::memory_order_relaxed) + 1,
                     std::memory_order_release);
    }

    std::atomic<uint64_t> sequence{0};
    std::atomic<const std::byte*> lines{nullptr};
    std::atomic<uint64_t> home_reciprocal{0};
    std::atomic<uint64_t> void_cells{0};
    std::atomic<uint64_t> form{
        0};  // H, home_bits, depth, extended: 8 bits each
    std::atomic<uint64_t> num_lines{0};
    std::atomic<const TamisFilter*> published{nullptr};
    // The rest is the writers'.
    alignas(64) mutable std::mutex mutex;
    bool is_dead = false;
    ShardPlace place;
    std::unique_ptr<TamisFilter> filter;
    std::atomic<uint64_t> last_erase;
  };
  struct Directory {
    explicit Directory(int bits) : depth(bits), entries(size_t{1} << bits) {}
    int depth;
    std::vector<std::atomic<Shard*>> entries;

    uint64_t CountShards() const;
    Shard* Find(KeyHash hash) const {
      return entries[FirstHashBits(hash, depth)].load(
          std::memory_order_acquire);
    }
  };
  enum class Answer { kNo, kMaybe, kTorn };

  Shard* Find(KeyHash hash) const {
    return directory_.load(std::memory_order_acquire)->Find(hash);
  }
  uint64_t QueryOf(uint64_t string) const {
    return string >> (64 - options_.filter.fingerprint_bits) << 1;
  }
  // A look-up by the width of slots, which is known when compiling it.
  using Finder = Answer (*)(const ConcurrentShards& shards, KeyHash hash);
  template <int kWidth>
  struct FinderOf;
  static Finder FinderFor(int width);
  // Tries some times; kTorn if writers were faster each time.
  template <typename Shape>
  Answer Ask(const Shape& shape, KeyHash hash) const;
  template <typename Shape>
  void AskAll(const Shape& shape, std::span<const KeyHash> hashes,
              std::span<bool> results) const;
  template <typename Shape>
  void AskGroup(const Shape& shape, std::span<const KeyHash> hashes,
                bool* results) const;
  template <typename Shape>
  Answer TryMayContain(const Shape& shape, KeyHash hash) const;
  Answer TryVoids(const Shard& shard, const ShardView& view, uint64_t seen,
                  KeyHash hash) const;
  // The answer from a match that the extensions may change, or from a run that
  // is longer than two lines.
  Answer TryInDetail(const Shard& shard, const ShardView& view, uint64_t seen,
                     KeyHash hash, RunMatch match) const;
  void CountForced() const {
    num_forced_.fetch_add(1, std::memory_order_relaxed);
  }

  // Calls function(Shard&) with its mutex held, in a section.
  template <typename Function>
  auto Locked(KeyHash hash, Function&& function) const;
  // Of a locked shard.
  void Publish(Shard& shard, std::unique_ptr<TamisFilter> next);
  // REQUIRES: directory_mutex_ is held
  void Publish(std::unique_ptr<Directory> next);
  Status InsertLocked(Shard& shard, KeyHash hash);
  Status EraseLocked(Shard& shard, KeyHash hash);
  // Makes room for one more; kStale if the shard is no more.
  Status Grow(Shard& shard);
  Status Split(Shard& shard);
  void ShrinkIfSparse(Shard& shard);
  void JoinIfSparse(Shard& shard);
  // Puts others in the place of a locked shard.
  void Replace(Shard& shard, std::vector<Leaf> leaves);
  // Says that a locked shard is no more, after it was unlinked.
  void Bury(Shard& shard);
  static std::unique_ptr<Shard> MakeShard(Leaf leaf, uint64_t erase);
  static std::unique_ptr<Directory> DirectoryOf(std::vector<Leaf> leaves,
                                                uint64_t erase);
  // Puts `shard` wherever its place is.  REQUIRES: directory_mutex_ is held, or
  // nobody else knows the directory
  static void Enter(Directory& directory, Shard* shard);
  void Retire(std::unique_ptr<Shard> shard);

  ShardedTamis::Options options_;
  Hasher hasher_;
  LineShape<0> shape_;
  Finder finder_;
  std::atomic<Directory*> directory_{nullptr};
  mutable std::mutex directory_mutex_;
  mutable std::shared_mutex walks_;
  std::atomic<uint64_t> num_shards_{0};
  std::atomic<uint64_t> num_erases_{0};
  mutable std::atomic<uint64_t> num_forced_{0};
  mutable RetiredList retired_;
  // Whether this thread has retired something since it last freed.
  // NOLINTNEXTLINE(readability-identifier-naming): a member, of each thread
  static thread_local bool has_retired_;
};

template <typename Function>
auto ConcurrentShards::Locked(KeyHash hash, Function&& function) const {
  const auto work = [&] {
    const Epochs::Section section;
    for (;;) {
      Shard* shard = Find(hash);
      const std::lock_guard lock(shard->mutex);
      if (!shard->is_dead) return function(*shard);
    }
  };
  auto result = work();
  // Not each time: it costs a system call, and what waits is a few shards.
  if (has_retired_) {
    has_retired_ = false;
    if (retired_.size() > 4 + num_shards() / 64) retired_.Reclaim();
  }
  return result;
}

template <typename Visit>
auto ConcurrentShards::WithShard(KeyHash hash, Visit&& visit) const {
  return Locked(hash, [&](Shard& shard) {
    return visit(std::as_const(*shard.filter), shard.place);
  });
}

template <typename Visit>
Status ConcurrentShards::ForEach(Visit&& visit) const {
  const std::shared_lock walk(walks_);
  KeyHash next = {0, 0};
  do {
    TAMIS_RETURN_IF_ERROR(Locked(next, [&](Shard& shard) -> Status {
      next = {shard.place.range().high.high + 1, 0};
      return visit(std::as_const(*shard.filter), shard.place);
    }));
  } while (next.high != 0);
  return {};
}

template <typename Needed, typename Change>
Status ConcurrentShards::ChangeCopy(KeyHash hash, Needed&& needed,
                                    Change&& change) {
  return Locked(hash, [&](Shard& shard) -> Status {
    if (!needed(std::as_const(*shard.filter), shard.place,
                shard.last_erase.load(std::memory_order_relaxed))) {
      return {};
    }
    TAMIS_ASSIGN_OR_RETURN(TamisFilter copy,
                           shard.filter->Copy(TamisFilter::Keep::kMirrorHere));
    copy.SwapMirror(*shard.filter);
    Status status = change(copy, shard.place);
    if (!status.ok()) {
      copy.SwapMirror(*shard.filter);
      return status;
    }
    Publish(shard, std::make_unique<TamisFilter>(std::move(copy)));
    return {};
  });
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_SHARDED_CONCURRENT_SHARDS_H_
