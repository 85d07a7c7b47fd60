// ActiveTable: the tamis filter's table of all members, with prefixes of any
// length up to *full*, F bits of the string.
//
//   may grow     slots of F + 1 bits, the InfiniFilter's: fingerprint, 1, zeros
//                (prefix_code.h); entries get shorter as the homes double
//   may not      slots of F bits, the RSQF's: every entry is full, always
//
// Invariants (CheckInvariants tests all of them):
//   (P1) Those of the quotient table.
//   (P2) No coded entry is 0, and runs are sorted: equal sets, equal bytes.
//   (P3) Entries are counted by their length, but in a table whose lines are
//        mapped: those are not read before somebody asks.
//
// A filter has thousands of these, one a shard, so that what is kept of lengths
// is as long as there are lengths.
//
// Thread safety: const functions may run concurrently with one another only.

#ifndef TAMIS_INTERNAL_FILTERS_TAMIS_ACTIVE_TABLE_H_
#define TAMIS_INTERNAL_FILTERS_TAMIS_ACTIVE_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "tamis/internal/filters/growing/prefix_code.h"
#include "tamis/internal/filters/tamis/prefix.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/quotient_table.h"
#include "tamis/key_hash.h"
#include "tamis/result.h"

namespace tamis::internal {

class ActiveTable {
 public:
  struct Form {
    uint64_t homes;
    int bits;  // F
    bool may_grow;
    int homes_per_line;  // H; 0: all

    int width() const { return bits + (may_grow ? 1 : 0); }
  };
  struct Match {
    uint64_t home;
    uint64_t slot;
    int length;
  };
  static constexpr int kMaxBits = 40;

  static Result<ActiveTable> Create(const Form& form);
  Result<ActiveTable> Clone() const;
  // From the bytes of another one's lines(), copied or mapped; kCorrupt if they
  // are too few or too many.  What they say is for CheckInvariants to judge.
  static Result<ActiveTable> FromLines(const Form& form, uint64_t size,
                                       const OuterBytes& lines);

  bool MayContain(KeyHash hash) const { return finder_(table_, hash); }
  void MayContain(std::span<const KeyHash> hashes,
                  std::span<bool> results) const;

  Position Read(KeyHash hash) const { return PositionOf(hash, homes()); }
  // Makes sure that the next `count` inserts need no memory.
  Status Reserve(uint64_t count) { return table_.Reserve(count); }
  // Inserts a full entry.
  Status Insert(Position at);
  // Removes an entry; or gives it the full fingerprint of `at`.
  void Erase(const Match& match);
  void Lengthen(const Match& match, Position at);

  // Returns the longest entry of at most `max_length` bits that covers `at`.
  std::optional<Match> FindLongest(Position at, int max_length) const;
  // Returns an entry that is `prefix`.  REQUIRES: 0 <= prefix.length <= bits()
  std::optional<Match> Find(const Prefix& prefix) const;
  // Calls visit(prefix) for the entries of a home, in the order of slots.
  template <typename Visit>
  void ForEachOf(uint64_t home, Visit&& visit) const {
    const SlotRange run = table_.FindRun(home);
    for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
      visit(PrefixIn(home, table_.Get(slot)));
    }
  }

  // Returns what an entry covers, and the value of a prefix.
  Prefix PrefixIn(uint64_t home, uint64_t value) const;
  uint64_t ValueOf(const Prefix& prefix) const;

  // Read a table in order, and fill an empty one: for entry_stream.h.
  class Cursor;
  class Builder;

  // As the table's.
  void set_stage(LineStage* stage) { table_.set_stage(stage); }
  void Commit(LineStage& stage) { table_.Commit(stage); }

  const Form& form() const { return form_; }
  const QuotientTable& table() const { return table_; }
  uint64_t SizeBits() const {
    return table_.SizeBits() + 64 * counts_.capacity();
  }
  uint64_t size() const { return table_.size(); }
  uint64_t homes() const { return table_.homes(); }
  int bits() const { return form_.bits; }
  int homes_per_line() const { return table_.homes_per_line(); }
  // How many entries have 0, 1, ... bits() bits; linear if the lines are mapped.
  std::vector<uint64_t> CountsByLength() const {
    return counts_.empty() ? CountEntries() : counts_;
  }
  // Of a table whose lines are mapped: kUnsupported.
  Status CheckWritable() const { return table_.CheckWritable(); }
  Status CheckInvariants() const;

 private:
  // A look-up for one form of table: one call, whatever the form.
  using Finder = bool (*)(const QuotientTable& table, KeyHash hash);
  static Finder FinderOf(const Form& form);

  ActiveTable(const Form& form, QuotientTable table)
      : finder_(FinderOf(form)),
        form_(form),
        table_(std::move(table)),
        counts_(static_cast<size_t>(form.bits) + 1) {}

  template <typename Function>
  auto WithLookup(Function&& function) const;

  int LengthOf(uint64_t value) const {
    return form_.may_grow ? PrefixLength(value, bits()) : bits();
  }
  std::vector<uint64_t> CountEntries() const;
  void Count(uint64_t value, int by) {
    counts_[static_cast<size_t>(LengthOf(value))] +=
        static_cast<uint64_t>(static_cast<int64_t>(by));
  }

  Finder finder_;
  Form form_;
  QuotientTable table_;
  std::vector<uint64_t> counts_;  // by length, 0 to bits(); mapped: none
};

class ActiveTable::Cursor : public QuotientTable::Cursor {
 public:
  explicit Cursor(const ActiveTable& table)
      : QuotientTable::Cursor(table.table()) {}
};

class ActiveTable::Builder {
 public:
  explicit Builder(ActiveTable& table)
      : table_(table), builder_(table.table_) {}
  // REQUIRES: entries never decrease
  Status Append(uint64_t home, uint64_t value) {
    TAMIS_RETURN_IF_ERROR(builder_.Append(home, value));
    table_.Count(value, +1);
    return {};
  }
  void Finish() { builder_.Finish(); }

 private:
  ActiveTable& table_;
  QuotientTable::Builder builder_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_TAMIS_ACTIVE_TABLE_H_
