// Selectors: TAF and uTAF adapt by storing another window of the string.
//
//   string    s0 ..... sr ..... s2r ..... s3r ...
//             [window 0][window 1][window 2] ...      r bits each
//
// A slot with selector i holds window i of its member's string.  Adapting to x
// moves on to the next window in which member and x differ.
// Look-ups do not decode.  A query has 8 windows; a slot that equals none of
// them matches under no selector.  Only where one is equal the selector decides.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_SELECTOR_TRAITS_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_SELECTOR_TRAITS_H_

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tamis/adaptive_options.h"
#include "tamis/internal/bits/eight_lanes.h"
#include "tamis/internal/bits/has_byte.h"
#include "tamis/internal/codes/selector_model.h"
#include "tamis/internal/filters/quotient/letter_scheme.h"
#include "tamis/internal/filters/quotient/letter_store.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/internal/table/line_shape.h"
#include "tamis/internal/table/match_eight.h"
#include "tamis/internal/table/match_few.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// What both kinds of selector filters share.
template <uint32_t kLargest>
struct SelectorWindows {
  static constexpr bool kValueDependsOnLetter = true;
  static constexpr bool kNests = false;
  static constexpr uint32_t kMaxLetter = kLargest;
  static constexpr std::string_view kLetterNames = "selectors ";

  // How letters are counted in reports: by value.
  static uint32_t ClassOf(uint32_t letter) { return letter; }

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
  // Does a filter of this width mark lines that have a letter above 1?
  static constexpr bool MarksLines(int /*width*/) { return false; }
  // The share of random strings that match a slot of this letter.
  static double MatchProbability(int width, uint32_t /*letter*/) {
    return std::ldexp(1.0, -width);
  }
};

// TAF at any width but 8, as long as no selector of the filter is kWindows or
// more: a line is screened as a whole, for all windows that can be there.
template <typename Shape, typename Filter, size_t kWindows>
class FewSelectorsMatcher {
 public:
  struct Query {
    uint64_t home;
    uint64_t string;  // its first 64 bits
  };
  static_assert(kWindows * 16 <= 64, "windows are at most 16 bits");

  FewSelectorsMatcher(const Shape& shape, const Filter& filter)
      : shape_(shape), filter_(&filter) {}

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, filter_->table().homes());
    return {placed.home, placed.high};
  }
  uint64_t Screen(const std::byte* line, const Query& query) const {
    std::array<uint64_t, kWindows> windows;
    for (size_t i = 0; i < kWindows; ++i) {
      windows[i] = Window(query.string, static_cast<uint32_t>(i));
    }
    return MatchLineOfFew(shape_, line, windows);
  }
  bool Match(const std::byte* line, uint64_t line_index, uint64_t slots,
             const Query& query) const {
    if (slots == 0) [[likely]]
      return false;
    return MatchSelectors(*filter_, line, shape_.FirstSlot(line_index), slots,
                          query.string);
  }

 private:
  static constexpr int kWidth = Shape::kFixedWidth;

  static uint64_t Window(uint64_t string, uint32_t selector) {
    const unsigned begin = selector * static_cast<unsigned>(kWidth);
    return string << begin >> (64 - kWidth);
  }
  // Does one of the slots hold the window of its selector?  Arguments are
  // values, so that the caller's objects can stay in registers.
  [[gnu::noinline]] static bool MatchSelectors(const Filter& filter,
                                               const std::byte* line,
                                               uint64_t first_slot,
                                               uint64_t slots,
                                               uint64_t string) {
    const Shape shape(kWidth);
    for (; slots != 0; slots &= slots - 1) {
      const int index = std::countr_zero(slots);
      const uint32_t selector =
          filter.letters().at(first_slot + static_cast<unsigned>(index));
      if (Window(string, selector) == shape.ReadSlot(line, index)) return true;
    }
    return false;
  }

  [[no_unique_address]] Shape shape_;
  const Filter* filter_;
};

// TAF at any width but 8: the slots of the run are compared with all windows.
template <typename Shape, typename Filter>
class SelectorMatcher {
 public:
  struct Query {
    uint64_t home;
    EightLanes windows;
    KeyHash hash;
  };

