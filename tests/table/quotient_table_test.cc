#include "tamis/internal/table/quotient_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "table/naive_table.h"

namespace tamis::internal {
namespace {

using LineForm = QuotientTable::LineForm;

QuotientTable MakeTable(uint64_t homes, const LineForm& form) {
  Result<QuotientTable> table = QuotientTable::Create(homes, form);
  EXPECT_TRUE(table.ok()) << table.status().ToString();
  return std::move(table).value();
}

uint64_t RandomValue(std::mt19937_64& random, int width) {
  return random() & LowBits(static_cast<unsigned>(width));
}

// A side array that must stay in step: it holds each entry's value.
class ShadowValues : public SideData {
 public:
  explicit ShadowValues(uint64_t slots) : values_(slots) {}

  void OnShift(SlotRange moved, int by) override {
    if (by > 0) {
      std::move_backward(At(moved.begin), At(moved.limit), At(moved.limit + 1));
    } else {
      std::move(At(moved.begin), At(moved.limit), At(moved.begin - 1));
    }
  }
  Status OnGrow(uint64_t slots) override {
    values_.resize(slots);
    return {};
  }
  uint64_t& operator[](uint64_t slot) { return values_[slot]; }

 private:
  std::vector<uint64_t>::iterator At(uint64_t slot) {
    return values_.begin() + static_cast<ptrdiff_t>(slot);
  }
  std::vector<uint64_t> values_;
};

// Runs random inserts and erases on a table and its model side by side.
class Histories {
 public:
  Histories(uint64_t homes, const LineForm& form, uint64_t seed)
      : table_(MakeTable(homes, form)),
        model_(static_cast<uint64_t>(table_.shape().slots()),
               static_cast<uint64_t>(table_.homes_per_line())),
        side_(table_.num_slots()),
        random_(seed) {}

  // Homes are drawn from [0, homes), squeezed towards `focus` so that long
  // clusters form.
  void Step(double load, uint64_t focus, uint64_t span) {
    const auto wanted =
        static_cast<uint64_t>(load * static_cast<double>(table_.max_size()));
    const bool grow =
        table_.size() < wanted ? random_() % 8 != 0 : random_() % 8 == 0;
    const uint64_t home = (focus + random_() % span) % table_.homes();
    if (grow) {
      Insert(home);
    } else if (table_.size() > 0) {
      Erase();
    }
  }

  void Check() {
    const Status status = table_.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(table_.size(), model_.size());
    const std::vector<NaiveEntry> expected = model_.Entries();
    ASSERT_EQ(Entries(table_), expected);
    for (const NaiveEntry& entry : expected) {
      ASSERT_EQ(side_[entry.slot], entry.value) << "slot " << entry.slot;
    }
  }

  // Appending the same entries in order gives the same bytes.
  void CheckBuilt() {
    QuotientTable built =
        MakeTable(table_.homes(), {table_.width(), table_.homes_per_line()});
    QuotientTable::Builder builder(built);
    for (const NaiveEntry& entry : model_.Entries()) {
      ASSERT_TRUE(builder.Append(entry.home, entry.value).ok());
    }
    builder.Finish();
    ASSERT_TRUE(std::ranges::equal(built.lines(), table_.lines()));
  }

  // FindRun and SizeBelow of every home against the model.
  void CheckRuns() {
    uint64_t below = 0;
    for (uint64_t home = 0; home < table_.homes(); ++home) {
      const SlotRange run = table_.FindRun(home);
      ASSERT_EQ(table_.SizeBelow(home), below) << "home " << home;
      below += run.size();
      ASSERT_EQ(run.size(), model_.run(home).size()) << "home " << home;
      for (uint64_t i = 0; i < run.size(); ++i) {
        ASSERT_EQ(table_.Get(run.begin + i), model_.run(home)[i]);
      }
    }
  }

 private:
  void Insert(uint64_t home) {
    const uint64_t value = RandomValue(random_, table_.width());
    if (table_.size() == table_.max_size()) {
      ASSERT_EQ(table_.InsertSorted(home, value, &side_).code(),
                StatusCode::kFull);
      return;
    }
    const SlotRange run = table_.FindRun(home);
    const uint64_t place = random_() % (run.size() + 1);
    const Status status =
        table_.InsertAt(home, run.begin + place, value, &side_);
    ASSERT_TRUE(status.ok()) << status.ToString();
    side_[run.begin + place] = value;
    model_.InsertAt(home, place, value);
  }

