// Micro-benchmarks of the quotient table: one operation each, at load 0.95.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "bits/prefix_equal.h"
#include "tamis/rsqf.h"

namespace tamis {
namespace {

constexpr uint64_t kSlots = uint64_t{1} << 16;
constexpr uint64_t kKeys = kSlots * 95 / 100;

std::vector<KeyHash> Hashes(uint64_t first, uint64_t count) {
  const Hasher hasher(Seed{1, 0});
  std::vector<KeyHash> hashes;
  hashes.reserve(count);
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(hasher.Hash(first + i));
  return hashes;
}

Rsqf Filled(int remainder_bits) {
  Rsqf filter = std::move(Rsqf::Create({.slots = kSlots,
                                        .remainder_bits = remainder_bits}))
                    .value();
  if (!filter.BulkLoad(Hashes(0, kKeys)).ok()) std::abort();
  return filter;
}

void FindRun(benchmark::State& state) {
  const Rsqf filter = Filled(static_cast<int>(state.range(0)));
  uint64_t home = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(filter.table().FindRun(home));
    home = (home + 7919) % kSlots;
  }
}
BENCHMARK(FindRun)->Arg(8)->Arg(13)->Arg(16);

void MayContainBatch(benchmark::State& state) {
  const Rsqf filter = Filled(static_cast<int>(state.range(0)));
  const std::vector<KeyHash> absent = Hashes(uint64_t{1} << 40, 4096);
  const std::unique_ptr<bool[]> results(new bool[absent.size()]);
  for (auto _ : state) {
    filter.MayContain(absent, {results.get(), absent.size()});
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<int64_t>(absent.size()));
}
BENCHMARK(MayContainBatch)->Arg(8)->Arg(13)->Arg(16);

// An insert and its erase, at the load that the filter keeps.
void InsertErase(benchmark::State& state) {
  Rsqf filter = Filled(static_cast<int>(state.range(0)));
  const std::vector<KeyHash> fresh = Hashes(uint64_t{1} << 40, 4096);
  size_t i = 0;
  for (auto _ : state) {
    if (!filter.Insert(fresh[i]).ok() || !filter.Erase(fresh[i]).ok()) {
      state.SkipWithError("insert or erase failed");
    }
    i = (i + 1) % fresh.size();
  }
}
BENCHMARK(InsertErase)->Arg(8)->Arg(13)->Arg(16);

void FreeSlotsOfALine(benchmark::State& state) {
  uint64_t occupied = 0x5a5a5a5a5a5a5;
  uint64_t run_end = 0x3c3c3c3c3c3c3;
  for (auto _ : state) {
    benchmark::DoNotOptimize(internal::PrefixEqual(occupied, run_end << 1));
    occupied += 0x9e3779b97f4a7;
    run_end ^= occupied >> 7;
  }
}
BENCHMARK(FreeSlotsOfALine);

}  // namespace
}  // namespace tamis
