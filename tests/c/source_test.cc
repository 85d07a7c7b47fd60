// Learning through C: with a callback for a source, and with members that the
// caller brings.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "c/c_filter.h"

namespace tamis::testing {
namespace {

// A set sorted by hash, as a database has it.
struct Database {
  std::multiset<std::pair<uint64_t, uint64_t>> hashes;
  int reads = 0;
  int releases = 0;
  tamis_status status = TAMIS_OK;
  bool descending = false;
  bool outside = false;
};

tamis_status Members(void* context, tamis_hash low, tamis_hash high,
                     tamis_visit visit, void* visitor, tamis_error* error) {
  auto& database = *static_cast<Database*>(context);
  ++database.reads;
  if (database.status != TAMIS_OK) {
    tamis_error_set(error, database.status, "the disk is gone");
    return database.status;
  }
  if (database.outside) visit(visitor, {low.high - 1, 0});
  auto at = database.hashes.lower_bound({low.high, low.low});
  std::vector<tamis_hash> found;
  while (at != database.hashes.end() && *at <= std::pair(high.high, high.low)) {
    found.push_back({at->first, at->second});
    ++at;
  }
  // taf first asks whether the key itself is there, a range of one.
  if (database.descending && low.low != high.low) {
    visit(visitor, high);
    visit(visitor, low);
  }
  for (const tamis_hash hash : found) {
    if (visit(visitor, hash) == 0) break;
  }
  return TAMIS_OK;
}
void Release(void* context) { ++static_cast<Database*>(context)->releases; }

constexpr uint64_t kKeys = 5000;
constexpr uint64_t kAbsent = uint64_t{1} << 40;

void Fill(tamis_filter* filter, Database& database) {
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_EQ(tamis_insert_u64(filter, key, nullptr), TAMIS_OK);
    tamis_hash hash = {0, 0};
    ASSERT_EQ(tamis_hash_u64(filter, key, &hash, nullptr), TAMIS_OK);
    database.hashes.insert({hash.high, hash.low});
  }
}

OwnedFilter MakeOver(const char* spec, Database& database) {
  const tamis_source source = {&database, Members, Release};
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.spec = spec;
  options.keys = kKeys;
  options.source = &source;
  tamis_filter* filter = nullptr;
  const OwnedError error = NewError();
  EXPECT_EQ(tamis_create(&options, &filter, error.get()), TAMIS_OK)
      << tamis_error_text(error.get());
  return OwnedFilter(filter);
}

std::vector<uint64_t> FalsePositives(const tamis_filter* filter) {
  std::vector<uint64_t> found;
  for (uint64_t key = kAbsent; key < kAbsent + 20'000; ++key) {
    if (tamis_may_contain_u64(filter, key) == 1) found.push_back(key);
  }
  EXPECT_FALSE(found.empty());
  return found;
}

void ExpectMembers(const tamis_filter* filter) {
  for (uint64_t key = 0; key < kKeys; ++key) {
    ASSERT_EQ(tamis_may_contain_u64(filter, key), 1) << "false negative";
  }
  EXPECT_EQ(tamis_check(filter, nullptr), TAMIS_OK);
}

class CSource : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Specs, CSource,
                         ::testing::Values("taf:r=6", "exaf:r=6",
                                           "tamis:f=7,members=source"));

TEST_P(CSource, FalsePositivesAreFixed) {
  Database database;
  OwnedFilter filter = MakeOver(GetParam(), database);
  Fill(filter.get(), database);
  uint64_t fixed = 0;
  const std::vector<uint64_t> found = FalsePositives(filter.get());
  for (const uint64_t key : found) {
    tamis_outcome outcome = TAMIS_NOT_FIXED;
    ASSERT_EQ(tamis_report_u64(filter.get(), key, &outcome, nullptr), TAMIS_OK);
    if (outcome == TAMIS_FIXED || outcome == TAMIS_RESET) {
      EXPECT_EQ(tamis_may_contain_u64(filter.get(), key), 0);
      ++fixed;
    }
  }
  EXPECT_GT(fixed, found.size() / 2);
  EXPECT_GT(database.reads, 0);
  EXPECT_EQ(tamis_report_u64(filter.get(), 1, nullptr, nullptr),
            TAMIS_IS_MEMBER);
  ExpectMembers(filter.get());
}

