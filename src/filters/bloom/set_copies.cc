#include "tamis/internal/filters/bloom/set_copies.h"

#include <algorithm>
#include <cassert>

namespace tamis::internal {
namespace {

uint64_t CellCount(CopyKind kind, uint64_t words, unsigned sets) {
  switch (kind) {
    case CopyKind::kAll:
      return words * sets;
    case CopyKind::kOthers:
      return words * (sets - 1);
    case CopyKind::kCounters:
      return 0;
  }
  return 0;
}

uint64_t CounterCount(CopyKind kind, uint64_t words, unsigned sets,
                      const WordShape& shape) {
  return kind == CopyKind::kCounters ? words * sets * shape.usable_bits : 0;
}

}  // namespace

SetCopies::SetCopies(CopyKind kind, uint64_t words, unsigned sets,
                     WordShape shape)
    : kind_(kind),
      sets_(sets),
      shape_(shape),
      cells_(CellCount(kind, words, sets), shape),
      counters_(CounterCount(kind, words, sets, shape)) {}

Status SetCopies::Allocate() {
  return kind_ == CopyKind::kCounters ? counters_.Allocate()
                                      : cells_.Allocate();
}

Status SetCopies::Load(const OuterBytes& bytes) {
  return kind_ == CopyKind::kCounters ? counters_.Load(bytes)
                                      : cells_.LoadFrom(bytes);
}

uint64_t SetCopies::size_bytes() const {
  return kind_ == CopyKind::kCounters ? counters_.size_bytes()
                                      : cells_.size_bytes();
}

std::span<const std::byte> SetCopies::bytes() const {
  return kind_ == CopyKind::kCounters ? counters_.bytes() : cells_.bytes();
}

uint64_t SetCopies::Cell(const SetOfWord& at) const {
  assert(Holds(at));
  if (kind_ == CopyKind::kAll) return at.word * sets_ + at.set;
  const unsigned standing = at.set == 0 ? at.selected : at.set;
  return at.word * (sets_ - 1) + standing - 1;
}

uint64_t SetCopies::FirstCounter(const SetOfWord& at) const {
  return (at.word * sets_ + at.set) * shape_.usable_bits;
}

void SetCopies::Insert(const SetOfWord& at, const Placed& placed, int count) {
  if (kind_ != CopyKind::kCounters) {
    cells_.Set(Cell(at), placed, at.set, count);
    return;
  }
  const uint64_t first = FirstCounter(at);
  ForEachPosition(placed, at.set, count, shape_, [&](unsigned position) {
    counters_.Raise(first + position);
  });
}

bool SetCopies::Test(const SetOfWord& at, const Placed& placed,
                     int count) const {
  if (kind_ != CopyKind::kCounters) {
    return cells_.Test(Cell(at), placed, at.set, count);
  }
  const uint64_t first = FirstCounter(at);
  bool all = true;
  ForEachPosition(placed, at.set, count, shape_, [&](unsigned position) {
    all = all && counters_.Get(first + position) > 0;
  });
  return all;
}

bool SetCopies::HoldsAll(const SetOfWord& at, const Placed& placed,
                         int count) const {
  const uint64_t first = FirstCounter(at);
  bool all = true;
  ForEachPosition(placed, at.set, count, shape_, [&](unsigned position) {
    unsigned drawn = 0;
    ForEachPosition(placed, at.set, count, shape_, [&](unsigned other) {
      drawn += static_cast<unsigned>(other == position);
    });
    all = all && counters_.Get(first + position) >=
                     std::min(drawn, Counters::kSaturated);
  });
  return all;
}

void SetCopies::Erase(const SetOfWord& at, const Placed& placed, int count) {
  assert(kind_ == CopyKind::kCounters && HoldsAll(at, placed, count));
  const uint64_t first = FirstCounter(at);
  ForEachPosition(placed, at.set, count, shape_, [&](unsigned position) {
    counters_.Lower(first + position);
  });
}

WordBits SetCopies::Load(const SetOfWord& at) const {
  if (kind_ != CopyKind::kCounters) return cells_.Load(Cell(at));
  WordBits bits = {};
  const uint64_t first = FirstCounter(at);
  for (unsigned i = 0; i < shape_.usable_bits; ++i) {
    const uint64_t bit = counters_.Get(first + i) > 0 ? 1 : 0;
    bits[i / 64] |= bit << (i % 64);
  }
  return bits;
}

// Before, the cell of `from` held set 0; after, the cell of `to` does.
void SetCopies::Exchange(uint64_t word, unsigned from, unsigned to,
                         const WordBits& bits) {
  if (kind_ != CopyKind::kOthers || from == to) return;
  const uint64_t first = word * (sets_ - 1);
  const WordBits set_0 = from == 0 ? bits : cells_.Load(first + from - 1);
  if (from != 0) cells_.Store(first + from - 1, bits, 0);
  if (to != 0) cells_.Store(first + to - 1, set_0, 0);
}

int64_t SetCopies::CounterSum(const SetOfWord& at) const {
  const uint64_t first = FirstCounter(at);
  int64_t sum = 0;
  for (unsigned i = 0; i < shape_.usable_bits; ++i) {
    const unsigned counter = counters_.Get(first + i);
    if (counter == Counters::kSaturated) return -1;
    sum += counter;
  }
  return sum;
}

}  // namespace tamis::internal
