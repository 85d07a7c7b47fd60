// The filter inside a value, with and without a reserve, and shards over a
// cluster.

#include "redis/engine.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "redis/shape.h"
#include "redis/shards.h"
#include "redis/stub_fixture.h"

namespace tamis::redis {
namespace {

class EngineTest : public StubFixture {
 protected:
  static Engine Make(uint64_t capacity) {
    const Plan plan = PlanOf(Family::kBloom, capacity);
    const Shape shape = ShapeFor(plan);
    auto engine = Engine::Create(shape.spec, shape.slots, Hasher(Seed{1, 1}),
                                 ReserveFor(plan));
    EXPECT_TRUE(engine.ok()) << engine.status().ToString();
    return *std::move(engine);
  }
  // Adds items until there are `count`.
  static void Fill(Engine& engine, uint64_t from, uint64_t count) {
    for (uint64_t i = from; i < count; ++i) {
      ASSERT_TRUE(engine.Insert(HashOf(engine, i)).ok());
    }
  }
  static void ExpectItems(const Engine& engine, uint64_t count) {
    EXPECT_EQ(engine.size(), count);
    EXPECT_GE(engine.capacity(), count);
    ExpectAll(engine, count);
  }
  static double RateOf(const Engine& engine) {
    constexpr uint64_t kAsked = 100000;
    uint64_t found = 0;
    for (uint64_t i = 0; i < kAsked; ++i) {
      found += static_cast<uint64_t>(
          engine.MayContain(HashOf(engine, (uint64_t{1} << 40) + i)));
    }
    return static_cast<double>(found) / kAsked;
  }
};

// From nothing, from a reserve of one table, and from one of several: each
// place hands its table over when it is full.
TEST_F(EngineTest, HasAllItemsWhateverWasReserved) {
  for (const uint64_t capacity : {100, 5000, 100000}) {
    Engine engine = Make(capacity);
    EXPECT_EQ(engine.size(), 0u);
    EXPECT_EQ(engine.ExpectedFpr(), 0);
    const uint64_t count = 3 * capacity + 1000;
    uint64_t done = 0;
    for (const uint64_t next :
         {capacity / 2, capacity, capacity + capacity / 20, count}) {
      Fill(engine, done, next);
      done = next;
      ExpectItems(engine, done);
      // As a file would have it.
      auto loaded = Engine::FromSnapshot(engine.ToSnapshot(), {});
      ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
      ExpectItems(*loaded, done);
      EXPECT_LE(engine.ExpectedFpr(), 0.01);
      const double rate = RateOf(engine);
      EXPECT_NEAR(rate, engine.ExpectedFpr(), 0.0012) << capacity;
    }
  }
}

TEST_F(EngineTest, AReserveOfNoTablesHasNothing) {
  const ReservedTables none;
  const KeyHash hash = Hasher(Seed{1, 1}).Hash("x");
  EXPECT_FALSE(none.Has(hash));
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.size() + none.capacity() + none.SizeBits(), 0u);
  EXPECT_EQ(none.ExpectedFpr(), 0);
  EXPECT_TRUE(none.CheckInvariants().ok());
}

TEST(ShardOf, IsTheClustersChecksum) {
  // The check value of CRC-16/XMODEM, and the slot that every client knows.
  EXPECT_EQ(Crc16("123456789"), 0x31c3);
  EXPECT_EQ(Crc16("foo") % 16384, 12182);
  EXPECT_EQ(Crc16(""), 0);
}

TEST(ShardOf, SpreadsEvenlyAndKeepsOrder) {
  for (const uint64_t shards : {1, 3, 64, 16384}) {
    std::vector<uint64_t> counts(shards);
    for (uint64_t i = 0; i < 64 * shards; ++i) {
      const std::string item = std::to_string(i);
      const uint64_t shard = ShardOf(item, shards);
      ASSERT_LT(shard, shards);
      // shard / shards <= crc / 2^16 < (shard + 1) / shards
      ASSERT_LE(shard << 16, Crc16(item) * shards);
      ASSERT_GT((shard + 1) << 16, Crc16(item) * shards);
      ++counts[shard];
    }
    for (const uint64_t count : counts) EXPECT_GT(count, 20u) << shards;
  }
}

}  // namespace
}  // namespace tamis::redis
