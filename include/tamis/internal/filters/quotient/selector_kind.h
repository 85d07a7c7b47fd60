// Selectors: TAF and uTAF adapt by storing another window of the string.
//
//   string    s0 ..... sr ..... s2r ..... s3r ...
//             [window 0][window 1][window 2] ...      r bits each
//
// A slot with selector i holds window i of its member's string.  Adapting to x
// moves on to the next window in which member and x differ.
//
// Look-ups do not decode.  A query has 8 windows; a slot that equals none of
// them matches under no selector.  Only where one is equal, about 8 in 256
// slots at r = 8, the selector decides, and where the code word of the slot's
// group is 0 it is known to be 0.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_SELECTOR_KIND_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_SELECTOR_KIND_H_

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tamis/internal/bits/match_windows.h"
#include "tamis/internal/codes/selector_model.h"
#include "tamis/internal/filters/quotient/adaptive_options.h"
#include "tamis/internal/filters/quotient/letter_store.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// The next letter of a member's slot, so that x matches no more.
struct NextLetter {
  uint32_t letter;
  bool forgets;  // it wrapped around: earlier fixes of this slot are lost
};

// What both kinds of selector filters share.
template <uint32_t kLargest>
struct SelectorWindows {
  static constexpr bool kValueDependsOnLetter = true;
  static constexpr uint32_t kMaxLetter = kLargest;

  // What a slot of this letter holds for that string.
  static uint64_t Value(const HashString& string, int width, uint32_t letter) {
    return string.Bits(
        static_cast<uint64_t>(letter) * static_cast<unsigned>(width), width);
  }
  static bool Matches(const HashString& string, int width, uint32_t letter,
                      uint64_t value) {
    return Value(string, width, letter) == value;
  }
  // Returns the nearest window after `letter`, round the circle of all, in
  // which the two differ.
  static std::optional<NextLetter> Next(const HashString& member,
                                        const HashString& x, int width,
                                        uint32_t letter) {
    for (uint32_t step = 1; step <= kMaxLetter; ++step) {
      const uint32_t next = (letter + step) % (kMaxLetter + 1);
      if (Value(member, width, next) != Value(x, width, next)) {
        return NextLetter{next, next < letter};
      }
    }
    return std::nullopt;
  }
  // The share of random strings that match a slot of this letter.
  static double MatchProbability(int width, uint32_t /*letter*/) {
    return std::ldexp(1.0, -width);
  }
};

// TAF at any width but 8.
template <typename Shape, typename Letters>
class SelectorPolicy {
 public:
  struct Query {
    uint64_t home;
    Placed placed;
    KeyHash hash;
  };

  SelectorPolicy(const Shape& shape, uint64_t homes, uint64_t /*epoch*/,
                 const Letters& letters)
      : shape_(shape),
        homes_(homes),
        letters_(letters),
        windows_(std::min(kNumSelectors, FreshBits(homes) / shape.width())) {}

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, homes_);
    return {placed.home, placed, hash};
  }
  bool Match(const std::byte* line, uint64_t line_index, uint64_t run,
             const Query& query) const {
    for (uint64_t left = run; left != 0; left &= left - 1) {
      const int index = std::countr_zero(left);
      const uint64_t slot =
          shape_.FirstSlot(line_index) + static_cast<unsigned>(index);
      if (MatchSlot(slot, shape_.ReadSlot(line, index), query)) return true;
    }
    return false;
  }

 private:
  bool MatchSlot(uint64_t slot, uint64_t value, const Query& query) const {
    if (letters_.AllZero(GroupOf(slot))) {
      return value == FirstBits(query.placed, shape_.width());
    }
    if (!EqualsSome(value, query.placed)) return false;
    return SelectorWindows<kMaxSelector>::Matches(
        HashString(query.hash, homes_), shape_.width(), letters_.at(slot),
        value);
  }
  // May `value` equal one of the windows?  Those beyond the fraction would
  // have to be hashed: where there are some, yes.
  bool EqualsSome(uint64_t value, const Placed& placed) const {
    Uint128 string = (static_cast<Uint128>(placed.high) << 64) | placed.low;
    for (int i = 0; i < windows_; ++i, string <<= shape_.width()) {
      if (static_cast<uint64_t>(string >> (128 - shape_.width())) == value) {
        return true;
      }
    }
    return windows_ < kNumSelectors;
  }

  const Shape& shape_;
  uint64_t homes_;
  const Letters& letters_;
  int windows_;  // those that lie in the fraction
};

// TAF at r = 8: the windows are the first 8 bytes of the string.
template <typename Letters>
class SelectorPolicy<LineShape<8>, Letters> {
 public:
  struct Query {
    uint64_t home;
    uint64_t windows;  // byte s is window s
  };

