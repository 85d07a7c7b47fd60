#include "store/src/shared_filter.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <utility>

#include "store/src/reader_lock.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/serialize.h"
#include "tamis/tamis_filter.h"

namespace tamis::internal {
namespace {

constexpr uint64_t kFirstKeys = 1000;  // of a filter that grows
constexpr double kFixedLoad = 0.95;    // of one that does not
// A forced maybe costs a read from disk; so long is worth trying.
constexpr std::chrono::nanoseconds kRetry = std::chrono::microseconds(2);

TamisFilter::Options FormOf(const StoreFilterOptions& options, uint64_t keys) {
  TamisFilter::Options form;
  form.fingerprint_bits = options.fingerprint_bits;
  form.grow = options.grow;
  form.members = TamisFilter::Members::kCaller;
  form.extension_bits = options.extension_bits;
  // Fuller, one that can't grow would take long to insert into.
  const double load = options.grow ? form.threshold : kFixedLoad;
  const uint64_t most = std::max({options.expected_keys, keys, kFirstKeys});
  form.slots = 1 + static_cast<uint64_t>(static_cast<double>(most) / load);
  return form;
}

// A filter F as a SharedFilter; Read and Write lock it, if F does not do so.
template <typename F, typename Read, typename Write>
class Shared : public SharedFilter {
 public:
  explicit Shared(F filter) : filter_(std::move(filter)) {}

  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const override {
    const Read lock(mutex_);
    filter_.MayContain(hashes, results);
  }
  Status Insert(KeyHash hash) override {
    const Write lock(mutex_);
    return filter_.Insert(hash);
  }
  Status Erase(KeyHash hash) override {
    const Write lock(mutex_);
    return filter_.Erase(hash);
  }
  Status BulkLoad(std::span<const KeyHash> hashes) override {
    const Write lock(mutex_);
    return filter_.BulkLoad(hashes);
  }
  std::optional<HashRange> CollisionRange(KeyHash hash) const override {
    const Read lock(mutex_);
    return filter_.CollisionRange(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) override {
    const Write lock(mutex_);
    return filter_.Adapt(absent, members, num_erases);
  }
  Status Rejuvenate(std::span<const KeyHash> members) override {
    const Write lock(mutex_);
    return filter_.Rejuvenate(members);
  }
  uint64_t size() const override {
    const Read lock(mutex_);
    return filter_.size();
  }
  FilterStats stats() const override {
    const Read lock(mutex_);
    return filter_.stats();
  }
  const Hasher& hasher() const override { return filter_.hasher(); }
  Status CheckInvariants() const override {
    const Read lock(mutex_);
    return filter_.CheckInvariants();
  }

 protected:
  mutable ReaderLock mutex_;
  F filter_;
};

struct NoLock {
  explicit NoLock(ReaderLock& /*mutex*/) {}
  ~NoLock() {}  // not trivial: nobody takes it for a variable without use
  NoLock(const NoLock&) = delete;
  NoLock& operator=(const NoLock&) = delete;
};

class GrowingFilter final : public Shared<ConcurrentTamis, NoLock, NoLock> {
 public:
  using Shared::MayContain;

  explicit GrowingFilter(ConcurrentTamis filter)
      : Shared(std::move(filter)), size_(filter_.size()) {}

  Status Insert(KeyHash hash) override {
    Status status = filter_.Insert(hash);
    if (status.ok()) size_.fetch_add(1, std::memory_order_relaxed);
    return status;
  }
  Status Erase(KeyHash hash) override {
    Status status = filter_.Erase(hash);
    if (status.ok()) size_.fetch_sub(1, std::memory_order_relaxed);
    return status;
  }
  Status BulkLoad(std::span<const KeyHash> hashes) override {
    Status status = filter_.BulkLoad(hashes);
    size_ = filter_.size();
    return status;
  }
  // The filter itself would visit all of its shards, with their locks.
  uint64_t size() const override {
    return size_.load(std::memory_order_relaxed);
  }
  bool MayContain(KeyHash hash) const override {
    return filter_.MayContain(hash, kRetry);
  }
  uint64_t num_erases(KeyHash hash) const override {
    return filter_.num_erases(hash);
  }
  uint64_t num_forced_maybes() const override { return filter_.num_forced(); }
  HashRange ShardRange(KeyHash hash) const override {
    return filter_.ShardRange(hash);
  }
  Result<FilterPage> PageOf(KeyHash hash) const override {
    FilterPage page;
    TAMIS_RETURN_IF_ERROR(filter_.VisitShard(
        hash, [&](const HashRange& range, std::string_view bytes) {
          page = {range, std::string(bytes)};
          return Status();
        }));
    return page;
  }

