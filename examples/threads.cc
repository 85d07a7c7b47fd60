// One filter, several threads: two of them insert, one erases, one asks, and
// none waits for the others for longer than one small shard takes to grow.

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "tamis/concurrent_tamis.h"

namespace {

constexpr uint64_t kKeys = 100'000;

}  // namespace

int main() {
  tamis::ConcurrentTamis::Options options;
  options.filter = {.slots = 64, .fingerprint_bits = 12};
  tamis::Result<tamis::ConcurrentTamis> made =
      tamis::ConcurrentTamis::Create(options);
  if (!made.ok()) return 1;
  tamis::ConcurrentTamis& filter = *made;
  const auto hash = [&](uint64_t key) { return filter.hasher().Hash(key); };

  std::atomic<uint64_t> inserted{0};  // all keys below are members
  std::atomic<uint64_t> wrong{0};
  std::thread even([&] {
    for (uint64_t key = 0; key < kKeys; key += 2) {
      if (!filter.Insert(hash(key)).ok()) ++wrong;
      inserted = key + 1;
    }
  });
  std::thread odd([&] {
    for (uint64_t key = 1; key < kKeys; key += 2) {
      if (!filter.Insert(hash(key)).ok()) ++wrong;
      if (!filter.Erase(hash(key)).ok()) ++wrong;  // and out again
    }
  });
  std::thread reader([&] {
    for (uint64_t last = 0; last + 1 < kKeys;) {
      last = inserted;
      const uint64_t key = last / 4 * 2;  // even, inserted a while ago
      if (last > 0 && !filter.MayContain(hash(key))) ++wrong;
    }
  });
  even.join();
  odd.join();
  reader.join();

  const tamis::FilterStats stats = filter.stats();
  std::printf("%llu keys in %.0f shards, %.1f bits a key, %llu forced maybes\n",
              static_cast<unsigned long long>(stats.size),
              stats.details.front().second, stats.BitsPerKey(),
              static_cast<unsigned long long>(filter.num_forced()));
  return wrong == 0 && stats.size == kKeys / 2 ? 0 : 1;
}
