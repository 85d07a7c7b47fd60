// Keys through C: the test vectors that all languages share, and batches, whose
// layouts are all the same keys.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "c/c_filter.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

std::string FromHex(const std::string& hex) {
  std::string bytes;
  for (size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  }
  return bytes;
}
uint64_t Number(const std::string& hex) {
  return std::stoull(hex, nullptr, 16);
}

OwnedFilter MakeSeeded(uint32_t algorithm, tamis_seed seed) {
  tamis_options options = TAMIS_OPTIONS_INIT;
  options.spec = "rsqf:r=16";
  options.keys = 1000;
  options.flags = TAMIS_FIXED_SEED;
  options.algorithm = algorithm;
  options.seed = seed;
  return Make(options);
}

// One line of tests/vectors/keys.tsv.
struct Vector {
  std::string algorithm, seed_low, seed_high, form, key, bytes, hash;
};
std::vector<Vector> ReadVectors() {
  std::ifstream file(TAMIS_TEST_DATA_DIR "/../vectors/keys.tsv");
  std::vector<Vector> vectors;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream fields(line);
    Vector one;
    for (std::string* field : {&one.algorithm, &one.seed_low, &one.seed_high,
                               &one.form, &one.key, &one.bytes, &one.hash}) {
      std::getline(fields, *field, '\t');
    }
    vectors.push_back(one);
  }
  return vectors;
}

TEST(CKeys, AreThoseOfAllLanguages) {
  const std::vector<Vector> vectors = ReadVectors();
  ASSERT_GT(vectors.size(), 100u);
  for (const Vector& one : vectors) {
    const OwnedFilter filter =
        MakeSeeded(one.algorithm == "xxh3" ? TAMIS_XXH3 : TAMIS_SIPHASH,
                   {Number(one.seed_low), Number(one.seed_high)});
    const std::string bytes = FromHex(one.bytes);
    tamis_hash hash = {0, 0};
    ASSERT_EQ(tamis_hash_key(filter.get(), bytes.data(), bytes.size(), &hash,
                             nullptr),
              TAMIS_OK);
    EXPECT_EQ(hash.high, Number(one.hash.substr(0, 16))) << one.key;
    EXPECT_EQ(hash.low, Number(one.hash.substr(16))) << one.key;
    if (one.form != "u64") continue;
    tamis_hash of_integer = {0, 0};
    ASSERT_EQ(tamis_hash_u64(filter.get(), std::stoull(one.key), &of_integer,
                             nullptr),
              TAMIS_OK);
    EXPECT_EQ(of_integer.high, hash.high);
    EXPECT_EQ(of_integer.low, hash.low);
  }
}

TEST(CKeys, EveryLayoutIsTheSameKeys) {
  const std::array<std::string, 3> texts = {"ab", "c", "def"};
  const char records[] = "ab\0c\0\0def";  // 3 bytes each
  const char together[] = "abcdef";
  const std::array<int32_t, 4> offsets32 = {0, 2, 3, 6};
  const std::array<int64_t, 4> offsets64 = {0, 2, 3, 6};
  std::vector<tamis_key> keys;
  for (const std::string& text : texts) {
    keys.push_back({text.data(), text.size()});
  }
  const std::vector<tamis_batch> batches = {
      tamis_keys(keys.data(), keys.size()),
      {TAMIS_PADDED, 3, records, 9, 3, nullptr},
      {TAMIS_OFFSETS32, 3, together, 6, 0, offsets32.data()},
      {TAMIS_OFFSETS64, 3, together, 6, 0, offsets64.data()}};
  for (const tamis_batch& inserted : batches) {
    const OwnedFilter filter = MakeSeeded(TAMIS_XXH3, {1, 2});
    size_t done = 0;
    ASSERT_EQ(tamis_insert_batch(filter.get(), &inserted, &done, nullptr),
              TAMIS_OK);
    EXPECT_EQ(done, 3u);
    for (const std::string& text : texts) {
      EXPECT_EQ(tamis_may_contain(filter.get(), text.data(), text.size()), 1);
    }
    for (const tamis_batch& asked : batches) {
      std::array<uint8_t, 3> answers = {0, 0, 0};
      ASSERT_EQ(tamis_may_contain_batch(filter.get(), &asked, answers.data(),
                                        nullptr),
                TAMIS_OK);
      EXPECT_EQ(answers, (std::array<uint8_t, 3>{1, 1, 1}));
    }
    // Records keep their zeros: other keys.
    const tamis_batch whole = {TAMIS_RECORDS, 3, records, 9, 3, nullptr};
    std::array<uint8_t, 3> answers = {0, 0, 0};
    ASSERT_EQ(
        tamis_may_contain_batch(filter.get(), &whole, answers.data(), nullptr),
        TAMIS_OK);
    EXPECT_EQ(answers, (std::array<uint8_t, 3>{0, 0, 1}));
  }
}

TEST(CKeys, AFullFilterSaysHowManyItTook) {
  const OwnedError error = NewError();
  tamis_filter* made = nullptr;
  ASSERT_EQ(tamis_create_spec("rsqf:r=8", 1000, &made, error.get()), TAMIS_OK);
  const OwnedFilter filter(made);
  std::vector<uint64_t> keys(100'000);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  const tamis_batch batch = tamis_u64s(keys.data(), keys.size());
  size_t done = 0;
  ASSERT_EQ(tamis_insert_batch(made, &batch, &done, error.get()), TAMIS_FULL);
  tamis_stats stats = TAMIS_STATS_INIT;
  ASSERT_EQ(tamis_get_stats(made, &stats, nullptr), TAMIS_OK);
  EXPECT_EQ(done, stats.size);
  EXPECT_GE(done, 1000u);
  for (size_t i = 0; i < done; ++i) {
    ASSERT_EQ(tamis_may_contain_u64(made, i), 1) << i;
  }
}

TEST(CKeys, AKeyOfTwoGigabytesLong) {
  if (std::getenv("TAMIS_LONG_TESTS") == nullptr) {
    GTEST_SKIP() << "set TAMIS_LONG_TESTS to run it";
  }
  const std::string key((size_t{1} << 31) + 1, 'k');
  for (const uint32_t algorithm : {TAMIS_XXH3, TAMIS_SIPHASH}) {
    const OwnedFilter filter = MakeSeeded(algorithm, {1, 2});
    ASSERT_EQ(tamis_insert(filter.get(), key.data(), key.size(), nullptr),
              TAMIS_OK);
    EXPECT_EQ(tamis_may_contain(filter.get(), key.data(), key.size()), 1);
    EXPECT_EQ(tamis_may_contain(filter.get(), key.data(), key.size() - 1), 0);
  }
}

}  // namespace
}  // namespace tamis::testing
