// A cuckoo filter in front of a slow set, that learns from its mistakes.
//
// A few absent keys are asked for again and again.  The static filter is wrong
// about the same ones every time; the Cuckooing filter, told once, moves the
// member that got in the way.

#include "tamis/adaptive_cuckoo.h"

#include <cstdint>
#include <iostream>
#include <unordered_set>

#include "tamis/cuckoo.h"

namespace {

constexpr uint64_t kMembers = 95'000, kSlots = 100'000;

// Asks for 20,000 absent keys, 20 times each; returns the wasted look-ups in
// the slow set.
template <typename Filter>
uint64_t WastedLookUps(Filter& filter,
                       const std::unordered_set<uint64_t>& slow_set) {
  uint64_t wasted = 0;
  for (int round = 0; round < 20; ++round) {
    for (uint64_t key = 1'000'000; key < 1'020'000; ++key) {
      const tamis::KeyHash hash = filter.hasher().Hash(key);
      if (!filter.MayContain(hash)) continue;
      if (slow_set.contains(key)) continue;
      ++wasted;
      if constexpr (tamis::AdaptiveFilter<Filter>) {
        if (!filter.Adapt(hash).ok()) return 0;
      }
    }
  }
  return wasted;
}

template <typename Filter>
uint64_t Run(const char* spec) {
  const auto parsed = tamis::Spec::Parse(spec);
  const tamis::Hasher hasher(tamis::Seed{.low = 42, .high = 0});
  auto filter = Filter::Create(*parsed, kSlots, hasher);
  std::unordered_set<uint64_t> slow_set;
  for (uint64_t key = 0; key < kMembers; ++key) {
    if (!filter->Insert(hasher.Hash(key)).ok()) return 0;
    slow_set.insert(key);
  }
  const uint64_t wasted = WastedLookUps(*filter, slow_set);
  std::cout << spec << ": " << filter->stats().BitsPerKey()
            << " bits a key, expected false positive rate "
            << filter->ExpectedFpr() << ", " << wasted
            << " wasted look-ups of 400000\n";
  return wasted;
}

}  // namespace

int main() {
  const auto fixed = Run<tamis::KeyedCuckooFilter>("cuckoo:f=12,k=4,b=1");
  const auto adaptive = Run<tamis::CuckooingFilter>("cuckooing:f=12");
  return fixed > 3 * adaptive && adaptive > 0 ? 0 : 1;
}
