// How AnyFilter carries a filter class: AnyFilter::Interface, by what it has.
//
//   AnyFilter any(std::make_unique<AnyFilterModel<F>>(std::move(filter)));

#ifndef TAMIS_INTERNAL_FILTERS_ANY_FILTER_MODEL_H_
#define TAMIS_INTERNAL_FILTERS_ANY_FILTER_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "tamis/any_filter.h"
#include "tamis/by_key.h"
#include "tamis/filter.h"

namespace tamis::internal {

template <FilterType F>
class AnyFilterModel final : public AnyFilter::Interface {
 public:
  explicit AnyFilterModel(F filter) : filter_(std::move(filter)) {}

  Status Insert(KeyHash hash) override { return filter_.Insert(hash); }
  bool MayContain(KeyHash hash) const override {
    return filter_.MayContain(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const override {
    filter_.MayContain(hashes, results);
  }
  bool MayContainInteger(uint64_t key) const override {
    return MayContainKey(filter_, key);
  }
  bool MayContainBytes(std::string_view key) const override {
    return MayContainKey(filter_, key);
  }
  void MayContainKeys(std::span<const uint64_t> keys,
                      std::span<bool> results) const override {
    tamis::MayContainKeys(filter_, keys, results);
  }
  uint64_t size() const override { return filter_.size(); }
  uint64_t capacity() const override { return filter_.capacity(); }
  uint64_t SizeBits() const override { return filter_.SizeBits(); }
  double ExpectedFpr() const override { return filter_.ExpectedFpr(); }
  FilterStats stats() const override { return filter_.stats(); }
  Spec spec() const override { return filter_.spec(); }
  const Hasher& hasher() const override { return filter_.hasher(); }
  Status CheckInvariants() const override { return filter_.CheckInvariants(); }
  Capabilities capabilities() const override {
    // A filter whose options take something away says so itself.
    if constexpr (requires { filter_.capabilities(); }) {
      return filter_.capabilities();
    } else {
      return CapabilitiesOf<F>();
    }
  }
  Snapshot ToSnapshot() const override { return filter_.ToSnapshot(); }

  Status Erase(KeyHash hash) override {
    if constexpr (ErasableFilter<F>) return filter_.Erase(hash);
    return Interface::Erase(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) override {
    if constexpr (AdaptiveFilter<F>) return filter_.Adapt(hash);
    return Interface::Adapt(hash);
  }
  uint64_t num_erases() const override {
    if constexpr (AdaptsWithMembers<F>) return filter_.num_erases();
    return Interface::num_erases();
  }
  std::optional<HashRange> CollisionRange(KeyHash hash) const override {
    if constexpr (AdaptsWithMembers<F>) return filter_.CollisionRange(hash);
    return Interface::CollisionRange(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) override {
    if constexpr (AdaptsWithMembers<F>) {
      return filter_.Adapt(absent, members, num_erases);
    }
    return Interface::Adapt(absent, members, num_erases);
  }
  Result<AdaptOutcome> AdaptIfProven(KeyHash hash) override {
    if constexpr (ProvingFilter<F>) return filter_.AdaptIfProven(hash);
    return Interface::AdaptIfProven(hash);
  }
  Status Expand() override {
    if constexpr (ExpandableFilter<F>) return filter_.Expand();
    return Interface::Expand();
  }
  Status Contract() override {
    if constexpr (ExpandableFilter<F>) return filter_.Contract();
    return Interface::Contract();
  }
  Status Rejuvenate(KeyHash hash) override {
    if constexpr (RejuvenatingFilter<F>) return filter_.Rejuvenate(hash);
    return Interface::Rejuvenate(hash);
  }
  Status Rejuvenate(std::span<const KeyHash> hashes) override {
    if constexpr (RejuvenatingFilter<F>) return filter_.Rejuvenate(hashes);
    return Interface::Rejuvenate(hashes);
  }
  Status Merge(const Interface& other) override {
    if constexpr (MergeableFilter<F>) {
      if (const auto* same = dynamic_cast<const AnyFilterModel*>(&other)) {
        return filter_.Merge(same->filter_);
      }
      return {StatusCode::kIncompatible,
              "can't merge " + other.spec().ToString() + " into " +
                  spec().ToString() + ": not of the same kind"};
    }
    return Interface::Merge(other);
  }
  Status Rebuild(uint64_t seed) override {
    if constexpr (RebuildableFilter<F>) return filter_.Rebuild(seed);
    return Interface::Rebuild(seed);
  }
  Status RebuildTo(uint64_t slots) override {
    if constexpr (ResizableFilter<F>) return filter_.RebuildTo(slots);
    return Interface::RebuildTo(slots);
  }
  Result<uint64_t> Count(KeyHash hash) const override {
    if constexpr (CountingFilter<F>) return filter_.Count(hash);
    return Interface::Count(hash);
  }

  void PrefetchInsert(KeyHash hash) const override { Prefetch(hash); }
  Status BulkLoad(std::span<const KeyHash> hashes) override {
    if constexpr (BulkFilter<F>) return filter_.BulkLoad(hashes);
    return InsertEach(hashes);
  }
  // The loops again, without a virtual call for each key.
  Status InsertEach(std::span<const KeyHash> hashes) override {
    // Far enough ahead for memory to answer, near enough to be there still.
    constexpr size_t kAhead = 8;
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (hashes.size() - i > kAhead) Prefetch(hashes[i + kAhead]);
      TAMIS_RETURN_IF_ERROR(filter_.Insert(hashes[i]));
    }
    return {};
  }
  Status EraseEach(std::span<const KeyHash> hashes) override {
    if constexpr (ErasableFilter<F>) {
      for (const KeyHash hash : hashes) {
        TAMIS_RETURN_IF_ERROR(filter_.Erase(hash));
      }
      return {};
    }
    return Interface::EraseEach(hashes);
  }
  // Flat: whether a look-up is inlined must not depend on what else is compiled.
  [[gnu::flatten]] uint64_t CountEach(
      std::span<const KeyHash> hashes) const override {
    uint64_t count = 0;
    for (const KeyHash hash : hashes) count += filter_.MayContain(hash);
    return count;
  }
  uint64_t CountKeys(std::span<const uint64_t> keys) const override {
    return tamis::CountKeys(filter_, keys);
  }

 private:
  using Interface = AnyFilter::Interface;

  // What an insert will change; where that is what a look-up reads, the filter
  // has Prefetch alone.
  void Prefetch([[maybe_unused]] KeyHash hash) const {
    if constexpr (requires { filter_.PrefetchInsert(hash); }) {
      filter_.PrefetchInsert(hash);
    } else if constexpr (requires { filter_.Prefetch(hash); }) {
      filter_.Prefetch(hash);
    }
  }

  F filter_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_ANY_FILTER_MODEL_H_
