// The code itself: exact inverses on all that fits, and no longer than the
// model says.

#include "tamis/internal/codes/run_coder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tamis/internal/codes/extension_model.h"
#include "tamis/internal/codes/selector_model.h"

namespace tamis::internal {
namespace {

using SelectorCoder = RunCoder<SelectorModel>;
using ExtensionCoder = RunCoder<ExtensionModel>;

template <typename Model>
void ExpectInverse(const RunCoder<Model>& coder, const GroupLetters& letters,
                   int code_bits = kCodeBits) {
  const std::optional<CodeWord> code = coder.Encode(letters);
  if (!code.has_value()) return;
  ASSERT_TRUE(code_bits == kMaxCodeBits || *code >> code_bits == 0);
  ASSERT_EQ(*code == 0, letters.nonzero == 0) << "(C1)";
  ASSERT_TRUE(coder.Decode(*code) == letters) << "(C3)";
  for (int i = 0; i < kGroupSlots; i += 5) {
    ASSERT_EQ(coder.DecodeAt(*code, i), letters.at(i));
  }
}

GroupLetters Letters(std::initializer_list<std::pair<int, uint32_t>> nonzero) {
  GroupLetters letters;
  for (const auto& [place, letter] : nonzero) letters.Set(place, letter);
  return letters;
}

// Every message of up to two letters > 0.
template <typename Model>
void ExpectInverseOnShortMessages(const RunCoder<Model>& coder,
                                  uint32_t max_letter) {
  ExpectInverse(coder, Letters({}));
  for (int a = 0; a < kGroupSlots; ++a) {
    for (uint32_t la = 1; la <= max_letter; ++la) {
      ExpectInverse(coder, Letters({{a, la}}));
      for (int b = a + 1; b < kGroupSlots; ++b) {
        for (uint32_t lb = 1; lb <= max_letter; ++lb) {
          ExpectInverse(coder, Letters({{a, la}, {b, lb}}));
        }
      }
    }
  }
}

TEST(RunCoder, TunedIsExactOnShortMessages) {
  ExpectInverseOnShortMessages(SelectorCoder(SelectorModel::Tuned()), 7);
}

TEST(RunCoder, XyIsExactOnShortMessages) {
  for (int x = 1; x <= 10; x += 3) {
    for (int y = 1; y <= 7; y += 3) {
      ExpectInverseOnShortMessages(SelectorCoder(SelectorModel::Xy(x, y)), 4);
    }
  }
}

TEST(RunCoder, ExtensionsAreExactOnShortMessages) {
  ExpectInverseOnShortMessages(ExtensionCoder(ExtensionModel()), 14);
}

// Random letters of the wanted density; `draw` gives a letter > 0.
template <typename Draw>
GroupLetters RandomLetters(std::mt19937_64& random, int density, Draw draw) {
  GroupLetters letters;
  for (int i = 0; i < kGroupSlots; ++i) {
    if (random() % 64 < static_cast<unsigned>(density)) letters.Set(i, draw());
  }
  return letters;
}

template <typename Model, typename Draw>
void ExpectExactAndShort(const RunCoder<Model>& coder, Draw draw,
                         int code_bits = kCodeBits, int densities = 24,
                         int messages = 40'000) {
  std::mt19937_64 random(7);
  int fitted = 0;
  int refused = 0;
  for (int i = 0; i < messages; ++i) {
    const GroupLetters letters =
        RandomLetters(random, i % densities, [&] { return draw(random); });
    ExpectInverse(coder, letters, code_bits);
    const double model = coder.ModelBits(letters);
    const bool fits = coder.Encode(letters).has_value();
    (fits ? fitted : refused) += 1;
    ASSERT_TRUE(fits || model > code_bits - 1) << "(C2): " << model;
    if (fits && model <= code_bits) {
      ASSERT_NEAR(coder.BitsUsed(letters), model, 1);
    }
  }
  EXPECT_GT(fitted, messages / 40);
  EXPECT_GT(refused, messages / 40);
}

uint32_t RandomSelector(std::mt19937_64& random) {
  uint32_t selector = 1;
  while (selector < kMaxSelector && random() % 4 == 0) ++selector;
  return selector;
}

TEST(RunCoder, TunedIsWithinABitOfItsModel) {
  ExpectExactAndShort(SelectorCoder(SelectorModel::Tuned()), RandomSelector);
}

TEST(RunCoder, XyIsWithinABitOfItsModel) {
  ExpectExactAndShort(SelectorCoder(SelectorModel::Xy(3, 2)), RandomSelector);
}

TEST(RunCoder, ExtensionsAreWithinABitOfTheirModel) {
  ExpectExactAndShort(
      ExtensionCoder(ExtensionModel()), [](std::mt19937_64& random) {
        int length = 1;
        while (length < 8 && random() % 2 == 0) ++length;
        return Extension{length, random() % (1u << length)}.letter();
      });
}

// Of every length; the model is that with which a word is just full.
TEST(RunCoder, WordsOfEveryLengthAreExact) {
  for (int bits = 16; bits <= kMaxCodeBits; bits += 8) {
    SCOPED_TRACE("words of " + std::to_string(bits) + " bits");
    const Xy best = ChooseXy(8, FullCodeQueries(8, bits), bits);
    const SelectorCoder coder(SelectorModel::Xy(best.x, best.y), bits);
    // Of a word of 128 bits one is not used.
    ExpectExactAndShort(coder, RandomSelector, std::min(bits, 127), 60, 6'000);
  }
}

// Ones alone; the models of the longest words are for greater letters too.
TEST(RunCoder, LongerWordsHoldMore) {
  int before = 0;
  for (int bits = 16; bits <= 96; bits += 8) {
    const Xy best = ChooseXy(8, FullCodeQueries(8, bits), bits);
    const SelectorCoder coder(SelectorModel::Xy(best.x, best.y), bits);
    GroupLetters ones;
    int held = 0;
    while (held < kGroupSlots && coder.Encode(ones).has_value()) {
      ones.Set(37 * held++ % kGroupSlots, 1);
    }
    EXPECT_GT(held, before) << bits;
    before = held;
  }
}

// Words from a damaged file.
TEST(RunCoder, DecodesAnyLongWord) {
  const SelectorCoder coder(SelectorModel::Xy(1, 1), kMaxCodeBits);
  std::mt19937_64 random(5);
  for (int i = 0; i < 20'000; ++i) {
    const CodeWord code =
        ((static_cast<CodeWord>(random()) << 64) | random()) >> (i % 120);
    const GroupLetters decoded = coder.Decode(code);
    for (int at = 0; at < kGroupSlots; ++at) {
      ASSERT_LE(decoded.at(at), kMaxSelector);
      ASSERT_EQ(coder.DecodeAt(code, at), decoded.at(at));
    }
  }
}

TEST(RunCoder, DecodesAnyWord) {
  const SelectorCoder selectors(SelectorModel::Tuned());
  const ExtensionCoder extensions{ExtensionModel()};
  std::mt19937_64 random(3);
  for (int i = 0; i < 100'000; ++i) {
    const uint64_t code = random() >> (8 + i % 50);
    const GroupLetters decoded = selectors.Decode(code);
    for (int at = 0; at < kGroupSlots; ++at) {
      ASSERT_LE(decoded.at(at), kMaxSelector);
      ASSERT_EQ(selectors.DecodeAt(code, at), decoded.at(at));
    }
    const GroupLetters extended = extensions.Decode(code);
    for (int at = 0; at < kGroupSlots; ++at) {
      ASSERT_LE(Extension::OfLetter(extended.at(at)).length, kMaxExtensionBits);
      ASSERT_EQ(extensions.DecodeAt(code, at), extended.at(at));
    }
  }
}

// Shares are rounded down, so that some offsets belong to no extension.  They
// occur only in words that no encoder wrote, and must not be taken for an
// extension that begins behind them: the rest of the word would wrap.
TEST(ExtensionModel, FindsNothingBehindTheOffset) {
  const ExtensionModel model;
  for (uint64_t range = 4; range < 600; ++range) {
    for (uint64_t offset = 0; offset < range; ++offset) {
      const auto [letter, part] = model.Locate(range, offset);
      EXPECT_EQ(part.begin, model.Narrow(range, letter).begin);
      EXPECT_EQ(part.size, model.Narrow(range, letter).size);
      ASSERT_LE(part.begin, offset) << range << ", letter " << letter;
    }
  }
}

TEST(RunCoder, HoldsAsMuchAsThePapersSay) {
  // 16 ones among 64 selectors; 7 one-bit extensions, or one of 19 bits.
  const SelectorCoder selectors(SelectorModel::Tuned());
  const ExtensionCoder extensions{ExtensionModel()};
  GroupLetters ones;
  for (int i = 0; i < 16; ++i) ones.Set(4 * i, 1);
  EXPECT_TRUE(selectors.Encode(ones).has_value());
  GroupLetters bits;
  for (int i = 0; i < 7; ++i) bits.Set(9 * i, 1);
  EXPECT_TRUE(extensions.Encode(bits).has_value());
  EXPECT_TRUE(extensions.Encode(Letters({{30, Extension{19, 77}.letter()}}))
                  .has_value());
}

}  // namespace
}  // namespace tamis::internal
