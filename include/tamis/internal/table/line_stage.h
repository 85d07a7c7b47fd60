// LineStage: changes to the lines of a table, made aside and then stored at
// once.
//
// While a table has a stage, what would be written to its lines is written to
// copies of them.  Commit stores the words that differ, each as one atomic
// store, so that others may read the table meanwhile, by atomic loads: a writer
// makes them disbelieve what they read (a sequence counter) for the few stores
// of Commit only, and not while it searches and shifts.
//
//   lines     ... [ 7 ][ 8 ][ 9 ] ...        what readers see
//   stage              [ 8'][ 9']            line 8 and 9 as they will be
//
// Thread safety: one thread at a time; Commit may run beside readers that use
// LoadLine.

#ifndef TAMIS_INTERNAL_TABLE_LINE_STAGE_H_
#define TAMIS_INTERNAL_TABLE_LINE_STAGE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "tamis/internal/bits/line_ops.h"

namespace tamis::internal {

struct alignas(kLineBytes) LineCopy {
  std::array<std::byte, kLineBytes> bytes;
};

// Copies a line that others may change, word by word.  Acquire, so that a
// counter that is read behind it is read later.
inline void LoadLine(const std::byte* line, LineCopy& copy) {
  for (size_t i = 0; i < kLineBytes; i += 8) {
    auto* word = reinterpret_cast<uint64_t*>(const_cast<std::byte*>(line + i));
    const uint64_t value =
        std::atomic_ref<uint64_t>(*word).load(std::memory_order_acquire);
    std::memcpy(copy.bytes.data() + i, &value, 8);
  }
}

class LineStage {
 public:
  // Returns the copy of a line, made when it is asked for first.
  std::byte* Line(uint64_t index, const std::byte* lines) {
    if (index >= places_.size()) places_.resize(index + 1, 0);
    if (places_[index] == 0) {
      if (count_ == copies_.size()) {
        copies_.push_back(std::make_unique<LineCopy>());
        indices_.push_back(0);
      }
      std::memcpy(copies_[count_]->bytes.data(), lines + index * kLineBytes,
                  kLineBytes);
      indices_[count_] = index;
      places_[index] = static_cast<uint32_t>(++count_);
    }
    return copies_[places_[index] - 1]->bytes.data();
  }

  // Stores what was changed, and forgets all.
  void Commit(std::byte* lines) {
    for (size_t i = 0; i < count_; ++i) {
      Store(*copies_[i], lines + indices_[i] * kLineBytes);
    }
    Drop();
  }
  // Forgets all.
  void Drop() {
    for (size_t i = 0; i < count_; ++i) places_[indices_[i]] = 0;
    count_ = 0;
  }

 private:
  static void Store(const LineCopy& copy, std::byte* line) {
    for (size_t i = 0; i < kLineBytes; i += 8) {
      uint64_t now;
      uint64_t before;
      std::memcpy(&now, copy.bytes.data() + i, 8);
      std::memcpy(&before, line + i, 8);
      if (now == before) continue;
      // Release: whoever sees it sees the counter that was changed before.
      std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(line + i))
          .store(now, std::memory_order_release);
    }
  }

  std::vector<std::unique_ptr<LineCopy>> copies_;
  std::vector<uint64_t> indices_;  // of the lines that are copied
  std::vector<uint32_t> places_;   // by line: its copy + 1, or 0
  size_t count_ = 0;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_TABLE_LINE_STAGE_H_
