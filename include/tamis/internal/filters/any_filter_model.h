// How AnyFilter carries a filter of any type: one interface, one template.
//
// Only src/filters/any_filter.cc needs this, and whoever wants to carry a
// filter that is not in the registry, such as the tests' reference filter:
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

namespace tamis {

class AnyFilter::Interface {
 public:
  virtual ~Interface() = default;

  virtual Status Insert(KeyHash hash) = 0;
  virtual bool MayContain(KeyHash hash) const = 0;
  virtual void MayContain(std::span<const KeyHash> hashes,
                          std::span<bool> results) const = 0;
  virtual bool MayContainInteger(uint64_t key) const {
    return MayContain(hasher().Hash(key));
  }
  virtual bool MayContainBytes(std::string_view key) const {
    return MayContain(hasher().Hash(key));
  }
  virtual void MayContainKeys(std::span<const uint64_t> keys,
                              std::span<bool> results) const {
    tamis::MayContainKeys(*this, keys, results);
  }
  virtual Status Erase(KeyHash hash) = 0;
  virtual Result<AdaptOutcome> Adapt(KeyHash hash) = 0;
  virtual uint64_t num_erases() const { return 0; }
  virtual std::optional<HashRange> CollisionRange(KeyHash /*hash*/) const {
    return std::nullopt;
  }
  virtual Result<AdaptOutcome> Adapt(KeyHash /*absent*/,
                                     std::span<const KeyHash> /*members*/,
                                     uint64_t /*num_erases*/) {
    return Status(StatusCode::kUnsupported,
                  spec().name() + " has no Adapt with members");
  }
  virtual Status Expand() = 0;
  virtual Status Contract() = 0;
  virtual Status Rejuvenate(KeyHash hash) = 0;
  virtual Status Merge(const Interface& other) = 0;
  virtual Status BulkLoad(std::span<const KeyHash> hashes) = 0;
  virtual Status InsertEach(std::span<const KeyHash> hashes) = 0;
  virtual Status EraseEach(std::span<const KeyHash> hashes) = 0;
  virtual uint64_t CountEach(std::span<const KeyHash> hashes) const = 0;
  virtual uint64_t CountKeys(std::span<const uint64_t> keys) const {
    return tamis::CountKeys(*this, keys);
  }
  virtual uint64_t size() const = 0;
  virtual uint64_t capacity() const = 0;
  virtual uint64_t SizeBits() const = 0;
  virtual double ExpectedFpr() const = 0;
  virtual FilterStats stats() const = 0;
  virtual Spec spec() const = 0;
  virtual const Hasher& hasher() const = 0;
  virtual Status CheckInvariants() const = 0;
  virtual Capabilities capabilities() const = 0;
  virtual internal::Snapshot ToSnapshot() const = 0;
};

namespace internal {

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
  Status Erase(KeyHash hash) override {
    if constexpr (ErasableFilter<F>) return filter_.Erase(hash);
    return Unsupported("Erase");
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) override {
    if constexpr (AdaptiveFilter<F>) return filter_.Adapt(hash);
    return Unsupported("Adapt");
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
  Status Expand() override {
    if constexpr (ExpandableFilter<F>) return filter_.Expand();
    return Unsupported("Expand");
  }
  Status Contract() override {
    if constexpr (ExpandableFilter<F>) return filter_.Contract();
    return Unsupported("Contract");
  }
  Status Rejuvenate(KeyHash hash) override {
    if constexpr (RejuvenatingFilter<F>) return filter_.Rejuvenate(hash);
    return Unsupported("Rejuvenate");
  }
  Status Merge(const AnyFilter::Interface& other) override {
    if constexpr (MergeableFilter<F>) {
      if (const auto* same = dynamic_cast<const AnyFilterModel*>(&other)) {
        return filter_.Merge(same->filter_);
      }
      return {StatusCode::kIncompatible,
              "can't merge " + other.spec().ToString() + " into " +
                  spec().ToString() + ": not of the same kind"};
    }
    return Unsupported("Merge");
  }
  Status BulkLoad(std::span<const KeyHash> hashes) override {
    if constexpr (BulkFilter<F>) return filter_.BulkLoad(hashes);
    return InsertEach(hashes);
  }
  Status InsertEach(std::span<const KeyHash> hashes) override {
    // Far enough ahead for memory to answer, near enough to be there still.
    constexpr size_t kAhead = 8;
    for (size_t i = 0; i < hashes.size(); ++i) {
      if (hashes.size() - i > kAhead) PrefetchInsert(hashes[i + kAhead]);
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
    return Unsupported("Erase");
  }
  uint64_t CountEach(std::span<const KeyHash> hashes) const override {
    uint64_t count = 0;
    for (const KeyHash hash : hashes) count += filter_.MayContain(hash);
    return count;
  }
  uint64_t CountKeys(std::span<const uint64_t> keys) const override {
    return tamis::CountKeys(filter_, keys);
  }
  uint64_t size() const override { return filter_.size(); }
  uint64_t capacity() const override { return filter_.capacity(); }
  uint64_t SizeBits() const override { return filter_.SizeBits(); }
  double ExpectedFpr() const override { return filter_.ExpectedFpr(); }
  FilterStats stats() const override { return filter_.stats(); }
  Spec spec() const override { return filter_.spec(); }
  const Hasher& hasher() const override { return filter_.hasher(); }
  Status CheckInvariants() const override { return filter_.CheckInvariants(); }
  Capabilities capabilities() const override { return CapabilitiesOf<F>(); }
  Snapshot ToSnapshot() const override { return filter_.ToSnapshot(); }

 private:
  using Interface = AnyFilter::Interface;

  // Fetches what an insert will change; where that is what a look-up reads, the
  // filter has Prefetch alone.
  void PrefetchInsert(KeyHash hash) const {
    if constexpr (requires { filter_.PrefetchInsert(hash); }) {
      filter_.PrefetchInsert(hash);
    } else if constexpr (requires { filter_.Prefetch(hash); }) {
      filter_.Prefetch(hash);
    }
  }
  Status Unsupported(const char* operation) const {
    return {StatusCode::kUnsupported,
            spec().name() + " has no " + operation + " operation"};
  }

  F filter_;
};

}  // namespace internal
}  // namespace tamis

#endif  // TAMIS_INTERNAL_FILTERS_ANY_FILTER_MODEL_H_
