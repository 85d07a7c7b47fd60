// BinReader: where a key may live in k tables, and what is stored for it.
//
// The hash, a number in [0, 1), is multiplied by the number of bins of a table
// again and again.  Each time the integer part is a bin of the next table, and
// the fraction goes on:
//
//   hash * n = bin 0 . f0     f0 * n = bin 1 . f1    ...    string = f(k-1)
//
// so the k bins are the first k digits of the hash in base n, and what is left
// is the string.  Fingerprint `a` (a filter with several per key calls a its
// *alternative*) is the window of f bits at a f, except that 0, which means a
// free slot, is stored as 1.
//
// k digits use up k log2 n of the 128 bits.  If the bits left are too few, the
// string is Extend(1), Extend(2), ... instead; if even the digits would be
// unevenly distributed, tables 2 and 3 take theirs from Extend(0).  Which of
// them holds depends on the sizes alone.
//
// A filter rebuilt under a new seed has a salt: then all of this reads
// Extend(salt) in place of the hash.
//
// Cost: two multiplications a table; one rehash more for each Extend.
// Thread safety: immutable.

#ifndef TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_READER_H_
#define TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_READER_H_

#include <cassert>
#include <cstdint>

#include "tamis/internal/bits/words.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

inline constexpr int kMaxTables = 4;

// What a BinReader makes of one hash.
struct KeyBins {
  KeyHash source;             // the hash, salted if there is a salt; not set
                              // where bins and string are all of the hash
  Uint128 string;             // fingerprints, alternative 0 at the top
  uint64_t bins[kMaxTables];  // numbered through all tables
};

class BinReader {
 public:
  // The bits a digit must leave unused to be evenly distributed to 2^-16.
  static constexpr int kSpareBits = 16;
  // A salt has its top bit set, which no piece of a string has.
  static constexpr uint64_t kSaltBit = uint64_t{1} << 63;

  BinReader() = default;
  // REQUIRES: 1 <= tables <= kMaxTables, bins_per_table < 2^50,
  //           1 <= fingerprint_bits <= 32, salt == 0 or salt >= kSaltBit
  BinReader(int tables, uint64_t bins_per_table, int fingerprint_bits,
            int alternatives, uint64_t salt);

  int tables() const { return tables_; }
  uint64_t bins_per_table() const { return bins_per_table_; }
  int fingerprint_bits() const { return fingerprint_bits_; }
  uint64_t salt() const { return salt_; }

  // kTables is the number of tables if that is known when compiling, else 0.
  // Inline always: out of line, the places go through memory, and a look-up
  // takes three times as long.
  template <int kTables = 0>
  [[gnu::always_inline]] KeyBins Read(KeyHash hash) const {
    assert(kTables == 0 || kTables == tables_);
    KeyBins places;
    if (all_from_hash_) [[likely]] {
      // Without the source, which nobody asks for then: to copy a hash whole,
      // g++ 12 reads it from where it was stored by halves, and waits for all
      // stores before that, those to a mirror among them: 40 % of an insert.
      places.string =
          Digits(hash, 0, kTables == 0 ? tables_ : kTables, places.bins);
    } else {
      places = ReadWide(hash);  // a return here would cost a copy there
    }
    return places;
  }

  // Returns the fingerprint that is stored under alternative `a`.
  uint64_t Fingerprint(const KeyBins& places, int a) const {
    const int skip = a * fingerprint_bits_;
    if (skip + fingerprint_bits_ > 128) [[unlikely]] {
      return FarFingerprint(places, a);
    }
    return NotZero(static_cast<uint64_t>((places.string << skip) >>
                                         (128 - fingerprint_bits_)));
  }

  // Returns the first `count` bits of the string: fingerprints before 0 became
  // 1, the last alternative in the lowest bits.  REQUIRES: 1 <= count <= 64
  static uint64_t FirstBits(const KeyBins& places, int count) {
    return static_cast<uint64_t>(places.string >> (128 - count));
  }

  static uint64_t NotZero(uint64_t fingerprint) {
    return fingerprint + (fingerprint == 0 ? 1 : 0);
  }

 private:
  // Writes the bins of tables [begin, limit) and returns the fraction left.
  [[gnu::always_inline]] Uint128 Digits(KeyHash hash, int begin, int limit,
                                        uint64_t* bins) const {
    Placed placed{0, hash.high, hash.low};
    uint64_t first = static_cast<unsigned>(begin) * bins_per_table_;
    for (int table = begin; table < limit; ++table) {
      placed = Place({placed.high, placed.low}, bins_per_table_);
      bins[table] = first + placed.home;
      first += bins_per_table_;
    }
    return (static_cast<Uint128>(placed.high) << 64) | placed.low;
  }
  KeyBins ReadWide(KeyHash hash) const;
  uint64_t FarFingerprint(const KeyBins& places, int a) const;

  uint64_t bins_per_table_ = 1;
  uint64_t salt_ = 0;
  int tables_ = 1;
  int fingerprint_bits_ = 1;
  bool bins_from_hash_ = true;
  bool string_from_hash_ = true;
  bool all_from_hash_ = true;  // both, and no salt
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_CUCKOO_BIN_READER_H_
