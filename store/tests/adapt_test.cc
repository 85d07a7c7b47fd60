// The store learns: what was wrong once is not wrong again.

#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <thread>

#include "store/tests/temp_store.h"
#include "workloads/random.h"

namespace tamis {
namespace {

constexpr int kKeys = 20000;

StoreOptions SmallFilter() {
  StoreOptions options;
  options.hasher = Hasher(Seed{7, 7});
  options.filter.fingerprint_bits = 6;  // many mistakes
  return options;
}

std::string Member(int i) { return "member" + std::to_string(i); }
std::string Absent(int i) { return "absent" + std::to_string(i); }

void Fill(Store& store) {
  for (int i = 0; i < kKeys; ++i) ExpectOk(store.Put(Member(i), "v"));
}

void AskAbsent(Store& store, int count) {
  for (int i = 0; i < count; ++i)
    EXPECT_EQ(Read(store, Absent(i)), std::nullopt);
}

TEST(StoreAdapts, EachFalsePositiveIsFixedOnce) {
  const TempDir dir;
  {
    const auto store = MustOpen(dir / "s", SmallFilter());
    Fill(*store);
    ExpectOk(store->Rejuvenate());
    AskAbsent(*store, 3000);
    const StoreCounters first = store->Stats().counters;
    EXPECT_GT(first.false_positives, 10u);
    EXPECT_GE(first.fixes, first.false_positives - first.not_fixed -
                               first.stale - first.long_intervals);
    EXPECT_EQ(first.not_fixed, 0u);
    EXPECT_EQ(first.long_intervals, 0u);
    AskAbsent(*store, 3000);
    EXPECT_LT(store->Stats().counters.repeated_false_positives,
              first.false_positives / 5)
        << "but for what was forgotten";
    for (int i = 0; i < kKeys; ++i) ASSERT_EQ(Read(*store, Member(i)), "v");
    ExpectWhole(*store, kKeys);
  }
  // What was learnt survives a clean close.
  const auto store = MustOpen(dir / "s", SmallFilter());
  AskAbsent(*store, 3000);
  EXPECT_LT(store->Stats().counters.false_positives, 20u);
}

TEST(StoreAdapts, ThePolicyIsAnOption) {
  for (const uint32_t after : {0u, 1u, 3u}) {
    const TempDir dir;
    StoreOptions options = SmallFilter();
    options.adapt_after = after;
    const auto store = MustOpen(dir / "s", options);
    Fill(*store);
    ExpectOk(store->Rejuvenate());
    for (int round = 1; round <= 5; ++round) {
      const uint64_t before = store->Stats().counters.fixes;
      AskAbsent(*store, 200);
      const bool fixed = store->Stats().counters.fixes > before;
      EXPECT_EQ(fixed, after == static_cast<uint32_t>(round))
          << "after " << after << ", round " << round;
    }
  }
}

TEST(StoreAdapts, LongIntervalsAreLeftAloneAndMadeWhole) {
  const TempDir dir;
  StoreOptions options = SmallFilter();
  options.filter.fingerprint_bits = 4;
  options.max_collisions = 3;
  options.rejuvenate_rate = 0;  // not by itself
  const auto store = MustOpen(dir / "s", options);
  Fill(*store);  // from 1000 keys to 20000: the oldest entries are void
  AskAbsent(*store, 2000);
  const StoreCounters before = store->Stats().counters;
  EXPECT_GT(before.long_intervals, 0u);
  ExpectOk(store->Rejuvenate());
  EXPECT_EQ(store->Stats().counters.rejuvenated, uint64_t{kKeys});
  AskAbsent(*store, 4000);
  EXPECT_EQ(store->Stats().counters.long_intervals, before.long_intervals);
  ExpectWhole(*store, kKeys);
}

TEST(StoreAdapts, TheBackgroundMakesOldEntriesWhole) {
  const TempDir dir;
  StoreOptions options = SmallFilter();
  options.filter.fingerprint_bits = 4;
  options.max_collisions = 3;
  options.rejuvenate_rate = 1'000'000'000;
  const auto store = MustOpen(dir / "s", options);
  Fill(*store);
  // A false positive of an old entry asks for it; then it takes its time.
  for (int i = 0; store->Stats().counters.long_intervals == 0; ++i) {
    ASSERT_EQ(Read(*store, Absent(i)), std::nullopt);
  }
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(5);
  while (store->Stats().counters.rejuvenated < kKeys &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_GE(store->Stats().counters.rejuvenated, uint64_t{kKeys});
  ExpectWhole(*store, kKeys);
}

// Randomised against an exact set, with reopening and checks.
TEST(StoreAdapts, RandomOperationsAgreeWithASet) {
  for (const StoreLayout layout :
       {StoreLayout::kHashOrder, StoreLayout::kKeyOrder}) {
    const TempDir dir;
    StoreOptions options = SmallFilter();
    options.layout = layout;
    options.save_after = 500;
    auto store = MustOpen(dir / "s", options);
    std::set<std::string> model;
    workloads::Random random(3);
    for (int step = 0; step < 12000; ++step) {
      const std::string key = std::to_string(random.Below(3000));
      switch (random.Below(8)) {
        case 0:
        case 1:
          ExpectOk(store->Put(key, key));
          model.insert(key);
          break;
        case 2:
          ExpectOk(store->Delete(key));
          model.erase(key);
          break;
        case 3: {
          rocksdb::WriteBatch batch;
          for (int i = 0; i < 5; ++i) {
            const std::string one = std::to_string(random.Below(3000));
            if (random.Below(2) == 0) {
              ASSERT_TRUE(batch.Put(one, one).ok());
              model.insert(one);
            } else {
              ASSERT_TRUE(batch.Delete(one).ok());
              model.erase(one);
            }
          }
          ExpectOk(store->Write({}, &batch));
          break;
        }
        default:
          ASSERT_EQ(Read(*store, key).has_value(), model.contains(key)) << key;
      }
      if (step % 3000 == 2999) {
        ExpectWhole(*store, model.size());
        ExpectOk(store->Close());
        store = MustOpen(dir / "s", options);
        EXPECT_EQ(store->Stats().counters.rebuilds, 0u);
        ExpectWhole(*store, model.size());
      }
    }
  }
}

// Ten absent keys a member: the same bits, and room for what is learnt of them.
TEST(StoreAdapts, MadeToSizeRemembersAsManyMistakesAsWereForetold) {
  constexpr int kMembers = 10000;
  const auto in_last_round = [&](const SizedFilters& sized) {
    const TempDir dir;
    StoreOptions options;
    options.hasher = Hasher(Seed{1, 1});
    options.filter = sized.filter;
    SetFileFilters(sized.file_bits, &options.rocksdb);
    const auto store = MustOpen(dir / "s", options);
    for (int i = 0; i < kMembers; ++i)
      ExpectOk(store->Put(std::to_string(i), ""));
    ExpectOk(store->Flush());
    uint64_t before = 0;
    for (int round = 0; round < 3; ++round) {
      before = store->Stats().counters.false_positives;
      for (int i = 0; i < 10 * kMembers; ++i) {
        EXPECT_EQ(Read(*store, "absent" + std::to_string(i)), std::nullopt);
      }
    }
    return store->Stats().counters.false_positives - before;
  };
  const SizedFilters few = MadeToSize(kMembers, 12.6);
  const SizedFilters many = MadeToSize(kMembers, 12.6, 10);
  EXPECT_GT(many.filter.extension_bits, few.filter.extension_bits);
  EXPECT_LE(many.filter.extension_bits, 12.6 / 8);
  EXPECT_EQ(MadeToSize(kMembers, 12.6, 1e9).filter.extension_bits, 12.6 / 8);
  EXPECT_GT(in_last_round(few), 20u);
  EXPECT_LE(in_last_round(many), 2u);
}

}  // namespace
}  // namespace tamis
