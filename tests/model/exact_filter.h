// ExactFilter: the reference, a filter that is plainly right.
//
// It keeps every hash.  "exact" has no false positive; "exact:bits=p" also
// says yes to a key that agrees with a member in the first p bits of the hash,
// unless Adapt was told of it:
//
//   MayContain(x)  =  x is a member, or
//                     x shares p bits with a member and is not in `fixed`
//
// So it can do everything that the concepts of filter.h name, in a few lines
// each, and tests of the harness itself have something to stand on.
//
// Thread safety: as all filters.

#ifndef TAMIS_TESTS_MODEL_EXACT_FILTER_H_
#define TAMIS_TESTS_MODEL_EXACT_FILTER_H_

#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/hash_multiset.h"
#include "tamis/filter.h"

namespace tamis::testing {

class ExactFilter {
 public:
  static constexpr uint64_t kMaxSlots = uint64_t{1} << 32;

  static Result<ExactFilter> Create(const Spec& spec, uint64_t slots,
                                    const Hasher& hasher) {
    TAMIS_RETURN_IF_ERROR(spec.ExpectOnly({"bits"}));
    TAMIS_ASSIGN_OR_RETURN(const uint64_t bits, spec.Integer("bits", 0, 0, 63));
    if (slots == 0 || slots > kMaxSlots) {
      return Status(StatusCode::kInvalidArgument,
                    "exact: " + std::to_string(slots) + " slots");
    }
    return ExactFilter(static_cast<int>(bits), slots, hasher);
  }

  Status Insert(KeyHash hash) {
    if (size() == capacity_) return Full();
    Add(hash);
    return {};
  }

  bool MayContain(KeyHash hash) const {
    if (members_.Contains(hash)) return true;
    return bits_ > 0 && prefixes_.contains(Prefix(hash)) &&
           !fixed_.Contains(hash);
  }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    for (size_t i = 0; i < hashes.size(); ++i) {
      results[i] = MayContain(hashes[i]);
    }
  }

  Status Erase(KeyHash hash) {
    if (!members_.Remove(hash)) {
      return {StatusCode::kNotFound, "exact: the key is no member"};
    }
    const auto prefix = prefixes_.find(Prefix(hash));
    if (--prefix->second == 0) prefixes_.erase(prefix);
    return {};
  }

  Result<AdaptOutcome> Adapt(KeyHash hash) {
    if (members_.Contains(hash)) {
      return Status(StatusCode::kIsMember, "exact: the key is a member");
    }
    if (!MayContain(hash)) return AdaptOutcome::kNothingToFix;
    fixed_.Add(hash);
    return AdaptOutcome::kFixed;
  }

  Status Expand() {
    if (capacity_ > kMaxSlots / 2) return Full();
    capacity_ *= 2;
    return {};
  }
  Status Contract() {
    if (capacity_ < 2 || size() > capacity_ / 2) return Full();
    capacity_ /= 2;
    return {};
  }

  Status Merge(const ExactFilter& other) {
    if (hasher_ != other.hasher_ || bits_ != other.bits_) {
      return {StatusCode::kIncompatible, "exact: other hasher or bits"};
    }
    return BulkLoad(std::vector<KeyHash>(other.members_.members()));
  }

  Status BulkLoad(std::span<const KeyHash> hashes) {
    if (hashes.size() > capacity_ - size()) return Full();
    for (const KeyHash hash : hashes) Add(hash);
    return {};
  }

  uint64_t size() const { return members_.size(); }
  uint64_t capacity() const { return capacity_; }
  uint64_t SizeBits() const { return capacity_ * 8 * sizeof(KeyHash); }
  // A key is no false positive if none of the members' prefixes is its own.
  double ExpectedFpr() const {
    if (bits_ == 0) return 0;
    return 1 -
           std::pow(1 - std::ldexp(1.0, -bits_), static_cast<double>(size()));
  }
  FilterStats stats() const {
    return {.size = size(),
            .capacity = capacity_,
            .size_bits = SizeBits(),
            .side_bits = 0,
            .expected_fpr = ExpectedFpr(),
            .details = {{"fixed", static_cast<double>(fixed_.size())}}};
  }
  Spec spec() const {
    Spec spec("exact");
    if (bits_ > 0) spec.Set("bits", static_cast<uint64_t>(bits_));
    return spec;
  }
  const Hasher& hasher() const { return hasher_; }

