// Codes that overflow, in an adapt and while entries are moved, and members
// whose remainders collide.

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "filters/quotient/harness.h"

namespace tamis::testing {
namespace {

// Fills to half, adapts to `queries` absent keys per slot, so that the codes
// are nearly full, then inserts to the brim: letters cross into full groups.
template <typename F>
void FillAdaptFill(Harness<F>& harness, uint64_t queries) {
  const uint64_t slots = harness.filter().capacity();
  for (uint64_t i = 0; i < slots / 2; ++i) {
    ASSERT_TRUE(harness.Insert(harness.Hash(i)).ok());
  }
  for (uint64_t i = 0; i < queries * slots; ++i) {
    const auto adapted = harness.AdaptIfWrong(harness.Hash((1 << 30) + i));
    ASSERT_TRUE(adapted.ok()) << adapted.status().ToString();
  }
  const Status adapted = harness.Check();
  ASSERT_TRUE(adapted.ok()) << adapted.ToString();
  for (uint64_t i = slots / 2; i < slots; ++i) {
    ASSERT_TRUE(harness.Insert(harness.Hash(i)).ok());
    if (i % 64 == 0) {
      const Status status = harness.Check();
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
  }
}

TEST(Overflow, WhileMovingLosesNoMember) {
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    for (const OverflowPolicy policy :
         {OverflowPolicy::kRefuse, OverflowPolicy::kEvict,
          OverflowPolicy::kReset}) {
      Harness<Taf> harness(
          {.slots = 1000, .remainder_bits = 4, .overflow = policy}, keys);
      // Refusing, only inserts can make room.
      FillAdaptFill(harness, 10);
      const FilterStats stats = harness.filter().stats();
      EXPECT_GT(policy == OverflowPolicy::kReset ? Detail(stats, "resets")
                                                 : Detail(stats, "evictions"),
                3)
          << "nothing overflowed: the test has lost its point";
    }
  }
}

TEST(Overflow, OfExtensionsLosesNoMember) {
  Harness<Exaf> harness(
      {.slots = 1000, .remainder_bits = 4, .overflow = OverflowPolicy::kEvict},
      KeysIn::kSource);
  FillAdaptFill(harness, 10);
  EXPECT_GT(Detail(harness.filter().stats(), "evictions"), 3);
}

uint64_t SlotsMatching(const Taf& filter, KeyHash x) {
  const auto& table = filter.table();
  const internal::HashString string(x, table.homes());
  const auto run = table.FindRun(internal::Place(x, table.homes()).home);
  uint64_t matching = 0;
  for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
    matching += internal::TafTraits::Matches(
        string, table.width(), filter.letters().at(slot), table.Get(slot));
  }
  return matching;
}

// Everything that answers depend on: remainders, selectors, members.
template <typename F>
std::vector<std::byte> Arrays(const F& filter) {
  std::vector<std::byte> all;
  const internal::Snapshot snapshot = filter.ToSnapshot();
  for (const auto& array : snapshot.arrays()) {
    all.insert(all.end(), array.bytes.begin(), array.bytes.end());
  }
  return all;
}

template <typename F>
std::vector<uint32_t> AllLetters(const F& filter) {
  std::vector<uint32_t> letters;
  for (uint64_t slot = 0; slot < filter.table().num_slots(); ++slot) {
    letters.push_back(filter.letters().at(slot));
  }
  return letters;
}

// Where only one slot collides, to refuse is to change nothing at all.
TEST(Overflow, RefuseKeepsEarlierFixes) {
  Harness<Taf> harness(
      {.slots = 2000, .remainder_bits = 4, .overflow = OverflowPolicy::kRefuse},
      KeysIn::kMirror);
  for (uint64_t i = 0; i < 1500; ++i) {
    ASSERT_TRUE(harness.Insert(harness.Hash(i)).ok());
  }
  uint64_t refused = 0;
  for (uint64_t i = 0; i < 20'000; ++i) {
    const KeyHash x = harness.Hash((1 << 30) + i);
    if (!harness.filter().MayContain(x)) continue;
    const bool alone = SlotsMatching(harness.filter(), x) == 1;
    const std::vector<std::byte> before = Arrays(harness.filter());
    const auto outcome = harness.filter().Adapt(x);
    ASSERT_TRUE(outcome.ok());
    ASSERT_NE(*outcome, AdaptOutcome::kNothingToFix);
    if (*outcome != AdaptOutcome::kNotFixed) continue;
    ++refused;
    if (alone) {
      ASSERT_EQ(Arrays(harness.filter()), before);
    }
  }
  EXPECT_GT(refused, 100u);
  EXPECT_EQ(Detail(harness.filter().stats(), "refusals"),
            static_cast<double>(refused));
  EXPECT_EQ(Detail(harness.filter().stats(), "evictions"), 0);
}

// Letters of all slots but those that x matches.
template <typename F, typename Kind>
std::vector<uint32_t> OtherLetters(const F& filter, KeyHash x) {
  const internal::HashString string(x, filter.capacity());
  const auto run =
      filter.table().FindRun(internal::Place(x, filter.capacity()).home);
  std::vector<uint32_t> letters;
  for (uint64_t slot = 0; slot < filter.table().num_slots(); ++slot) {
    const bool collides =
        run.begin <= slot && slot < run.limit &&
        Kind::Matches(string, filter.table().width(), filter.letters().at(slot),
                      filter.table().Get(slot));
    letters.push_back(collides ? 0 : filter.letters().at(slot));
  }
  return letters;
}

// kNotFixed changes nothing, kFixed nothing but the slots that collided, and
// whatever makes others forget is a kReset.
template <typename F, typename Kind>
void ExpectOutcomesSayWhatHappened(OverflowPolicy policy) {
  Harness<F> harness({.slots = 300, .remainder_bits = 4, .overflow = policy},
                     KeysIn::kMirror);
  for (uint64_t i = 0; i < 270; ++i) {
    ASSERT_TRUE(harness.Insert(harness.Hash(i)).ok());
  }
  std::array<int, 4> seen{};
  for (uint64_t i = 0; i < 8000; ++i) {
    const KeyHash x = harness.Hash((1 << 30) + i);
    if (!harness.filter().MayContain(x)) continue;
    const F& filter = harness.filter();
    const std::vector<std::byte> before = Arrays(filter);
    const std::vector<uint32_t> others = OtherLetters<F, Kind>(filter, x);
    const std::vector<uint32_t> letters = AllLetters(filter);
    const AdaptOutcome outcome = harness.filter().Adapt(x).value();
    ++seen[static_cast<size_t>(outcome)];
    const std::vector<uint32_t> after = AllLetters(filter);
    bool others_changed = false;
    for (size_t slot = 0; slot < letters.size(); ++slot) {
      others_changed |= others[slot] != 0 && after[slot] != letters[slot];
    }
    if (outcome == AdaptOutcome::kNotFixed) {
      ASSERT_EQ(Arrays(filter), before);
    }
    if (others_changed) {
      ASSERT_EQ(outcome, AdaptOutcome::kReset);
    }
  }
  EXPECT_GT(seen[static_cast<size_t>(AdaptOutcome::kFixed)], 20);
  if (policy != OverflowPolicy::kRefuse) {
    EXPECT_GT(seen[static_cast<size_t>(AdaptOutcome::kReset)], 20);
  } else {
    EXPECT_GT(seen[static_cast<size_t>(AdaptOutcome::kNotFixed)], 20);
  }
}
TEST(Outcomes, SayWhatHappened) {
  for (const OverflowPolicy policy :
       {OverflowPolicy::kRefuse, OverflowPolicy::kEvict,
        OverflowPolicy::kReset}) {
    ExpectOutcomesSayWhatHappened<Taf, internal::TafTraits>(policy);
    ExpectOutcomesSayWhatHappened<Exaf, internal::ExafTraits>(policy);
  }
}
TEST(Outcomes, CallARehashAReset) {
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    Harness<Exaf> harness(
        {.slots = 300, .remainder_bits = 5, .rehash_after = 9}, keys);
    for (uint64_t i = 0; i < 250; ++i) {
      ASSERT_TRUE(harness.Insert(harness.Hash(i)).ok());
    }
    for (uint64_t i = 0; i < 4000; ++i) {
      const KeyHash x = harness.Hash((1 << 30) + i);
      if (!harness.filter().MayContain(x)) continue;
      const uint64_t epoch = harness.filter().epoch();
      const AdaptOutcome outcome = harness.filter().Adapt(x).value();
      if (harness.filter().epoch() != epoch) {
        ASSERT_EQ(outcome, AdaptOutcome::kReset);
      }
    }
    EXPECT_GT(harness.filter().epoch(), 3u);
  }
}

