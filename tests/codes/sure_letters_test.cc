// What is called certain must be what the exact coder says, of every word; and
// it must be most of what look-ups ask.

#include "tamis/internal/codes/sure_letters.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "tamis/internal/codes/run_coder.h"
#include "tamis/internal/codes/selector_model.h"

namespace tamis::internal {
namespace {

constexpr uint64_t kLastWord = LowBits(kCodeBits);

struct Counts {
  uint64_t zeros = 0;
  uint64_t seen = 0;  // by IsZero
  uint64_t asked = 0;
  uint64_t open = 0;  // to Read
};

class SureLettersTest : public testing::Test {
 protected:
  // Compares all places of a word.
  void ExpectAgreement(uint64_t code, Counts* counts = nullptr) {
    const uint64_t offset = code << (kRangeBits<uint64_t> - kCodeBits);
    for (int i = 0; i < kGroupSlots; ++i) {
      const uint32_t exact = coder_.DecodeExactlyAt(code, i);
      const bool is_zero = sure_->IsZero(offset, i);
      const uint32_t read = sure_->Read(offset, i);
      ASSERT_TRUE(!is_zero || exact == 0) << code << " at " << i;
      ASSERT_TRUE(read == SureLetters::kOpen || read == exact)
          << code << " at " << i << ": " << read << ", not " << exact;
      if (counts == nullptr) continue;
      ++counts->asked;
      counts->zeros += exact == 0 ? 1 : 0;
      counts->seen += is_zero ? 1 : 0;
      counts->open += read == SureLetters::kOpen ? 1 : 0;
    }
  }
  // The word and those beside it, which stand for quite other letters.
  void ExpectAgreementNear(uint64_t code) {
    for (uint64_t step = 0; step < 3; ++step) {
      ExpectAgreement((code + step) & kLastWord);
      ExpectAgreement((code - step) & kLastWord);
    }
  }
  // 64 letters, one of `per_group` in them > 0, of those one in 32 above 1.
  GroupLetters RandomLetters(double per_group) {
    GroupLetters letters;
    std::bernoulli_distribution is_letter(per_group / kGroupSlots);
    for (int i = 0; i < kGroupSlots; ++i) {
      if (!is_letter(random_)) continue;
      letters.Set(i, random_() % 32 == 0 ? SmallNumber(2, 3) : 1);
    }
    return letters;
  }

  // One of `count` numbers from `first` on.
  uint32_t SmallNumber(uint32_t first, uint32_t count) {
    return first + static_cast<uint32_t>(random_() % count);
  }

  const RunCoder<SelectorModel> coder_{SelectorModel::Tuned()};
  const SureLetters* const sure_ = coder_.sure_letters();
  std::mt19937_64 random_{1};
};

TEST_F(SureLettersTest, AgreeOnShortMessages) {
  for (int a = 0; a < kGroupSlots; ++a) {
    for (int b = a; b < kGroupSlots; ++b) {
      GroupLetters letters;
      letters.Set(a, 1);
      letters.Set(b, SmallNumber(1, 2));
      ExpectAgreementNear(static_cast<uint64_t>(*coder_.Encode(letters)));
    }
  }
}

TEST_F(SureLettersTest, AgreeOnRandomMessages) {
  for (int round = 0; round < 20'000; ++round) {
    const double per_group = static_cast<double>(random_() % 160) / 10;
    const auto code = coder_.Encode(RandomLetters(per_group));
    if (code.has_value()) ExpectAgreementNear(static_cast<uint64_t>(*code));
  }
}

TEST_F(SureLettersTest, AgreeOnAnyWord) {
  for (int round = 0; round < 50'000; ++round) {
    // Small words are those that begin with many zeros.
    ExpectAgreement((random_() & kLastWord) >> (random_() % kCodeBits));
  }
  ExpectAgreementNear(0);
}

// After 10 unique queries a member, at remainders of 8 bits, 2.4 of 64 slots
// have a letter.
TEST_F(SureLettersTest, SeeMostOfWhatLookupsAsk) {
  Counts counts;
  for (int round = 0; round < 2'000; ++round) {
    const auto code = coder_.Encode(RandomLetters(2.4));
    ExpectAgreement(static_cast<uint64_t>(code.value()), &counts);
  }
  EXPECT_GE(counts.seen, 80 * counts.zeros / 100);
  EXPECT_LE(counts.open, 8 * counts.asked / 100);
}

TEST(SureLetters, AreOnlyForWordsAndModelsTheyServe) {
  EXPECT_EQ(RunCoder(SelectorModel::Tuned(), 48).sure_letters(), nullptr);
  EXPECT_EQ(RunCoder(SelectorModel::Tuned(), 64).sure_letters(), nullptr);
  EXPECT_EQ(RunCoder(SelectorModel::Tuned(), 120).sure_letters(), nullptr);
  EXPECT_EQ(RunCoder(SelectorModel::Xy(4, 3)).sure_letters(), nullptr);
  // 1/2 and 1023/1024: 64 zeros take all of the word, or next to nothing.
  EXPECT_FALSE(SureLetters::CanServe(ZeroRuns(0.5), uint64_t{1} << 62));
  EXPECT_FALSE(
      SureLetters::CanServe(ZeroRuns(1 - 0x1.0p-24), uint64_t{1} << 62));
}

}  // namespace
}  // namespace tamis::internal
