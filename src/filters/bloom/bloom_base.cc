#include "tamis/internal/filters/bloom/bloom_base.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tamis::internal {

Result<BloomSizing> BloomSizing::Of(const std::string& kind, double bits,
                                    uint64_t slots) {
  if (slots == 0 || slots > kMaxBloomSlots) {
    return Status(StatusCode::kInvalidArgument,
                  kind + ": " + std::to_string(slots) +
                      " slots; expected 1 to " +
                      std::to_string(kMaxBloomSlots));
  }
  return BloomSizing{bits, slots};
}

uint64_t BloomSizing::Units(unsigned unit_bits) const {
  const double units = bits_per_key * static_cast<double>(slots) / unit_bits;
  return std::max(uint64_t{1}, static_cast<uint64_t>(std::llround(units)));
}

Status FullStatus(std::string_view name, uint64_t capacity) {
  return {StatusCode::kFull, std::string(name) + " can't hold more than its " +
                                 std::to_string(capacity) +
                                 " keys at the rate promised"};
}

Status CheckOnes(std::string_view invariant, uint64_t ones, uint64_t keys,
                 int k) {
  // Divided, not multiplied: a size from a file may be anything.
  const bool too_many =
      ones / static_cast<unsigned>(k) > keys || (ones == 0) != (keys == 0);
  if (!too_many) return {};
  return {StatusCode::kCorrupt,
          std::string(invariant) + ": " + std::to_string(ones) +
              " set bits can't come from " + std::to_string(keys) +
              " keys of " + std::to_string(k) + " bits"};
}

Result<Sizing> SmallestSizing(std::string_view kind, uint64_t keys, double fpr,
                              Result<Sizing> (*sizing_of)(const Spec&, uint64_t,
                                                          uint64_t)) {
  const uint64_t slots = std::max(uint64_t{1}, keys);
  const auto with_bits = [&](double hundredths) {
    const std::string bits = ShortestText(hundredths / 100);
    return sizing_of(Spec(std::string(kind)).Set("bits", bits), slots, keys);
  };
  // The rate falls with the bits: it is too high below `low`, and as low as
  // asked for at `high`.
  double low = std::ceil(100 * kMinBitsPerKey);
  double high = 100 * kMaxBitsPerKey;
  TAMIS_ASSIGN_OR_RETURN(Sizing best, with_bits(high));
  if (best.fpr > fpr) {
    return Status(StatusCode::kInvalidArgument,
                  std::string(kind) + " can't reach so low a rate: with " +
                      ShortestText(kMaxBitsPerKey) + " bits a key it is " +
                      ShortestText(best.fpr));
  }
  while (low < high) {
    const double middle = std::floor((low + high) / 2);
    TAMIS_ASSIGN_OR_RETURN(Sizing sizing, with_bits(middle));
    if (sizing.fpr > fpr) {
      low = middle + 1;
    } else {
      high = middle;
      best = std::move(sizing);
    }
  }
  return best;
}

Status BloomBase::LoadArrays(const Snapshot& snapshot) {
  TAMIS_ASSIGN_OR_RETURN(const auto bytes,
                         snapshot.Array("words", words_.size_bytes()));
  TAMIS_RETURN_IF_ERROR(words_.Allocate());
  words_.Assign(bytes);
  return {};
}

Snapshot BloomBase::BaseSnapshot(const Spec& spec) const {
  Snapshot snapshot(spec, hasher_);
  snapshot.AddNumber("slots", sizing_.slots);
  snapshot.AddNumber("size", size_);
  snapshot.AddArray("words", words_.bytes());
  return snapshot;
}

FilterStats BloomBase::BaseStats(uint64_t size_bits,
                                 double expected_fpr) const {
  FilterStats stats;
  stats.size = size_;
  stats.capacity = capacity();
  stats.size_bits = size_bits;
  stats.expected_fpr = expected_fpr;
  return stats;
}

}  // namespace tamis::internal
