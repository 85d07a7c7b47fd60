// AnyFilter: one type for every filter, chosen at run time by a spec string.
//
//   Result<AnyFilter> filter =
//       AnyFilter::Create("rsqf:r=8", {.keys = 1'000'000});
//   if (!filter.ok()) return filter.status();
//   TAMIS_RETURN_IF_ERROR(filter->Insert(filter->hasher().Hash("key")));
//   if (filter->MayContain("key")) ...
//
// The command line, the bindings and the benchmarks use it.  Where the kind is
// known when compiling, the filter's own class is the better choice: a call
// through AnyFilter costs a virtual call, so loops over many keys have calls
// of their own (MayContain of a batch, InsertEach, CountEach).
//
// What a filter can do is written once, in AnyFilter::Interface; what it lacks
// returns kUnsupported, and capabilities() says so beforehand.  Which kinds
// there are, and how to add one's own, is in kind.h.

#ifndef TAMIS_ANY_FILTER_H_
#define TAMIS_ANY_FILTER_H_

#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

// How a filter is made, beside its spec.
struct CreateOptions {
  // How many keys it has to hold without growing.
  uint64_t keys = 0;
  // Instead of `keys`, for those who look inside: places of the table, or keys
  // where there is no table.
  uint64_t slots = 0;
  Hasher hasher = Hasher();
  // Where an adaptive filter asks for its members, instead of a mirror; see
  // key_source.h.  kUnsupported if the filter can't.
  KeySourceRef source = {};
};

class AnyFilter {
 public:
  // What a filter offers to be carried, as in the concepts of filter.h.
  // Implemented for all filter classes by the template in
  // internal/filters/any_filter_model.h, which KindOf of kind.h uses.
  class Interface {
   public:
    virtual ~Interface() = default;

    // Every filter has these.
    virtual Status Insert(KeyHash hash) = 0;
    virtual bool MayContain(KeyHash hash) const = 0;
    virtual void MayContain(std::span<const KeyHash> hashes,
                            std::span<bool> results) const = 0;
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

    // Some filters have these; the others say kUnsupported.
    virtual Status Erase(KeyHash hash);
    virtual Result<AdaptOutcome> Adapt(KeyHash hash);
    // 0, none and kUnsupported where capabilities().adapt_with_members is
    // false.
    virtual uint64_t num_erases() const;
    virtual std::optional<HashRange> CollisionRange(KeyHash hash) const;
    virtual Result<AdaptOutcome> Adapt(KeyHash absent,
                                       std::span<const KeyHash> members,
                                       uint64_t num_erases);
    // Adapts if the filter itself can prove that `hash` is absent.
    virtual Result<AdaptOutcome> AdaptIfProven(KeyHash hash);
    virtual Status Expand();
    virtual Status Contract();
    virtual Status Rejuvenate(KeyHash hash);
    // Many at once; each key at most as often as it was inserted.
    virtual Status Rejuvenate(std::span<const KeyHash> hashes);
    // kIncompatible if `other` is of another kind.
    virtual Status Merge(const Interface& other);
    // Places all keys anew under other hashes, from what the filter knows.
    virtual Status Rebuild(uint64_t seed);
    // The same in a table of so many slots.
    virtual Status RebuildTo(uint64_t slots);
    // Returns how often a key is stored, as far as the filter can tell it from
    // others.
    virtual Result<uint64_t> Count(KeyHash hash) const;

    // Every filter has these too, some a faster one than this.
    // Fetches what Insert(hash) will change, some other inserts before it.
    virtual void PrefetchInsert(KeyHash hash) const;
    // InsertEach where the filter has no BulkLoad of its own; then the keys
    // before the first that failed stay inserted.
    virtual Status BulkLoad(std::span<const KeyHash> hashes);
    // InsertEach and EraseEach stop at the first error; CountEach returns how
    // many of `hashes` the filter may contain, asking for one after the other.
    virtual Status InsertEach(std::span<const KeyHash> hashes);
    virtual Status EraseEach(std::span<const KeyHash> hashes);
    virtual uint64_t CountEach(std::span<const KeyHash> hashes) const;
    // From keys, hashed by hasher().
    virtual bool MayContainInteger(uint64_t key) const;
    virtual bool MayContainBytes(std::string_view key) const;
    virtual void MayContainKeys(std::span<const uint64_t> keys,
                                std::span<bool> results) const;
    virtual uint64_t CountKeys(std::span<const uint64_t> keys) const;

