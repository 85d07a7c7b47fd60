// Sharded<F>: 2^k filters of any kind, each for its part of the hashes.
//
// The first k bits of a hash choose the shard, which reads the rest as a hash of
// its own:
//
//   hash     1 0 1 | 1 1 0 0 1 ...          k = 3: shard 5
//                    1 1 0 0 1 ... 0 0 0    what that filter is given
//
//   auto filter = Sharded<Rsqf>::Create(*Spec::Parse("rsqf:r=8"), 1 << 20,
//                                       Hasher(), {.bits = 4});
//
// What F can do it can do: the concepts of filter.h hold for both or neither.
// Sharded<AnyFilter> takes its kind from the spec.  Shards are fixed; those of
// ShardedTamis split.  Its use is in what follows from independence: shards can
// be built, saved, locked or placed apart (shard(i), range(i)).
//
//   full      when one shard is: give slots for the fullest of them, some
//             3 sqrt(n / 2^k) more than n / 2^k keys
//   sources   none: a shard would ask for the hashes that it reads
//
// Thread safety: as F; different shards share nothing but what is const.

#ifndef TAMIS_SHARDED_H_
#define TAMIS_SHARDED_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/internal/filters/sharded/shard_place.h"
#include "tamis/key_hash.h"
#include "tamis/key_source.h"
#include "tamis/result.h"
#include "tamis/spec.h"

namespace tamis {

struct ShardOptions {
  int bits = 4;  // 2^bits shards, 0 to 16
};

template <FilterType F>
class Sharded {
 public:
  // Shards of `spec`, with `slots` together.
  static Result<Sharded> Create(const Spec& spec, uint64_t slots,
                                const Hasher& hasher,
                                const ShardOptions& options = {}) {
    TAMIS_RETURN_IF_ERROR(CheckBits(options.bits));
    Sharded filter(options.bits);
    const uint64_t count = uint64_t{1} << options.bits;
    for (uint64_t i = 0; i < count; ++i) {
      TAMIS_ASSIGN_OR_RETURN(
          F shard, F::Create(spec, (slots + count - 1) / count, hasher));
      filter.shards_.push_back(std::move(shard));
    }
    return filter;
  }
  // Of the numbers and arrays of all shards, each with its number behind its
  // name.
  internal::Snapshot ToSnapshot() const {
    internal::Snapshot snapshot(shards_.front().ToSnapshot().spec(), hasher());
    snapshot.AddNumber("shard_bits", static_cast<uint64_t>(bits_));
    snapshot.AddNumber("all_erases", num_erases_);
    for (size_t i = 0; i < shards_.size(); ++i) {
      snapshot.AddPart(shards_[i].ToSnapshot(), i);
    }
    return snapshot;
  }
  static Result<Sharded> FromSnapshot(const internal::Snapshot& snapshot,
                                      const LoadOptions& load = {}) {
    TAMIS_ASSIGN_OR_RETURN(const uint64_t bits,
                           snapshot.Number("shard_bits", 0, kMaxBits));
    Sharded filter(static_cast<int>(bits));
    TAMIS_ASSIGN_OR_RETURN(filter.num_erases_, snapshot.Number("all_erases"));
    TAMIS_ASSIGN_OR_RETURN(
        const std::vector<internal::Snapshot> parts,
        snapshot.Parts(snapshot.spec(), uint64_t{1} << bits));
    for (const internal::Snapshot& part : parts) {
      TAMIS_ASSIGN_OR_RETURN(F shard, F::FromSnapshot(part, load));
      filter.shards_.push_back(std::move(shard));
    }
    return filter;
  }

  Status Insert(KeyHash hash) { return Of(hash).Insert(Local(hash)); }
  bool MayContain(KeyHash hash) const {
    return Of(hash).MayContain(Local(hash));
  }
  // Asks each shard for its keys together.
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const {
    std::vector<std::vector<size_t>> places(shards_.size());
    for (size_t i = 0; i < hashes.size(); ++i) {
      places[IndexOf(hashes[i])].push_back(i);
    }
    std::vector<KeyHash> local;
    const auto answers = std::make_unique<bool[]>(hashes.size());
    for (size_t s = 0; s < shards_.size(); ++s) {
      local.clear();
      for (const size_t i : places[s]) local.push_back(Local(hashes[i]));
      shards_[s].MayContain(local, std::span(answers.get(), local.size()));
      for (size_t j = 0; j < local.size(); ++j) {
        results[places[s][j]] = answers[j];
      }
    }
  }

