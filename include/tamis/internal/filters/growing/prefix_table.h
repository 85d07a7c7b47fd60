// PrefixTable: a quotient table whose entries are prefixes of hashes, of
// different lengths (the paper's basic InfiniFilter, without its growth).
//
// All tables of a filter read the same string of a key (generations.h); each
// is one generation's division of it into home and fingerprint.
//
// Invariants (CheckInvariants tests all of them):
//   (P1) Those of the quotient table.
//   (P2) No entry is 0, and runs are sorted: equal sets give equal bytes.
//   (P3) entries_of(r) is the number of entries of resolution r.
//
// Nothing outside can break them: the quotient table is read through a Cursor
// and filled through a Builder (entry_stream.h), which counts.
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_TABLE_H_
#define TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>

#include "tamis/internal/filters/growing/generations.h"
#include "tamis/internal/filters/growing/prefix_code.h"
#include "tamis/internal/filters/growing/prefix_match.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/lookup.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/internal/table/table_entry.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class PrefixTable {
 public:
  using Query = PrefixQuery;
  struct Match {
    uint64_t home;
    uint64_t slot;
    int length;  // of its fingerprint
  };

  using Counts = std::array<uint64_t, kMaxResolution + 1>;

  // An empty table for `generation`.
  static Result<PrefixTable> Create(const Generations& generations,
                                    int generation);
  // A table from the lines() of another one, and its counts(); counts the
  // entries if there are none.  What they say is for CheckInvariants to judge,
  // before anything is changed.
  static Result<PrefixTable> FromLines(const Generations& generations,
                                       int generation, uint64_t size,
                                       const OuterBytes& lines,
                                       const Counts* counts = nullptr);

  bool MayContain(KeyHash hash) const;
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;

  // Returns how this table reads a key; the bits of hash * homes are those of
  // the string, because 128 bits are more than home and fingerprint together.
  Query Read(KeyHash hash) const {
    const Placed placed = Place(hash, table_.homes());
    return {placed.home, FirstBits(placed, bits()) << 1};
  }
  // Returns how this table reads all keys of a home of a later generation.
  Query ReadHome(uint64_t home, int generation) const;

  // Inserts a key with a whole fingerprint.
  Status Insert(const Query& query);
  Status InsertEntry(const TableEntry& entry);
  // Returns the entry of the longest fingerprint that matches, among those of
  // at most `max_length` bits.
  std::optional<Match> FindLongest(const Query& query, int max_length) const;
  std::optional<Match> FindLongest(const Query& query) const {
    return FindLongest(query, bits());
  }
  // Returns how many entries of a home are `value`.
  uint64_t CountEqual(uint64_t home, uint64_t value) const;
  // Returns how many entries match.
  uint64_t CountMatches(const Query& query) const;
  uint64_t CountVoids(uint64_t home) const {
    return CountEqual(home, void_value());
  }
  // Returns all the bits that an entry fixes, as one number: its home in a
  // table as fine as its resolution.
  uint64_t PrefixOf(const TableEntry& entry) const {
    return MoveToHome(entry, PrefixLength(entry.value, bits()), width()).home;
  }
  uint64_t PrefixOf(const Match& match) const {
    return PrefixOf(TableEntry{match.home, table_.Get(match.slot)});
  }
  // Removes a void entry of `home`.  REQUIRES: it has one
  void EraseVoid(uint64_t home);
  void Erase(const Match& match);
  // Gives an entry the whole fingerprint of `query` instead of its prefix.
  void Lengthen(const Match& match, const Query& query);

  // Entries by their resolution: what a file has besides the lines.
  const Counts& counts() const { return counts_; }

  // Reads the entries in order; stays valid while the table does.
  class Cursor;
  // Fills an empty table in order.
  class Builder;

  // Fetches the line that Insert(query) changes.
  void Prefetch(const Query& query) const { table_.PrefetchHome(query.home); }
  // All lines up to the last one in use: what is written to a file.
  std::span<const std::byte> lines() const { return table_.lines(); }
  // Of a table whose lines are mapped: kUnsupported.
  Status CheckWritable() const { return table_.CheckWritable(); }
  uint64_t SizeBits() const { return table_.SizeBits(); }
  double load() const { return table_.load(); }
  uint64_t size() const { return table_.size(); }
  uint64_t homes() const { return table_.homes(); }
  int generation() const { return generation_; }
  int bits() const { return table_.width() - 1; }
  int width() const { return table_.width(); }
  uint64_t void_value() const { return uint64_t{1} << bits(); }
  uint64_t entries_of(int resolution) const {
    return counts_[static_cast<size_t>(resolution)];
  }
  // Entries that have no fingerprint.
  uint64_t num_voids() const { return entries_of(generation_); }
  // Returns the least resolution of any entry; more than any if there is none.
  int MinResolution() const;
  int Resolution(const Match& match) const {
    return generation_ + match.length;
  }
  Status CheckInvariants() const;

 private:
  PrefixTable(QuotientTable table, int generation)
      : table_(std::move(table)), generation_(generation) {}

  size_t ResolutionOf(uint64_t value) const {
    return static_cast<size_t>(generation_ + PrefixLength(value, bits()));
  }
  void CountEntry(uint64_t value) { ++counts_[ResolutionOf(value)]; }
  void CountEntries();

  QuotientTable table_;
  int generation_;
  Counts counts_ = {};
};

class PrefixTable::Cursor : public QuotientTable::Cursor {
 public:
  explicit Cursor(const PrefixTable& table)
      : QuotientTable::Cursor(table.table_) {}
};

class PrefixTable::Builder {
 public:
  // REQUIRES: table is empty, and is not used until Finish()
  explicit Builder(PrefixTable& table)
      : table_(&table), builder_(table.table_) {}
  // Adds an entry behind all others.  kFull or kOutOfMemory as Insert.
  // REQUIRES: entries never decrease, value != 0
  Status Append(uint64_t home, uint64_t value) {
    TAMIS_RETURN_IF_ERROR(builder_.Append(home, value));
    table_->CountEntry(value);
    return {};
  }
  // Call once, after the last Append.
  void Finish() { builder_.Finish(); }

 private:
  PrefixTable* table_;
  QuotientTable::Builder builder_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_GROWING_PREFIX_TABLE_H_