  Status CheckInvariants() const {
    if (size() > capacity_) return {StatusCode::kCorrupt, "size > capacity"};
    uint64_t prefixes = 0;
    for (const auto& [prefix, count] : prefixes_) prefixes += count;
    if (prefixes != size()) {
      return {StatusCode::kCorrupt, "prefixes and members differ in number"};
    }
    return {};
  }

  internal::Snapshot ToSnapshot() const {
    internal::Snapshot snapshot(spec(), hasher_);
    snapshot.AddNumber("capacity", capacity_);
    snapshot.AddArray("members", std::span<const KeyHash>(members_.members()));
    snapshot.AddArray("fixed", std::span<const KeyHash>(fixed_.members()));
    return snapshot;
  }
  static Result<ExactFilter> FromSnapshot(const internal::Snapshot& snapshot,
                                          const LoadOptions& options = {}) {
    if (snapshot.spec().name() != "exact") {
      return Status(StatusCode::kCorrupt, "not an exact filter");
    }
    TAMIS_ASSIGN_OR_RETURN(const uint64_t capacity,
                           snapshot.Number("capacity", 1, kMaxSlots));
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter, Create(snapshot.spec(), capacity,
                                                      snapshot.hasher()));
    TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> members,
                           Hashes(snapshot, "members"));
    TAMIS_ASSIGN_OR_RETURN(const std::vector<KeyHash> fixed,
                           Hashes(snapshot, "fixed"));
    TAMIS_RETURN_IF_ERROR(filter.BulkLoad(members));
    for (const KeyHash hash : fixed) filter.fixed_.Add(hash);
    return internal::CheckedIfAsked(std::move(filter), options);
  }

 private:
  ExactFilter(int bits, uint64_t capacity, const Hasher& hasher)
      : bits_(bits), capacity_(capacity), hasher_(hasher) {}

  static Result<std::vector<KeyHash>> Hashes(const internal::Snapshot& snapshot,
                                             std::string_view name) {
    TAMIS_ASSIGN_OR_RETURN(const std::span<const std::byte> bytes,
                           snapshot.Array(name));
    if (bytes.size() % sizeof(KeyHash) != 0) {
      return Status(StatusCode::kCorrupt, "exact: half a hash");
    }
    std::vector<KeyHash> hashes(bytes.size() / sizeof(KeyHash));
    if (!hashes.empty()) std::memcpy(hashes.data(), bytes.data(), bytes.size());
    return hashes;
  }

  uint64_t Prefix(KeyHash hash) const {
    return bits_ == 0 ? hash.high : hash.high >> (64 - bits_);
  }
  void Add(KeyHash hash) {
    members_.Add(hash);
    ++prefixes_[Prefix(hash)];
  }
  Status Full() const {
    return {StatusCode::kFull, "exact holds " + std::to_string(size()) +
                                   " of " + std::to_string(capacity_) +
                                   " keys"};
  }

  int bits_;  // of the prefix that makes a false positive; 0: none
  uint64_t capacity_;
  Hasher hasher_;
  HashMultiset members_;
  HashMultiset fixed_;  // false positives that Adapt was told of
  std::unordered_map<uint64_t, uint64_t> prefixes_;  // how many members each
};
static_assert(ErasableFilter<ExactFilter> && AdaptiveFilter<ExactFilter> &&
              ExpandableFilter<ExactFilter> && MergeableFilter<ExactFilter> &&
              BulkFilter<ExactFilter>);

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_EXACT_FILTER_H_
