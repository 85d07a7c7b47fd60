// QuotientTable: the one rank-and-select quotient table, under every filter
// that stores fingerprints in order.
//
// It holds (home, value) entries: homes 0 to m - 1 for any m, values of w bits.
// What a value means is the filter's affair.  The bits of a line, and how a run
// is found in it, are in line_shape.h; how a look-up uses that, in lookup.h.
//
// Lines for the m homes come first, then a short *tail* for runs that are pushed
// past the last home.  The tail grows when it must, so there is no wrap-around,
// and the table can hold m S / H entries whatever their homes are:
//
//   line    0 ................. ceil(m / H) - 1 | tail ... num_lines() - 1
//   homes   0 ...................... m - 1      |  none
//
// H, the homes of a line, is S unless the table is made with fewer: then there
// are S / H slots a home, and room for that many entries.
//
// Invariants (CheckInvariants tests all of them):
//   (I1) `occupied` and `run_end` have equally many set bits, table-wide.
//   (I2) Run k starts at the later of its home's own slot (home % H of line
//        home / H) and the end of run k - 1, and holds at least one entry.
//   (I3) spill of line b == min(255, slots from S b on that are used by runs of
//        homes below H b).
//   (I4) No home of m or more is occupied, nor a bit of `occupied` from H on.
//   (I5) size() is the number of slots in runs.
//   (I6) Free slots and spare bits are 0: equal entries give equal bytes.  (Of a
//        filter that marks lines, the mark is its own affair.)
//
// Thread safety: const functions may run concurrently with one another only.
// See docs/design/quotient_table.md, and Pandey et al., SIGMOD 2017 (the RSQF).

#ifndef TAMIS_INTERNAL_TABLE_QUOTIENT_TABLE_H_
#define TAMIS_INTERNAL_TABLE_QUOTIENT_TABLE_H_

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "tamis/internal/bits/aligned_buffer.h"
#include "tamis/internal/bits/prefetch.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/side_data.h"
#include "tamis/result.h"

namespace tamis::internal {

class LineStage;

inline constexpr uint64_t kMaxHomes = uint64_t{1} << 56;

// Lines for runs that are pushed past the last home, to begin with.  At load
// 0.98 a run is pushed by more than x slots with probability exp(-0.04 x): 16
// lines of 50 are hardly ever used up, and cost 0.1 % of 2^20 slots.  Shards are
// smaller, many, and quickly copied: one in some hundred may need more.
constexpr uint64_t FirstTailLines(uint64_t home_lines) {
  const uint64_t shards = std::max<uint64_t>(3, 1 + home_lines / 128);
  return std::min<uint64_t>({16, shards, 1 + home_lines / 32});
}

class QuotientTable {
 public:
  // An empty table; kInvalidArgument unless 1 <= homes <= 2^56 and
  // 2 <= width <= 56, kOutOfMemory if there is none.
  static Result<QuotientTable> Create(uint64_t homes, int width) {
    return Create(homes, LineForm{width});
  }
  // The same with `homes_per_line` of a line's slots as homes, at least 2.
  struct LineForm {
    int width;
    int homes_per_line = 0;  // 0: all
  };
  static Result<QuotientTable> Create(uint64_t homes, const LineForm& form);
  // A table from the bytes of another one's lines(); kCorrupt if there are too
  // few or too many for the numbers.  What they say is for CheckInvariants to
  // judge, before anything else is done with bytes from outside.
  static Result<QuotientTable> FromLines(uint64_t homes, const LineForm& form,
                                         uint64_t size,
                                         const OuterBytes& lines);
  static Result<QuotientTable> FromLines(uint64_t homes, int width,
                                         uint64_t size,
                                         const OuterBytes& lines) {
    return FromLines(homes, LineForm{width}, size, lines);
  }