  Status Erase(KeyHash hash) requires ErasableFilter<F> {
    TAMIS_RETURN_IF_ERROR(Of(hash).Erase(Local(hash)));
    ++num_erases_;
    return {};
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) requires AdaptiveFilter<F> {
    return Of(hash).Adapt(Local(hash));
  }
  uint64_t num_erases() const requires AdaptsWithMembers<F> {
    return num_erases_;
  }
  std::optional<HashRange> CollisionRange(KeyHash hash) const requires
      AdaptsWithMembers<F> {
    const auto local = Of(hash).CollisionRange(Local(hash));
    if (!local) return std::nullopt;
    return PlaceOf(IndexOf(hash)).FromLocal(*local);
  }
  Result<AdaptOutcome> Adapt(KeyHash absent, std::span<const KeyHash> members,
                             uint64_t num_erases) requires
      AdaptsWithMembers<F> {
    if (num_erases != num_erases_) return internal::ErasedSinceTheRead();
    std::vector<KeyHash> inside;
    for (const KeyHash member : members) {
      if (IndexOf(member) == IndexOf(absent)) inside.push_back(Local(member));
    }
    return Of(absent).Adapt(Local(absent), inside, Of(absent).num_erases());
  }
  Status Expand() requires ExpandableFilter<F> {
    for (F& shard : shards_) TAMIS_RETURN_IF_ERROR(shard.Expand());
    return {};
  }
  Status Contract() requires ExpandableFilter<F> {
    for (F& shard : shards_) TAMIS_RETURN_IF_ERROR(shard.Contract());
    return {};
  }
  Status Rejuvenate(KeyHash hash) requires RejuvenatingFilter<F> {
    return Of(hash).Rejuvenate(Local(hash));
  }
  Status Rejuvenate(std::span<const KeyHash> hashes) requires
      RejuvenatingFilter<F> {
    std::vector<std::vector<KeyHash>> groups(shards_.size());
    for (const KeyHash hash : hashes) {
      groups[IndexOf(hash)].push_back(Local(hash));
    }
    for (size_t s = 0; s < shards_.size(); ++s) {
      TAMIS_RETURN_IF_ERROR(shards_[s].Rejuvenate(groups[s]));
    }
    return {};
  }

  uint64_t size() const {
    return Sum([](const F& shard) { return shard.size(); });
  }
  uint64_t capacity() const {
    return Sum([](const F& shard) { return shard.capacity(); });
  }
  uint64_t SizeBits() const {
    return Sum([](const F& shard) { return shard.SizeBits(); });
  }
  // A random key is in each shard equally often.
  double ExpectedFpr() const {
    double sum = 0;
    for (const F& shard : shards_) sum += shard.ExpectedFpr();
    return sum / static_cast<double>(shards_.size());
  }
  FilterStats stats() const {
    FilterStats stats;
    stats.size = size();
    stats.capacity = capacity();
    stats.size_bits = SizeBits();
    stats.side_bits = Sum([](const F& one) { return one.stats().side_bits; });
    stats.expected_fpr = ExpectedFpr();
    stats.details = {{"shards", static_cast<double>(shards_.size())}};
    return stats;
  }
  // The shards'; how many there are is not part of it.
  Spec spec() const { return shards_.front().spec(); }
  const Hasher& hasher() const { return shards_.front().hasher(); }
  Status CheckInvariants() const {
    for (size_t i = 0; i < shards_.size(); ++i) {
      Status status = shards_[i].CheckInvariants();
      if (!status.ok()) {
        return status.WithContext("shard " + std::to_string(i));
      }
    }
    return {};
  }

  size_t num_shards() const { return shards_.size(); }
  const F& shard(size_t index) const { return shards_[index]; }
  // The hashes of a shard.
  HashRange range(size_t index) const { return PlaceOf(index).range(); }

 private:
  static constexpr int kMaxBits = 16;

  explicit Sharded(int bits) : bits_(bits) {}
  static Status CheckBits(int bits) {
    if (bits >= 0 && bits <= kMaxBits) return {};
    return {StatusCode::kInvalidArgument,
            "2^" + std::to_string(bits) + " shards; expected up to 2^16"};
  }

  size_t IndexOf(KeyHash hash) const {
    return internal::FirstHashBits(hash, bits_);
  }
  KeyHash Local(KeyHash hash) const { return internal::ShiftHash(hash, bits_); }
  F& Of(KeyHash hash) { return shards_[IndexOf(hash)]; }
  const F& Of(KeyHash hash) const { return shards_[IndexOf(hash)]; }
  internal::ShardPlace PlaceOf(size_t index) const {
    return internal::ShardPlace::Of(index, bits_);
  }
  template <typename Number>
  uint64_t Sum(Number number) const {
    uint64_t sum = 0;
    for (const F& shard : shards_) sum += number(shard);
    return sum;
  }

  int bits_;
  std::vector<F> shards_;
  uint64_t num_erases_ = 0;
};

}  // namespace tamis

#endif  // TAMIS_SHARDED_H_
