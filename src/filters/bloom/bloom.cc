#include "tamis/bloom.h"

#include <algorithm>
#include <string>

#include "filters/bloom/bloom_math.h"
#include "filters/bloom/parameters.h"
#include "tamis/internal/hash/look_ahead.h"

namespace tamis {

using internal::BloomSizing;
using internal::LoadWord;
using internal::Snapshot;
using internal::WordArray;
using internal::WordShape;

namespace {

constexpr const char* kProbing = "probing";

}  // namespace

BloomFilter::BloomFilter(BloomSizing sizing, uint64_t bits, int k,
                         const Hasher& hasher)
    : PlainBloom(sizing, WordArray((bits + 63) / 64, WordShape(64, 0)), hasher),
      bits_(bits),
      k_(k),
      turned_k_(k) {}

Result<BloomFilter> BloomFilter::Configure(const Spec& spec, uint64_t slots,
                                           const Hasher& hasher) {
  const ParameterReader read(spec, internal::kBloomParameters);
  TAMIS_RETURN_IF_ERROR(read.Check());
  TAMIS_ASSIGN_OR_RETURN(const double bits, read.Number("bits"));
  TAMIS_ASSIGN_OR_RETURN(const BloomSizing sizing,
                         BloomSizing::Of("bloom", bits, slots));
  const int best =
      std::min(internal::kMaxBloomK, BestBloomK(sizing.bits_per_key));
  TAMIS_ASSIGN_OR_RETURN(const int k,
                         read.Int("k", static_cast<uint64_t>(best)));
  return BloomFilter(sizing, sizing.Units(1), k, hasher);
}

void BloomFilter::MayContain(std::span<const KeyHash> hashes,
                             std::span<bool> results) const {
  internal::PrefetchAhead(*this, hashes, results);
}

bool BloomFilter::MayContainStepped(KeyHash hash) const {
  return AllSet(internal::SteppedProbe(hash), k_);
}

Status BloomFilter::Insert(KeyHash hash) {
  TAMIS_RETURN_IF_ERROR(words_.CheckWritable());
  if (size_ >= capacity()) return internal::FullStatus("bloom", capacity());
  WithProbe(hash, [&](auto probe) {
    for (int i = 0; i < k_; ++i) {
      const uint64_t bit = probe.Next(bits_);
      words_.At(bit / 64)[bit / 8 % 8] |= std::byte{1} << (bit % 8);
    }
  });
  ++size_;
  return {};
}

Status BloomFilter::Merge(const BloomFilter& other) {
  if (probing() != other.probing()) {
    return {StatusCode::kIncompatible,
            "can't merge into " + spec().ToString() +
                ": one is from a file of old, whose keys have other bits"};
  }
  return PlainBloom::Merge(other);
}

Snapshot BloomFilter::ToSnapshot() const {
  Snapshot snapshot = PlainBloom::ToSnapshot();
  snapshot.AddNumber(kProbing, static_cast<uint64_t>(probing()));
  return snapshot;
}

Result<BloomFilter> BloomFilter::FromSnapshot(const Snapshot& snapshot,
                                              const LoadOptions& load) {
  TAMIS_ASSIGN_OR_RETURN(BloomFilter filter,
                         PlainBloom::FromSnapshot(snapshot, load));
  const bool is_old = std::ranges::none_of(
      snapshot.numbers(),
      [](const Snapshot::NamedNumber& n) { return n.name == kProbing; });
  TAMIS_ASSIGN_OR_RETURN(
      const uint64_t probing,
      is_old ? Result<uint64_t>(1) : snapshot.Number(kProbing, 1, 2));
  const bool is_stepped = static_cast<Probing>(probing) == Probing::kStepped;
  filter.turned_k_ = is_stepped ? 0 : filter.k_;
  return filter;
}

double BloomFilter::ExpectedFpr() const {
  return MeanBloomFpr(static_cast<double>(bits_), static_cast<double>(size_),
                      k_);
}

FilterStats BloomFilter::stats() const {
  FilterStats stats = BaseStats(SizeBits(), ExpectedFpr());
  stats.details = {{"set_bits", static_cast<double>(words_.CountOnes())}};
  return stats;
}

Spec BloomFilter::spec() const {
  return Spec("bloom")
      .Set("bits", internal::ShortestText(sizing_.bits_per_key))
      .Set("k", static_cast<uint64_t>(k_));
}

Status BloomFilter::CheckInvariants() const {
  const uint64_t last = LoadWord(words_.At(words_.words() - 1));
  if (bits_ % 64 != 0 && last >> (bits_ % 64) != 0) {
    return {StatusCode::kCorrupt, "(B1): a bit beyond the last is set"};
  }
  return internal::CheckOnes("(B2)", words_.CountOnes(), size_, k_);
}

}  // namespace tamis
