#include "tools/bench/memory_limit.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstring>
#include <limits>
#include <utility>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/hash_string.h"
#include "tools/common/cpu_time.h"

namespace tamis::tools {
namespace {

// Where the line of a hash is.
struct Map {
  const std::byte* lines;
  uint64_t homes;
  uint64_t lines_per_home;

  const std::byte* LineOf(KeyHash hash) const {
    const uint64_t home = internal::Place(hash, homes).home;
    return lines + internal::MultiplyHigh(home, lines_per_home) *
                       static_cast<uint64_t>(internal::kLineBytes);
  }
  uint64_t Read(KeyHash hash) const { return internal::LoadWord(LineOf(hash)); }
};

// Prefetches a block of lines, then reads them, and so on.
template <size_t kAhead>
uint64_t ReadInBlocks(Map map, std::span<const KeyHash> hashes) {
  std::array<const std::byte*, kAhead> block;
  uint64_t sum = 0;
  for (; hashes.size() >= kAhead; hashes = hashes.subspan(kAhead)) {
    for (size_t i = 0; i < kAhead; ++i) {
      block[i] = map.LineOf(hashes[i]);
      __builtin_prefetch(block[i]);
    }
    for (const std::byte* line : block) sum += internal::LoadWord(line);
  }
  for (const KeyHash hash : hashes) sum += map.Read(hash);
  return sum;
}

// Reads the line prefetched kAhead keys ago and prefetches another, in turn.
template <size_t kAhead>
uint64_t ReadInRing(Map map, std::span<const KeyHash> hashes) {
  std::array<const std::byte*, kAhead> ring;
  ring.fill(map.lines);
  uint64_t sum = 0;
  for (; hashes.size() >= kAhead; hashes = hashes.subspan(kAhead)) {
    for (size_t i = 0; i < kAhead; ++i) {
      sum += internal::LoadWord(ring[i]);
      ring[i] = map.LineOf(hashes[i]);
      __builtin_prefetch(ring[i]);
    }
  }
  for (const std::byte* line : ring) sum += internal::LoadWord(line);
  for (const KeyHash hash : hashes) sum += map.Read(hash);
  return sum;
}

using Loop = uint64_t (*)(Map, std::span<const KeyHash>);
// Tried and slower in every size: no prefetch at all, a ring with a running
// index, and computing the line twice instead of keeping it.
constexpr std::array<Loop, 3> kLoops = {ReadInBlocks<64>, ReadInRing<64>,
                                        ReadInRing<32>};

}  // namespace

MemoryLimit::MemoryLimit(internal::AlignedBuffer lines, uint64_t homes)
    : lines_(std::move(lines)), homes_(homes) {
  // Untouched pages would all be the same page of zeros.
  std::memset(lines_.data(), 1, lines_.size_bytes());
  const auto count = lines_.size_bytes() / internal::kLineBytes;
  const internal::Uint128 scaled =
      (static_cast<internal::Uint128>(count) << 64) / homes;
  constexpr uint64_t kMax = std::numeric_limits<uint64_t>::max();
  lines_per_home_ = scaled > kMax ? kMax : static_cast<uint64_t>(scaled);
}

Result<MemoryLimit> MemoryLimit::Create(uint64_t size_bytes, uint64_t homes) {
  constexpr auto kLine = static_cast<uint64_t>(internal::kLineBytes);
  const uint64_t rounded = std::max(size_bytes / kLine, uint64_t{1}) * kLine;
  TAMIS_ASSIGN_OR_RETURN(internal::AlignedBuffer lines,
                         internal::AlignedBuffer::Allocate(rounded));
  return MemoryLimit(std::move(lines), homes);
}

void MemoryLimit::ChooseLoop(std::span<const KeyHash> hashes) {
  constexpr int kTrials = 3;
  double best = std::numeric_limits<double>::infinity();
  size_t best_loop = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    for (size_t i = 0; i < kLoops.size(); ++i) {
      loop_ = i;
      const double time = Measure(hashes);
      if (time >= best) continue;
      best = time;
      best_loop = i;
    }
  }
  loop_ = best_loop;
}

double MemoryLimit::Measure(std::span<const KeyHash> hashes) const {
  assert(!hashes.empty());
  const Map map{lines_.data(), homes_, lines_per_home_};
  const Loop loop = kLoops[loop_];
  return NanosecondsPer(hashes.size(), [&] { KeepValue(loop(map, hashes)); });
}

}  // namespace tamis::tools
