// Every accelerated function against its portable twin, on arbitrary bits.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "bits/prefix_equal.h"
#include "tamis/internal/bits/line_ops.h"
#include "tamis/internal/bits/select.h"
#include "tamis/internal/bits/words.h"

namespace tamis::internal {
namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void CheckWords(uint64_t a, uint64_t b) {
  for (unsigned k = 0; k < 64; ++k) {
    Require(SelectBit(a, k) == SelectBitPortable(a, k));
  }
  Require(PrefixEqual(a, b) == PrefixEqualPortable(a, b));
}

void CheckLine(const std::byte* line, uint64_t value) {
  const auto byte = static_cast<uint8_t>(value);
  const auto pair = static_cast<uint16_t>(value);
  Require(MatchBytes(line, byte) == MatchBytesPortable(line, byte));
  Require(MatchPairs(line, pair) == MatchPairsPortable(line, pair));
}

// Moving bytes is moving bits by multiples of 8.
void CheckMoves(const std::byte* line, uint64_t where) {
  const int begin = static_cast<int>(where % 63);
  const int limit =
      begin + static_cast<int>(where / 63 % static_cast<uint64_t>(64 - begin));
  alignas(64) std::byte bytes[64];
  alignas(64) std::byte bits[64];
  std::memcpy(bytes, line, 64);
  std::memcpy(bits, line, 64);
  MoveBytesUp<1>(bytes, begin, limit);
  MoveBitsUp(bits, 8 * begin, 8 * limit, 8);
  Require(std::memcmp(bytes, bits, 64) == 0);
  MoveBytesDown<1>(bytes, begin + 1, limit + 1);
  MoveBitsDown(bits, 8 * (begin + 1), 8 * (limit + 1), 8);
  Require(std::memcmp(bytes, bits, 64) == 0);
}

}  // namespace
}  // namespace tamis::internal

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  alignas(64) std::byte input[64 + 24] = {};
  std::memcpy(input, data, size < sizeof(input) ? size : sizeof(input));
  const uint64_t a = tamis::internal::LoadWord(input + 64);
  const uint64_t b = tamis::internal::LoadWord(input + 72);
  tamis::internal::CheckWords(a, b);
  tamis::internal::CheckLine(input, a);
  tamis::internal::CheckMoves(input, tamis::internal::LoadWord(input + 80));
  return 0;
}
