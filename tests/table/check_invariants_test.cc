#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "table/naive_table.h"
#include "tamis/internal/table/quotient_table.h"

namespace tamis::internal {
namespace {

using LineForm = QuotientTable::LineForm;

QuotientTable HalfFull(const LineForm& form) {
  const int width = form.width;
  QuotientTable table = std::move(QuotientTable::Create(150, form)).value();
  std::mt19937_64 random(1);
  for (int i = 0; i < 120; ++i) {
    EXPECT_TRUE(
        table
            .InsertSorted(random() % 150,
                          random() & LowBits(static_cast<unsigned>(width)))
            .ok());
  }
  return table;
}

// A table from bytes, if they are sound.
Result<QuotientTable> Checked(uint64_t homes, const LineForm& form,
                              uint64_t size, std::span<const std::byte> lines) {
  Result<QuotientTable> table =
      QuotientTable::FromLines(homes, form, size, lines);
  if (table.ok()) TAMIS_RETURN_IF_ERROR(table->CheckInvariants());
  return table;
}

// A flipped bit is noticed, or it is a bit of an entry: then the table is sound
// and has the same entries but for that one's value.
TEST(CheckInvariants, NoticesEveryFlippedBitOfTheBookkeeping) {
  for (const LineForm& form : {LineForm{2},
                               {5},
                               {6},
                               {7},
                               {8},
                               {8, 40},
                               {13},
                               {13, 26},
                               {16},
                               {31},
                               {31, 9},
                               {56}}) {
    const QuotientTable table = HalfFull(form);
    const std::vector<NaiveEntry> entries = Entries(table);
    std::vector<std::byte> lines(table.lines().begin(), table.lines().end());
    for (size_t bit = 0; bit < 8 * lines.size(); ++bit) {
      lines[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
      const Result<QuotientTable> damaged =
          Checked(table.homes(), form, table.size(), lines);
      if (damaged.ok()) {
        const std::vector<NaiveEntry> now = Entries(*damaged);
        ASSERT_EQ(now.size(), entries.size());
        int changed = 0;
        for (size_t i = 0; i < now.size(); ++i) {
          ASSERT_EQ(now[i].home, entries[i].home);
          ASSERT_EQ(now[i].slot, entries[i].slot);
          changed += static_cast<int>(now[i].value != entries[i].value);
        }
        ASSERT_EQ(changed, 1) << "bit " << bit << " of width " << form.width;
      } else {
        ASSERT_EQ(damaged.status().code(), StatusCode::kCorrupt);
        ASSERT_NE(damaged.status().message().find("(I"), std::string::npos)
            << damaged.status().ToString();
      }
      lines[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    }
  }
}

TEST(CheckInvariants, NoticesAWrongSize) {
  const QuotientTable table = HalfFull({8});
  EXPECT_FALSE(Checked(150, {8}, table.size() - 1, table.lines()).ok());
  EXPECT_TRUE(Checked(150, {8}, table.size(), table.lines()).ok());
}

TEST(CheckInvariants, RefusesLinesThatDoNotFitTheNumbers) {
  const QuotientTable table = HalfFull({8});
  const auto lines = table.lines();
  EXPECT_FALSE(Checked(uint64_t{1} << 55, {8}, 1, lines).ok());
  EXPECT_FALSE(Checked(150, {1}, table.size(), lines).ok());
  EXPECT_FALSE(
      QuotientTable::FromLines(table.size() - 1, 8, table.size(), lines).ok());
  EXPECT_FALSE(Checked(0, {8}, 0, lines).ok());
  EXPECT_FALSE(
      Checked(150, {8}, table.size(), lines.first(lines.size() - 1)).ok());
  // The line behind the homes may be missing, but none of theirs.
  EXPECT_TRUE(
      Checked(150, {8}, table.size(), lines.first(lines.size() - 64)).ok());
  EXPECT_FALSE(
      Checked(150, {8}, table.size(), lines.first(lines.size() - 128)).ok());
}

}  // namespace
}  // namespace tamis::internal
