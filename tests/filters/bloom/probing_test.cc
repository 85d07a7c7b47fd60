// Files of Bloom filters from before positions were found as they are today.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "tamis/bloom.h"
#include "tamis/internal/filters/bloom/array_probe.h"
#include "tamis/serialize.h"
#include "tamis/spec.h"
#include "test_data.h"

namespace tamis {
namespace {

constexpr uint64_t kKeys = 60;  // 0 to 59, in every golden file
constexpr int kBits = 8;        // of a key

BloomFilter OldFilter() {
  return Load<BloomFilter>(std::string(TAMIS_TEST_DATA_DIR) +
                           "/version1/bloom_bits_12_k_8.tamis")
      .value();
}

// What the filter of the golden file holds, by itself.
class OldBits {
 public:
  explicit OldBits(const BloomFilter& filter) : set_(filter.SizeBits()) {
    for (uint64_t key = 0; key < kKeys; ++key) Add(filter.hasher().Hash(key));
  }
  void Add(KeyHash hash) {
    internal::SteppedProbe probe(hash);
    for (int i = 0; i < kBits; ++i) set_[probe.Next(set_.size())] = true;
  }
  bool MayContain(KeyHash hash) const {
    internal::SteppedProbe probe(hash);
    bool all = true;
    for (int i = 0; i < kBits; ++i) all &= set_[probe.Next(set_.size())];
    return all;
  }

 private:
  std::vector<bool> set_;
};

void ExpectSameAnswers(const BloomFilter& filter, const OldBits& old) {
  uint64_t positives = 0;
  for (uint64_t key = 0; key < 100'000; ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    ASSERT_EQ(filter.MayContain(hash), old.MayContain(hash)) << key;
    positives += filter.MayContain(hash);
  }
  EXPECT_GT(positives, kKeys) << "no false positive to compare";
}

TEST(BloomProbing, OldFilesAnswerAsTheyDid) {
  BloomFilter filter = OldFilter();
  OldBits old(filter);
  ExpectSameAnswers(filter, old);
  const KeyHash more = filter.hasher().Hash(123'456'789);
  ASSERT_TRUE(filter.Insert(more).ok());
  old.Add(more);
  ExpectSameAnswers(filter, old);
  ExpectSameAnswers(Deserialize<BloomFilter>(Serialize(filter).value()).value(),
                    old);
}

TEST(BloomProbing, OldAndNewAreNotMerged) {
  BloomFilter old = OldFilter();
  BloomFilter made =
      BloomFilter::Create(old.spec(), old.capacity(), old.hasher()).value();
  ASSERT_TRUE(made.Insert(made.hasher().Hash(uint64_t{7})).ok());
  EXPECT_EQ(made.Merge(old).code(), StatusCode::kIncompatible);
  EXPECT_EQ(old.Merge(made).code(), StatusCode::kIncompatible);
  EXPECT_EQ(old.size(), kKeys);
  EXPECT_EQ(made.size(), 1u);
  BloomFilter same = OldFilter();
  EXPECT_TRUE(same.Merge(old).ok());
}

}  // namespace
}  // namespace tamis
