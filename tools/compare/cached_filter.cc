#include "tools/compare/cached_filter.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/filters/any_filter_model.h"

namespace tamis::tools {

using Policy = MistakeCache::Policy;

MistakeCache::MistakeCache(uint64_t entries, Policy policy)
    : policy_(policy),
      hashes_(std::max(entries / kWays, uint64_t{1}) * kWays),
      counts_(policy == Policy::kTopK ? hashes_.size() : 0) {}

uint64_t MistakeCache::SetOf(KeyHash hash) const {
  return internal::MultiplyHigh(hash.low, hashes_.size() / kWays) * kWays;
}

uint64_t MistakeCache::WayOf(uint64_t set, KeyHash hash) const {
  uint64_t way = 0;
  while (way < kWays && hashes_[set + way] != hash) ++way;
  return way;
}

void MistakeCache::MoveToFront(uint64_t set, uint64_t way) {
  const auto begin = hashes_.begin() + static_cast<ptrdiff_t>(set);
  const auto used = begin + static_cast<ptrdiff_t>(way);
  std::rotate(begin, used, used + 1);
}

uint64_t MistakeCache::LeastCounted(uint64_t set) const {
  const auto begin = counts_.begin() + static_cast<ptrdiff_t>(set);
  return static_cast<uint64_t>(std::min_element(begin, begin + kWays) - begin);
}

bool MistakeCache::Find(KeyHash hash) {
  if (hash == KeyHash()) return false;  // the mark of a free place
  const uint64_t set = SetOf(hash);
  const uint64_t way = WayOf(set, hash);
  if (way == kWays) return false;
  if (policy_ == Policy::kLru) {
    MoveToFront(set, way);
  } else if (uint32_t& count = counts_[set + way];
             count < std::numeric_limits<uint32_t>::max()) {
    ++count;
  }
  return true;
}

void MistakeCache::Add(KeyHash hash) {
  if (Find(hash)) return;
  const uint64_t set = SetOf(hash);
  if (policy_ == Policy::kLru) {
    MoveToFront(set, kWays - 1);
    hashes_[set] = hash;
    return;
  }
  const uint64_t way = LeastCounted(set);
  hashes_[set + way] = hash;
  uint32_t& count = counts_[set + way];
  count += count < std::numeric_limits<uint32_t>::max() ? 1 : 0;
}

void MistakeCache::Remove(KeyHash hash) {
  const uint64_t set = SetOf(hash);
  const uint64_t way = WayOf(set, hash);
  if (way == kWays) return;
  hashes_[set + way] = KeyHash();
  if (policy_ == Policy::kTopK) counts_[set + way] = 0;
}

namespace {

constexpr uint64_t kMaxEntries = uint64_t{1} << 40;

class CachedFilter final : public AnyFilter::Interface {
 public:
  CachedFilter(AnyFilter filter, MistakeCache cache)
      : filter_(std::move(filter)), cache_(std::move(cache)) {}

  Status Insert(KeyHash hash) override {
    TAMIS_RETURN_IF_ERROR(filter_.Insert(hash));
    cache_.Remove(hash);
    return {};
  }
  bool MayContain(KeyHash hash) const override {
    return filter_.MayContain(hash) && !cache_.Find(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const override {
    filter_.MayContain(hashes, results);
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (results[i]) results[i] = !cache_.Find(hashes[i]);
    }
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) override {
    if (!MayContain(hash)) return AdaptOutcome::kNothingToFix;
    cache_.Add(hash);
    ++adapts_;
    return AdaptOutcome::kFixed;
  }
  Status Erase(KeyHash hash) override { return filter_.Erase(hash); }
  Status Expand() override { return filter_.Expand(); }
  Status Contract() override { return filter_.Contract(); }
  Status BulkLoad(std::span<const KeyHash> hashes) override {
    TAMIS_RETURN_IF_ERROR(filter_.BulkLoad(hashes));
    for (const KeyHash hash : hashes) cache_.Remove(hash);
    return {};
  }
  uint64_t size() const override { return filter_.size(); }
  uint64_t capacity() const override { return filter_.capacity(); }
  uint64_t SizeBits() const override {
    return filter_.SizeBits() + cache_.SizeBits();
  }
  double ExpectedFpr() const override { return filter_.ExpectedFpr(); }
  FilterStats stats() const override {
    FilterStats stats = filter_.stats();
    stats.size_bits = SizeBits();
    stats.details = {{"adapts", static_cast<double>(adapts_)},
                     {"entries", static_cast<double>(cache_.entries())}};
    return stats;
  }
  Spec spec() const override {
    return CachedSpec(filter_.spec(), cache_.entries(), cache_.policy());
  }
  const Hasher& hasher() const override { return filter_.hasher(); }
  Status CheckInvariants() const override { return filter_.CheckInvariants(); }
  Capabilities capabilities() const override {
    const Capabilities inner = filter_.capabilities();
    return {.erase = inner.erase,
            .adapt = true,
            .knows_members = inner.knows_members,
            .expand = inner.expand,
            .bulk_load = inner.bulk_load};
  }
  // Of the filter alone: a cache is no part of what stands for the set.
  internal::Snapshot ToSnapshot() const override {
    return filter_.ToSnapshot();
  }

 private:
  AnyFilter filter_;
  mutable MistakeCache cache_;
  uint64_t adapts_ = 0;
};

}  // namespace

Result<Policy> PolicyOf(const Spec& spec) {
  TAMIS_ASSIGN_OR_RETURN(
      const size_t choice,
      ParameterReader(spec, kCachedParameters).Choice("policy"));
  return choice == 0 ? Policy::kLru : Policy::kTopK;
}

Spec CachedSpec(const Spec& inner, uint64_t entries, Policy policy) {
  // What a spec prints can be read again, in parentheses too.
  Spec spec = Spec::Parse("cached(" + inner.ToString() + ")").value();
  spec.Set("entries", entries);
  spec.Set("policy", policy == Policy::kLru ? "lru" : "topk");
  return spec;
}

Result<AnyFilter> CreateComparable(const Spec& spec, uint64_t slots,
                                   const Hasher& hasher) {
  if (spec.name() != "cached") return AnyFilter::Create(spec, slots, hasher);
  TAMIS_RETURN_IF_ERROR(
      spec.ExpectOnly({"entries", "policy"}, Spec::Inner::kOne));
  TAMIS_ASSIGN_OR_RETURN(const Policy policy, PolicyOf(spec));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t entries,
                         spec.Integer("entries", MistakeCache::kWays,
                                      MistakeCache::kWays, kMaxEntries));
  TAMIS_ASSIGN_OR_RETURN(AnyFilter inner,
                         AnyFilter::Create(spec.inner(), slots, hasher));
  return AnyFilter(std::make_unique<CachedFilter>(
      std::move(inner), MistakeCache(entries, policy)));
}

}  // namespace tamis::tools