TEST_P(CSource, WhatFailsChangesNothing) {
  Database database;
  const OwnedFilter filter = MakeOver(GetParam(), database);
  Fill(filter.get(), database);
  const uint64_t key = FalsePositives(filter.get()).front();
  const OwnedError error = NewError();
  database.status = TAMIS_IO;
  EXPECT_EQ(tamis_report_u64(filter.get(), key, nullptr, error.get()),
            TAMIS_IO);
  EXPECT_NE(std::string(tamis_error_text(error.get())).find("the disk is gone"),
            std::string::npos);
  database.status = static_cast<tamis_status>(13);  // no such status
  EXPECT_NE(tamis_report_u64(filter.get(), key, nullptr, nullptr), TAMIS_OK);
  database.status = TAMIS_OK;
  database.descending = true;
  EXPECT_EQ(tamis_report_u64(filter.get(), key, nullptr, error.get()),
            TAMIS_CORRUPT);
  database.descending = false;
  database.outside = true;
  EXPECT_EQ(tamis_report_u64(filter.get(), key, nullptr, error.get()),
            TAMIS_CORRUPT);
  EXPECT_EQ(tamis_may_contain_u64(filter.get(), key), 1);
  database.outside = false;
  ExpectMembers(filter.get());
}

TEST_P(CSource, IsReleasedWithTheLastFilter) {
  Database database;
  OwnedFilter filter = MakeOver(GetParam(), database);
  Fill(filter.get(), database);
  tamis_filter* copied = nullptr;
  ASSERT_EQ(tamis_copy(filter.get(), &copied, nullptr), TAMIS_OK);
  OwnedFilter copy(copied);
  filter.reset();
  EXPECT_EQ(database.releases, 0);
  ExpectMembers(copied);
  const uint64_t key = FalsePositives(copied).front();
  EXPECT_EQ(tamis_report_u64(copied, key, nullptr, nullptr), TAMIS_OK);
  EXPECT_EQ(tamis_clear(copied, nullptr), TAMIS_OK);
  copy.reset();
  EXPECT_EQ(database.releases, 1);
}

TEST(CSource, AFailedCallHasNotTakenIt) {
  Database database;
  const tamis_source source = {&database, Members, Release};
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.spec = "bloom:bits=8";  // takes none
  options.keys = 10;
  options.source = &source;
  tamis_filter* filter = nullptr;
  EXPECT_EQ(tamis_create(&options, &filter, nullptr), TAMIS_UNSUPPORTED);
  EXPECT_EQ(database.releases, 0);
}

TEST(CMembers, AreBroughtByTheCaller) {
  Database database;
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.keys = kKeys;
  options.fpr = 0.01;
  options.flags = TAMIS_ADAPTS | TAMIS_DELETES;
  tamis_filter* made = nullptr;
  const OwnedError error = NewError();
  ASSERT_EQ(tamis_create(&options, &made, error.get()), TAMIS_OK)
      << tamis_error_text(error.get());
  const OwnedFilter filter(made);
  Fill(made, database);
  EXPECT_EQ(tamis_report_u64(made, kAbsent, nullptr, nullptr),
            TAMIS_UNSUPPORTED);
  int fixed = 0;
  for (const uint64_t key : FalsePositives(made)) {
    tamis_hash absent = {0, 0}, low = {0, 0}, high = {0, 0};
    ASSERT_EQ(tamis_hash_u64(made, key, &absent, nullptr), TAMIS_OK);
    const uint64_t erases = tamis_num_erases(made, absent);
    const tamis_status claimed =
        tamis_collision_range(made, absent, &low, &high, nullptr);
    if (claimed == TAMIS_NOT_FOUND) continue;  // fixed with another one
    ASSERT_EQ(claimed, TAMIS_OK);
    std::vector<tamis_hash> members;
    for (auto at = database.hashes.lower_bound({low.high, low.low});
         at != database.hashes.end() && *at <= std::pair(high.high, high.low);
         ++at) {
      members.push_back({at->first, at->second});
    }
    const tamis_batch batch = {TAMIS_HASHES,
                               members.size(),
                               members.data(),
                               members.size() * sizeof(tamis_hash),
                               0,
                               nullptr};
    tamis_outcome outcome = TAMIS_NOT_FIXED;
    ASSERT_EQ(tamis_report_members(made, absent, &batch, erases, &outcome,
                                   error.get()),
              TAMIS_OK)
        << tamis_error_text(error.get());
    if (outcome == TAMIS_FIXED) ++fixed;
  }
  EXPECT_GT(fixed, 0);
  ExpectMembers(made);
  // Erased since: too old.
  const uint64_t key = kAbsent + 12345;
  tamis_hash absent = {0, 0};
  ASSERT_EQ(tamis_hash_u64(made, key, &absent, nullptr), TAMIS_OK);
  const uint64_t erases = tamis_num_erases(made, absent);
  ASSERT_EQ(tamis_erase_u64(made, 1, nullptr), TAMIS_OK);
  const tamis_batch none = tamis_u64s(nullptr, 0);
  EXPECT_EQ(tamis_report_members(made, absent, &none, erases, nullptr, nullptr),
            TAMIS_STALE);
}

}  // namespace
}  // namespace tamis::testing