   protected:
    Status Unsupported(std::string_view operation) const;
  };

  // Makes the filter that `spec` names.  kInvalidArgument if there is no such
  // filter or parameter, or neither `keys` nor `slots` is given.
  static Result<AnyFilter> Create(std::string_view spec,
                                  const CreateOptions& options);
  static Result<AnyFilter> Create(const Spec& spec,
                                  const CreateOptions& options);
  // The same with `slots`.
  static Result<AnyFilter> Create(std::string_view spec, uint64_t slots,
                                  const Hasher& hasher = Hasher());
  static Result<AnyFilter> Create(const Spec& spec, uint64_t slots,
                                  const Hasher& hasher = Hasher());
  static Result<AnyFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                        const LoadOptions& options = {});
  // Returns the names of all kinds, in the order of the documentation.
  static std::vector<std::string_view> KnownKinds();

  // Carries a filter of any kind.
  explicit AnyFilter(std::unique_ptr<Interface> filter)
      : filter_(std::move(filter)) {}

  // As in Interface.
  Status Insert(KeyHash hash) { return filter_->Insert(hash); }
  bool MayContain(KeyHash hash) const { return filter_->MayContain(hash); }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    filter_->MayContain(hashes, results);
  }
  // The same from keys, hashed by hasher() inside the one virtual call.
  bool MayContain(std::string_view key) const {
    return filter_->MayContainBytes(key);
  }
  template <std::integral Integer>
  bool MayContain(Integer key) const {
    return filter_->MayContainInteger(static_cast<uint64_t>(key));
  }
  void MayContain(std::span<const uint64_t> keys,
                  std::span<bool> results) const {
    filter_->MayContainKeys(keys, results);
  }
  Status Erase(KeyHash hash) { return filter_->Erase(hash); }
  Result<AdaptOutcome> Adapt(KeyHash hash) { return filter_->Adapt(hash); }
  uint64_t num_erases() const { return filter_->num_erases(); }
  std::optional<HashRange> CollisionRange(KeyHash hash) const {
    return filter_->CollisionRange(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) {
    return filter_->Adapt(absent, members, num_erases);
  }
  Result<AdaptOutcome> AdaptIfProven(KeyHash hash) {
    return filter_->AdaptIfProven(hash);
  }
  Status Expand() { return filter_->Expand(); }
  Status Contract() { return filter_->Contract(); }
  Status Rejuvenate(KeyHash hash) { return filter_->Rejuvenate(hash); }
  Status Rejuvenate(std::span<const KeyHash> hashes) {
    return filter_->Rejuvenate(hashes);
  }
  Status Merge(const AnyFilter& other) {
    return filter_->Merge(*other.filter_);
  }
  Status Rebuild(uint64_t seed) { return filter_->Rebuild(seed); }
  Status RebuildTo(uint64_t slots) { return filter_->RebuildTo(slots); }
  Result<uint64_t> Count(KeyHash hash) const { return filter_->Count(hash); }
  void PrefetchInsert(KeyHash hash) const { filter_->PrefetchInsert(hash); }
  Status BulkLoad(std::span<const KeyHash> hashes) {
    return filter_->BulkLoad(hashes);
  }
  Status InsertEach(std::span<const KeyHash> hashes) {
    return filter_->InsertEach(hashes);
  }
  Status EraseEach(std::span<const KeyHash> hashes) {
    return filter_->EraseEach(hashes);
  }
  uint64_t CountEach(std::span<const KeyHash> hashes) const {
    return filter_->CountEach(hashes);
  }
  uint64_t CountEach(std::span<const uint64_t> keys) const {
    return filter_->CountKeys(keys);
  }
  uint64_t size() const { return filter_->size(); }
  uint64_t capacity() const { return filter_->capacity(); }
  uint64_t SizeBits() const { return filter_->SizeBits(); }
  double ExpectedFpr() const { return filter_->ExpectedFpr(); }
  FilterStats stats() const { return filter_->stats(); }
  Spec spec() const { return filter_->spec(); }
  const Hasher& hasher() const { return filter_->hasher(); }
  Status CheckInvariants() const { return filter_->CheckInvariants(); }
  Capabilities capabilities() const { return filter_->capabilities(); }
  internal::Snapshot ToSnapshot() const { return filter_->ToSnapshot(); }

 private:
  std::unique_ptr<Interface> filter_;
};

}  // namespace tamis

#endif  // TAMIS_ANY_FILTER_H_
