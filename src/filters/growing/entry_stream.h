// Ordered streams of entries, and the one pass that merges two of them into a
// table.  Expansion, contraction and the migration of void entries are all of
// this form.
//
// A stream has done(), entry() and Next(); its entries never decrease.

#ifndef TAMIS_FILTERS_GROWING_ENTRY_STREAM_H_
#define TAMIS_FILTERS_GROWING_ENTRY_STREAM_H_

#include <cstdint>
#include <utility>

#include "tamis/internal/filters/growing/prefix_table.h"

namespace tamis::internal {

inline constexpr PrefixEntry kSkip = {0, 0};

// The entries of a table, each passed through `map`; kSkip leaves it out.
// REQUIRES: map keeps the order
template <typename Map>
class MappedEntries {
 public:
  MappedEntries(const PrefixTable& table, Map map)
      : cursor_(table.table()), map_(std::move(map)) {
    Settle();
  }
  bool done() const { return cursor_.done(); }
  PrefixEntry entry() const { return entry_; }
  void Next() {
    cursor_.Next();
    Settle();
  }

 private:
  void Settle() {
    for (; !cursor_.done(); cursor_.Next()) {
      entry_ = map_(PrefixEntry{cursor_.home(), cursor_.value()});
      if (entry_.value != 0) return;
    }
  }

  QuotientTable::Cursor cursor_;
  Map map_;
  PrefixEntry entry_ = kSkip;
};

// Entries that come in bursts: `count` times the same.  `next_burst` returns
// the next one, or a count of 0 at the end.
struct Burst {
  PrefixEntry entry;
  uint64_t count;
};
template <typename NextBurst>
class Bursts {
 public:
  explicit Bursts(NextBurst next_burst)
      : next_burst_(std::move(next_burst)), burst_(next_burst_()) {}
  bool done() const { return burst_.count == 0; }
  PrefixEntry entry() const { return burst_.entry; }
  void Next() {
    if (--burst_.count == 0) burst_ = next_burst_();
  }

 private:
  NextBurst next_burst_;
  Burst burst_;
};

struct NoEntries {
  static bool done() { return true; }
  static PrefixEntry entry() { return kSkip; }
  static void Next() {}
};

// Fills `table`, which is empty, with the entries of both streams.
template <typename First, typename Second>
Status MergeInto(PrefixTable& table, First first, Second second) {
  QuotientTable::Builder builder(table.table());
  const auto append = [&](const PrefixEntry& entry) {
    table.CountEntry(entry.value);
    return builder.Append(entry.home, entry.value);
  };
  for (; !first.done(); first.Next()) {
    const PrefixEntry entry = first.entry();
    for (; !second.done() && second.entry() < entry; second.Next()) {
      TAMIS_RETURN_IF_ERROR(append(second.entry()));
    }
    TAMIS_RETURN_IF_ERROR(append(entry));
  }
  for (; !second.done(); second.Next()) {
    TAMIS_RETURN_IF_ERROR(append(second.entry()));
  }
  builder.Finish();
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_GROWING_ENTRY_STREAM_H_