  void Erase() {
    const std::vector<NaiveEntry> entries = model_.Entries();
    const NaiveEntry& victim = entries[random_() % entries.size()];
    const SlotRange run = table_.FindRun(victim.home);
    ASSERT_LE(run.begin, victim.slot);
    table_.EraseAt(victim.home, victim.slot, &side_);
    model_.EraseAt(victim.home, victim.slot - run.begin);
  }

  QuotientTable table_;
  NaiveTable model_;
  ShadowValues side_;
  std::mt19937_64 random_;
};

class EveryWidth : public testing::TestWithParam<int> {};

TEST_P(EveryWidth, AgreesWithTheModelAtEveryStep) {
  const int width = GetParam();
  for (const uint64_t homes : {1, 2, 49, 50, 51, 128, 333}) {
    Histories histories(homes, {width}, 7 * homes);
    for (int step = 0; step < 400; ++step) {
      histories.Step(step < 200 ? 0.98 : 0.3, 0, homes);
      if (HasFatalFailure()) return;
      if (step % 5 == 0) histories.Check();
      if (HasFatalFailure()) return;
    }
    histories.Check();
    histories.CheckRuns();
  }
}

TEST_P(EveryWidth, ClustersLongerThanASpillCanSay) {
  // All entries in a few homes at the start: the spill of later lines goes
  // past 255 and back; and at the end, where they run past the last home.
  const uint64_t homes = 1200;
  for (const uint64_t focus : {uint64_t{3}, homes - 4}) {
    Histories histories(homes, {GetParam()}, focus);
    for (int step = 0; step < 1100; ++step) {
      histories.Step(0.75, focus, 4);
      if (step % 100 == 0) histories.Check();
      if (HasFatalFailure()) return;
    }
    histories.CheckRuns();
    for (int step = 0; step < 1000; ++step) {
      histories.Step(0.01, focus, 4);
      if (step % 100 == 0) histories.Check();
      if (HasFatalFailure()) return;
    }
    histories.CheckRuns();
  }
}

// Fewer homes than slots in a line: at every load up to all slots in use, and
// where homes are crowded at the start, at the end, or nowhere.
TEST_P(EveryWidth, AgreesWithTheModelForAnyHomesPerLine) {
  const int width = GetParam();
  std::mt19937_64 random(static_cast<uint64_t>(width));
  for (int round = 0; round < 8; ++round) {
    const auto homes_per_line = static_cast<int>(
        2 + random() % static_cast<unsigned>(SlotsPerLine(width) - 1));
    const uint64_t homes = 1 + random() % 200;
    const bool crowded = round % 2 == 1;
    const uint64_t span = crowded ? std::min<uint64_t>(homes, 3) : homes;
    const uint64_t focus = crowded ? random() % homes : 0;
    Histories histories(homes, {width, homes_per_line}, random());
    for (int step = 0; step < 600; ++step) {
      histories.Step(step < 350 ? 1 : 0.2, focus, span);
      if (step % 50 == 0) histories.Check();
      if (step == 349) histories.CheckBuilt();
      if (HasFatalFailure()) return;
    }
    histories.Check();
    histories.CheckBuilt();
    histories.CheckRuns();
  }
}

INSTANTIATE_TEST_SUITE_P(QuotientTable, EveryWidth, testing::Range(2, 57),
                         [](const auto& width) {
                           return "w" + std::to_string(width.param);
                         });

TEST(QuotientTable, FullIsAStatusAndChangesNothing) {
  QuotientTable table = MakeTable(10, {8});
  for (uint64_t i = 0; i < 10; ++i) {
    ASSERT_TRUE(table.InsertSorted(9, i).ok());
  }
  const std::vector<NaiveEntry> before = Entries(table);
  EXPECT_EQ(table.InsertSorted(0, 1).code(), StatusCode::kFull);
  EXPECT_EQ(Entries(table), before);
  EXPECT_TRUE(table.CheckInvariants().ok());
}

TEST(QuotientTable, RefusesSizesAndWidthsOutOfRange) {
  EXPECT_EQ(QuotientTable::Create(0, 8).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(QuotientTable::Create(8, 1).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(QuotientTable::Create(8, 57).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(QuotientTable::Create((uint64_t{1} << 56) + 1, 8).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(QuotientTable::Create(uint64_t{1} << 56, 8).status().code(),
            StatusCode::kOutOfMemory);
}

TEST(QuotientTable, RefusesMoreHomesThanALineHasSlots) {
  EXPECT_EQ(QuotientTable::Create(8, LineForm{8, 51}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(QuotientTable::Create(8, LineForm{8, 1}).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeTable(80, {8, 50}).max_size(), 80u);
  EXPECT_EQ(MakeTable(80, {8, 40}).max_size(), 100u);
}

TEST(QuotientTable, EqualEntriesGiveEqualBytes) {
  std::mt19937_64 random(5);
  std::vector<std::pair<uint64_t, uint64_t>> entries;
  for (int i = 0; i < 900; ++i)
    entries.emplace_back(random() % 1000, random() % 256);
  QuotientTable first = MakeTable(1000, {8});
  for (const auto& [home, value] : entries) {
    ASSERT_TRUE(first.InsertSorted(home, value).ok());
  }
  std::shuffle(entries.begin(), entries.end(), random);
  QuotientTable second = MakeTable(1000, {8});
  for (const auto& [home, value] : entries) {
    ASSERT_TRUE(second.InsertSorted(home, value).ok());
  }
  std::sort(entries.begin(), entries.end());
  QuotientTable third = MakeTable(1000, {8});
  QuotientTable::Builder builder(third);
  for (const auto& [home, value] : entries) {
    ASSERT_TRUE(builder.Append(home, value).ok());
  }
  builder.Finish();
  EXPECT_TRUE(std::ranges::equal(first.lines(), second.lines()));
  EXPECT_TRUE(std::ranges::equal(first.lines(), third.lines()));
  EXPECT_TRUE(third.CheckInvariants().ok());
}

// A builder has its own way with spills that saturate and with runs that jump
// over whole lines.
TEST_P(EveryWidth, BuiltEqualsInsertedWhereHomesAreCrowded) {
  constexpr uint64_t kHomes = 1200;
  for (const uint64_t focus : {uint64_t{0}, uint64_t{60}, kHomes - 3}) {
    std::mt19937_64 random(focus);
    std::vector<std::pair<uint64_t, uint64_t>> entries;
    for (int i = 0; i < 900; ++i) {
      const uint64_t home = i < 700 ? focus + random() % 3 : random() % kHomes;
      entries.emplace_back(home, RandomValue(random, GetParam()));
    }
    QuotientTable inserted = MakeTable(kHomes, {GetParam()});
    for (const auto& [home, value] : entries) {
      ASSERT_TRUE(inserted.InsertSorted(home, value).ok());
    }
    std::sort(entries.begin(), entries.end());
    QuotientTable built = MakeTable(kHomes, {GetParam()});
    QuotientTable::Builder builder(built);
    for (const auto& [home, value] : entries) {
      ASSERT_TRUE(builder.Append(home, value).ok());
    }
    builder.Finish();
    ASSERT_TRUE(std::ranges::equal(built.lines(), inserted.lines()));
    const Status status = built.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}

TEST(QuotientTable, InsertSortedGoesBehindItsEquals) {
  QuotientTable table = MakeTable(100, {8});
  ShadowValues order(table.num_slots());
  std::mt19937_64 random(8);
  for (uint64_t i = 1; i <= 90; ++i) {
    const uint64_t home = random() % 5;
    const uint64_t value = random() % 4;
    const SlotRange run = table.FindRun(home);
    uint64_t slot = run.begin;
    while (slot < run.limit && table.Get(slot) <= value) ++slot;
    ASSERT_TRUE(table.InsertSorted(home, value, &order).ok());
    order[slot] = i;
    for (uint64_t at = run.begin; at < run.limit; ++at) {
      ASSERT_LE(table.Get(at), table.Get(at + 1));
      if (table.Get(at) == table.Get(at + 1)) {
        ASSERT_LT(order[at], order[at + 1]);
      }
    }
  }
}

TEST(QuotientTable, EraseAllLeavesAnEmptyTable) {
  QuotientTable table = MakeTable(300, {11});
  std::mt19937_64 random(6);
  for (int i = 0; i < 290; ++i) {
    ASSERT_TRUE(table.InsertSorted(random() % 300, random() % 2048).ok());
  }
  while (table.size() > 0) {
    const NaiveEntry entry = Entries(table)[random() % table.size()];
    table.EraseAt(entry.home, entry.slot);
  }
  for (const std::byte byte : table.lines()) ASSERT_EQ(byte, std::byte{0});
}

}  // namespace
}  // namespace tamis::internal
