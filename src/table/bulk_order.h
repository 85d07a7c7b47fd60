// BulkOrder: visits many hashes in the order of their homes.
//
// A table that is filled in order is written from end to end, each line once,
// where inserts one by one touch a random line each.  Sorting has to cost less
// than that saves, so it is done in two passes over memory:
//
//   1. count, then deal the entries out to *chunks*: stretches of homes whose
//      entries fit the cache (a stable partition by the top bits of the home);
//   2. in each chunk, a radix sort by home and value: two digits of 11 bits at
//      w = 8.  Where that would be more than three, one counting sort by home,
//      then sort each run by value (a run has about one entry).
//
// An entry on the way is the value and its home within the chunk, packed: 4
// bytes up to w = 18, so that little memory is asked for, cleared and read back;
// 8 up to w = 50, 16 beyond.

#ifndef TAMIS_TABLE_BULK_ORDER_H_
#define TAMIS_TABLE_BULK_ORDER_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

template <typename Packed>  // the narrowest of 32, 64, 128 bits that fits
class BulkOrder {
 public:
  // Entries are (home in a table of `homes`, first `width` bits of the string).
  BulkOrder(uint64_t homes, int width)
      : homes_(homes), width_(width), chunk_bits_(ChunkBits(homes)) {}

  static bool Fits(uint64_t homes, int width) {
    return ChunkBits(homes) + width <= static_cast<int>(8 * sizeof(Packed));
  }

  // Calls visit(home, value) -> Status for every hash, homes ascending, values
  // ascending within a home; stops at the first error and returns it.
  template <typename Visit>
  Status ForEach(std::span<const KeyHash> hashes, Visit&& visit) {
    TAMIS_RETURN_IF_ERROR(Deal(hashes));
    uint64_t begin = 0;
    for (uint64_t chunk = 0; chunk < limits_.size(); ++chunk) {
      const std::span<Packed> entries(entries_ + begin, limits_[chunk] - begin);
      const uint64_t first_home = chunk << chunk_bits_;
      for (const Packed entry : SortChunk(entries)) {
        TAMIS_RETURN_IF_ERROR(visit(first_home + Home(entry), Value(entry)));
      }
      begin = limits_[chunk];
    }
    return {};
  }

 private:
  // 2^14 homes: their entries and counters, some 350 KiB, stay in a level-2
  // cache, and 2^26 homes give 2^12 chunks, whose open lines do so as well.
  static constexpr int kHomeBitsPerChunk = 14;
  static constexpr uint64_t kShortRun = 24;
  static constexpr int kDigitBits = 11;
  static constexpr int kMaxDigits = 3;

  static int ChunkBits(uint64_t homes) {
    return std::min(CeilLog2(homes), kHomeBitsPerChunk);
  }
  Packed Pack(const Placed& placed) const {
    const uint64_t home =
        placed.home & LowBits(static_cast<unsigned>(chunk_bits_));
    return static_cast<Packed>((static_cast<Packed>(home) << width_) |
                               FirstBits(placed, width_));
  }
  // The home within its chunk.
  uint64_t Home(Packed entry) const {
    return static_cast<uint64_t>(entry >> width_);
  }
  uint64_t Value(Packed entry) const {
    return static_cast<uint64_t>(entry) &
           LowBits(static_cast<unsigned>(width_));
  }

  // Pass 1.  Afterwards chunk c is entries [limits_[c - 1], limits_[c]).
  Status Deal(std::span<const KeyHash> hashes) {
    TAMIS_ASSIGN_OR_RETURN(
        buffer_, AlignedBuffer::Allocate(hashes.size() * sizeof(Packed)));
    entries_ = reinterpret_cast<Packed*>(buffer_.data());
    limits_.assign(((homes_ - 1) >> chunk_bits_) + 1, 0);
    for (const KeyHash hash : hashes) {
      ++limits_[Place(hash, homes_).home >> chunk_bits_];
    }
    uint64_t next = 0;
    for (uint64_t& limit : limits_) next += std::exchange(limit, next);
    for (const KeyHash hash : hashes) {
      const Placed placed = Place(hash, homes_);
      entries_[limits_[placed.home >> chunk_bits_]++] = Pack(placed);
    }
    return {};
  }