  uint64_t homes() const { return homes_; }
  uint64_t size() const { return size_; }
  int width() const { return shape_.width(); }
  int homes_per_line() const { return shape_.homes(); }
  // How many entries it can hold: homes(), or more with few homes a line.
  uint64_t max_size() const { return max_size_; }
  const LineShape<0>& shape() const { return shape_; }
  uint64_t num_lines() const { return buffer_.size_bytes() / kLineBytes; }
  uint64_t num_slots() const { return shape_.FirstSlot(num_lines()); }
  uint64_t SizeBits() const { return 8 * buffer_.size_bytes(); }
  double load() const {
    return static_cast<double>(size_) / static_cast<double>(max_size_);
  }
  // All lines up to the last one in use, and at least one behind the homes,
  // which look-ups may read: what is written to a file.
  std::span<const std::byte> lines() const;
  const std::byte* line(uint64_t index) const {
    return buffer_.data() + index * kLineBytes;
  }
  uint64_t LineIndex(const std::byte* line) const {
    return static_cast<uint64_t>(line - buffer_.data()) / kLineBytes;
  }
  std::byte* line(uint64_t index) {
    if (stage_ != nullptr) [[unlikely]]
      return StagedLine(index);
    return buffer_.data() + index * kLineBytes;
  }
  // From now on changes go to `stage`, until it is set to nullptr; what would
  // need other memory is kOutOfMemory.
  void set_stage(LineStage* stage) { stage_ = stage; }
  // Stores what `stage` has, for others to see.
  void Commit(LineStage& stage);
  // Of a table whose lines are mapped: kUnsupported.
  Status CheckWritable() const { return buffer_.CheckWritable(); }

  // Returns the run of `home`; if it has none, an empty range at the slot where
  // its first entry would go.
  SlotRange FindRun(uint64_t home) const;
  // Returns the number of entries whose home is smaller.
  uint64_t SizeBelow(uint64_t home) const;
  uint64_t Get(uint64_t slot) const;
  // Replaces the value in a slot that is in use.
  void Set(uint64_t slot, uint64_t value);

  // Fetches the line of a home.
  void PrefetchHome(uint64_t home) const {
    Prefetch(line(shape_.LocateHome(home).line));
  }
  // The mark of a line (line_shape.h): nothing here changes it but Mark.
  // REQUIRES of both: shape().HasMark()
  bool IsMarked(uint64_t index) const { return shape_.IsMarked(line(index)); }
  void Mark(uint64_t index) { shape_.Mark(line(index)); }

  // Inserts an entry of `home` before slot `slot`.  kFull if size() ==
  // max_size(), kOutOfMemory if the tail can't grow: nothing is changed then.
  // REQUIRES: run.begin <= slot <= run.limit, run = FindRun(home)
  Status InsertAt(uint64_t home, uint64_t slot, uint64_t value,
                  SideData* side = nullptr);
  // Inserts an entry at the end of its run.
  Status InsertLast(uint64_t home, uint64_t value, SideData* side = nullptr);
  // Inserts an entry behind those of its run that are not greater.
  Status InsertSorted(uint64_t home, uint64_t value, SideData* side = nullptr);
  // Makes sure that the next `count` inserts need no memory; kOutOfMemory if
  // there is none.
  Status Reserve(uint64_t count);
  // Removes the entry in `slot`.
  // REQUIRES: slot is in FindRun(home)
  void EraseAt(uint64_t home, uint64_t slot, SideData* side = nullptr);

  // What InsertLast(home) and EraseAt(..., slot) would tell OnShift, before
  // anything moves.
  SlotRange ShiftOfInsert(uint64_t home) const;
  SlotRange ShiftOfErase(uint64_t slot) const;

  // Calls function(home, slot, value) for every entry, in the order of slots.
  template <typename Function>
  void ForEach(Function&& function) const;

  // Returns the first violation of (I1) to (I6) in words.  Linear.  Does not
  // use `spill` to find runs, so that a wrong spill can't hide itself, and
  // never reads out of bounds: it may be run on lines from anywhere.
  // May lines be marked?
  enum class Marking { kNo, kYes };
  Status CheckInvariants(Marking marking = Marking::kNo) const;

  // Returns the first entry that is smaller than the one before it in its run,
  // in words: what InsertSorted keeps from happening.  Linear.
  // REQUIRES: CheckInvariants().ok()
  Status CheckSortedRuns() const;

  // Reads the entries of a table in order; stays valid while the table does.
  class Cursor;
  // Fills an empty table in order, touching every line once.
  class Builder;

 private:
  QuotientTable(uint64_t homes, const LineShape<0>& shape, AlignedBuffer buffer)
      : homes_(homes),
        max_size_(shape.homes() == shape.slots()
                      ? homes
                      : homes * static_cast<uint64_t>(shape.slots()) /
                            static_cast<uint64_t>(shape.homes())),
        shape_(shape),
        buffer_(std::move(buffer)) {}

  Status FullStatus() const;
  template <typename Ops>
  Status Insert(Ops& ops, uint64_t home, SlotRange run, uint64_t slot,
                uint64_t value, SideData* side);
  template <typename Choose>
  Status InsertInRun(uint64_t home, uint64_t value, SideData* side,
                     Choose&& choose);
  Status GrowTail(SideData* side);
  std::byte* StagedLine(uint64_t index);

