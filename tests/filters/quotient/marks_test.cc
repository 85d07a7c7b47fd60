// The marks of lines that hold selectors above 1: they follow the slots, and
// look-ups, one by one and in batches, agree with the definition.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "filters/quotient/harness.h"
#include "model/forged.h"

namespace tamis::testing {
namespace {

constexpr uint64_t kMarkedSlots = 1 << 11;
constexpr int kHomeBits = 11;

// Adapts to keys that share home and some windows with a member, so that every
// selector is met, and inserts and erases in between.
class Crowd {
 public:
  explicit Crowd(KeysIn keys)
      : harness_({.slots = kMarkedSlots, .overflow = OverflowPolicy::kEvict},
                 keys),
        random_(3) {}

  void Run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const Status status = Step();
      ASSERT_TRUE(status.ok()) << status.ToString();
      if (i % 250 != 0) continue;
      const Status sound = harness_.Check();
      ASSERT_TRUE(sound.ok()) << sound.ToString();
      ExpectLookupsByDefinition();
    }
  }
  const Taf& filter() { return harness_.filter(); }

 private:
  // A key that has the first windows of a member, and at least the first.
  KeyHash Near(KeyHash member) {
    const uint64_t shared = 1 + random_() % 4;
    return {member.high ^ (random_() >> (kHomeBits + 8 * shared)), random_()};
  }
  KeyHash AnyMember() {
    return harness_.truth().At(random_() % harness_.truth().size());
  }
  Status Step() {
    const uint64_t die = random_() % 10;
    const bool few = harness_.truth().size() < kMarkedSlots * 3 / 4;
    const bool many = harness_.truth().size() > kMarkedSlots * 19 / 20;
    if (few || (die < 3 && !many)) {
      return harness_.Insert(harness_.Hash(random_()));
    }
    if (die < 6) return harness_.Erase(AnyMember());
    return harness_.AdaptIfWrong(Near(AnyMember())).status();
  }
  bool ByDefinition(KeyHash x) {
    const internal::HashString string(x, kMarkedSlots);
    const auto run =
        filter().table().FindRun(internal::Place(x, kMarkedSlots).home);
    for (uint64_t slot = run.begin; slot < run.limit; ++slot) {
      if (internal::TafTraits::Matches(string, 8, filter().letters().at(slot),
                                       filter().table().Get(slot))) {
        return true;
      }
    }
    return false;
  }
  void ExpectLookupsByDefinition() {
    constexpr size_t kQueries = 300;
    std::vector<KeyHash> queries;
    for (size_t i = 0; i < kQueries; ++i) queries.push_back(Near(AnyMember()));
    const auto results = std::make_unique<bool[]>(kQueries);
    filter().MayContain(queries, std::span(results.get(), kQueries));
    for (size_t i = 0; i < kQueries; ++i) {
      const bool expected = ByDefinition(queries[i]);
      ASSERT_EQ(filter().MayContain(queries[i]), expected);
      ASSERT_EQ(results[i], expected);
    }
  }

  Harness<Taf> harness_;
  std::mt19937_64 random_;
};

TEST(Marks, FollowTheSlotsUnderEitherKeySource) {
  for (const KeysIn keys : {KeysIn::kMirror, KeysIn::kSource}) {
    Crowd crowd(keys);
    crowd.Run(12'000);
    uint64_t above_one = 0;
    for (uint64_t slot = 0; slot < kMarkedSlots; ++slot) {
      above_one += crowd.filter().letters().at(slot) > 1;
    }
    EXPECT_GT(above_one, 20u) << "too few to mean anything";
  }
}

TEST(Marks, AreNotSetBeforeTheyAreNeeded) {
  Harness<Taf> harness({.slots = kMarkedSlots}, KeysIn::kMirror);
  for (uint64_t i = 0; i < kMarkedSlots; ++i) {
    ASSERT_TRUE(harness.Insert(harness.Hash(i)).ok());
  }
  const auto& table = harness.filter().table();
  EXPECT_FALSE(harness.filter().is_adapted());
  for (uint64_t i = 0; i < table.num_lines(); ++i) {
    EXPECT_FALSE(table.IsMarked(i));
  }
}

// A file without a mark that is needed would give false negatives.
TEST(Marks, ThatAreMissingAreNoticed) {
  Crowd crowd(KeysIn::kMirror);
  crowd.Run(4000);
  const internal::Snapshot snapshot = crowd.filter().ToSnapshot();
  ASSERT_TRUE(Taf::FromSnapshot(snapshot).ok());
  EXPECT_TRUE(Taf::FromSnapshot(snapshot)->is_adapted());
  const auto lines = snapshot.Array("lines").value();
  std::vector<std::byte> unmarked(lines.begin(), lines.end());
  const internal::LineShape<8> shape(8);
  for (size_t at = 0; at < unmarked.size(); at += internal::kLineBytes) {
    unmarked[at + static_cast<size_t>(shape.MarkBit()) / 8] &=
        ~static_cast<std::byte>(1 << shape.MarkBit() % 8);
  }
  const auto damaged =
      Taf::FromSnapshot(WithArray(snapshot, "lines", unmarked));
  EXPECT_EQ(damaged.status().code(), StatusCode::kCorrupt);
  EXPECT_NE(damaged.status().message().find("(A4)"), std::string::npos);
}

}  // namespace
}  // namespace tamis::testing
