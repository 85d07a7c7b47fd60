// Operations on a line: 64 bytes that start at a multiple of 64.
//
// ReadBits, WriteBits   a field of up to 64 bits anywhere in the line
// MoveBits              a range of bits by a few places, eight words at most
// MoveBytes             the same for whole bytes: two vector blends
// MatchBytes, ...       which bytes (16-bit units) of the line equal a value
//
// None of them reads or writes outside of the line.

#ifndef TAMIS_INTERNAL_BITS_LINE_OPS_H_
#define TAMIS_INTERNAL_BITS_LINE_OPS_H_

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "tamis/internal/bits/words.h"

namespace tamis::internal {

// Returns bits [begin, begin + count) of the line.
// REQUIRES: count <= 57, begin + count <= 512
inline uint64_t ReadBits(const std::byte* line, int begin, int count) {
  assert(begin >= 0 && count <= 57 && begin + count <= kLineBits);
  const int byte = std::min(begin / 8, kLineBytes - 8);
  return (LoadWord(line + byte) >> (begin - 8 * byte)) &
         LowBits(static_cast<unsigned>(count));
}

// Sets bits [begin, begin + count) of the line to `value`.
// REQUIRES: count <= 57, begin + count <= 512, value < 2^count
inline void WriteBits(std::byte* line, int begin, int count, uint64_t value) {
  assert(begin >= 0 && count <= 57 && begin + count <= kLineBits);
  const uint64_t mask = LowBits(static_cast<unsigned>(count));
  assert((value & ~mask) == 0);
  const int byte = std::min(begin / 8, kLineBytes - 8);
  const int shift = begin - 8 * byte;
  const uint64_t old = LoadWord(line + byte) & ~(mask << shift);
  StoreWord(line + byte, old | (value << shift));
}

// Returns the bits of word `index` of a line that lie in [begin, limit).
constexpr uint64_t WordMask(int index, int begin, int limit) {
  const int low = std::clamp(begin - 64 * index, 0, 64);
  const int high = std::clamp(limit - 64 * index, 0, 64);
  return LowBits(static_cast<unsigned>(high)) &
         ~LowBits(static_cast<unsigned>(low));
}

// Moves bits [begin, limit) of the line `by` places up, word by word from the
// top, so that every word is read before it is written.  The lowest `by` bits
// of the range keep their old value.
// REQUIRES: 1 <= by <= 63, begin <= limit, limit + by <= 512
inline void MoveBitsUpByWord(std::byte* line, int begin, int limit, int by) {
  for (int i = (limit + by - 1) / 64; i >= (begin + by) / 64; --i) {
    std::byte* at = line + 8 * i;
    const uint64_t word = LoadWord(at);
    const uint64_t below = i == 0 ? 0 : LoadWord(at - 8);
    const uint64_t moved = (word << by) | (below >> (64 - by));
    const uint64_t mask = WordMask(i, begin + by, limit + by);
    StoreWord(at, (word & ~mask) | (moved & mask));
  }
}

#ifdef TAMIS_HAS_AVX2
// Returns the bits of the four words from bit `first` of a line on that lie in
// [begin, limit).
inline __m256i FourWordMasks(int first, int begin, int limit) {
  const auto below = [&](int bit) {
    const __m256i counts = _mm256_sub_epi64(
        _mm256_set1_epi64x(bit - first), _mm256_setr_epi64x(0, 64, 128, 192));
    // A count of 64 or more leaves nothing.
    return _mm256_sllv_epi64(_mm256_set1_epi64x(-1),
                             _mm256_max_epi32(counts, _mm256_setzero_si256()));
  };
  return _mm256_andnot_si256(below(limit), below(begin));
}

// Four words moved up, of which `below` has those one place before.
inline __m256i FourWordsUp(__m256i words, __m256i below, int by) {
  return _mm256_or_si256(_mm256_sll_epi64(words, _mm_cvtsi32_si128(by)),
                         _mm256_srl_epi64(below, _mm_cvtsi32_si128(64 - by)));
}

// The same as MoveBitsUpByWord, all words at once.
inline void MoveBitsUpByHalf(std::byte* line, int begin, int limit, int by) {
  auto* halves = reinterpret_cast<__m256i*>(line);
  const __m256i lower = _mm256_loadu_si256(halves);
  const __m256i upper = _mm256_loadu_si256(halves + 1);
  // Nothing is below the first word: what comes in there is not in the range.
  const __m256i below_lower = _mm256_permute4x64_epi64(lower, 0b10010000);
  const __m256i below_upper =
      _mm256_loadu_si256(reinterpret_cast<const __m256i*>(line + 24));
  const auto blend = [&](__m256i old, __m256i below, int first) {
    const __m256i mask = FourWordMasks(first, begin + by, limit + by);
    return _mm256_or_si256(_mm256_andnot_si256(mask, old),
                           _mm256_and_si256(mask, FourWordsUp(old, below, by)));
  };
  _mm256_storeu_si256(halves, blend(lower, below_lower, 0));
  _mm256_storeu_si256(halves + 1, blend(upper, below_upper, 256));
}
#endif

inline void MoveBitsUp(std::byte* line, int begin, int limit, int by) {
  assert(by >= 1 && by <= 63 && begin <= limit && limit + by <= kLineBits);
  if (begin == limit) return;
#ifdef TAMIS_HAS_AVX2
  constexpr int kFewBits = 128;
  if (limit - begin > kFewBits) return MoveBitsUpByHalf(line, begin, limit, by);
#endif
  MoveBitsUpByWord(line, begin, limit, by);
}

// Moves bits [begin, limit) of the line `by` places down.
// REQUIRES: 1 <= by <= 63, by <= begin <= limit <= 512
inline void MoveBitsDown(std::byte* line, int begin, int limit, int by) {
  assert(by >= 1 && by <= 63 && by <= begin && begin <= limit);
  if (begin == limit) return;
  for (int i = (begin - by) / 64; i <= (limit - by - 1) / 64; ++i) {
    std::byte* at = line + 8 * i;
    const uint64_t word = LoadWord(at);
    const uint64_t above = i == 7 ? 0 : LoadWord(at + 8);
    const uint64_t moved = (word >> by) | (above << (64 - by));
    const uint64_t mask = WordMask(i, begin - by, limit - by);
    StoreWord(at, (word & ~mask) | (moved & mask));
  }
}

#ifdef TAMIS_HAS_AVX2
// Returns 0xff in the bytes of a half line whose index is in [begin, limit).
inline __m256i ByteMask(__m256i indices, int begin, int limit) {
  const __m256i above = _mm256_cmpgt_epi8(
      indices, _mm256_set1_epi8(static_cast<char>(begin - 1)));
  const __m256i below =
      _mm256_cmpgt_epi8(_mm256_set1_epi8(static_cast<char>(limit)), indices);
  return _mm256_and_si256(above, below);
}

// The halves of a line, and where each of their bytes stands in it.
struct HalfLines {
  __m256i lower, upper;
};
inline HalfLines ByteIndices() {
  const __m256i first = _mm256_setr_epi8(
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
      21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  return {first, _mm256_add_epi8(first, _mm256_set1_epi8(32))};
}
inline HalfLines LoadHalves(const std::byte* line) {
  return {_mm256_load_si256(reinterpret_cast<const __m256i*>(line)),
          _mm256_load_si256(reinterpret_cast<const __m256i*>(line + 32))};
}
inline __m256i LoadHalfAt(const std::byte* bytes) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}
// Replaces bytes [begin, limit) of the line by those of `with`.
inline void BlendLine(std::byte* line, HalfLines old, HalfLines with, int begin,
                      int limit) {
  const HalfLines at = ByteIndices();
  const __m256i lower = _mm256_blendv_epi8(old.lower, with.lower,
                                           ByteMask(at.lower, begin, limit));
  const __m256i upper = _mm256_blendv_epi8(old.upper, with.upper,
                                           ByteMask(at.upper, begin, limit));
  _mm256_store_si256(reinterpret_cast<__m256i*>(line), lower);
  _mm256_store_si256(reinterpret_cast<__m256i*>(line + 32), upper);
}
#endif

// Moves bytes [begin, limit) of the line kBy bytes up.  The lowest kBy bytes
// of the range keep their old value.
// REQUIRES: begin <= limit, limit + kBy <= 64
template <int kBy>
inline void MoveBytesUp(std::byte* line, int begin, int limit) {
  assert(begin >= 0 && begin <= limit && limit + kBy <= kLineBytes);
#ifdef TAMIS_HAS_AVX2
  const HalfLines old = LoadHalves(line);
  // The lower half moved up: its lanes, each with the top of the one below.
  const __m256i below = _mm256_permute2x128_si256(old.lower, old.lower, 0x08);
  const HalfLines moved = {_mm256_alignr_epi8(old.lower, below, 16 - kBy),
                           LoadHalfAt(line + 32 - kBy)};
  BlendLine(line, old, moved, begin + kBy, limit + kBy);
#else
  std::memmove(line + begin + kBy, line + begin,
               static_cast<size_t>(limit - begin));
#endif
}

// Moves bytes [begin, limit) of the line kBy bytes down.
// REQUIRES: kBy <= begin <= limit <= 64
template <int kBy>
inline void MoveBytesDown(std::byte* line, int begin, int limit) {
  assert(begin >= kBy && begin <= limit && limit <= kLineBytes);
#ifdef TAMIS_HAS_AVX2
  const HalfLines old = LoadHalves(line);
  const __m256i above = _mm256_permute2x128_si256(old.upper, old.upper, 0x81);
  const HalfLines moved = {LoadHalfAt(line + kBy),
                           _mm256_alignr_epi8(above, old.upper, kBy)};
  BlendLine(line, old, moved, begin - kBy, limit - kBy);
#else
  std::memmove(line + begin - kBy, line + begin,
               static_cast<size_t>(limit - begin));
#endif
}

// Returns a word whose bit i says whether byte i of the line equals `value`.
inline uint64_t MatchBytesPortable(const std::byte* line, uint8_t value) {
  uint64_t equal = 0;
  for (int i = 0; i < kLineBytes; ++i) {
    equal |= uint64_t{std::to_integer<uint8_t>(line[i]) == value} << i;
  }
  return equal;
}

// Returns a word whose bit i says whether byte i of the line equals one of the
// two top bytes of `word`.
inline uint64_t MatchTopBytesPortable(const std::byte* line, uint64_t word) {
  return MatchBytesPortable(line, static_cast<uint8_t>(word >> 56)) |
         MatchBytesPortable(line, static_cast<uint8_t>(word >> 48));
}

// Returns a word whose bit i says whether the 16-bit unit i of the line (two
// bytes, the lower first) equals `value`.
inline uint64_t MatchPairsPortable(const std::byte* line, uint16_t value) {
  uint64_t equal = 0;
  for (int i = 0; i < kLineBytes / 2; ++i) {
    const uint64_t pair = LoadWord(line + (2 * i & ~7)) >> (2 * i % 8 * 8);
    equal |= uint64_t{static_cast<uint16_t>(pair) == value} << i;
  }
  return equal;
}

#ifdef TAMIS_HAS_AVX2
// Which bytes of the halves are 0xff, and not 0?
inline uint64_t BytesSet(HalfLines halves) {
  const auto lower = static_cast<uint32_t>(_mm256_movemask_epi8(halves.lower));
  const auto upper = static_cast<uint32_t>(_mm256_movemask_epi8(halves.upper));
  return (uint64_t{upper} << 32) | lower;
}
inline HalfLines EqualBytes(HalfLines halves, __m256i with) {
  return {_mm256_cmpeq_epi8(halves.lower, with),
          _mm256_cmpeq_epi8(halves.upper, with)};
}
#endif

inline uint64_t MatchBytes(const std::byte* line, uint8_t value) {
#ifdef TAMIS_HAS_AVX2
  return BytesSet(
      EqualBytes(LoadHalves(line), _mm256_set1_epi8(static_cast<char>(value))));
#else
  return MatchBytesPortable(line, value);
#endif
}

inline uint64_t MatchTopBytes(const std::byte* line, uint64_t word) {
#ifdef TAMIS_HAS_AVX2
  const HalfLines halves = LoadHalves(line);
  const __m256i words = _mm256_set1_epi64x(static_cast<long long>(word));
  const HalfLines first =
      EqualBytes(halves, _mm256_shuffle_epi8(words, _mm256_set1_epi8(7)));
  const HalfLines second =
      EqualBytes(halves, _mm256_shuffle_epi8(words, _mm256_set1_epi8(6)));
  return BytesSet({_mm256_or_si256(first.lower, second.lower),
                   _mm256_or_si256(first.upper, second.upper)});
#else
  return MatchTopBytesPortable(line, word);
#endif
}

inline uint64_t MatchPairs(const std::byte* line, uint16_t value) {
#ifdef TAMIS_HAS_AVX2
  const HalfLines halves = LoadHalves(line);
  const __m256i all = _mm256_set1_epi16(static_cast<short>(value));
  // Packs the two results to a byte a unit; packing works inside 128-bit
  // lanes, so the middle two quarters come out exchanged.
  const __m256i packed =
      _mm256_packs_epi16(_mm256_cmpeq_epi16(halves.lower, all),
                         _mm256_cmpeq_epi16(halves.upper, all));
  return static_cast<uint32_t>(
      _mm256_movemask_epi8(_mm256_permute4x64_epi64(packed, 0b11'01'10'00)));
#else
  return MatchPairsPortable(line, value);
#endif
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_BITS_LINE_OPS_H_
