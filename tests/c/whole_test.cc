// Whole filters through C: created, copied, cleared, merged, saved, described.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "c/c_filter.h"
#include "tamis/tamis.h"

namespace tamis::testing {
namespace {

OwnedFilter MakeSeeded(const char* spec) {
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.spec = spec;
  options.keys = 10'000;
  options.flags = TAMIS_FIXED_SEED;
  options.seed = {7, 8};
  return Make(options);
}
void Insert(tamis_filter* filter, uint64_t first, uint64_t count) {
  for (uint64_t key = first; key < first + count; ++key) {
    ASSERT_EQ(tamis_insert_u64(filter, key, nullptr), TAMIS_OK);
  }
}
uint64_t Found(const tamis_filter* filter, uint64_t first, uint64_t count) {
  uint64_t found = 0;
  for (uint64_t key = first; key < first + count; ++key) {
    found += tamis_may_contain_u64(filter, key) == 1;
  }
  return found;
}
tamis_stats StatsOf(const tamis_filter* filter) {
  tamis_stats stats = TAMIS_STATS_INIT;
  EXPECT_EQ(tamis_get_stats(filter, &stats, nullptr), TAMIS_OK);
  return stats;
}

TEST(CWhole, MadeByRateAndByBits) {
  tamis_filter* made = nullptr;
  ASSERT_EQ(tamis_create_fpr(10'000, 0.001, &made, nullptr), TAMIS_OK);
  const OwnedFilter by_rate(made);
  Insert(made, 0, 10'000);
  EXPECT_EQ(Found(made, 0, 10'000), 10'000u);
  EXPECT_LT(Found(made, 1'000'000, 100'000), 300u);
  ASSERT_EQ(tamis_create_bits(10'000, 12, &made, nullptr), TAMIS_OK);
  const OwnedFilter by_bits(made);
  Insert(made, 0, 10'000);
  EXPECT_EQ(Found(made, 0, 10'000), 10'000u);
  EXPECT_LE(static_cast<double>(StatsOf(made).size_bits), 12.2 * 10'000);
}

TEST(CWhole, CopiesAndCleared) {
  for (const char* spec : {"rsqf:r=12", "tamis:f=12", "blocked:bits=12"}) {
    SCOPED_TRACE(spec);
    const OwnedFilter filter = MakeSeeded(spec);
    Insert(filter.get(), 0, 5000);
    tamis_filter* copied = nullptr;
    ASSERT_EQ(tamis_copy(filter.get(), &copied, nullptr), TAMIS_OK);
    const OwnedFilter copy(copied);
    ASSERT_EQ(tamis_clear(filter.get(), nullptr), TAMIS_OK);
    EXPECT_EQ(StatsOf(filter.get()).size, 0u);
    EXPECT_EQ(Found(filter.get(), 0, 5000), 0u);
    EXPECT_EQ(StatsOf(copied).size, 5000u);
    EXPECT_EQ(Found(copied, 0, 5000), 5000u);
    // Made alike, so they can be merged.
    Insert(filter.get(), 5000, 2000);
    const OwnedError error = NewError();
    ASSERT_EQ(tamis_merge(filter.get(), copied, error.get()), TAMIS_OK)
        << tamis_error_text(error.get());
    EXPECT_EQ(Found(filter.get(), 0, 7000), 7000u);
    EXPECT_EQ(tamis_merge(copied, copied, error.get()), TAMIS_INVALID_ARGUMENT);
  }
}

TEST(CWhole, AnotherSeedIsIncompatible) {
  const OwnedFilter one = MakeSeeded("rsqf:r=8");
  tamis_filter* made = nullptr;
  ASSERT_EQ(tamis_create_spec("rsqf:r=8", 10'000, &made, nullptr), TAMIS_OK);
  const OwnedFilter other(made);
  const OwnedError error = NewError();
  EXPECT_EQ(tamis_merge(one.get(), made, error.get()), TAMIS_INCOMPATIBLE);
  EXPECT_STRNE(tamis_error_text(error.get()), "");
}

TEST(CWhole, FilesAreThoseOfCpp) {
  const std::string path = ::testing::TempDir() + "/c_whole.tamis";
  const OwnedFilter filter = MakeSeeded("taf:r=8");
  Insert(filter.get(), 0, 5000);
  ASSERT_EQ(tamis_save(filter.get(), path.c_str(), nullptr), TAMIS_OK);
  const Result<Filter> loaded = Filter::Load(path);
  ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
  for (uint64_t key = 0; key < 5000; ++key) {
    ASSERT_TRUE(loaded->MayContain(key));
  }
  ASSERT_TRUE(loaded->Save(path).ok());
  tamis_filter* again = nullptr;
  ASSERT_EQ(tamis_load(path.c_str(), nullptr, &again, nullptr), TAMIS_OK);
  const OwnedFilter owned(again);
  EXPECT_EQ(Found(again, 0, 5000), 5000u);
  EXPECT_EQ(tamis_clear(again, nullptr), TAMIS_OK);
  Insert(again, 0, 5000);
  EXPECT_EQ(Found(again, 0, 5000), 5000u);
  std::filesystem::remove(path);
}

TEST(CWhole, Describes) {
  const OwnedFilter filter = MakeSeeded("tamis:f=10,members=mirror");
  Insert(filter.get(), 0, 3000);
  std::string spec(tamis_get_spec(filter.get(), nullptr, 0), ' ');
  tamis_get_spec(filter.get(), spec.data(), spec.size() + 1);
  EXPECT_TRUE(spec.starts_with("tamis:f=10")) << spec;
  const uint32_t can = tamis_get_capabilities(filter.get());
  EXPECT_EQ(can & (TAMIS_CAN_ERASE | TAMIS_CAN_ADAPT | TAMIS_CAN_EXPAND),
            TAMIS_CAN_ERASE | TAMIS_CAN_ADAPT | TAMIS_CAN_EXPAND);
  EXPECT_EQ(tamis_get_seed(filter.get()).low, 7u);
  EXPECT_EQ(tamis_get_algorithm(filter.get()), TAMIS_XXH3);
  const tamis_stats stats = StatsOf(filter.get());
  EXPECT_EQ(stats.size, 3000u);
  EXPECT_GE(stats.capacity, 3000u);
  EXPECT_GT(stats.size_bits, 0u);
  EXPECT_GT(stats.expected_fpr, 0);
  std::vector<std::string> names;
  const auto each = [](void* context, const char* name, double) {
    static_cast<std::vector<std::string>*>(context)->push_back(name);
  };
  ASSERT_EQ(tamis_get_details(filter.get(), each, &names, nullptr), TAMIS_OK);
  EXPECT_FALSE(names.empty());
  const uint64_t capacity = stats.capacity;
  ASSERT_EQ(tamis_expand(filter.get(), nullptr), TAMIS_OK);
  EXPECT_GT(StatsOf(filter.get()).capacity, capacity);
  EXPECT_EQ(Found(filter.get(), 0, 3000), 3000u);
  EXPECT_STRNE(tamis_version(), "");
}

}  // namespace
}  // namespace tamis::testing
