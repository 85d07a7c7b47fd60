// LetterScheme: what the letters of an adaptive quotient filter mean, for its
// cold code.
//
// A kind (selector_traits.h, extension_traits.h) says by static functions what a
// slot of some letter holds, whom it matches, and which letter comes next;
// look-ups inline them.  Inserting, erasing and adapting go through this
// interface and are compiled once for all kinds.

#ifndef TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_SCHEME_H_
#define TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_SCHEME_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "tamis/internal/filters/quotient_sizing.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

// Returns the hash whose string a filter uses after `epoch` rehashes.  The
// home stays that of `hash` itself, so rehashing moves no entry.
inline KeyHash HashOfEpoch(KeyHash hash, uint64_t epoch) {
  constexpr uint64_t kFirstEpoch = uint64_t{1} << 32;
  return epoch == 0 ? hash : Extend(hash, kFirstEpoch + epoch);
}

// The next letter of a member's slot, so that x matches no more.
struct NextLetter {
  uint32_t letter;
  bool forgets;  // it wrapped around: earlier fixes of this slot are lost
};

// Which of the AdaptiveOptions a scheme reads.
struct SchemeOptions {
  bool overflow = false;
  bool code = false;   // queries_per_member, code_bits, code_x, code_y
  bool broom = false;  // adapt_on_insert, rehash_after
};

class LetterScheme {
 public:
  virtual std::string_view name() const = 0;
  virtual WidthRange widths() const = 0;
  virtual SchemeOptions options() const = 0;
  // What the counts of letters by class are called in reports.
  virtual std::string_view letter_names() const = 0;
  virtual uint32_t ClassOf(uint32_t letter) const = 0;

  // Must a slot be rewritten, for its member, when its letter is dropped?
  virtual bool ValueDependsOnLetter() const = 0;
  // Are what slots hold prefixes of strings, longer for greater letters?
  virtual bool Nests() const = 0;
  // Does a filter of this width mark lines that have a letter above 1?
  virtual bool MarksLines(int width) const = 0;

  virtual uint64_t Value(const HashString& string, int width,
                         uint32_t letter) const = 0;
  virtual bool Matches(const HashString& string, int width, uint32_t letter,
                       uint64_t value) const = 0;
  virtual std::optional<NextLetter> Next(const HashString& member,
                                         const HashString& x, int width,
                                         uint32_t letter) const = 0;
  // The share of random strings that match a slot of this letter.
  virtual double MatchProbability(int width, uint32_t letter) const = 0;

 protected:
  ~LetterScheme() = default;  // schemes are constants
};

template <typename Traits>
class SchemeOf final : public LetterScheme {
 public:
  std::string_view name() const override { return Traits::kName; }
  WidthRange widths() const override {
    return {Traits::kMinWidth, Traits::kMaxWidth};
  }
  SchemeOptions options() const override { return Traits::kOptions; }
  std::string_view letter_names() const override {
    return Traits::kLetterNames;
  }
  uint32_t ClassOf(uint32_t letter) const override {
    return Traits::ClassOf(letter);
  }
  bool ValueDependsOnLetter() const override {
    return Traits::kValueDependsOnLetter;
  }
  bool Nests() const override { return Traits::kNests; }
  bool MarksLines(int width) const override {
    return Traits::MarksLines(width);
  }
  uint64_t Value(const HashString& string, int width,
                 uint32_t letter) const override {
    return Traits::Value(string, width, letter);
  }
  bool Matches(const HashString& string, int width, uint32_t letter,
               uint64_t value) const override {
    return Traits::Matches(string, width, letter, value);
  }
  std::optional<NextLetter> Next(const HashString& member, const HashString& x,
                                 int width, uint32_t letter) const override {
    return Traits::Next(member, x, width, letter);
  }
  double MatchProbability(int width, uint32_t letter) const override {
    return Traits::MatchProbability(width, letter);
  }
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FILTERS_QUOTIENT_LETTER_SCHEME_H_
