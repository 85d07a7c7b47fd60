// The marks of lines that hold selectors above 1, and the largest selector of a
// filter without: they follow the slots, and look-ups, one by one and in batches,
// agree with the definition.

#include <gtest/gtest.h>

#include <algorithm>
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
  explicit Crowd(KeysIn keys, int width = 8)
      : width_(width),
        harness_({.slots = kMarkedSlots,
                  .remainder_bits = width,
                  .overflow = OverflowPolicy::kEvict},
                 keys),
        random_(3) {}

  // How many windows of a member keys may share, at most: the more, the greater
  // are the selectors.
  void set_shared(uint64_t shared) { shared_ = shared; }

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
  Status Reload() { return harness_.Reload(); }

 private:
  // A key that has the first windows of a member, and at least the first.
  KeyHash Near(KeyHash member) {
    const uint64_t bits =
        kHomeBits + static_cast<unsigned>(width_) * (1 + random_() % shared_);
    return {member.high ^ (random_() >> bits), random_()};
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
      if (internal::TafTraits::Matches(string, width_,
                                       filter().letters().at(slot),
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

  int width_;
  uint64_t shared_ = 4;
  Harness<Taf> harness_;
  std::mt19937_64 random_;
};

uint32_t LargestOf(const Taf& filter) {
  uint32_t largest = 0;
  for (uint64_t slot = 0; slot < kMarkedSlots; ++slot) {
    largest = std::max(largest, filter.letters().at(slot));
  }
  return largest;
}

// At other widths there are no marks; look-ups go by the largest selector that
// there may be, which rises here, and is found again in a file.
TEST(LargestSelector, IsEnoughForLookupsAtEveryWidth) {
  for (int width = 4; width <= 16; ++width) {
    Crowd crowd(KeysIn::kMirror, width);
    uint32_t before = 0;
    for (uint64_t shared = 1; shared <= 5; ++shared) {
      if (shared * static_cast<unsigned>(width) + kHomeBits > 63) break;
      crowd.set_shared(shared);
      crowd.Run(1501);
      const uint32_t known = crowd.filter().letters().largest();
      ASSERT_LE(LargestOf(crowd.filter()), known) << width;
      ASSERT_GE(known, before) << width;
      ASSERT_TRUE(crowd.Reload().ok());
      EXPECT_EQ(crowd.filter().letters().largest(), LargestOf(crowd.filter()));
      crowd.Run(1);
      before = crowd.filter().letters().largest();
    }
    EXPECT_GE(before, width <= 12 ? 4u : 2u) << width;
  }
}

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
