#include "tamis/internal/keys/slot_mirror.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace tamis::internal {
namespace {

KeyHash HashOf(uint64_t i) { return {i * 3 + 1, ~i}; }

SlotMirror Filled(uint64_t slots) {
  SlotMirror mirror = *SlotMirror::Create(slots);
  for (uint64_t i = 0; i < slots; ++i) mirror.Set(i, HashOf(i));
  return mirror;
}

TEST(SlotMirror, StartsFree) {
  const SlotMirror mirror = *SlotMirror::Create(5);
  EXPECT_EQ(mirror.slots(), 5u);
  EXPECT_EQ(mirror.size_bits(), 5u * 128);
  for (uint64_t i = 0; i < 5; ++i) EXPECT_EQ(mirror.at(i), KeyHash());
}

TEST(SlotMirror, MovesSwapsAndClears) {
  SlotMirror mirror = Filled(4);
  mirror.Swap(0, 3);
  EXPECT_EQ(mirror.at(0), HashOf(3));
  EXPECT_EQ(mirror.at(3), HashOf(0));
  mirror.Swap(1, 1);
  EXPECT_EQ(mirror.at(1), HashOf(1));
  mirror.Move(0, 2);
  EXPECT_EQ(mirror.at(2), HashOf(3));
  EXPECT_EQ(mirror.at(0), KeyHash());
  mirror.Clear(1);
  EXPECT_EQ(mirror.at(1), KeyHash());
}

TEST(SlotMirror, BytesAreLittleEndianLowWordFirst) {
  SlotMirror mirror = *SlotMirror::Create(1);
  mirror.Set(0, {0x0807060504030201, 0x1817161514131211});
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(mirror.bytes()[static_cast<size_t>(i)],
              static_cast<std::byte>(0x11 + i));
    EXPECT_EQ(mirror.bytes()[static_cast<size_t>(8 + i)],
              static_cast<std::byte>(0x01 + i));
  }
}

TEST(SlotMirror, ShiftsRangesLikeAVector) {
  std::mt19937_64 random(7);
  SlotMirror mirror = Filled(40);
  std::vector<KeyHash> model;
  for (uint64_t i = 0; i < 40; ++i) model.push_back(HashOf(i));
  for (int round = 0; round < 500; ++round) {
    const bool up = random() % 2 == 0;
    const uint64_t begin = random() % 39 + (up ? 0 : 1);
    const uint64_t limit = begin + random() % ((up ? 40 : 41) - begin);
    mirror.OnShift({begin, limit}, up ? 1 : -1);
    if (begin < limit) {
      const auto at = [&](uint64_t i) {
        return model.begin() + static_cast<int64_t>(i);
      };
      if (up) {
        std::move_backward(at(begin), at(limit), at(limit + 1));
        model[begin] = KeyHash();
      } else {
        std::move(at(begin), at(limit), at(begin - 1));
        model[limit - 1] = KeyHash();
      }
    }
    const uint64_t changed = random() % 40;
    model[changed] = HashOf(random());
    mirror.Set(changed, model[changed]);
    for (uint64_t i = 0; i < 40; ++i) ASSERT_EQ(mirror.at(i), model[i]);
  }
}

TEST(SlotMirror, GrowsAtItsEnd) {
  SlotMirror mirror = Filled(3);
  ASSERT_TRUE(mirror.OnGrow(5).ok());
  EXPECT_EQ(mirror.slots(), 5u);
  EXPECT_EQ(mirror.at(2), HashOf(2));
  EXPECT_EQ(mirror.at(4), KeyHash());
  SlotMirror empty;
  ASSERT_TRUE(empty.OnGrow(2).ok());
  EXPECT_EQ(empty.at(1), KeyHash());
}

TEST(SlotMirror, LoadsWhatItSaved) {
  const SlotMirror mirror = Filled(9);
  const auto loaded = SlotMirror::FromBytes(mirror.bytes(), 9);
  ASSERT_TRUE(loaded.ok());
  for (uint64_t i = 0; i < 9; ++i) EXPECT_EQ(loaded->at(i), HashOf(i));
  EXPECT_EQ(SlotMirror::FromBytes(mirror.bytes(), 8).status().code(),
            StatusCode::kCorrupt);
  EXPECT_EQ(SlotMirror::FromBytes(mirror.bytes().first(17), 1).status().code(),
            StatusCode::kCorrupt);
}

TEST(SlotMirror, RefusesTheImpossible) {
  EXPECT_EQ(SlotMirror::Create(~uint64_t{0}).status().code(),
            StatusCode::kOutOfMemory);
}

}  // namespace
}  // namespace tamis::internal
