// Ordered streams of entries, and the one pass that fills a table from them.
//
// Bulk load, merge, expansion, contraction and the migration of entries from
// one table to another are all of this form:
//
//   a table, each entry mapped  --+
//                                 +--> merge --> Builder of an empty table
//   another, or hashes in order --+
//
// A *stream* has entry() and Next().  Its entries never decrease, by home and
// then by value; behind the last one it says kNoEntry, which is greater than
// all.  A table is a class with a Cursor and a Builder (QuotientTable, or one
// that keeps more in step, as PrefixTable does), so that whoever fills it can't
// leave it inconsistent.

#ifndef TAMIS_TABLE_ENTRY_STREAM_H_
#define TAMIS_TABLE_ENTRY_STREAM_H_

#include <cstdint>
#include <utility>

#include "tamis/internal/table/table_entry.h"
#include "tamis/result.h"

namespace tamis::internal {

inline constexpr TableEntry kNoEntry = {~uint64_t{0}, ~uint64_t{0}};

// The entries of a table, each passed through `map`; kNoEntry leaves it out.
// REQUIRES: map keeps the order
template <typename Table, typename Map>
class MappedEntries {
 public:
  MappedEntries(const Table& table, Map map)
      : cursor_(table), map_(std::move(map)) {
    Settle();
  }
  const TableEntry& entry() const { return entry_; }
  void Next() {
    cursor_.Next();
    Settle();
  }

 private:
  void Settle() {
    for (; !cursor_.done(); cursor_.Next()) {
      entry_ = map_(TableEntry{cursor_.home(), cursor_.value()});
      if (entry_ != kNoEntry) return;
    }
    entry_ = kNoEntry;
  }

  typename Table::Cursor cursor_;
  Map map_;
  TableEntry entry_ = kNoEntry;
};

// Entries that come in bursts: `count` times the same.  `next_burst` returns
// the next one, or kNoBurst at the end.
struct Burst {
  TableEntry entry;
  uint64_t count;
};
inline constexpr Burst kNoBurst = {kNoEntry, 0};
template <typename NextBurst>
class Bursts {
 public:
  explicit Bursts(NextBurst next_burst)
      : next_burst_(std::move(next_burst)), burst_(next_burst_()) {}
  const TableEntry& entry() const { return burst_.entry; }
  void Next() {
    if (--burst_.count == 0) burst_ = next_burst_();
  }

 private:
  NextBurst next_burst_;
  Burst burst_;
};

struct NoEntries {
  static TableEntry entry() { return kNoEntry; }
  static void Next() {}
};

// Appends entries to a builder and, in their places between them, those of a
// stream.
template <typename Builder, typename Stream>
class Merger {
 public:
  Merger(Builder& builder, Stream stream)
      : builder_(builder), stream_(std::move(stream)) {}

  // REQUIRES: entries never decrease
  Status Append(const TableEntry& entry) {
    TAMIS_RETURN_IF_ERROR(AppendBefore(entry));
    return builder_.Append(entry.home, entry.value);
  }
  // Appends the rest of the stream.  Call once, after the last Append.
  Status Finish() {
    TAMIS_RETURN_IF_ERROR(AppendBefore(kNoEntry));
    builder_.Finish();
    return {};
  }

 private:
  Status AppendBefore(const TableEntry& limit) {
    for (; stream_.entry() < limit; stream_.Next()) {
      const TableEntry entry = stream_.entry();
      TAMIS_RETURN_IF_ERROR(builder_.Append(entry.home, entry.value));
    }
    return {};
  }

  Builder& builder_;
  Stream stream_;
};

// Fills `table` with the entries of both streams.  On an error it is of no use.
// REQUIRES: table is empty
template <typename Table, typename First, typename Second = NoEntries>
Status FillFrom(Table& table, First first, Second second = {}) {
  typename Table::Builder builder(table);
  Merger merger(builder, std::move(second));
  for (; first.entry() != kNoEntry; first.Next()) {
    TAMIS_RETURN_IF_ERROR(merger.Append(first.entry()));
  }
  return merger.Finish();
}

}  // namespace tamis::internal

#endif  // TAMIS_TABLE_ENTRY_STREAM_H_
