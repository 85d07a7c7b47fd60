// AnyFilter: one type for every filter, chosen at run time by a spec string.
//
//   Result<AnyFilter> filter = AnyFilter::Create("rsqf:r=8", 1'000'000);
//   filter->Insert(filter->hasher().Hash("key"));
//   if (filter->MayContain("key")) ...
//
// The command line, the bindings and the benchmarks use it.  Where the kind is
// known when compiling, the filter's own class is the better choice: a call
// through AnyFilter costs a virtual call, so loops over many keys have calls
// of their own (MayContain of a batch, InsertEach, CountEach).
//
// An operation that the filter lacks returns kUnsupported; capabilities() says
// so beforehand.

#ifndef TAMIS_ANY_FILTER_H_
#define TAMIS_ANY_FILTER_H_

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

class AnyFilter {
 public:
  // What a filter must offer to be carried; implemented once, for all types,
  // by the template in internal/filters/any_filter_model.h.
  class Interface;

  // Makes the filter that `spec` names, with (at least) `slots` slots.
  static Result<AnyFilter> Create(std::string_view spec, uint64_t slots,
                                  const Hasher& hasher = Hasher());
  static Result<AnyFilter> Create(const Spec& spec, uint64_t slots,
                                  const Hasher& hasher = Hasher());
  static Result<AnyFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                        const LoadOptions& options = {});
  // Returns the names of all kinds, in the order of the documentation.
  static std::vector<std::string_view> KnownKinds();

  // Carries a filter that need not be in the registry.
  explicit AnyFilter(std::unique_ptr<Interface> filter);
  AnyFilter(AnyFilter&&) noexcept;
  AnyFilter& operator=(AnyFilter&&) noexcept;
  ~AnyFilter();

  // As in the concepts of filter.h.
  Status Insert(KeyHash hash);
  bool MayContain(KeyHash hash) const;
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;
  // The same from keys, hashed by hasher() inside the one virtual call.
  bool MayContain(std::string_view key) const;
  template <std::integral Integer>
  bool MayContain(Integer key) const {
    return MayContainInteger(static_cast<uint64_t>(key));
  }
  void MayContain(std::span<const uint64_t> keys,
                  std::span<bool> results) const;
  Status Erase(KeyHash hash);
  Result<AdaptOutcome> Adapt(KeyHash hash);
  // 0, none and kUnsupported where capabilities().adapt_with_members is false.
  uint64_t num_erases() const;
  std::optional<HashRange> CollisionRange(KeyHash hash) const;
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases);
  Status Expand();
  Status Contract();
  Status Rejuvenate(KeyHash hash);
  // kIncompatible if `other` is of another kind.
  Status Merge(const AnyFilter& other);
  // Falls back to InsertEach where the filter has no BulkLoad of its own; then
  // the keys before the first that failed stay inserted.
  Status BulkLoad(std::span<const KeyHash> hashes);

  // Loops inside one virtual call.  InsertEach and EraseEach stop at the first
  // error; CountEach returns how many of `hashes` the filter may contain,
  // asking for one after the other.
  Status InsertEach(std::span<const KeyHash> hashes);
  Status EraseEach(std::span<const KeyHash> hashes);
  uint64_t CountEach(std::span<const KeyHash> hashes) const;
  uint64_t CountEach(std::span<const uint64_t> keys) const;

  uint64_t size() const;
  uint64_t capacity() const;
  uint64_t SizeBits() const;
  double ExpectedFpr() const;
  FilterStats stats() const;
  Spec spec() const;
  const Hasher& hasher() const;
  Status CheckInvariants() const;
  Capabilities capabilities() const;
  internal::Snapshot ToSnapshot() const;

 private:
  bool MayContainInteger(uint64_t key) const;

  std::unique_ptr<Interface> filter_;
};

}  // namespace tamis

#endif  // TAMIS_ANY_FILTER_H_
