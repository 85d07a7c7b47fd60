#include "tamis/rsqf.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "tamis/internal/filters/snapshot.h"

namespace tamis {
namespace {

const Hasher kHasher(Seed{42, 0});

Rsqf MakeFilter(uint64_t slots, int remainder_bits) {
  Result<Rsqf> filter =
      Rsqf::Create({.slots = slots, .remainder_bits = remainder_bits}, kHasher);
  EXPECT_TRUE(filter.ok()) << filter.status().ToString();
  return std::move(filter).value();
}

std::vector<KeyHash> Hashes(uint64_t first, uint64_t count) {
  std::vector<KeyHash> hashes;
  hashes.reserve(count);
  for (uint64_t i = 0; i < count; ++i)
    hashes.push_back(kHasher.Hash(first + i));
  return hashes;
}

void InsertAll(Rsqf& filter, std::span<const KeyHash> hashes) {
  for (const KeyHash hash : hashes) {
    const Status status = filter.Insert(hash);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }
}

bool SameBytes(const Rsqf& a, const Rsqf& b) {
  return std::ranges::equal(a.table().lines(), b.table().lines());
}

TEST(Rsqf, HoldsItsKeysUpToTheLastSlot) {
  for (const int r : {2, 3, 6, 8, 11, 16, 24, 56}) {
    for (const uint64_t slots : {1, 50, 1000, 4097}) {
      Rsqf filter = MakeFilter(slots, r);
      const std::vector<KeyHash> keys = Hashes(0, slots);
      InsertAll(filter, keys);
      for (const KeyHash key : keys) ASSERT_TRUE(filter.MayContain(key));
      EXPECT_EQ(filter.Insert(kHasher.Hash("more")).code(), StatusCode::kFull);
      EXPECT_EQ(filter.size(), slots);
    }
  }
}

// Look-ups have a path for each of many widths; Count reads slot by slot.
TEST(Rsqf, LookUpsOfEveryWidthAgreeWithCounts) {
  constexpr uint64_t kSlots = 3000;
  std::vector<KeyHash> queries = Hashes(uint64_t{1} << 40, 2 * kSlots);
  const std::vector<KeyHash> keys = Hashes(0, kSlots);
  queries.insert(queries.end(), keys.begin(), keys.end());
  const std::unique_ptr<bool[]> results(new bool[queries.size()]);
  for (int r = 2; r <= 56; ++r) {
    for (const double load : {0.6, 0.98, 1.0}) {
      Rsqf filter = MakeFilter(kSlots, r);
      InsertAll(filter,
                std::span(keys).first(static_cast<size_t>(load * kSlots)));
      filter.MayContain(queries, {results.get(), queries.size()});
      for (size_t i = 0; i < queries.size(); ++i) {
        const bool is_in = filter.Count(queries[i]) > 0;
        ASSERT_EQ(filter.MayContain(queries[i]), is_in) << r << ", " << i;
        ASSERT_EQ(results[i], is_in) << r << ", " << i;
      }
    }
  }
}

// Within 3 standard deviations of 1 - exp(-load 2^-r), the rate over 10^6
// absent keys; the deviation is that of the rate and of the keys' placement.
TEST(Rsqf, FalsePositiveRateIsTheFormulas) {
  constexpr uint64_t kQueries = 1'000'000;
  const std::vector<KeyHash> absent = Hashes(uint64_t{1} << 40, kQueries);
  const std::unique_ptr<bool[]> results(new bool[kQueries]);
  for (const int r : {4, 8, 12}) {
    for (const double load : {0.5, 0.95, 0.98}) {
      constexpr uint64_t kSlots = 200'000;
      Rsqf filter = MakeFilter(kSlots, r);
      InsertAll(filter, Hashes(0, static_cast<uint64_t>(load * kSlots)));
      filter.MayContain(absent, {results.get(), kQueries});
      const auto positives = static_cast<double>(
          std::count(results.get(), results.get() + kQueries, true));
      const double p = 1 - std::exp(-load * std::ldexp(1.0, -r));
      EXPECT_NEAR(filter.ExpectedFpr(), p, 1e-12);
      // The share of (home, remainder) pairs in use varies from seed to seed;
      // its variance is below p / (slots 2^r).
      const double variance =
          p * (1 - p) / kQueries + p / std::ldexp(kSlots, r);
      EXPECT_NEAR(positives / kQueries, p, 3 * std::sqrt(variance))
          << "r " << r << " load " << load;
    }
  }
}

TEST(Rsqf, BatchAnswersAsOneByOne) {
  for (const int r : {3, 8, 16, 21}) {
    Rsqf filter = MakeFilter(5000, r);
    InsertAll(filter, Hashes(0, 4900));
    const std::vector<KeyHash> queries = Hashes(2500, 5000);
    const std::unique_ptr<bool[]> results(new bool[queries.size()]);
    for (const size_t count : {0, 1, 63, 64, 65, 127, 128, 129, 200, 5000}) {
      filter.MayContain(std::span(queries).first(count),
                        {results.get(), count});
      for (size_t i = 0; i < count; ++i) {
        ASSERT_EQ(results[i], filter.MayContain(queries[i])) << i;
      }
    }
  }
}

// Every (home, remainder) there is: a look-up must say exactly what the run
// holds, no less and no more, wherever the run lies.
TEST(Rsqf, LookupsReadExactlyTheRunOfTheirHome) {
  constexpr int kHomeBits = 9;
  for (const int r : {3, 6, 7, 8, 9}) {
    Rsqf filter = MakeFilter(uint64_t{1} << kHomeBits, r);
    InsertAll(filter, Hashes(0, 500));
    std::vector<KeyHash> all;
    for (uint64_t i = 0; i < uint64_t{1} << (kHomeBits + r); ++i) {
      all.push_back({i << (64 - kHomeBits - r), 0});
    }
    const std::unique_ptr<bool[]> results(new bool[all.size()]);
    filter.MayContain(all, {results.get(), all.size()});
    for (size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(filter.MayContain(all[i]), filter.Count(all[i]) > 0) << i;
      ASSERT_EQ(results[i], filter.Count(all[i]) > 0) << i;
    }
  }
}

TEST(Rsqf, BulkLoadGivesTheBytesOfInserts) {
  for (const int r : {2, 8, 13, 56}) {
    const std::vector<KeyHash> keys = Hashes(0, 3000);
    Rsqf inserted = MakeFilter(3100, r);
    InsertAll(inserted, keys);
    Rsqf loaded = MakeFilter(3100, r);
    ASSERT_TRUE(loaded.BulkLoad(keys).ok());
    EXPECT_TRUE(SameBytes(inserted, loaded));
    // In two parts: the second merges with what is there.
    Rsqf halves = MakeFilter(3100, r);
    ASSERT_TRUE(halves.BulkLoad(std::span(keys).first(1200)).ok());
    ASSERT_TRUE(halves.BulkLoad(std::span(keys).subspan(1200)).ok());
    EXPECT_TRUE(SameBytes(inserted, halves));
    EXPECT_TRUE(halves.CheckInvariants().ok());
  }
}

TEST(Rsqf, BulkLoadTakesAllOrNothing) {
  Rsqf filter = MakeFilter(100, 8);
  InsertAll(filter, Hashes(0, 10));
  EXPECT_EQ(filter.BulkLoad(Hashes(10, 91)).code(), StatusCode::kFull);
  EXPECT_EQ(filter.size(), 10u);
  EXPECT_TRUE(filter.BulkLoad(Hashes(10, 90)).ok());
  EXPECT_EQ(filter.size(), 100u);
}

TEST(Rsqf, CountsAndErasesOneOccurrenceAtATime) {
  Rsqf filter = MakeFilter(1000, 20);
  const KeyHash key = kHasher.Hash("thrice");
  EXPECT_EQ(filter.Erase(key).code(), StatusCode::kNotFound);
  for (uint64_t i = 1; i <= 3; ++i) {
    ASSERT_TRUE(filter.Insert(key).ok());
    EXPECT_EQ(filter.Count(key), i);
  }
  for (uint64_t i = 3; i > 0; --i) {
    EXPECT_TRUE(filter.MayContain(key));
    ASSERT_TRUE(filter.Erase(key).ok());
    EXPECT_EQ(filter.Count(key), i - 1);
  }
  EXPECT_FALSE(filter.MayContain(key));
  EXPECT_EQ(filter.size(), 0u);
}

TEST(Rsqf, ManyCopiesOfOneKey) {
  // Their cluster runs far past the last home, and spills go past 255.
  Rsqf filter = MakeFilter(3000, 8);
  const KeyHash last = {~uint64_t{0}, ~uint64_t{0}};
  for (int i = 0; i < 2500; ++i) ASSERT_TRUE(filter.Insert(last).ok());
  InsertAll(filter, Hashes(0, 400));
  ASSERT_TRUE(filter.CheckInvariants().ok());
  EXPECT_EQ(filter.Count(last), 2500u);
  for (const KeyHash key : Hashes(0, 400)) ASSERT_TRUE(filter.MayContain(key));
  for (int i = 0; i < 2500; ++i) ASSERT_TRUE(filter.Erase(last).ok());
  ASSERT_TRUE(filter.CheckInvariants().ok());
  for (const KeyHash key : Hashes(0, 400)) ASSERT_TRUE(filter.MayContain(key));
}

TEST(Rsqf, MergeEqualsInsertingBoth) {
  const std::vector<KeyHash> keys = Hashes(0, 4000);
  Rsqf all = MakeFilter(5000, 8);
  InsertAll(all, keys);
  Rsqf left = MakeFilter(5000, 8);
  Rsqf right = MakeFilter(5000, 8);
  InsertAll(left, std::span(keys).first(1500));
  InsertAll(right, std::span(keys).subspan(1500));
  ASSERT_TRUE(left.Merge(right).ok());
  EXPECT_TRUE(SameBytes(left, all));
}

TEST(Rsqf, MergeOfSizesAPowerOfTwoApart) {
  const std::vector<KeyHash> keys = Hashes(0, 900);
  Rsqf all = MakeFilter(1000, 9);
  InsertAll(all, keys);
  for (const bool small_first : {true, false}) {
    Rsqf small = MakeFilter(1000, 9);
    Rsqf large = MakeFilter(8000, 9);
    InsertAll(small, std::span(keys).first(400));
    InsertAll(large, std::span(keys).subspan(400));
    Rsqf& target = small_first ? small : large;
    ASSERT_TRUE(target.Merge(small_first ? large : small).ok());
    EXPECT_EQ(target.capacity(), 1000u);
    EXPECT_TRUE(SameBytes(target, all));
  }
}

TEST(Rsqf, MergeSaysWhatDiffers) {
  Rsqf filter = MakeFilter(1000, 8);
  const auto message = [&](const Rsqf& other) {
    const Status status = filter.Merge(other);
    EXPECT_EQ(status.code(), StatusCode::kIncompatible);
    return std::string(status.message());
  };
  EXPECT_NE(message(MakeFilter(1000, 9)).find("r is 8 and 9"),
            std::string::npos);
  EXPECT_NE(message(MakeFilter(1500, 8)).find("power of two"),
            std::string::npos);
  const Rsqf other_seed =
      std::move(Rsqf::Create({.slots = 1000}, Hasher(Seed{7, 0}))).value();
  EXPECT_NE(message(other_seed).find("hashers differ"), std::string::npos);
}

TEST(Rsqf, MergeThatDoesNotFitIsFull) {
  Rsqf left = MakeFilter(100, 8);
  Rsqf right = MakeFilter(100, 8);
  InsertAll(left, Hashes(0, 60));
  InsertAll(right, Hashes(60, 60));
  EXPECT_EQ(left.Merge(right).code(), StatusCode::kFull);
  EXPECT_EQ(left.size(), 60u);
}

TEST(Rsqf, IteratesInTheOrderOfHashes) {
  std::vector<KeyHash> keys = Hashes(0, 500);
  Rsqf filter = MakeFilter(600, 10);
  InsertAll(filter, keys);
  std::sort(keys.begin(), keys.end());
  size_t i = 0;
  filter.ForEach([&](uint64_t home, uint64_t remainder) {
    const internal::Placed placed = internal::Place(keys[i++], 600);
    EXPECT_EQ(home, placed.home);
    EXPECT_EQ(remainder, internal::FirstBits(placed, 10));
  });
  EXPECT_EQ(i, keys.size());
}

// A file may say so with every checksum right; Erase would miss members.
TEST(Rsqf, RunsOutOfOrderAreNoticed) {
  Rsqf filter = MakeFilter(100, 8);
  InsertAll(filter, Hashes(0, 95));
  internal::QuotientTable table =
      *internal::QuotientTable::FromLines(100, 8, 95, filter.table().lines());
  internal::SlotRange run{0, 0};
  for (uint64_t home = 0; home < 100; ++home) {
    run = table.FindRun(home);
    if (run.size() > 1 && table.Get(run.begin) < table.Get(run.limit - 1)) {
      break;
    }
  }
  ASSERT_GT(run.size(), 1u);
  const uint64_t first = table.Get(run.begin);
  table.Set(run.begin, table.Get(run.limit - 1));
  table.Set(run.limit - 1, first);
  internal::Snapshot forged(filter.spec(), filter.hasher());
  forged.AddNumber("slots", 100);
  forged.AddNumber("size", 95);
  forged.AddArray("lines", table.lines());
  EXPECT_EQ(Rsqf::FromSnapshot(forged, {}).status().code(),
            StatusCode::kCorrupt);
  const Result<Rsqf> trusted =
      Rsqf::FromSnapshot(forged, {.check_invariants = false});
  ASSERT_TRUE(trusted.ok()) << trusted.status().ToString();
  EXPECT_EQ(trusted->CheckInvariants().code(), StatusCode::kCorrupt);
}

TEST(Rsqf, BitsPerSlotAreTheLines) {
  const Rsqf filter = MakeFilter(uint64_t{1} << 20, 8);
  const double bits = static_cast<double>(filter.SizeBits()) / (1 << 20);
  EXPECT_GE(bits, 10.24);
  EXPECT_LE(bits, 10.24 * 1.01);
}

// Inserts, erases and look-ups at random, at loads up to 0.98, against a
// multiset; a false negative fails at once.
void RunHistory(int r, uint64_t slots, double load, uint64_t steps) {
  Rsqf filter = MakeFilter(slots, r);
  std::unordered_map<uint64_t, int> members;
  std::vector<uint64_t> order;
  std::mt19937_64 random(static_cast<uint64_t>(r) * 1000 + slots);
  const auto wanted = static_cast<size_t>(load * static_cast<double>(slots));
  for (uint64_t step = 0; step < steps; ++step) {
    const uint64_t dice = random() % 4;
    if (order.size() < wanted && dice != 0) {
      const uint64_t key = random() % (2 * slots);
      ASSERT_TRUE(filter.Insert(kHasher.Hash(key)).ok());
      ++members[key];
      order.push_back(key);
    } else if (!order.empty() && dice == 0) {
      std::swap(order[random() % order.size()], order.back());
      ASSERT_TRUE(filter.Erase(kHasher.Hash(order.back())).ok());
      --members[order.back()];
      order.pop_back();
    } else if (!order.empty()) {
      const uint64_t key = order[random() % order.size()];
      ASSERT_TRUE(filter.MayContain(kHasher.Hash(key))) << "false negative";
    }
    if (step % 50'000 == 0) {
      ASSERT_TRUE(filter.CheckInvariants().ok());
    }
  }
  for (const auto& [key, count] : members) {
    ASSERT_GE(filter.Count(kHasher.Hash(key)), static_cast<uint64_t>(count));
  }
  ASSERT_EQ(filter.size(), order.size());
  ASSERT_TRUE(filter.CheckInvariants().ok());
}

TEST(Rsqf, NoFalseNegativeInRandomHistories) {
  for (int r = 2; r <= 56; ++r) {
    RunHistory(r, 1000 + static_cast<uint64_t>(r), 0.98, 12'000);
    if (HasFatalFailure()) return;
  }
}

// 10^8 operations over all widths; on demand, some minutes.
TEST(Rsqf, NoFalseNegativeInRandomHistoriesLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run this";
  }
  for (int r = 2; r <= 56; ++r) {
    for (const uint64_t slots : {300, 20'000, 400'000}) {
      RunHistory(r, slots, r % 2 == 0 ? 0.98 : 0.9, 610'000);
      if (HasFatalFailure()) return;
    }
  }
}

}  // namespace
}  // namespace tamis