  // Pass 2.  Returns the entries in order, here or in sorted_.
  std::span<const Packed> SortChunk(std::span<Packed> entries) {
    sorted_.resize(entries.size());
    const int digits = (chunk_bits_ + width_ + kDigitBits - 1) / kDigitBits;
    if (chunk_bits_ >= kDigitBits && digits <= kMaxDigits) {
      return SortByDigits(digits, entries);
    }
    SortByHome(entries);
    return sorted_;
  }

  // From the lowest digit to the highest, each pass keeping the order of the one
  // before.
  std::span<const Packed> SortByDigits(int digits, std::span<Packed> entries) {
    const auto digit = [](Packed entry, int at) {
      return static_cast<size_t>(entry >> (at * kDigitBits)) &
             ((size_t{1} << kDigitBits) - 1);
    };
    next_.assign(static_cast<size_t>(digits) << kDigitBits, 0);
    for (const Packed entry : entries) {
      for (int at = 0; at < digits; ++at) {
        ++next_[(static_cast<size_t>(at) << kDigitBits) + digit(entry, at)];
      }
    }
    std::span<Packed> from = entries;
    std::span<Packed> to = sorted_;
    for (int at = 0; at < digits; ++at) {
      const auto next = std::span(next_).subspan(
          static_cast<size_t>(at) << kDigitBits, size_t{1} << kDigitBits);
      uint64_t begin = 0;
      for (uint64_t& place : next) begin += std::exchange(place, begin);
      for (const Packed entry : from) to[next[digit(entry, at)]++] = entry;
      std::swap(from, to);
    }
    return from;
  }

  // From `entries` to sorted_.
  void SortByHome(std::span<const Packed> entries) {
    next_.assign((size_t{1} << chunk_bits_) + 1, 0);
    for (const Packed entry : entries) ++next_[Home(entry) + 1];
    for (size_t i = 1; i < next_.size(); ++i) next_[i] += next_[i - 1];
    for (const Packed entry : entries) {
      sorted_[next_[Home(entry)]++] = entry;
    }
    // next_[i] is now where run i ends.
    uint64_t begin = 0;
    for (size_t i = 0; i + 1 < next_.size(); ++i) {
      SortRun(begin, next_[i]);
      begin = next_[i];
    }
  }

  // A run has an entry or two, mostly: insertion is the fastest sort for it.
  void SortRun(uint64_t begin, uint64_t limit) {
    if (limit - begin > kShortRun) {
      std::sort(sorted_.begin() + static_cast<ptrdiff_t>(begin),
                sorted_.begin() + static_cast<ptrdiff_t>(limit));
      return;
    }
    for (uint64_t i = begin + 1; i < limit; ++i) {
      const Packed entry = sorted_[i];
      uint64_t j = i;
      for (; j > begin && sorted_[j - 1] > entry; --j) {
        sorted_[j] = sorted_[j - 1];
      }
      sorted_[j] = entry;
    }
  }

  uint64_t homes_;
  int width_;
  int chunk_bits_;
  AlignedBuffer buffer_;
  Packed* entries_ = nullptr;
  std::vector<uint64_t> limits_;
  std::vector<Packed> sorted_;  // one chunk
  std::vector<uint64_t> next_;  // per home of a chunk, or digit
};

// Calls visit(home, value) -> Status for every hash, in order.
template <typename Visit>
Status ForEachInOrder(std::span<const KeyHash> hashes, uint64_t homes,
                      int width, Visit&& visit) {
  if (BulkOrder<uint32_t>::Fits(homes, width)) {
    return BulkOrder<uint32_t>(homes, width).ForEach(hashes, visit);
  }
  if (BulkOrder<uint64_t>::Fits(homes, width)) {
    return BulkOrder<uint64_t>(homes, width).ForEach(hashes, visit);
  }
  return BulkOrder<Uint128>(homes, width).ForEach(hashes, visit);
}

}  // namespace tamis::internal

#endif  // TAMIS_TABLE_BULK_ORDER_H_
