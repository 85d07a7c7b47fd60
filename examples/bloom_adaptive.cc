// A router watches some flows; most packets belong to others.
//
// A Bloom filter in fast memory says which packets need the slow table.  Its
// false positives cost a visit each; the adaptive filter learns from them.

#include <cstdint>
#include <iostream>
#include <unordered_set>

#include "tamis/abf.h"
#include "tamis/word_bloom.h"

namespace {

constexpr uint64_t kWatched = 8192;
constexpr uint64_t kPackets = 400'000;

// Few flows have most of the packets: the flow of a packet is the product of
// two uniform numbers, so small numbers are common.
uint64_t FlowOf(uint64_t packet, const tamis::Hasher& random) {
  const tamis::KeyHash dice = random.Hash(packet);
  return 2 * ((dice.high >> 48) * (dice.low >> 48) >> 19) + 1;
}

}  // namespace

int main() {
  const tamis::Hasher hasher{tamis::Seed{2026, 11}};
  auto plain = tamis::WordBloomFilter::Create(
      *tamis::Spec::Parse("bloom1:bits=8,k=4,w=64"), kWatched, hasher);
  auto adaptive = tamis::AdaptiveBloomFilter::Create(
      *tamis::Spec::Parse("abf:bits=8,k=4,w=64,sets=4"), kWatched, hasher);
  if (!plain.ok() || !adaptive.ok()) return 1;

  std::unordered_set<uint64_t> table;  // the slow table: even numbers
  for (uint64_t i = 0; i < kWatched; ++i) {
    table.insert(2 * i);
    if (!plain->Insert(hasher.Hash(2 * i)).ok()) return 1;
    if (!adaptive->Insert(hasher.Hash(2 * i)).ok()) return 1;
  }

  uint64_t plain_visits = 0;
  uint64_t adaptive_visits = 0;
  for (uint64_t packet = 0; packet < kPackets; ++packet) {
    const uint64_t flow = FlowOf(packet, hasher);
    const tamis::KeyHash hash = hasher.Hash(flow);
    plain_visits += plain->MayContain(hash);
    if (!adaptive->MayContain(hash)) continue;
    ++adaptive_visits;
    // The table knows the truth; a flow that is not in it teaches the filter.
    if (!table.contains(flow) && !adaptive->Adapt(hash).ok()) return 1;
  }
  std::cout << "visits in vain, of " << kPackets << " packets:\n"
            << "  bloom1  " << plain_visits << "\n"
            << "  abf     " << adaptive_visits << "\n"
            << "bits in fast memory: " << plain->SizeBits() << " and "
            << adaptive->SizeBits() << ", beside it "
            << adaptive->stats().side_bits << "\n";
  return adaptive_visits < plain_visits ? 0 : 1;
}
