#include "tamis/blocked_bloom.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "filters/bloom/bloom_math.h"
#include "filters/bloom/parameters.h"
#include "tamis/internal/hash/look_ahead.h"

namespace tamis {

using internal::BloomSizing;
using internal::kLineBits;
using internal::kLineLanes;
using internal::WordArray;
using internal::WordShape;

BlockedBloomFilter::BlockedBloomFilter(BloomSizing sizing, const Hasher& hasher)
    : PlainBloom(sizing,
                 WordArray(sizing.Units(kLineBits), WordShape(kLineBits, 0)),
                 hasher) {}

Result<BlockedBloomFilter> BlockedBloomFilter::Configure(const Spec& spec,
                                                         uint64_t slots,
                                                         const Hasher& hasher) {
  const ParameterReader read(spec, internal::kBlockedParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const double bits, read.Number("bits"));
  TAMIS_ASSIGN_OR_RETURN(const BloomSizing sizing,
                         BloomSizing::Of("blocked", bits, slots));
  return BlockedBloomFilter(sizing, hasher);
}

void BlockedBloomFilter::MayContain(std::span<const KeyHash> hashes,
                                    std::span<bool> results) const {
  internal::PrefetchAhead(*this, hashes, results);
}

Status BlockedBloomFilter::FullStatus() const {
  return internal::FullStatus("blocked", capacity());
}

double BlockedBloomFilter::ExpectedFpr() const {
  const Pmf keys = BinomialPmf(size_, 1 / static_cast<double>(words_.words()));
  double rate = 0;
  for (size_t i = 0; i < keys.chances.size(); ++i) {
    const double n = static_cast<double>(keys.first + i);
    rate +=
        keys.chances[i] * std::pow(1 - std::pow(1 - 1.0 / 64, n), kLineLanes);
  }
  return rate;
}

FilterStats BlockedBloomFilter::stats() const {
  FilterStats stats = BaseStats(SizeBits(), ExpectedFpr());
  stats.details = {{"lines", static_cast<double>(words_.words())}};
  return stats;
}

Spec BlockedBloomFilter::spec() const {
  return Spec("blocked").Set("bits",
                             internal::ShortestText(sizing_.bits_per_key));
}

Status BlockedBloomFilter::CheckInvariants() const {
  for (uint64_t line = 0; line < words_.words(); ++line) {
    const internal::WordBits lanes = words_.Load(line);
    const auto empty = std::count(lanes.begin(), lanes.end(), 0);
    if (empty != 0 && empty != kLineLanes) {
      return {StatusCode::kCorrupt, "(L3): some lanes of line " +
                                        std::to_string(line) +
                                        " are empty and some are not"};
    }
  }
  return internal::CheckOnes("(L2)", words_.CountOnes(), size_, kLineLanes);
}

}  // namespace tamis
