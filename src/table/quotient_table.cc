#include "tamis/internal/table/quotient_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

#include "table/table_ops.h"
#include "tamis/internal/table/line_stage.h"

namespace tamis::internal {
namespace {

uint64_t HomeLines(uint64_t homes, const LineShape<0>& shape) {
  const auto per_line = static_cast<uint64_t>(shape.homes());
  return (homes + per_line - 1) / per_line;
}

using LineForm = QuotientTable::LineForm;

bool IsValid(const LineForm& form) {
  return form.width >= kMinSlotBits && form.width <= kMaxSlotBits &&
         (form.homes_per_line == 0 ||
          (form.homes_per_line >= 2 &&
           form.homes_per_line <= SlotsPerLine(form.width)));
}
// REQUIRES: IsValid(form)
LineShape<0> ShapeOf(const LineForm& form) {
  if (form.homes_per_line == 0) return LineShape<0>(form.width);
  return {form.width, form.homes_per_line};
}

template <Order kOrder>
using OrderIs = std::integral_constant<Order, kOrder>;

bool IsZero(const std::byte* line) {
  uint64_t all = 0;
  for (int i = 0; i < kLineBytes; i += 8) all |= LoadWord(line + i);
  return all == 0;
}

// Calls function(ops) with the operations for the table's line shape.  Const
// tables may be passed too, for operations that do not write.
template <typename Function>
decltype(auto) WithOps(const QuotientTable& table, Function&& function) {
  return WithShape(table.shape(), [&](const auto& shape) -> decltype(auto) {
    using Shape = std::remove_cvref_t<decltype(shape)>;
    return function(TableOps<Shape>(shape, const_cast<QuotientTable&>(table)));
  });
}

}  // namespace

Result<QuotientTable> QuotientTable::Create(uint64_t homes,
                                            const LineForm& form) {
  if (homes == 0 || homes > kMaxHomes) {
    return Status(
        StatusCode::kInvalidArgument,
        "a table of " + std::to_string(homes) + " slots; expected 1 to 2^56");
  }
  if (form.width < kMinSlotBits || form.width > kMaxSlotBits) {
    return Status(
        StatusCode::kInvalidArgument,
        "slots of " + std::to_string(form.width) + " bits; expected 2 to 56");
  }
  if (!IsValid(form)) {
    return Status(StatusCode::kInvalidArgument,
                  std::to_string(form.homes_per_line) +
                      " homes a line; expected 2 to " +
                      std::to_string(SlotsPerLine(form.width)));
  }
  const LineShape<0> shape = ShapeOf(form);
  const uint64_t home_lines = HomeLines(homes, shape);
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer buffer,
      AlignedBuffer::Allocate((home_lines + FirstTailLines(home_lines)) *
                              kLineBytes));
  return QuotientTable(homes, shape, std::move(buffer));
}

Result<QuotientTable> QuotientTable::FromLines(uint64_t homes,
                                               const LineForm& form,
                                               uint64_t size,
                                               const OuterBytes& lines) {
  const Status wrong(StatusCode::kCorrupt,
                     std::to_string(lines.size()) + " bytes of lines for " +
                         std::to_string(size) + " keys in " +
                         std::to_string(homes) + " slots of " +
                         std::to_string(form.width) + " bits");
  // Nothing is allocated before the length has been compared with `homes`.
  if (homes == 0 || homes > kMaxHomes || !IsValid(form) ||
      lines.size() % kLineBytes != 0 ||
      lines.size() / kLineBytes < HomeLines(homes, ShapeOf(form))) {
    return wrong;
  }
  const uint64_t home_lines = HomeLines(homes, ShapeOf(form));
  const uint64_t least =
      (home_lines + (lines.map ? 1 : FirstTailLines(home_lines))) * kLineBytes;
  TAMIS_ASSIGN_OR_RETURN(
      AlignedBuffer buffer,
      AlignedBuffer::From(lines, std::max(least, lines.size())));
  QuotientTable table(homes, ShapeOf(form), std::move(buffer));
  if (size > table.max_size_) return wrong;
  table.size_ = size;
  return table;
}

std::span<const std::byte> QuotientTable::lines() const {
  uint64_t used = num_lines();
  const uint64_t least = HomeLines(homes_, shape_) + 1;
  while (used > least && IsZero(line(used - 1))) --used;
  return {buffer_.data(), used * kLineBytes};
}

SlotRange QuotientTable::FindRun(uint64_t home) const {
  assert(home < homes_);
  return WithOps(*this, [&](const auto& ops) { return ops.FindRun(home); });
}

uint64_t QuotientTable::SizeBelow(uint64_t home) const {
  assert(home < homes_);
  return WithOps(*this, [&](const auto& ops) {
    const uint64_t slot = ops.FindRun(home).begin;
    return slot - ops.CountFree(slot);
  });
}

uint64_t QuotientTable::Get(uint64_t slot) const {
  assert(slot < num_slots());
  return WithOps(*this, [&](const auto& ops) { return ops.ReadSlot(slot); });
}

void QuotientTable::Set(uint64_t slot, uint64_t value) {
  assert(slot < num_slots());
  WithOps(*this, [&](auto ops) { ops.WriteSlot(slot, value); });
}

Status QuotientTable::FullStatus() const {
  return {StatusCode::kFull,
          "all " + std::to_string(max_size_) + " slots are in use"};
}

