// Extensions: exAF adapts by storing more of the string.
//
//   string    s0 ..... sr s(r+1) s(r+2) ...
//             [remainder][ extension ]       r bits, then 0 to 20 more
//
// The remainder never changes; a slot matches x if x has the same remainder and
// the slot's extension is a prefix of what follows.  Adapting to x takes the
// shortest prefix of the member's string that x does not have.  It stays: a
// longer prefix can only match less.
//
// A look-up compares remainders as the RSQF does, and reads a code only where
// one is equal.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_EXTENSION_TRAITS_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_EXTENSION_TRAITS_H_

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "tamis/adaptive_options.h"
#include "tamis/internal/codes/extension_model.h"
#include "tamis/internal/filters/quotient/letter_scheme.h"
#include "tamis/internal/filters/quotient/letter_store.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// kRehashes: may the filter have given its members new strings?  Batches ask
// once for all keys, and then carry the number of homes.
template <typename Shape, typename Filter, bool kRehashes = true>
class ExtensionMatcher {
 public:
  struct Query {
    uint64_t home;
    uint64_t string;  // its first 64 bits
  };

  ExtensionMatcher(const Shape& shape, const Filter& filter)
      : shape_(shape), filter_(&filter), homes_(filter) {}

  Query Prepare(KeyHash hash) const {
    const Placed placed = Place(hash, homes_.Of(*filter_));
    if (!kRehashes || filter_->epoch() == 0) [[likely]]
      return {placed.home, placed.high};
    return {placed.home, StringOfEpoch(*filter_, hash.high, hash.low)};
  }
  uint64_t Screen(const std::byte* line, const Query& query) const
      requires(Shape::kFastMatch) {
    return shape_.MatchLine(line, Remainder(query));
  }
  bool Match(const std::byte* line, uint64_t /*line_index*/, uint64_t slots,
             const Query& query) const {
    const uint64_t equal =
        Shape::kFastMatch ? slots  // that passed the screen
                          : shape_.MatchSlots(line, slots, Remainder(query));
    if (equal == 0) [[likely]]
      return false;
    return MatchExtensions(*filter_, shape_, line, equal, query.string);
  }

 private:
  uint64_t Remainder(const Query& query) const {
    return query.string >> (64 - shape_.width());
  }
  // The rare cases are not inlined.  The hash comes in words: were it passed
  // whole, g++ 12 would keep it in memory in the common case too.
  [[gnu::noinline]] static uint64_t StringOfEpoch(const Filter& filter,
                                                  uint64_t hash_high,
                                                  uint64_t hash_low) {
    const KeyHash hash =
        HashOfEpoch(KeyHash{hash_high, hash_low}, filter.epoch());
    return Place(hash, filter.table().homes()).high;
  }
  // Is the extension of one of these slots a prefix of the rest?  Arguments are
  // values, so that the caller's objects can stay in registers.
  __attribute__((noinline)) static bool MatchExtensions(const Filter& filter,
                                                        Shape shape,
                                                        const std::byte* line,
                                                        uint64_t equal,
                                                        uint64_t string) {
    const uint64_t first = shape.FirstSlot(filter.table().LineIndex(line));
    const uint64_t rest = string << shape.width();
    for (; equal != 0; equal &= equal - 1) {
      const uint64_t slot =
          first + static_cast<unsigned>(std::countr_zero(equal));
      const Extension extension =
          Extension::OfLetter(filter.letters().at(slot));
      if (extension.length == 0 ||
          rest >> (64 - extension.length) == extension.bits) {
        return true;
      }
    }
    return false;
  }

  struct KnownHomes {
    explicit KnownHomes(const Filter& filter) : homes(filter.table().homes()) {}
    uint64_t Of(const Filter& /*filter*/) const { return homes; }
    uint64_t homes;
  };
  struct AskedHomes {
    explicit AskedHomes(const Filter& /*filter*/) {}
    uint64_t Of(const Filter& filter) const { return filter.table().homes(); }
  };

  [[no_unique_address]] Shape shape_;
  // One pointer, so that a look-up of one key fits two registers.
  const Filter* filter_;
  [[no_unique_address]] std::conditional_t<kRehashes, AskedHomes, KnownHomes>
      homes_;
};

struct ExafTraits {
  static constexpr std::string_view kName = "exaf";
  static constexpr int kMinWidth = 4;
  static constexpr int kMaxWidth = 32;
  static constexpr SchemeOptions kOptions = {.overflow = true, .broom = true};
  static constexpr bool kValueDependsOnLetter = false;
  static constexpr bool kNests = true;
  static constexpr std::string_view kLetterNames = "extensions of length ";
  static constexpr uint32_t kMaxLetter = (uint32_t{2} << kMaxExtensionBits) - 2;
  static_assert(kMaxWidth + kMaxExtensionBits <= 64,
                "a query carries the first 64 bits of its string");

  using Letters = CodedLetters<ExtensionModel>;
  template <typename Shape, typename Filter>
  using Matcher = ExtensionMatcher<Shape, Filter>;
  template <typename Shape, typename Filter, typename Use>
  static auto WithMatcher(const Shape& shape, const Filter& filter, Use use) {
    if (filter.epoch() != 0) [[unlikely]]
      return use(ExtensionMatcher<Shape, Filter>(shape, filter));
    return use(ExtensionMatcher<Shape, Filter, false>(shape, filter));
  }

  static Result<Letters> CreateLetters(uint64_t slots,
                                       const AdaptiveOptions& /*options*/) {
    return Letters::Create(slots, ExtensionModel());
  }

  // How letters are counted in reports: by length.
  static uint32_t ClassOf(uint32_t letter) {
    return static_cast<uint32_t>(Extension::OfLetter(letter).length);
  }
  static uint64_t Value(const HashString& string, int width,
                        uint32_t /*letter*/) {
    return string.Bits(0, width);
  }
  static bool Matches(const HashString& string, int width, uint32_t letter,
                      uint64_t value) {
    const Extension extension = Extension::OfLetter(letter);
    return string.Bits(0, width) == value &&
           string.Bits(static_cast<unsigned>(width), extension.length) ==
               extension.bits;
  }
  static std::optional<NextLetter> Next(const HashString& member,
                                        const HashString& x, int width,
                                        uint32_t letter) {
    const auto begin = static_cast<unsigned>(width);
    for (int length = Extension::OfLetter(letter).length + 1;
         length <= kMaxExtensionBits; ++length) {
      const uint64_t bits = member.Bits(begin, length);
      if (bits != x.Bits(begin, length)) {
        return NextLetter{Extension{length, bits}.letter(), false};
      }
    }
    return std::nullopt;
  }
  // The remainder never changes, so the RSQF's screen is all it takes.
  static constexpr bool MarksLines(int /*width*/) { return false; }
  static double MatchProbability(int width, uint32_t letter) {
    return std::ldexp(1.0, -width - Extension::OfLetter(letter).length);
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_EXTENSION_TRAITS_H_
