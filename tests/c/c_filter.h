// CFilter: a filter used through tamis/c.h alone, in the shape of filter.h, so
// that what is tested of every filter is tested of it too.

#ifndef TAMIS_TESTS_C_C_FILTER_H_
#define TAMIS_TESTS_C_C_FILTER_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tamis/c.h"
#include "tamis/filter.h"
#include "tamis/hasher.h"

namespace tamis::testing {

struct FreeHandles {
  void operator()(tamis_filter* filter) const { tamis_filter_free(filter); }
  void operator()(tamis_error* error) const { tamis_error_free(error); }
  void operator()(tamis_bytes* bytes) const { tamis_bytes_free(bytes); }
};
using OwnedFilter = std::unique_ptr<tamis_filter, FreeHandles>;
using OwnedError = std::unique_ptr<tamis_error, FreeHandles>;
using OwnedBytes = std::unique_ptr<tamis_bytes, FreeHandles>;

inline OwnedError NewError() { return OwnedError(tamis_error_new()); }

// What a call said, as the library says it.  The codes have the same order.
inline Status FromC(tamis_status code, const tamis_error* error) {
  if (code == TAMIS_OK) return {};
  return {static_cast<StatusCode>(code), tamis_error_text(error)};
}

// Makes a filter that can be made.
inline OwnedFilter Make(const tamis_options& options) {
  tamis_filter* filter = nullptr;
  const OwnedError error = NewError();
  EXPECT_EQ(tamis_create(&options, &filter, error.get()), TAMIS_OK)
      << tamis_error_text(error.get());
  return OwnedFilter(filter);
}

class CFilter {
 public:
  static Result<CFilter> Create(const Spec& spec, uint64_t keys,
                                const Hasher& hasher) {
    const std::string text = spec.ToString();
    tamis_options options = TAMIS_OPTIONS_INIT;
    options.spec = text.c_str();
    options.keys = keys;
    options.flags = TAMIS_FIXED_SEED;
    options.algorithm = static_cast<uint32_t>(hasher.algorithm());
    options.seed = {hasher.seed().low, hasher.seed().high};
    return Made([&](tamis_filter** out, tamis_error* error) {
      return tamis_create(&options, out, error);
    });
  }
  Result<CFilter> Reload() const {
    const OwnedError error = NewError();
    tamis_bytes* made = nullptr;
    const tamis_status status = tamis_serialize(get(), &made, error.get());
    const OwnedBytes bytes(made);
    if (status != TAMIS_OK) return FromC(status, error.get());
    return Made([&](tamis_filter** out, tamis_error* why) {
      return tamis_deserialize(tamis_bytes_data(made), tamis_bytes_size(made),
                               nullptr, out, why);
    });
  }

  tamis_filter* get() const { return filter_.get(); }

  Status Insert(KeyHash hash) { return InsertAll(std::span(&hash, 1)); }
  Status InsertAll(std::span<const KeyHash> hashes) {
    const tamis_batch batch = BatchOf(hashes);
    const OwnedError error = NewError();
    return FromC(tamis_insert_batch(get(), &batch, nullptr, error.get()),
                 error.get());
  }
  bool MayContain(KeyHash hash) const {
    bool result = false;
    MayContain(std::span(&hash, 1), std::span(&result, 1));
    return result;
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    const tamis_batch batch = BatchOf(hashes);
    tamis_may_contain_batch(
        get(), &batch, reinterpret_cast<uint8_t*>(results.data()), nullptr);
  }
  Status Erase(KeyHash hash) {
    const tamis_batch batch = BatchOf(std::span(&hash, 1));
    const OwnedError error = NewError();
    return FromC(tamis_erase_batch(get(), &batch, nullptr, error.get()),
                 error.get());
  }
  // A batch takes members for keys that it can't fix; one key says which.
  Result<AdaptOutcome> Adapt(KeyHash hash) {
    const tamis_batch batch = BatchOf(std::span(&hash, 1));
    const OwnedError error = NewError();
    uint8_t outcome = TAMIS_NOT_FIXED;
    const Status status = FromC(
        tamis_report_batch(get(), &batch, &outcome, error.get()), error.get());
    if (!status.ok()) return status;
    return static_cast<AdaptOutcome>(outcome);
  }
  Status Expand() {
    const OwnedError error = NewError();
    return FromC(tamis_expand(get(), error.get()), error.get());
  }
  Status Contract() { return {StatusCode::kUnsupported, "not in C"}; }
  Status Merge(const CFilter& other) {
    const OwnedError error = NewError();
    return FromC(tamis_merge(get(), other.get(), error.get()), error.get());
  }

  uint64_t size() const { return stats().size; }
  uint64_t capacity() const { return stats().capacity; }
  uint64_t SizeBits() const { return stats().size_bits; }
  double ExpectedFpr() const { return stats().expected_fpr; }
  FilterStats stats() const {
    tamis_stats stats = TAMIS_STATS_INIT;
    tamis_get_stats(get(), &stats, nullptr);
    return {.size = stats.size,
            .capacity = stats.capacity,
            .size_bits = stats.size_bits,
            .side_bits = stats.side_bits,
            .expected_fpr = stats.expected_fpr,
            .details = {}};
  }
  Spec spec() const {
    std::string text(tamis_get_spec(get(), nullptr, 0), ' ');
    tamis_get_spec(get(), text.data(), text.size() + 1);
    return Spec::Parse(text).value();
  }
  const Hasher& hasher() const { return hasher_; }
  Status CheckInvariants() const {
    const OwnedError error = NewError();
    return FromC(tamis_check(get(), error.get()), error.get());
  }
  Capabilities capabilities() const {
    const uint32_t can = tamis_get_capabilities(get());
    return {.erase = (can & TAMIS_CAN_ERASE) != 0,
            .adapt = (can & TAMIS_CAN_ADAPT) != 0,
            // Whoever knows them: a batch says kNotFixed of members.
            .knows_members = false,
            .expand = (can & TAMIS_CAN_EXPAND) != 0,
            .merge = (can & TAMIS_CAN_MERGE) != 0};
  }

  // Filters go through C as bytes.
  internal::Snapshot ToSnapshot() const {
    return internal::Snapshot(spec(), hasher());
  }
  static Result<CFilter> FromSnapshot(const internal::Snapshot&,
                                      const LoadOptions& = {}) {
    return Status(StatusCode::kUnsupported, "not in C");
  }

 private:
  CFilter(OwnedFilter filter, const Hasher& hasher)
      : filter_(std::move(filter)), hasher_(hasher) {}

  template <typename Make>
  static Result<CFilter> Made(Make make) {
    const OwnedError error = NewError();
    tamis_filter* made = nullptr;
    const tamis_status status = make(&made, error.get());
    OwnedFilter filter(made);
    if (status != TAMIS_OK) return FromC(status, error.get());
    const tamis_seed seed = tamis_get_seed(made);
    return CFilter(std::move(filter),
                   Hasher(static_cast<HashAlgorithm>(tamis_get_algorithm(made)),
                          Seed{seed.low, seed.high}));
  }

  static tamis_batch BatchOf(std::span<const KeyHash> hashes) {
    static_assert(sizeof(KeyHash) == sizeof(tamis_hash));
    return {TAMIS_HASHES, hashes.size(), hashes.data(), hashes.size_bytes(), 0,
            nullptr};
  }

  OwnedFilter filter_;
  Hasher hasher_;
};
static_assert(FilterType<CFilter>);

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_C_C_FILTER_H_
