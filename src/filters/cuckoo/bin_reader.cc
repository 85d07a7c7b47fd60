#include "tamis/internal/filters/cuckoo/bin_reader.h"

namespace tamis::internal {
namespace {

// The pieces of Extend: values are in files, through what is stored.
constexpr uint64_t kBinsPiece = 0;
constexpr uint64_t kStringPiece = 1;

Uint128 Piece(KeyHash source, uint64_t index) {
  const KeyHash piece = Extend(source, index);
  return (static_cast<Uint128>(piece.high) << 64) | piece.low;
}

}  // namespace

BinReader::BinReader(int tables, uint64_t bins_per_table, int fingerprint_bits,
                     int alternatives, uint64_t salt)
    : bins_per_table_(bins_per_table),
      salt_(salt),
      tables_(tables),
      fingerprint_bits_(fingerprint_bits) {
  assert(tables >= 1 && tables <= kMaxTables);
  assert(fingerprint_bits >= 1 && fingerprint_bits <= 32);
  assert(salt == 0 || salt >= kSaltBit);
  const int left = 128 - tables * CeilLog2(bins_per_table);
  bins_from_hash_ = left >= kSpareBits;
  string_from_hash_ =
      bins_from_hash_ && alternatives * fingerprint_bits <= left;
  all_from_hash_ = string_from_hash_ && salt == 0;
}

KeyBins BinReader::ReadWide(KeyHash hash) const {
  KeyBins places;
  places.source = salt_ == 0 ? hash : Extend(hash, salt_);
  const int from_hash = bins_from_hash_ || tables_ < 2 ? tables_ : 2;
  places.string = Digits(places.source, 0, from_hash, places.bins);
  if (from_hash < tables_) {
    Digits(Extend(places.source, kBinsPiece), from_hash, tables_, places.bins);
  }
  if (!string_from_hash_) places.string = Piece(places.source, kStringPiece);
  return places;
}

uint64_t BinReader::FarFingerprint(const KeyBins& places, int a) const {
  const int per_piece = 128 / fingerprint_bits_;
  const Uint128 piece =
      Piece(places.source, kStringPiece + static_cast<unsigned>(a / per_piece));
  const int skip = a % per_piece * fingerprint_bits_;
  return NotZero(
      static_cast<uint64_t>((piece << skip) >> (128 - fingerprint_bits_)));
}

}  // namespace tamis::internal
