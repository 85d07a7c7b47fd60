// What vanishes by itself leaves entries behind, ghosts: they deny nobody, and
// go when they are met.

#include <gtest/gtest.h>
#include <rocksdb/compaction_filter.h>

#include "store/tests/temp_store.h"

namespace tamis {
namespace {

constexpr int kKeys = 4000;

// Drops what has expired, as a TTL does: here, what has the value "old".  It
// must never see a pair of ours, which has none.
class DropOld : public rocksdb::CompactionFilter {
 public:
  bool Filter(int, const rocksdb::Slice&, const rocksdb::Slice& value,
              std::string*, bool*) const override {
    return value.empty() || value == rocksdb::Slice("old");
  }
  const char* Name() const override { return "drop old"; }
};

class Ghosts : public testing::TestWithParam<StoreLayout> {
 protected:
  StoreOptions Options() const {
    StoreOptions options;
    options.layout = GetParam();
    options.filter.fingerprint_bits = 8;
    options.rocksdb.compaction_filter = &drop_old_;
    return options;
  }
  static bool IsOld(int i) { return i % 4 == 0; }
  static std::string Key(int i) { return "key" + std::to_string(i); }

  void FillAndCompact(Store& store) {
    for (int i = 0; i < kKeys; ++i) {
      ExpectOk(store.Put(Key(i), IsOld(i) ? "old" : "new"));
    }
    ExpectOk(store.Rejuvenate());
    ExpectOk(store.Flush());
    rocksdb::DB* db = store.rocksdb();
    rocksdb::CompactRangeOptions all;
    all.bottommost_level_compaction =
        rocksdb::BottommostLevelCompaction::kForce;
    ASSERT_TRUE(
        db->CompactRange(all, store.default_family(), nullptr, nullptr).ok());
  }
  static void ExpectAnswers(Store& store) {
    for (int i = 0; i < kKeys; ++i) {
      ASSERT_EQ(Read(store, Key(i)).has_value(), !IsOld(i)) << i;
    }
  }

  DropOld drop_old_;
  TempDir dir_;
};
INSTANTIATE_TEST_SUITE_P(Store, Ghosts,
                         testing::Values(StoreLayout::kHashOrder,
                                         StoreLayout::kKeyOrder));

TEST_P(Ghosts, OfACompactionFilterGoWhenMet) {
  {
    const auto store = MustOpen(dir_ / "s", Options());
    FillAndCompact(*store);
    ExpectWhole(*store, kKeys * 3 / 4, kKeys / 4);
    ExpectAnswers(*store);
    const uint64_t removed = store->Stats().counters.ghosts_removed;
    EXPECT_GT(removed, uint64_t{kKeys} / 5)
        << "but for those that lie with a member";
    ExpectWhole(*store, kKeys * 3 / 4, kKeys / 4 - removed);
    // Learning from strangers, with ghosts among the members.
    for (int i = 0; i < 3000; ++i) {
      ASSERT_EQ(Read(*store, "stranger" + std::to_string(i)), std::nullopt);
    }
    ExpectAnswers(*store);
    // What comes again is there, and once.
    for (int i = 0; i < kKeys; i += 8) ExpectOk(store->Put(Key(i), "new"));
    for (int i = 0; i < kKeys; i += 8) ASSERT_EQ(Read(*store, Key(i)), "new");
    for (int i = 0; i < kKeys; i += 8) ExpectOk(store->Delete(Key(i)));
    ExpectAnswers(*store);
    const auto report = store->Check();
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    EXPECT_EQ(report->keys, uint64_t{kKeys} * 3 / 4);
  }
  {
    const auto store = MustOpen(dir_ / "s", Options());
    EXPECT_EQ(store->Stats().counters.rebuilds, 0u);
    ExpectAnswers(*store);
  }
  StoreOptions options = Options();
  options.rebuild = true;
  const auto store = MustOpen(dir_ / "s", options);
  ExpectWhole(*store, kKeys * 3 / 4);
}

// The pages have the ghosts, the journal nothing of their end: after a crash
// they are there again, and harmless.
TEST_P(Ghosts, ComeAgainAfterACrash) {
  const auto store = MustOpen(dir_ / "s", Options());
  FillAndCompact(*store);
  ExpectOk(store->SaveFilter());
  ExpectAnswers(*store);
  ExpectOk(store->Checkpoint(dir_ / "copy"));  // as a crash would leave it
  const auto copy = MustOpen(dir_ / "copy", Options());
  EXPECT_EQ(copy->Stats().counters.rebuilds, 0u);
  ExpectAnswers(*copy);
  const auto report = copy->Check();
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->keys, uint64_t{kKeys} * 3 / 4);
}

}  // namespace
}  // namespace tamis
