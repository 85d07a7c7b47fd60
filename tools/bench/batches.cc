#include "tools/bench/batches.h"

#include <algorithm>
#include <array>
#include <vector>

#include "tools/bench/bench_keys.h"
#include "tools/common/cpu_time.h"

namespace tamis::tools {
namespace {

constexpr size_t kBatch = 4096;

// Calls use(answers) for each batch.
template <typename Question, typename Use>
void ForEachBatch(const AnyFilter& filter, std::span<const Question> all,
                  Use use) {
  std::array<bool, kBatch> results;
  for (size_t begin = 0; begin < all.size(); begin += kBatch) {
    const size_t count = std::min(kBatch, all.size() - begin);
    const auto answers = std::span(results).first(count);
    filter.MayContain(all.subspan(begin, count), answers);
    use(answers);
  }
}

void Drop(std::span<bool> answers) { KeepValue(answers.data()); }

}  // namespace

void AskInBatches(const AnyFilter& filter, std::span<const KeyHash> hashes) {
  ForEachBatch(filter, hashes, Drop);
}
void AskInBatches(const AnyFilter& filter, std::span<const uint64_t> keys) {
  ForEachBatch(filter, keys, Drop);
}

uint64_t CountInBatches(const AnyFilter& filter,
                        std::span<const KeyHash> hashes) {
  uint64_t count = 0;
  ForEachBatch(filter, hashes, [&](std::span<bool> answers) {
    count +=
        static_cast<uint64_t>(std::count(answers.begin(), answers.end(), true));
  });
  return count;
}

void ForEachAbsentChunk(
    const Hasher& hasher, uint64_t first, uint64_t count,
    const std::function<void(std::span<const KeyHash>, uint64_t)>& use) {
  constexpr uint64_t kChunk = 1 << 16;
  std::vector<KeyHash> chunk(std::min(kChunk, count));
  for (uint64_t done = 0; done < count; done += kChunk) {
    const auto part = std::span(chunk).first(std::min(kChunk, count - done));
    HashRange(hasher, first + done, part);
    use(part, done);
  }
}

}  // namespace tamis::tools