// A group whose other fixes are all dearer than the new one.
TEST(Overflow, EvictsOthersNotTheNewFix) {
  constexpr int kHomeBits = 10;
  Harness<Taf> harness(
      {.slots = 1 << kHomeBits, .overflow = OverflowPolicy::kEvict},
      KeysIn::kMirror);
  const auto member = [&](uint64_t home) {
    const KeyHash any = harness.Hash(home);
    return KeyHash{home << (64 - kHomeBits) | any.high >> kHomeBits, any.low};
  };
  for (uint64_t home = 0; home < 64; ++home) {
    ASSERT_TRUE(harness.Insert(member(home)).ok());
  }
  for (uint64_t home = 0; home < 64; ++home) {
    for (const int window : {1, 2}) {
      KeyHash x = member(home);  // and differs from it in one window only
      x.high ^= uint64_t{1} << (63 - kHomeBits - 8 * window);
      const auto adapted = harness.AdaptIfWrong(x);
      ASSERT_TRUE(adapted.ok()) << adapted.status().ToString();
      ASSERT_FALSE(harness.filter().MayContain(x)) << "home " << home;
    }
  }
  EXPECT_GT(Detail(harness.filter().stats(), "evictions"), 20);
  const Status status = harness.Check();
  EXPECT_TRUE(status.ok()) << status.ToString();
}

