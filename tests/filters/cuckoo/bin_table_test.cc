#include "tamis/internal/filters/cuckoo/bin_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace tamis::internal {
namespace {

bool HasZeroLaneSlowly(uint64_t word, int lanes, int width) {
  for (int lane = 0; lane < lanes; ++lane) {
    if (((word >> (lane * width)) & LowBits(static_cast<unsigned>(width))) ==
        0) {
      return true;
    }
  }
  return false;
}

TEST(Lanes, AgreesWithALoopOverTheLanes) {
  std::mt19937_64 random(1);
  for (int width = 2; width <= 16; ++width) {
    const Lanes lanes(4, width);
    const uint64_t all = LowBits(static_cast<unsigned>(4 * width));
    for (int i = 0; i < 2000; ++i) {
      // And-ing makes zero lanes frequent.
      const uint64_t word = random() & random() & random() & all;
      EXPECT_EQ(lanes.HasZeroLane(word), HasZeroLaneSlowly(word, 4, width));
      const uint64_t filled = lanes.ZerosToOnes(word);
      for (int lane = 0; lane < 4; ++lane) {
        const auto mask = LowBits(static_cast<unsigned>(width));
        const uint64_t before = (word >> (lane * width)) & mask;
        const uint64_t after = (filled >> (lane * width)) & mask;
        EXPECT_EQ(after, before == 0 ? 1 : before);
      }
    }
  }
}

TEST(Lanes, BroadcastsToEveryLane) {
  EXPECT_EQ(Lanes(4, 12).Broadcast(0xabc), 0xabcabcabcabcu);
  EXPECT_EQ(Lanes(1, 12).Broadcast(0xabc), 0xabcu);
}

// Against a plain vector, for every width and several bin sizes.
TEST(BinTable, ReadsBackWhatWasWritten) {
  std::mt19937_64 random(2);
  for (int per_bin : {1, 2, 3, 4, 8}) {
    for (int width = 4; width <= 35; ++width) {
      BinTable table = *BinTable::Create(13, per_bin, width);
      std::vector<uint64_t> model(table.slots());
      for (int i = 0; i < 200; ++i) {
        const uint64_t slot = random() % table.slots();
        model[slot] = random() & LowBits(static_cast<unsigned>(width));
        table.Set(slot, model[slot]);
      }
      uint64_t occupied = 0;
      for (uint64_t slot = 0; slot < table.slots(); ++slot) {
        ASSERT_EQ(table.Get(slot), model[slot]) << width << " " << per_bin;
        occupied += model[slot] != 0;
      }
      EXPECT_EQ(table.CountOccupied(), occupied);
      EXPECT_TRUE(table.CheckInvariants().ok());
    }
  }
}

TEST(BinTable, BinContainsAgreesWithFindInBin) {
  std::mt19937_64 random(3);
  for (int per_bin : {1, 4, 8}) {
    for (int width = 4; width <= 35; ++width) {
      BinTable table = *BinTable::Create(32, per_bin, width);
      const uint64_t values = uint64_t{1} << (width < 5 ? width : 5);
      for (uint64_t slot = 0; slot < table.slots(); ++slot) {
        table.Set(slot, random() % values);
      }
      for (uint64_t bin = 0; bin < 32; ++bin) {
        for (uint64_t value = 0; value < values; ++value) {
          ASSERT_EQ(table.BinContains(bin, value),
                    table.FindInBin(bin, value) != kNoSlot);
        }
      }
    }
  }
}

// The layouts with code of their own answer as the general one.
template <typename Bins>
void ExpectMarksAgree(int per_bin) {
  std::mt19937_64 random(4);
  BinTable table = *BinTable::Create(200, per_bin, Bins::kWidth);
  for (uint64_t slot = 0; slot < table.slots(); ++slot) {
    // The upper end of the values, so that lanes differ from their borrows.
    table.Set(slot, LowBits(Bins::kWidth) - random() % 32);
  }
  for (uint64_t bin = 0; bin < 200; ++bin) {
    EXPECT_EQ(8 * Bins::ByteOf(bin) + Bins::ShiftOf(bin), bin * Bins::kBinBits);
    for (uint64_t i = 0; i < 40; ++i) {
      const uint64_t value = LowBits(Bins::kWidth) - i;
      EXPECT_EQ(table.MarkEqual<Bins>(bin, value) != 0,
                table.BinContains(bin, value));
      EXPECT_EQ(table.MarkEqual<AnyBins>(bin, value) != 0,
                table.BinContains(bin, value));
    }
  }
}

TEST(BinTable, FixedLayoutsAgreeWithTheGeneralOne) {
  ExpectMarksAgree<FixedBins<8, 1>>(1);
  ExpectMarksAgree<FixedBins<12, 1>>(1);
  ExpectMarksAgree<FixedBins<16, 1>>(1);
  ExpectMarksAgree<FixedBins<8, 4>>(4);
  ExpectMarksAgree<FixedBins<12, 4>>(4);
  ExpectMarksAgree<FixedBins<16, 4>>(4);
}

TEST(BinTable, BinsOfFourAreWordsUpTo16Bits) {
  for (int width = 4; width <= 16; ++width) {
    EXPECT_TRUE(BinTable::Create(3, 4, width)->bins_are_words()) << width;
  }
  EXPECT_FALSE(BinTable::Create(3, 4, 17)->bins_are_words());
}

TEST(BinTable, IsPackedWithoutGaps) {
  EXPECT_EQ(BinTable::Create(1000, 4, 13)->size_bits(), 4000u * 13);
  EXPECT_EQ(BinTable::Create(3, 1, 5)->size_bits(), 16u);
}

TEST(BinTable, LoadsWhatItSavedAndNothingElse) {
  BinTable table = *BinTable::Create(3, 1, 5);
  table.Set(2, 21);
  const auto loaded = BinTable::FromBytes(table.bytes(), 3, 1, 5);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(loaded->Get(2), 21u);
  EXPECT_EQ(BinTable::FromBytes(table.bytes(), 4, 1, 5).status().code(),
            StatusCode::kCorrupt);
  std::vector<std::byte> damaged(table.bytes().begin(), table.bytes().end());
  damaged.back() |= std::byte{0x80};
  const auto forged =
      BinTable::FromBytes(std::span<const std::byte>(damaged), 3, 1, 5);
  ASSERT_TRUE(forged.ok());
  EXPECT_EQ(forged->CheckInvariants().code(), StatusCode::kCorrupt);
  // Files of version 1 end with the last slot.
  EXPECT_EQ(BinTable::FromBytes(table.bytes().first(2), 3, 1, 5)->Get(2), 21u);
}

TEST(BinTable, RefusesTheImpossible) {
  EXPECT_EQ(BinTable::Create(0, 4, 8).status().code(),
            StatusCode::kInvalidArgument);
  EXPECT_EQ(BinTable::Create(~uint64_t{0} / 2, 4, 8).status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tamis::internal
