// Random sequences of all operations on every filter, through C.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "c/c_filter.h"
#include "conformance/conformance.h"
#include "model/checked.h"
#include "model/random_operations.h"

namespace tamis::testing {
namespace {

class CRandom : public ::testing::TestWithParam<ConformanceCase> {
 protected:
  static Result<CFilter> Make(uint64_t seed, uint64_t keys) {
    return CFilter::Create(Spec::Parse(GetParam().spec).value(), keys,
                           Hasher(Seed{seed, ~seed}));
  }
  static void Run(uint64_t seed, uint64_t keys, uint64_t steps) {
    Result<CFilter> filter = Make(seed, keys);
    ASSERT_TRUE(filter.ok()) << filter.status().ToString();
    const RandomOptions options = {
        .phase = 2 * keys, .universe = 2 * keys, .max_capacity = 8 * keys};
    RandomOperations<CFilter> operations(
        Checked<CFilter>(std::move(filter).value()),
        {.make_empty = [=] { return Make(seed, keys); },
         .reload = [](const CFilter& old) { return old.Reload(); }},
        options);
    const Status status = operations.Run(SeededChoices(seed), steps);
    ASSERT_TRUE(status.ok())
        << "seed " << seed << ", " << keys << " keys: " << status.ToString();
    EXPECT_GT(operations.done(Operation::kInsert), 0u);
  }
};

std::vector<ConformanceCase> InTheRegistry() {
  std::vector<ConformanceCase> cases = AllSpecs();
  std::erase_if(cases,
                [](const auto& one) { return one.kind != &kRegistered; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllFilters, CRandom,
                         ::testing::ValuesIn(InTheRegistry()), CaseName);

TEST_P(CRandom, CheckedAtEveryStep) { Run(1, 60, 600); }

TEST_P(CRandom, LargerAndLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  Run(2, 500, 20'000);
  Run(3, 20'000, 250'000);
}

// Keys as C has them, one by one and by batches, against an exact multiset.
class Keys {
 public:
  explicit Keys(uint64_t seed) : random_(seed) {}

  void Run(tamis_filter* filter, uint64_t operations) {
    const OwnedError error = NewError();
    while (done_ < operations && !::testing::Test::HasFailure()) {
      switch (random_() % 8) {
        case 0:
        case 1:
          InsertBatch(filter, error.get());
          break;
        case 2:
          EraseBatch(filter, error.get());
          break;
        case 3:
          Singles(filter, error.get());
          break;
        default:
          AskBatch(filter, error.get());
      }
    }
    EXPECT_EQ(tamis_check(filter, error.get()), TAMIS_OK)
        << tamis_error_text(error.get());
  }
  uint64_t done() const { return done_; }

 private:
  static constexpr size_t kBatch = 1000;
  static constexpr uint64_t kUniverse = 60'000;
  static constexpr uint64_t kMost = 50'000;

  std::vector<uint64_t> Draw(size_t count) {
    std::vector<uint64_t> keys(count);
    for (uint64_t& key : keys) key = random_() % kUniverse;
    done_ += count;
    return keys;
  }
  void InsertBatch(tamis_filter* filter, tamis_error* error) {
    if (size_ + kBatch > kMost) return EraseBatch(filter, error);
    const std::vector<uint64_t> keys = Draw(kBatch);
    const tamis_batch batch = tamis_u64s(keys.data(), keys.size());
    size_t inserted = 0;
    ASSERT_EQ(tamis_insert_batch(filter, &batch, &inserted, error), TAMIS_OK)
        << tamis_error_text(error);
    ASSERT_EQ(inserted, keys.size());
    for (const uint64_t key : keys) Add(key);
  }
  void EraseBatch(tamis_filter* filter, tamis_error* error) {
    std::vector<uint64_t> members;
    for (const uint64_t key : Draw(kBatch)) {
      if (counts_[key] > 0) members.push_back(key), --counts_[key], --size_;
    }
    const tamis_batch batch = tamis_u64s(members.data(), members.size());
    size_t erased = 0;
    ASSERT_EQ(tamis_erase_batch(filter, &batch, &erased, error), TAMIS_OK)
        << tamis_error_text(error);
    ASSERT_EQ(erased, members.size());
  }
  void AskBatch(tamis_filter* filter, tamis_error* error) {
    const std::vector<uint64_t> keys = Draw(kBatch);
    std::vector<uint8_t> answers(keys.size());
    const tamis_batch batch = tamis_u64s(keys.data(), keys.size());
    ASSERT_EQ(tamis_may_contain_batch(filter, &batch, answers.data(), error),
              TAMIS_OK);
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_TRUE(answers[i] == 1 || counts_[keys[i]] == 0)
          << "false negative " << keys[i] << " after " << done_;
      if (answers[i] == 1 && counts_[keys[i]] == 0) Report(filter, keys[i]);
    }
  }
  void Report(tamis_filter* filter, uint64_t key) {
    if ((tamis_get_capabilities(filter) & TAMIS_CAN_ADAPT) == 0) return;
    ASSERT_EQ(tamis_report_u64(filter, key, nullptr, nullptr), TAMIS_OK);
    ++done_;
  }
  void Singles(tamis_filter* filter, tamis_error* error) {
    for (const uint64_t key : Draw(100)) {
      const int answer = tamis_may_contain_u64(filter, key);
      // An integer is its bytes.
      ASSERT_EQ(tamis_may_contain(filter, &key, sizeof(key)), answer);
      ASSERT_TRUE(answer == 1 || counts_[key] == 0) << "false negative " << key;
      if (counts_[key] > 0) {
        ASSERT_EQ(tamis_erase(filter, &key, sizeof(key), error), TAMIS_OK);
        --counts_[key], --size_;
      } else if (size_ < kMost) {
        ASSERT_EQ(tamis_insert_u64(filter, key, error), TAMIS_OK)
            << tamis_error_text(error);
        Add(key);
      }
    }
  }
  void Add(uint64_t key) { ++counts_[key], ++size_; }

  std::mt19937_64 random_;
  std::vector<uint32_t> counts_ = std::vector<uint32_t>(kUniverse);
  uint64_t size_ = 0;
  uint64_t done_ = 0;
};

void RunKeys(const char* spec, uint64_t operations) {
  SCOPED_TRACE(spec);
  const OwnedError error = NewError();
  tamis_filter* made = nullptr;
  ASSERT_EQ(tamis_create_spec(spec, 50'000, &made, error.get()), TAMIS_OK)
      << tamis_error_text(error.get());
  const OwnedFilter filter(made);
  Keys keys(7);
  keys.Run(made, operations);
  EXPECT_GE(keys.done(), operations);
}

constexpr const char* kSpecs[] = {"rsqf:r=8", "taf:r=6",
                                  "tamis:f=8,members=mirror"};

TEST(CKeys, NoFalseNegative) {
  for (const char* spec : kSpecs) RunKeys(spec, 100'000);
}

TEST(CKeys, TenMillionOperationsLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  for (const char* spec : kSpecs) RunKeys(spec, 10'000'000);
}

}  // namespace
}  // namespace tamis::testing