Status QuotientTable::GrowTail(SideData* side) {
  if (stage_ != nullptr) {
    return {StatusCode::kOutOfMemory, "the tail is full, and has to stay"};
  }
  // Doubling the tail each time makes the copies of a long series of inserts
  // at the very end cost a constant per insert.
  const uint64_t tail = num_lines() - HomeLines(homes_, shape_);
  const uint64_t more_lines = num_lines() + std::max<uint64_t>(tail, 4);
  TAMIS_ASSIGN_OR_RETURN(AlignedBuffer larger,
                         AlignedBuffer::Allocate(more_lines * kLineBytes));
  if (side != nullptr) {
    TAMIS_RETURN_IF_ERROR(side->OnGrow(shape_.FirstSlot(more_lines)));
  }
  std::memcpy(larger.data(), buffer_.data(), buffer_.size_bytes());
  buffer_ = std::move(larger);
  return {};
}

// An insert uses one slot more behind the homes at most.
Status QuotientTable::Reserve(uint64_t count) {
  const uint64_t last = shape_.SlotOfHome(homes_ - 1);
  const uint64_t free =
      WithOps(*this, [&](const auto& ops) { return ops.FindFree(last); });
  while (free + count > num_slots()) TAMIS_RETURN_IF_ERROR(GrowTail(nullptr));
  return {};
}

template <typename Ops>
Status QuotientTable::Insert(Ops& ops, uint64_t home, SlotRange run,
                             uint64_t slot, uint64_t value, SideData* side) {
  assert(run.begin <= slot && slot <= run.limit);
  uint64_t free = ops.FindFree(home, run, slot);
  if (free == num_slots()) {
    TAMIS_RETURN_IF_ERROR(GrowTail(side));
    free = ops.FindFree(slot);
  }
  ops.Insert(home, run, slot, free, value);
  ++size_;
  if (side != nullptr) side->OnShift({slot, free}, +1);
  return {};
}

Status QuotientTable::InsertAt(uint64_t home, uint64_t slot, uint64_t value,
                               SideData* side) {
  assert(home < homes_);
  if (size_ == max_size_) [[unlikely]]
    return FullStatus();
  return WithOps(*this, [&](auto ops) {
    return Insert(ops, home, ops.FindRun(home), slot, value, side);
  });
}

// Inserts an entry where its order, a constant of that type, says.  The common
// case is inlined into what users call, the rest is not: it needs more registers
// than there are, and the common case would save them.
template <typename OrderConstant>
inline Status QuotientTable::InsertInRun(uint64_t home, uint64_t value,
                                         SideData* side,
                                         OrderConstant&& /*order*/) {
  constexpr Order kOrder = std::remove_cvref_t<OrderConstant>::value;
  assert(home < homes_);
  if (size_ == max_size_) [[unlikely]]
    return FullStatus();
  const auto told = [&](SlotRange moved) {
    ++size_;
    if (side != nullptr) side->OnShift(moved, +1);
    return Status();
  };
  const auto across_lines = [&](const auto& shape) {
    using Shape = std::remove_cvref_t<decltype(shape)>;
    TableOps<Shape> ops(shape, *this);
    const auto moved = ops.template InsertFromHomeLine<kOrder>(home, value);
    if (moved.has_value()) return told(*moved);
    const SlotRange run = ops.FindRun(home);
    const uint64_t slot =
        kOrder == Order::kSorted ? ops.SortedSlot(run, value) : run.limit;
    return Insert(ops, home, run, slot, value, side);
  };
  return WithShape(shape_, [&](const auto& shape) {
    using Shape = std::remove_cvref_t<decltype(shape)>;
    TableOps<Shape> ops(shape, *this);
    const auto moved = ops.template InsertInHomeLine<kOrder>(home, value);
    if (moved.has_value()) return told(*moved);
    return CallOutOfLine(across_lines, shape);
  });
}

Status QuotientTable::InsertLast(uint64_t home, uint64_t value,
                                 SideData* side) {
  return InsertInRun(home, value, side, OrderIs<Order::kLast>());
}

Status QuotientTable::InsertSorted(uint64_t home, uint64_t value,
                                   SideData* side) {
  return InsertInRun(home, value, side, OrderIs<Order::kSorted>());
}

SlotRange QuotientTable::ShiftOfInsert(uint64_t home) const {
  return WithOps(*this, [&](const auto& ops) -> SlotRange {
    const SlotRange run = ops.FindRun(home);
    return {run.limit, ops.FindFree(home, run, run.limit)};
  });
}

std::byte* QuotientTable::StagedLine(uint64_t index) {
  return stage_->Line(index, buffer_.data());
}

void QuotientTable::Commit(LineStage& stage) { stage.Commit(buffer_.data()); }

SlotRange QuotientTable::ShiftOfErase(uint64_t slot) const {
  return WithOps(*this, [&](const auto& ops) -> SlotRange {
    return {slot + 1, ops.FreedBy(slot) + 1};
  });
}

void QuotientTable::EraseAt(uint64_t home, uint64_t slot, SideData* side) {
  assert(home < homes_);
  WithOps(*this, [&](auto ops) {
    const SlotRange run = ops.FindRun(home);
    assert(run.begin <= slot && slot < run.limit);
    const uint64_t free = ops.Erase(home, run, slot);
    --size_;
    if (side != nullptr) side->OnShift({slot + 1, free + 1}, -1);
  });
}

}  // namespace tamis::internal