 private:
  std::atomic<uint64_t> size_;
};

using ReadLock = std::shared_lock<ReaderLock>;
using WriteLock = std::unique_lock<ReaderLock>;

class FixedFilter final : public Shared<TamisFilter, ReadLock, WriteLock> {
 public:
  using Shared::MayContain;
  using Shared::Shared;

  bool MayContain(KeyHash hash) const override {
    const ReadLock lock(mutex_);
    return filter_.MayContain(hash);
  }
  uint64_t num_erases(KeyHash /*hash*/) const override {
    const ReadLock lock(mutex_);
    return filter_.num_erases();
  }
  uint64_t num_forced_maybes() const override { return 0; }
  HashRange ShardRange(KeyHash /*hash*/) const override { return kAllHashes; }
  Result<FilterPage> PageOf(KeyHash /*hash*/) const override {
    const ReadLock lock(mutex_);
    TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> bytes,
                           Serialize(filter_));
    return FilterPage{
        kAllHashes,
        std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
  }
};

// True if `low` is where the range that ends at `before` goes on.
bool GoesOn(const KeyHash& before, const KeyHash& low) {
  const KeyHash next = before.low == ~uint64_t{0}
                           ? KeyHash{before.high + 1, 0}
                           : KeyHash{before.high, before.low + 1};
  return next == low;
}

}  // namespace

Status CheckTiling(std::span<const FilterPage> pages) {
  bool whole = !pages.empty() && pages.front().range.low == kAllHashes.low &&
               pages.back().range.high == kAllHashes.high;
  for (size_t i = 1; whole && i < pages.size(); ++i) {
    whole = GoesOn(pages[i - 1].range.high, pages[i].range.low);
  }
  if (whole) return {};
  return {StatusCode::kCorrupt, "the filter's pages leave a gap"};
}

Result<std::vector<FilterPage>> SharedFilter::AllPages() const {
  std::vector<FilterPage> pages;
  KeyHash next;
  do {
    TAMIS_ASSIGN_OR_RETURN(FilterPage page, PageOf(next));
    next = {page.range.high.high + 1, 0};
    pages.push_back(std::move(page));
  } while (next.high != 0);
  return pages;
}

Result<std::unique_ptr<SharedFilter>> SharedFilter::Create(
    const StoreFilterOptions& options, uint64_t keys, const Hasher& hasher) {
  const TamisFilter::Options form = FormOf(options, keys);
  if (options.grow) {
    ConcurrentTamis::Options growing;
    growing.filter = form;
    growing.shard_slots = options.shard_slots;
    TAMIS_ASSIGN_OR_RETURN(ConcurrentTamis filter,
                           ConcurrentTamis::Create(growing, hasher));
    return std::unique_ptr<SharedFilter>(
        std::make_unique<GrowingFilter>(std::move(filter)));
  }
  if (options.expected_keys == 0) {
    return Status(StatusCode::kInvalidArgument,
                  "a filter that does not grow needs expected_keys");
  }
  TAMIS_ASSIGN_OR_RETURN(TamisFilter filter, TamisFilter::Create(form, hasher));
  return std::unique_ptr<SharedFilter>(
      std::make_unique<FixedFilter>(std::move(filter)));
}

Result<std::unique_ptr<SharedFilter>> SharedFilter::FromPages(
    const StoreFilterOptions& options, const std::vector<FilterPage>& pages,
    bool check_invariants) {
  const LoadOptions load = {.check_invariants = check_invariants};
  if (options.grow) {
    ConcurrentTamis::Options growing;
    growing.filter = FormOf(options, 0);
    growing.shard_slots = options.shard_slots;
    std::vector<ShardPage> shards;
    shards.reserve(pages.size());
    for (const FilterPage& page : pages) {
      shards.push_back({page.range, page.bytes});
    }
    TAMIS_ASSIGN_OR_RETURN(ConcurrentTamis filter,
                           ConcurrentTamis::FromShards(shards, growing, load));
    return std::unique_ptr<SharedFilter>(
        std::make_unique<GrowingFilter>(std::move(filter)));
  }
  if (pages.size() != 1) {
    return Status(StatusCode::kCorrupt, "more pages than one");
  }
  TAMIS_ASSIGN_OR_RETURN(
      TamisFilter filter,
      Deserialize<TamisFilter>(std::as_bytes(std::span(pages[0].bytes)), load));
  return std::unique_ptr<SharedFilter>(
      std::make_unique<FixedFilter>(std::move(filter)));
}

}  // namespace tamis::internal