  SelectorMatcher(const Shape& shape, const Filter& filter)
      : shape_(shape),
        filter_(&filter),
        may_all_match_(shape.width() > kMaxBitsOfFour ||
                       kNumSelectors * shape.width() >
                           FreshBits(filter.table().homes())) {}

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, filter_->table().homes());
    return {placed.home, Windows(placed), hash};
  }
  bool Match(const std::byte* line, uint64_t line_index, uint64_t slots,
             const Query& query) const {
    const uint64_t candidates =
        may_all_match_ ? slots
                       : MatchSlotsOfEight(shape_, line, slots, query.windows);
    if (candidates == 0) [[likely]]
      return false;
    return MatchSelectors(*this, line, line_index, candidates, query.hash);
  }

 private:
  EightLanes Windows(const Placed& placed) const {
    const int four = 4 * shape_.width();
    const Uint128 string =
        (static_cast<Uint128>(placed.high) << 64) | placed.low;
    const auto next = static_cast<uint64_t>(string << four >> (128 - four));
    return {SpreadFour(FirstBits(placed, four), shape_.width()),
            SpreadFour(next, shape_.width())};
  }
  // Does one of the slots hold the window of its selector?
  [[gnu::noinline]] static bool MatchSelectors(SelectorMatcher matcher,
                                               const std::byte* line,
                                               uint64_t line_index,
                                               uint64_t slots, KeyHash hash) {
    const Filter& filter = *matcher.filter_;
    const HashString string(hash, filter.table().homes());
    const uint64_t first_slot = matcher.shape_.FirstSlot(line_index);
    for (; slots != 0; slots &= slots - 1) {
      const int index = std::countr_zero(slots);
      const uint32_t selector =
          filter.letters().at(first_slot + static_cast<unsigned>(index));
      if (SelectorWindows<kMaxSelector>::Matches(
              string, matcher.shape_.width(), selector,
              matcher.shape_.ReadSlot(line, index))) {
        return true;
      }
    }
    return false;
  }

  [[no_unique_address]] Shape shape_;
  const Filter* filter_;
  // Where four slots are too wide to be compared at once, or some windows lie
  // beyond the fraction and would have to be hashed, every slot may match.
  bool may_all_match_;
};

// TAF at r = 8, where a line is screened as a whole, for the selectors that its
// slots may have:
//
//   filter never adapted    0        compare all slots with window 0
//   line not marked         0, 1     with windows 0 and 1
//   line marked             any      all slots may match
// After c unique queries per member about c / 256 of the slots have selector 1,
// and half the square of that have more: at c = 10 one line in 30.
template <typename Filter>
class SelectorMatcher<LineShape<8>, Filter> {
 public:
  struct Query {
    uint64_t home;
    uint64_t windows;  // the first from the top is window 0
  };

  SelectorMatcher(const LineShape<8>& shape, const Filter& filter)
      : shape_(shape), filter_(&filter) {}

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, filter_->table().homes());
    return {placed.home, placed.high};
  }
  uint64_t Screen(const std::byte* line, const Query& query) const {
    if (!filter_->is_adapted()) {
      return shape_.MatchLine(line, Window(query.windows, 0));
    }
    return ScreenAdapted(line, query);
  }
  bool Match(const std::byte* line, uint64_t /*line_index*/, uint64_t slots,
             const Query& query) const {
    if (slots == 0) [[likely]]
      return false;
    return MatchFirst(*filter_, line, slots, query.windows);
  }

 protected:
  uint64_t ScreenAdapted(const std::byte* line, const Query& query) const {
    return shape_.MatchLineOfTwo(line, query.windows) |
           (uint64_t{0} - uint64_t{shape_.IsMarked(line)});
  }

 private:
  static uint64_t Window(uint64_t windows, uint32_t selector) {
    return (windows >> (56 - 8 * selector)) & 0xff;
  }
  static uint64_t SlotOf(const Filter& filter, const std::byte* line,
                         int index) {
    return LineShape<8>(8).FirstSlot(filter.table().LineIndex(line)) +
           static_cast<unsigned>(index);
  }
  // As MatchSelectors; a member is nearly always the first, with selector 0.
  [[gnu::noinline]] static bool MatchFirst(const Filter& filter,
                                           const std::byte* line,
                                           uint64_t slots, uint64_t windows) {
    const int index = std::countr_zero(slots);
    if (LineShape<8>(8).ReadSlot(line, index) == Window(windows, 0) &&
        filter.letters().IsSurelyZero(SlotOf(filter, line, index))) {
      return true;
    }
    return MatchSelectors(filter, line, slots, windows);
  }
  // Does one of the slots hold the window of its selector?  Arguments are
  // values, so that the caller's objects can stay in registers.
  [[gnu::noinline]] static bool MatchSelectors(const Filter& filter,
                                               const std::byte* line,
                                               uint64_t slots,
                                               uint64_t windows) {
    for (; slots != 0; slots &= slots - 1) {
      const int index = std::countr_zero(slots);
      const uint64_t value = LineShape<8>(8).ReadSlot(line, index);
      if (!HasByte(windows, static_cast<uint8_t>(value))) continue;
      const uint64_t slot = SlotOf(filter, line, index);
      if (Window(windows, filter.letters().at(slot)) == value) return true;
    }
    return false;
  }

  [[no_unique_address]] LineShape<8> shape_;
  const Filter* filter_;  // one pointer, so that a look-up fits two registers
};

