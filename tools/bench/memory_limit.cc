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

constexpr size_t kAhead = 64;  // keys in flight

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
};

// Relies on the processor alone to run ahead.
uint64_t ReadPlainly(const Map& map, std::span<const KeyHash> hashes) {
  uint64_t sum = 0;
  for (const KeyHash hash : hashes) {
    sum += internal::LoadWord(map.LineOf(hash));
  }
  return sum;
}

// Prefetches a block of 64 lines, then reads them, and so on.
uint64_t ReadInBlocks(const Map& map, std::span<const KeyHash> hashes) {
  std::array<const std::byte*, kAhead> block;
  uint64_t sum = 0;
  while (!hashes.empty()) {
    const size_t count = std::min(kAhead, hashes.size());
    for (size_t i = 0; i < count; ++i) {
      block[i] = map.LineOf(hashes[i]);
      __builtin_prefetch(block[i]);
    }
    for (size_t i = 0; i < count; ++i) sum += internal::LoadWord(block[i]);
    hashes = hashes.subspan(count);
  }
  return sum;
}

// Prefetches one line and reads the one prefetched 64 keys ago, in turn.
uint64_t ReadInRing(const Map& map, std::span<const KeyHash> hashes) {
  std::array<const std::byte*, kAhead> ring;
  ring.fill(map.lines);
  uint64_t sum = 0;
  for (size_t i = 0; i < hashes.size(); ++i) {
    const std::byte*& place = ring[i % kAhead];
    sum += internal::LoadWord(place);
    place = map.LineOf(hashes[i]);
    __builtin_prefetch(place);
  }
  for (const std::byte* place : ring) sum += internal::LoadWord(place);
  return sum;
}

struct Loop {
  const char* name;
  uint64_t (*run)(const Map&, std::span<const KeyHash>);
};
constexpr std::array kLoops = {Loop{"plain", ReadPlainly},
                               Loop{"blocks of 64", ReadInBlocks},
                               Loop{"ring of 64", ReadInRing}};

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
  int best_loop = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    for (int i = 0; i < static_cast<int>(kLoops.size()); ++i) {
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
  const Loop& loop = kLoops[static_cast<size_t>(loop_)];
  return NanosecondsPer(hashes.size(),
                        [&] { KeepValue(loop.run(map, hashes)); });
}

const char* MemoryLimit::loop_name() const {
  return kLoops[static_cast<size_t>(loop_)].name;
}

}  // namespace tamis::tools
