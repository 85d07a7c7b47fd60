// A filter of one's own, as short as it can be: the skeleton of a new kind.
//
// One byte for each key: its fingerprint, in a table of as many slots.  A slot
// that is taken is filled up with all its bits set, which says yes to all.  It
// is a toy (a rate of 1/256 and of every slot that two keys share), but whole:
// it can be made from a spec, asked, saved, loaded, checked and compared.

#ifndef TAMIS_EXAMPLES_OWN_FILTER_OWN_FILTER_H_
#define TAMIS_EXAMPLES_OWN_FILTER_OWN_FILTER_H_

#include <cmath>
#include <utility>
#include <vector>

#include "tamis/kind.h"

class OwnFilter {
 public:
  static constexpr tamis::Parameter kParameters[] = {tamis::Number(
      "bits", 16, {8, 1024}, "bits a key, when it is full: 8 a slot")};

  static tamis::Result<OwnFilter> Create(const tamis::Spec& spec, uint64_t keys,
                                         const tamis::Hasher& hasher) {
    const tamis::ParameterReader read(spec, kParameters);
    TAMIS_RETURN_IF_ERROR(read.Check());
    TAMIS_ASSIGN_OR_RETURN(const double bits, read.Number("bits"));
    if (keys == 0 || keys > kMaxKeys) {
      return tamis::Status(tamis::StatusCode::kInvalidArgument,
                           "own: expected 1 to 2^40 keys");
    }
    return OwnFilter(spec, bits, keys, hasher);
  }
  static tamis::Result<OwnFilter> FromSnapshot(
      const tamis::internal::Snapshot& from, const tamis::LoadOptions& load) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t keys,
                           from.Number("keys", 1, kMaxKeys));
    TAMIS_ASSIGN_OR_RETURN(OwnFilter made,
                           Create(from.spec(), keys, from.hasher()));
    TAMIS_ASSIGN_OR_RETURN(made.size_, from.Number("size", 0, keys));
    TAMIS_ASSIGN_OR_RETURN(const auto bytes,
                           from.Array("slots", made.slots_.size()));
    made.slots_.assign(bytes.begin(), bytes.end());
    return tamis::internal::CheckedIfAsked(std::move(made), load);
  }
  tamis::internal::Snapshot ToSnapshot() const {
    tamis::internal::Snapshot to(spec_, hasher_);
    to.AddNumber("keys", keys_);
    to.AddNumber("size", size_);
    to.AddArray("slots", std::as_bytes(std::span(slots_)));
    return to;
  }

  tamis::Status Insert(tamis::KeyHash hash) {
    if (size_ == keys_) return {tamis::StatusCode::kFull, "own is full"};
    std::byte& slot = slots_[SlotOf(hash)];
    slot = slot == kEmpty || slot == PrintOf(hash) ? PrintOf(hash) : kShared;
    ++size_;
    return {};
  }
  bool MayContain(tamis::KeyHash hash) const {
    const std::byte slot = slots_[SlotOf(hash)];
    return slot == kShared || slot == PrintOf(hash);
  }
  void MayContain(std::span<const tamis::KeyHash> hashes,
                  std::span<bool> results) const {
    for (size_t i = 0; i < hashes.size(); ++i) {
      results[i] = MayContain(hashes[i]);
    }
  }
  double ExpectedFpr() const {  // taken by one key, or by several
    const double load =
        static_cast<double>(size_) / static_cast<double>(slots_.size());
    const double one = load * std::exp(-load);
    return one / 254 + (1 - std::exp(-load) - one);
  }

  uint64_t size() const { return size_; }
  uint64_t capacity() const { return keys_; }
  uint64_t SizeBits() const { return 8 * slots_.size(); }
  tamis::FilterStats stats() const {
    return {size(), capacity(), SizeBits(), 0, ExpectedFpr(), {}};
  }
  tamis::Spec spec() const { return spec_; }
  const tamis::Hasher& hasher() const { return hasher_; }
  tamis::Status CheckInvariants() const {
    uint64_t taken = 0;
    for (const std::byte slot : slots_) taken += slot != kEmpty ? 1 : 0;
    if (taken <= size_ && (taken == 0) == (size_ == 0)) return {};
    return {tamis::StatusCode::kCorrupt, "more slots are taken than keys"};
  }

 private:
  static constexpr std::byte kEmpty{0};
  static constexpr std::byte kShared{255};
  static constexpr uint64_t kMaxKeys = uint64_t{1} << 40;

  OwnFilter(const tamis::Spec& spec, double bits, uint64_t keys,
            const tamis::Hasher& hasher)
      : spec_(spec),
        hasher_(hasher),
        keys_(keys),
        slots_(static_cast<size_t>(bits * static_cast<double>(keys) / 8)) {}

  uint64_t SlotOf(tamis::KeyHash hash) const {
    return hash.high % slots_.size();
  }
  static std::byte PrintOf(tamis::KeyHash hash) {  // neither empty nor shared
    return static_cast<std::byte>(1 + hash.low % 254);
  }

  tamis::Spec spec_;
  tamis::Hasher hasher_;
  uint64_t keys_;
  uint64_t size_ = 0;
  std::vector<std::byte> slots_;
};

#endif  // TAMIS_EXAMPLES_OWN_FILTER_OWN_FILTER_H_
