// A filter of one's own, as short as it can be: the skeleton of a new kind.
//
// An array of bits, of which each key sets one.  It is a toy, but whole: it can
// be made from a spec, asked, saved, loaded, checked and compared.

#ifndef TAMIS_EXAMPLES_OWN_FILTER_OWN_FILTER_H_
#define TAMIS_EXAMPLES_OWN_FILTER_OWN_FILTER_H_

#include <bit>
#include <cmath>
#include <vector>

#include "tamis/basic_filter.h"
#include "tamis/kind.h"

namespace tamis::examples {

class OwnFilter : public BasicFilter<OwnFilter> {
 public:
  static constexpr Parameter kParameters[] = {
      Number("bits", 16, {8, 1024}, "bits a key, when it is full")};

  static Result<OwnFilter> Create(const Spec& spec, uint64_t keys,
                                  const Hasher& hasher) {
    TAMIS_RETURN_IF_ERROR(ParameterReader(spec, kParameters).Check());
    if (keys - 1 < kMaxKeys) return OwnFilter(spec, hasher, keys);
    return Status(StatusCode::kInvalidArgument, "own: expected 1 to 2^40 keys");
  }
  static Result<OwnFilter> FromSnapshot(const internal::Snapshot& from,
                                        const LoadOptions& load) {
    TAMIS_ASSIGN_OR_RETURN(const auto keys, from.Number("keys", 1, kMaxKeys));
    TAMIS_ASSIGN_OR_RETURN(const auto size, from.Number("size", 0, keys));
    TAMIS_ASSIGN_OR_RETURN(auto made, Create(from.spec(), keys, from.hasher()));
    TAMIS_ASSIGN_OR_RETURN(auto all, from.Array("bytes", made.bytes_.size()));
    made.bytes_.assign(all.begin(), all.end());
    made.set_size(size);
    return internal::CheckedIfAsked(std::move(made), load);
  }
  internal::Snapshot ToSnapshot() const {
    internal::Snapshot to(WithDefaults(spec(), kParameters), hasher());
    to.AddNumber("keys", capacity());
    to.AddNumber("size", size());
    to.AddArray("bytes", std::span(bytes_));
    return to;
  }

  Status Insert(KeyHash hash) {
    if (size() == capacity()) return {StatusCode::kFull, "own is full"};
    bytes_[hash.high % bytes_.size()] |= BitOf(hash);
    set_size(size() + 1);
    return {};
  }
  using BasicFilter::MayContain;  // of batches
  bool MayContain(KeyHash hash) const {
    return (bytes_[hash.high % bytes_.size()] & BitOf(hash)) != std::byte{0};
  }
  uint64_t SizeBits() const { return 8 * bytes_.size(); }
  double ExpectedFpr() const {
    return 1 - std::exp(-double(size()) / double(SizeBits()));
  }
  Status CheckInvariants() const {
    uint64_t ones = 0;
    for (const auto byte : bytes_) ones += std::popcount(uint8_t(byte));
    if (ones <= size() && (ones == 0) == (size() == 0)) return {};
    return {StatusCode::kCorrupt, "own: so many bits are not of so many keys"};
  }

 private:
  static constexpr uint64_t kMaxKeys = uint64_t{1} << 40;
  OwnFilter(const Spec& spec, const Hasher& hasher, uint64_t keys)
      : BasicFilter(spec, hasher, keys),
        bytes_(uint64_t(double(keys) * BitsOf(spec) / 8)) {}
  static double BitsOf(const Spec& spec) {
    return *ParameterReader(spec, kParameters).Number("bits");
  }
  static std::byte BitOf(KeyHash hash) { return std::byte{1} << hash.low % 8; }
  std::vector<std::byte> bytes_;
};

}  // namespace tamis::examples

#endif  // TAMIS_EXAMPLES_OWN_FILTER_OWN_FILTER_H_
