// The adaptive Bloom filters: what adapting does, and what it never does.

#include "tamis/abf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tamis/word_bloom.h"

namespace tamis {
namespace {

const Hasher kHasher{Seed{5, 6}};

KeyHash Member(uint64_t i) { return kHasher.Hash(2 * i); }
KeyHash Absent(uint64_t i) { return kHasher.Hash(2 * i + 1); }

template <typename F = AdaptiveBloomFilter>
F Make(const std::string& spec, uint64_t slots, double load = 1) {
  Result<F> made = F::Create(Spec::Parse(spec).value(), slots, kHasher);
  F filter = std::move(made).value();
  const auto keys = static_cast<uint64_t>(static_cast<double>(slots) * load);
  for (uint64_t i = 0; i < keys; ++i) {
    EXPECT_TRUE(filter.Insert(Member(i)).ok());
  }
  return filter;
}

template <typename F>
uint64_t LostMembers(const F& filter) {
  uint64_t lost = 0;
  for (uint64_t i = 0; i < filter.size(); ++i) {
    lost += !filter.MayContain(Member(i));
  }
  return lost;
}

class Abf : public testing::TestWithParam<const char*> {};

// A key is fixed if and only if some set tells that it is absent; without the
// check, only the next set is tried.
TEST_P(Abf, AdaptRemovesTheFalsePositiveOrSaysNot) {
  AdaptiveBloomFilter filter = Make(GetParam(), 8192);
  const bool checks = !filter.spec().Has("check");
  uint64_t fixed = 0;
  for (uint64_t i = 0; i < 20'000; ++i) {
    const bool positive = filter.MayContain(Absent(i));
    const bool provable = filter.ProvesAbsent(Absent(i));
    const AdaptOutcome outcome = filter.Adapt(Absent(i)).value();
    ASSERT_EQ(outcome == AdaptOutcome::kNothingToFix, !positive);
    ASSERT_TRUE(positive || provable);
    if (!positive) continue;
    const bool gone = outcome != AdaptOutcome::kNotFixed;
    ASSERT_EQ(filter.MayContain(Absent(i)), !gone);
    ASSERT_EQ(filter.ProvesAbsent(Absent(i)), provable);
    ASSERT_LE(gone, provable);
    if (checks) {
      ASSERT_EQ(gone, provable);
    }
    fixed += gone;
  }
  EXPECT_GT(fixed, 0u);
  EXPECT_EQ(LostMembers(filter), 0u);
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST_P(Abf, AdaptingToAMemberDoesNoHarm) {
  AdaptiveBloomFilter filter = Make(GetParam(), 1000);
  for (uint64_t i = 0; i < 1000; ++i) {
    EXPECT_EQ(filter.Adapt(Member(i)).value(), AdaptOutcome::kNotFixed);
    EXPECT_FALSE(filter.ProvesAbsent(Member(i)));
  }
  EXPECT_EQ(LostMembers(filter), 0u);
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

TEST_P(Abf, InsertsBetweenAdaptsReachEverySet) {
  AdaptiveBloomFilter filter = Make(GetParam(), 3000, 0);
  for (uint64_t i = 0; i < 3000; ++i) {
    ASSERT_TRUE(filter.Insert(Member(i)).ok());
    for (uint64_t j = 0; j < 10; ++j) {
      ASSERT_TRUE(filter.Adapt(Absent(i % 300 * 10 + j)).ok());
    }
  }
  EXPECT_EQ(LostMembers(filter), 0u);
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

// A stream in which few keys are asked for often: adapting pays.
TEST_P(Abf, RepeatedKeysCauseFewerFalsePositivesThanInBloom1) {
  AdaptiveBloomFilter filter = Make(GetParam(), 8192);
  WordBloomFilter plain = Make<WordBloomFilter>("bloom1:bits=8,k=4,w=64", 8192);
  uint64_t adaptive = 0, fixed = 0;
  for (uint64_t i = 0; i < 200'000; ++i) {
    const KeyHash hash = Absent(kHasher.Hash(i).high % 4096);
    fixed += plain.MayContain(hash);
    if (filter.MayContain(hash)) {
      ++adaptive;
      ASSERT_TRUE(filter.Adapt(hash).ok());
    }
  }
  EXPECT_LT(2 * adaptive, fixed);
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Abf,
    testing::Values("abf:bits=8,k=4,sets=2", "abf:bits=8,k=4,sets=4",
                    "abf:bits=8,k=4,sets=8", "abf:bits=8,k=4,sets=4,check=0",
                    "abf:bits=8,k=4,sets=8,copies=others",
                    "abf:bits=8,k=4,sets=2,copies=others,check=0",
                    "abf:bits=8,k=4,w=256,sets=4", "abfj:bits=8,k=4,j=2,sets=4",
                    "abfj:bits=8,k=5,j=3,sets=4,copies=others,check=0",
                    "abfbits:bits=8,k=4,sets=4",
                    "abfbits:bits=8,k=4,sets=2,copies=others"));

uint64_t Adapts(const AdaptiveBloomFilter& filter) {
  return filter.ToSnapshot().Number("adapts").value();
}

std::vector<std::byte> WordsOf(const AdaptiveBloomFilter& filter) {
  const internal::Snapshot snapshot = filter.ToSnapshot();
  const auto bytes = snapshot.arrays().front().bytes;
  return {bytes.begin(), bytes.end()};
}

// A member is positive in every set, so a blind filter steps on each time it
// is told of one, and is where it was after S steps; one that looks stays.
TEST(AbfCheck, WithoutItTheNextSetIsTakenUnseen) {
  AdaptiveBloomFilter blind = Make("abf:bits=8,k=4,sets=4,check=0", 1000);
  const std::vector<std::byte> before = WordsOf(blind);
  for (uint64_t step = 1; step <= 8; ++step) {
    ASSERT_EQ(blind.Adapt(Member(1)).value(), AdaptOutcome::kNotFixed);
    EXPECT_EQ(Adapts(blind), step);
    EXPECT_EQ(WordsOf(blind) == before, step % 4 == 0);
  }
  AdaptiveBloomFilter looking = Make("abf:bits=8,k=4,sets=4", 1000);
  ASSERT_EQ(looking.Adapt(Member(1)).value(), AdaptOutcome::kNotFixed);
  EXPECT_EQ(Adapts(looking), 0u);
}

// With the check one word is enough; without, they change one by one until
// the false positive is gone.
// The first set that a word changes to forgets nothing; later ones do.
TEST(AbfOutcome, IsAResetWhereTheWordWasChangedBefore) {
  for (const std::string check : {"1", "0"}) {
    AdaptiveBloomFilter filter = Make("abf:bits=8,k=4,sets=4,check=" + check,
                                      /*slots=*/8, /*load=*/0.8);
    ASSERT_EQ(WordsOf(filter).size(), 8u) << "a word";
    uint64_t fixed = 0, reset = 0;
    for (uint64_t i = 0; i < 5000; ++i) {
      const auto selector = std::to_integer<int>(WordsOf(filter)[7]) >> 6;
      const AdaptOutcome outcome = filter.Adapt(Absent(i)).value();
      if (outcome == AdaptOutcome::kNothingToFix ||
          outcome == AdaptOutcome::kNotFixed) {
        continue;
      }
      ASSERT_EQ(outcome,
                selector == 0 ? AdaptOutcome::kFixed : AdaptOutcome::kReset);
      ++(selector == 0 ? fixed : reset);
    }
    EXPECT_GT(fixed, 0u);
    EXPECT_GT(reset, 0u);
  }
}

TEST(AbfForms, SeveralWordsChangeOneByOne) {
  for (const char* form : {"abfj:bits=8,k=6,j=3", "abfbits:bits=8,k=3"}) {
    for (const char* check : {"1", "0"}) {
      AdaptiveBloomFilter filter =
          Make(form + std::string(",sets=4,check=") + check, 8192);
      uint64_t most = 0;
      for (uint64_t i = 0; i < 20'000; ++i) {
        const uint64_t before = Adapts(filter);
        const AdaptOutcome outcome = filter.Adapt(Absent(i)).value();
        const uint64_t changed = Adapts(filter) - before;
        if (outcome == AdaptOutcome::kNothingToFix) {
          ASSERT_EQ(changed, 0u);
        } else if (*check == '1') {
          ASSERT_EQ(changed, outcome == AdaptOutcome::kNotFixed ? 0u : 1u);
        } else {
          ASSERT_GE(changed, 1u);
          ASSERT_LE(changed, 3u);
          ASSERT_TRUE(changed == 3 || !filter.MayContain(Absent(i)));
        }
        most = std::max(most, changed);
      }
      EXPECT_EQ(most > 1, *check == '0') << form;
    }
  }
}

TEST(AbfCopies, OthersAnswersAsAllWithLessMemory) {
  AdaptiveBloomFilter all = Make("abf:bits=8,k=4,sets=8", 4096);
  AdaptiveBloomFilter others =
      Make("abf:bits=8,k=4,sets=8,copies=others", 4096);
  for (uint64_t i = 0; i < 50'000; ++i) {
    const KeyHash hash = Absent(i % 9000);
    ASSERT_EQ(all.MayContain(hash), others.MayContain(hash));
    ASSERT_EQ(all.Adapt(hash).value(), others.Adapt(hash).value());
  }
  EXPECT_EQ(all.stats().side_bits, 8 * all.SizeBits());
  EXPECT_EQ(others.stats().side_bits, 7 * others.SizeBits());
  EXPECT_TRUE(others.CheckInvariants().ok());
}

TEST(AbfDecimation, AdaptsOnceInD) {
  AdaptiveBloomFilter filter =
      Make("abf:bits=8,k=4,sets=4,check=0,decimation=5", 8192);
  uint64_t told = 0;
  for (uint64_t i = 0; i < 50'000; ++i) {
    if (!filter.MayContain(Absent(i))) continue;
    ++told;
    ASSERT_TRUE(filter.Adapt(Absent(i)).ok());
  }
  const FilterStats stats = filter.stats();
  EXPECT_EQ(stats.details[1].second, static_cast<double>(told));
  EXPECT_EQ(stats.details[2].second, static_cast<double>(told / 5));
}

TEST(AbfDetection, LooksAtItsShareAndNeverAccusesAMember) {
  for (const double share : {0.0, 0.25, 1.0}) {
    AdaptiveBloomFilter filter =
        Make("abf:bits=8,k=4,sets=4,detect=" + std::to_string(share), 8192);
    uint64_t positives = 0;
    for (uint64_t i = 0; i < 20'000; ++i) {
      positives += filter.MayContain(Absent(i));
      ASSERT_TRUE(filter.AdaptIfProven(Absent(i)).ok());
      ASSERT_TRUE(filter.AdaptIfProven(Member(i % 8192)).ok());
    }
    EXPECT_EQ(LostMembers(filter), 0u);
    const double found = filter.stats().details[1].second;
    const double expected = static_cast<double>(positives) * share;
    EXPECT_NEAR(found, expected, 0.15 * expected + 0.5) << share;
  }
}

TEST(AbfCounting, RandomInsertsErasesAndAdaptsAgainstAnExactSet) {
  for (const char* spec : {"abf-counting:bits=8,k=4,sets=4",
                           "abf-counting:bits=6,k=3,w=128,sets=2,check=0"}) {
    CountingAdaptiveBloomFilter filter =
        Make<CountingAdaptiveBloomFilter>(spec, 600, 0);
    std::multiset<uint64_t> members;
    for (uint64_t step = 0; step < 6000; ++step) {
      const KeyHash dice = kHasher.Hash(step + 1'000'000);
      const uint64_t key = dice.low % 900;
      if (dice.high % 10 < 4 && members.size() < 600) {
        ASSERT_TRUE(filter.Insert(Member(key)).ok());
        members.insert(key);
      } else if (dice.high % 10 < 7 && members.contains(key)) {
        ASSERT_TRUE(filter.Erase(Member(key)).ok());
        members.erase(members.find(key));
      } else if (!members.contains(key)) {
        ASSERT_TRUE(filter.Adapt(Member(key)).ok());
      }
      ASSERT_EQ(filter.size(), members.size());
      if (step % 10 != 0) continue;
      const Status status = filter.CheckInvariants();
      ASSERT_TRUE(status.ok()) << status.ToString() << " at " << step;
      for (const uint64_t member : members) {
        ASSERT_TRUE(filter.MayContain(Member(member))) << step;
      }
    }
  }
}

TEST(AbfCounting, ErasingAllLeavesNothing) {
  CountingAdaptiveBloomFilter filter =
      Make<CountingAdaptiveBloomFilter>("abf-counting:bits=8,k=4,sets=4", 5000);
  for (uint64_t i = 0; i < 20'000; ++i) {
    ASSERT_TRUE(filter.Adapt(Absent(i)).ok());
  }
  for (uint64_t i = 0; i < 5000; ++i) {
    ASSERT_TRUE(filter.Erase(Member(i)).ok());
  }
  EXPECT_EQ(filter.size(), 0u);
  EXPECT_TRUE(filter.CheckInvariants().ok());
  for (uint64_t i = 0; i < 20'000; ++i) {
    EXPECT_FALSE(filter.MayContain(Absent(i)));
  }
  EXPECT_EQ(filter.Erase(Member(1)).code(), StatusCode::kNotFound);
}

TEST(AbfCounting, ASaturatedCounterNeverLosesAMember) {
  CountingAdaptiveBloomFilter filter =
      Make<CountingAdaptiveBloomFilter>("abf-counting:bits=8,k=4", 64, 0);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(filter.Insert(Member(1)).ok());
  for (int i = 0; i < 39; ++i) {
    ASSERT_TRUE(filter.Erase(Member(1)).ok());
    ASSERT_TRUE(filter.MayContain(Member(1)));
    ASSERT_TRUE(filter.CheckInvariants().ok());
  }
  ASSERT_TRUE(filter.Erase(Member(1)).ok());
  ASSERT_TRUE(filter.MayContain(Member(1))) << "its counters are stuck";
  EXPECT_EQ(filter.Erase(Member(1)).code(), StatusCode::kNotFound);
  EXPECT_EQ(filter.size(), 0u);
}

// A key that draws a position twice in one set saturates its counter there
// before those of the other sets; the bit outlives the key in that set only.
TEST(AbfCounting, WhatSaturatesInOneSetOnlyIsSavedAndLoaded) {
  CountingAdaptiveBloomFilter filter =
      Make<CountingAdaptiveBloomFilter>("abf-counting:bits=8,k=4", 256, 0);
  for (uint64_t i = 0; i < 200; ++i) {
    for (int j = 0; j < 8; ++j) ASSERT_TRUE(filter.Insert(Member(i)).ok());
    for (int j = 0; j < 8; ++j) ASSERT_TRUE(filter.Erase(Member(i)).ok());
    const Status status = filter.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString() << " after key " << i;
  }
  ASSERT_EQ(filter.size(), 0u);
  uint64_t left = 0;
  for (uint64_t i = 0; i < 200; ++i) left += filter.MayContain(Member(i));
  EXPECT_LT(left, 200u);
  const auto loaded =
      CountingAdaptiveBloomFilter::FromSnapshot(filter.ToSnapshot());
  EXPECT_TRUE(loaded.ok()) << loaded.status().ToString();
}

// Erasing keys that were never inserted is as dangerous as anywhere, but leaves
// a filter in order: either it is refused, or some key's counters go down.
TEST(AbfCounting, ErasingStrangersLeavesAFilterThatCanBeSavedAndLoaded) {
  CountingAdaptiveBloomFilter filter =
      Make<CountingAdaptiveBloomFilter>("abf-counting:bits=5,k=8", 300, 0);
  for (uint64_t i = 0; i < 300; ++i) {
    ASSERT_TRUE(filter.Insert(Member(i)).ok());
  }
  uint64_t erased = 0;
  for (uint64_t i = 300; i < 20'000 && filter.size() > 0; ++i) {
    const uint64_t size = filter.size();
    const bool went = filter.Erase(Member(i)).ok();
    erased += went;
    ASSERT_EQ(filter.size(), size - (went ? 1 : 0));
    if (!went) continue;
    const Status status = filter.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString() << " after key " << i;
  }
  EXPECT_GT(erased, 20u);
  const auto loaded =
      CountingAdaptiveBloomFilter::FromSnapshot(filter.ToSnapshot());
  EXPECT_TRUE(loaded.ok()) << loaded.status().ToString();
}

TEST(AbfCounting, CountersCostFourBitsForEachBitOfEachSet) {
  const CountingAdaptiveBloomFilter filter =
      Make<CountingAdaptiveBloomFilter>("abf-counting:bits=8,sets=4", 8192);
  EXPECT_EQ(filter.stats().side_bits, 1024u * 4 * 62 * 4);
}

}  // namespace
}  // namespace tamis