// The same for batches in a filter that has adapted, which they ask once.
template <typename Filter>
class AdaptedByteMatcher : public SelectorMatcher<LineShape<8>, Filter> {
 public:
  using typename SelectorMatcher<LineShape<8>, Filter>::Query;
  AdaptedByteMatcher(const LineShape<8>& shape, const Filter& filter)
      : SelectorMatcher<LineShape<8>, Filter>(shape, filter),
        homes_(filter.table().homes()) {}
  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, homes_);
    return {placed.home, placed.high};
  }
  uint64_t Screen(const std::byte* line, const Query& query) const {
    return this->ScreenAdapted(line, query);
  }

 private:
  uint64_t homes_;
};

struct TafTraits : SelectorWindows<kMaxSelector> {
  static constexpr std::string_view kName = "taf";
  static constexpr SchemeOptions kOptions = {.overflow = true, .code = true};
  static constexpr int kMinWidth = 4;
  static constexpr int kMaxWidth = 16;

  using Letters = CodedLetters<SelectorModel>;
  template <typename Shape, typename Filter>
  using Matcher = SelectorMatcher<Shape, Filter>;

  static constexpr bool MarksLines(int width) { return width == 8; }

  // Calls use(matcher), with one for the selectors that there are.
  // REQUIRES: the filter has adapted
  template <typename Shape, typename Filter, typename Use>
  static auto WithMatcher(const Shape& shape, const Filter& filter, Use use) {
    if constexpr (Shape::kFixedWidth == 8) {
      return use(AdaptedByteMatcher<Filter>(shape, filter));
    } else if constexpr (Shape::kFastMatch) {
      const uint32_t largest = filter.letters().largest();
      if (largest < 2)
        return use(FewSelectorsMatcher<Shape, Filter, 2>(shape, filter));
      if (largest < 4)
        return use(FewSelectorsMatcher<Shape, Filter, 4>(shape, filter));
    }
    return use(SelectorMatcher<Shape, Filter>(shape, filter));
  }

  static Result<Letters> CreateLetters(uint64_t slots,
                                       const AdaptiveOptions& options);
};

// uTAF: the selector of each slot is read with it.
template <typename Shape>
class PlainSelectorMatcher {
 public:
  struct Query {
    uint64_t home;
    KeyHash hash;
  };

  template <typename Filter>
  PlainSelectorMatcher(const Shape& shape, const Filter& filter)
      : shape_(shape),
        homes_(filter.table().homes()),
        letters_(&filter.letters()) {}

  Query Prepare(KeyHash hash) const { return {Place(hash, homes_).home, hash}; }
  bool Match(const std::byte* line, uint64_t line_index, uint64_t run,
             const Query& query) const {
    const HashString string(query.hash, homes_);
    for (uint64_t left = run; left != 0; left &= left - 1) {
      const int index = std::countr_zero(left);
      const uint64_t slot =
          shape_.FirstSlot(line_index) + static_cast<unsigned>(index);
      if (SelectorWindows<255>::Matches(string, shape_.width(),
                                        letters_->at(slot),
                                        shape_.ReadSlot(line, index))) {
        return true;
      }
    }
    return false;
  }

 private:
  [[no_unique_address]] Shape shape_;
  uint64_t homes_;
  const PlainLetters* letters_;
};

struct UtafTraits : SelectorWindows<255> {
  static constexpr std::string_view kName = "utaf";
  static constexpr SchemeOptions kOptions = {};
  static constexpr int kMinWidth = 4;
  static constexpr int kMaxWidth = 16;

  using Letters = PlainLetters;
  template <typename Shape, typename Filter>
  using Matcher = PlainSelectorMatcher<Shape>;
  template <typename Shape, typename Filter, typename Use>
  static auto WithMatcher(const Shape& shape, const Filter& filter, Use use) {
    return use(PlainSelectorMatcher<Shape>(shape, filter));
  }

  static Result<Letters> CreateLetters(uint64_t slots,
                                       const AdaptiveOptions& /*options*/) {
    return PlainLetters::Create(slots);
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_SELECTOR_TRAITS_H_