  SelectorPolicy(const LineShape<8>& shape, uint64_t homes, uint64_t /*epoch*/,
                 const Letters& letters)
      : shape_(shape), homes_(homes), letters_(letters) {}

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, homes_);
    return {placed.home, __builtin_bswap64(placed.high)};
  }
  // Compares eight slots, nearly always all of the run, with eight windows.
  bool Match(const std::byte* line, uint64_t line_index, uint64_t run,
             const Query& query) const {
    const Eight eight = Compare(line, run, query.windows);
    if ((eight.equal | eight.beyond) == 0) [[likely]]
      return false;
    return MatchSelectors(letters_, line, shape_.FirstSlot(line_index), run,
                          query.windows);
  }

 private:
  static constexpr int kLastStart = SlotsPerLine(8) - 8;
  static constexpr int kFirstByte = LineShape<8>(8).first_slot_bit() / 8;

  struct Eight {
    int start;        // the first of the eight slots
    uint64_t equal;   // bit 8 s + i: slot start + i of the run has window s
    uint64_t beyond;  // slots of the run behind the eight
  };
  static Eight Compare(const std::byte* line, uint64_t run, uint64_t windows) {
    // The added bit keeps the eight in the line, and the word from being 0.
    const int start = std::countr_zero(run | (uint64_t{1} << kLastStart));
    const uint64_t slots = LoadWord(line + kFirstByte + start);
    const uint64_t among = run >> start;
    return {start, MatchWindows(slots, windows) & ((among & 0xff) * kEveryByte),
            among >> 8};
  }

  // Does one of the equal windows belong to its slot's selector?  Arguments
  // are values, so that the caller's objects can stay in registers.
  __attribute__((noinline)) static bool MatchSelectors(const Letters& letters,
                                                       const std::byte* line,
                                                       uint64_t first_slot,
                                                       uint64_t run,
                                                       uint64_t windows) {
    while (run != 0) {
      const Eight eight = Compare(line, run, windows);
      const uint64_t first = first_slot + static_cast<unsigned>(eight.start);
      for (uint64_t left = eight.equal; left != 0; left &= left - 1) {
        const auto bit = static_cast<unsigned>(std::countr_zero(left));
        if (letters.at(first + bit % 8) == bit / 8) return true;
      }
      run = eight.beyond == 0 ? 0 : eight.beyond << (eight.start + 8);
    }
    return false;
  }

  const LineShape<8>& shape_;
  uint64_t homes_;
  const Letters& letters_;
};

struct TafKind : SelectorWindows<kMaxSelector> {
  static constexpr std::string_view kName = "taf";
  static constexpr int kMinWidth = 4;
  static constexpr int kMaxWidth = 16;

  using Letters = CodedLetters<SelectorModel>;
  template <typename Shape>
  using Policy = SelectorPolicy<Shape, Letters>;

  static Result<Letters> CreateLetters(uint64_t slots,
                                       const AdaptiveOptions& options);
};

// uTAF: the selector of each slot is read with it.
template <typename Shape>
class PlainSelectorPolicy {
 public:
  struct Query {
    uint64_t home;
    KeyHash hash;
  };

  PlainSelectorPolicy(const Shape& shape, uint64_t homes, uint64_t /*epoch*/,
                      const PlainLetters& letters)
      : shape_(shape), homes_(homes), letters_(letters) {}

  Query Prepare(KeyHash hash) const { return {Place(hash, homes_).home, hash}; }
  bool Match(const std::byte* line, uint64_t line_index, uint64_t run,
             const Query& query) const {
    const HashString string(query.hash, homes_);
    for (uint64_t left = run; left != 0; left &= left - 1) {
      const int index = std::countr_zero(left);
      const uint64_t slot =
          shape_.FirstSlot(line_index) + static_cast<unsigned>(index);
      if (SelectorWindows<255>::Matches(string, shape_.width(),
                                        letters_.at(slot),
                                        shape_.ReadSlot(line, index))) {
        return true;
      }
    }
    return false;
  }

 private:
  const Shape& shape_;
  uint64_t homes_;
  const PlainLetters& letters_;
};

struct UtafKind : SelectorWindows<255> {
  static constexpr std::string_view kName = "utaf";
  static constexpr int kMinWidth = 4;
  static constexpr int kMaxWidth = 16;

  using Letters = PlainLetters;
  template <typename Shape>
  using Policy = PlainSelectorPolicy<Shape>;

  static Result<Letters> CreateLetters(uint64_t slots,
                                       const AdaptiveOptions& /*options*/) {
    return PlainLetters::Create(slots);
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_SELECTOR_KIND_H_