// All members in one home, with remainders of 4 bits: many slots match many
// members, and only a perfect matching tells who may leave.
TEST(Overflow, CollidingRemaindersWithASource) {
  std::mt19937_64 random(9);
  Harness<Taf> harness({.slots = 64, .remainder_bits = 4}, KeysIn::kSource);
  const auto crowded = [&] {
    return KeyHash{random() >> 6, random()};  // home 0 of 64
  };
  for (int i = 0; i < 24; ++i) {
    ASSERT_TRUE(harness.Insert(crowded()).ok());
    for (int j = 0; j < 10; ++j) {
      ASSERT_TRUE(harness.AdaptIfWrong(crowded()).ok());
      const Status status = harness.Check();
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
  }
  while (!harness.truth().empty()) {
    const uint64_t victim = random() % harness.truth().size();
    ASSERT_TRUE(harness.Erase(harness.truth().At(victim)).ok());
    ASSERT_TRUE(harness.AdaptIfWrong(crowded()).ok());
    const Status status = harness.Check();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}

TEST(Overflow, LoadingNeedsTheKeysAgain) {
  Harness<Taf> mirrored({.slots = 100}, KeysIn::kMirror);
  Harness<Taf> sourced({.slots = 100}, KeysIn::kSource);
  SortedSource source;
  EXPECT_EQ(
      Taf::FromSnapshot(mirrored.filter().ToSnapshot(), {.source = source})
          .status()
          .code(),
      StatusCode::kInvalidArgument);
  // A file without keys is whole, and yet can't be used alone.
  EXPECT_EQ(Taf::FromSnapshot(sourced.filter().ToSnapshot()).status().code(),
            StatusCode::kUnsupported);
}

}  // namespace
}  // namespace tamis::testing
