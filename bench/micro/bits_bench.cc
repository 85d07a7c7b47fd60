// The operations that a look-up is made of, each by itself.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "tamis/internal/bits/select.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/hash_string.h"

namespace tamis::internal {
namespace {

// Enough that no predictor learns them, few enough to stay in the L2 cache.
std::vector<uint64_t> RandomWords() {
  std::mt19937_64 random(1);
  std::vector<uint64_t> words(1 << 13);
  for (uint64_t& word : words) word = random();
  return words;
}

// Runs function(word) over all words; the time is per word.
template <typename Function>
void ForWords(benchmark::State& state, Function function) {
  const std::vector<uint64_t> words = RandomWords();
  for (auto _ : state) {
    uint64_t sum = 0;
    for (const uint64_t word : words) sum += function(word);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(state.iterations() *
                          static_cast<int64_t>(words.size()));
}

void BM_LowBits(benchmark::State& state) {
  ForWords(state, [](uint64_t word) {
    return LowBits(static_cast<unsigned>(word & 63));
  });
}
BENCHMARK(BM_LowBits);

void BM_SelectBit(benchmark::State& state) {
  ForWords(state, [](uint64_t word) {
    return SelectBit(word, static_cast<unsigned>(word & 15));
  });
}
BENCHMARK(BM_SelectBit);

void BM_Place(benchmark::State& state) {
  ForWords(state, [](uint64_t word) {
    return Place({word, ~word}, 1'000'003).home;
  });
}
BENCHMARK(BM_Place);

}  // namespace
}  // namespace tamis::internal