  uint64_t homes_;
  uint64_t max_size_;
  uint64_t size_ = 0;
  LineShape<0> shape_;
  AlignedBuffer buffer_;
  LineStage* stage_ = nullptr;
};

class QuotientTable::Cursor {
 public:
  explicit Cursor(const QuotientTable& table)
      : table_(&table), shape_(table.shape()), line_(table.line(0)) {
    run_ends_ = shape_.ReadHeader(line_).run_end;
    occupied_left_ = shape_.ReadOccupied(line_);
    if (left_ != 0) EnterNextRun();
  }

  bool done() const { return left_ == 0; }
  // REQUIRES: !done()
  uint64_t home() const { return home_; }
  uint64_t slot() const {
    return shape_.FirstSlot(slot_line_) + static_cast<unsigned>(index_);
  }
  uint64_t value() const { return shape_.ReadSlot(line_, index_); }
  // Goes to the next slot of this run or the first of the next one; to the end
  // if lines that were not checked have none.
  void Next() {
    assert(!done());
    if (--left_ == 0) return;
    const bool is_end = ((run_ends_ >> index_) & 1) != 0;
    if (++index_ == shape_.slots()) GoToLine(slot_line_ + 1, 0);
    if (is_end && left_ != 0) EnterNextRun();
  }

 private:
  void EnterNextRun();
  void GoToLine(uint64_t line, int index);

  const QuotientTable* table_;
  LineShape<0> shape_;
  uint64_t left_ = table_->size();  // entries from here on
  uint64_t home_ = 0;
  // The slot, and what its line says of runs.
  const std::byte* line_;
  uint64_t slot_line_ = 0;
  int index_ = 0;
  uint64_t run_ends_ = 0;
  uint64_t home_line_ = 0;  // where homes are searched, and what is left there
  uint64_t occupied_left_ = 0;
};

class QuotientTable::Builder {
 public:
  // REQUIRES: table is empty, and is not used until Finish()
  explicit Builder(QuotientTable& table)
      : table_(&table), shape_(table.shape()) {
    assert(table.size() == 0);
  }
  // Adds an entry behind all others.  kFull or kOutOfMemory as InsertAt.
  // REQUIRES: homes never decrease
  Status Append(uint64_t home, uint64_t value) {
    assert(home >= home_ && home < table_->homes_);
    if (table_->size_ == table_->max_size_) [[unlikely]]
      return table_->FullStatus();
    if (home != home_ || index_ == kBeforeFirst) EnterRun(home);
    if (index_ == shape_.slots()) WriteLine(slot_line_ + 1);
    if (slot_line_ >= table_->num_lines()) [[unlikely]] {
      TAMIS_RETURN_IF_ERROR(table_->GrowTail(nullptr));
    }
    values_[static_cast<size_t>(index_++)] = value;
    if (homes_line_ != slot_line_) AddSpills();
    ++table_->size_;
    return {};
  }
  // The slot that the last entry went to.
  uint64_t last_slot() const {
    return shape_.FirstSlot(slot_line_) + static_cast<unsigned>(index_) - 1;
  }
  // Closes the last run.  Call once, after the last Append.
  void Finish();

 private:
  static constexpr int kBeforeFirst = -1;

  // Closes the run before, and goes to where the run of `home` begins.
  void EnterRun(uint64_t home);
  // Goes to a slot of the same line; those between stay free.
  void GoToIndex(int index) {
    for (; index_ < index; ++index_) values_[static_cast<size_t>(index_)] = 0;
  }
  void AddSpills();
  void WriteHomes(uint64_t next_line);
  // Writes the line that is complete, and begins another.
  void WriteLine(uint64_t next_line);
  template <typename Change>
  void ChangeHeader(uint64_t index, Change&& change);

  QuotientTable* table_;
  LineShape<0> shape_;
  uint64_t home_ = 0;  // of the last entry
  // Lines are collected, and written when they are left: to read back at every
  // entry what was written for the one before costs more than the entry.
  uint64_t homes_line_ = 0;  // the line of home_, and its occupied bits
  uint64_t occupied_ = 0;
  uint64_t slot_line_ = 0;    // the line of the last entry,
  int index_ = kBeforeFirst;  // one past its slot there,
  uint64_t run_ends_ = 0;     // the run ends, the spill to add,
  uint64_t spill_ = 0;
  std::array<uint64_t, 64> values_;  // and the slots up to it
};

template <typename Function>
void QuotientTable::ForEach(Function&& function) const {
  for (Cursor at(*this); !at.done(); at.Next()) {
    function(at.home(), at.slot(), at.value());
  }
}

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_QUOTIENT_TABLE_H_
