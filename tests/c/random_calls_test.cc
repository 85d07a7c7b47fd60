// Random calls of tamis/c.h, most of them wrong in some way: what matters is
// that each comes back, with a status that exists, and leaves a sound filter.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "c/c_filter.h"

namespace tamis::testing {
namespace {

class RandomCaller {
 public:
  explicit RandomCaller(uint64_t seed) : random_(seed) {
    for (uint64_t& word : memory_) word = random_();
  }

  // A size: small, huge, or at the edge of overflow.
  size_t Size() {
    constexpr size_t kMost = std::numeric_limits<size_t>::max();
    const std::array<size_t, 8> sizes = {
        0, 1, 3, random_() % 64, 64, kMost, kMost / 8 + 2, kMost / 2 + 1};
    return sizes[random_() % sizes.size()];
  }
  // Memory of ours that holds 512 bytes at the least, not always aligned, or
  // none.
  const void* Memory() {
    const auto* bytes = reinterpret_cast<const char*>(memory_.data());
    return random_() % 8 == 0 ? nullptr : bytes + random_() % 24;
  }
  // Says no more than 512 bytes of data, for C must believe that number.
  tamis_batch Batch() {
    tamis_batch batch = {static_cast<uint32_t>(random_() % 10),
                         Size(),
                         nullptr,
                         random_() % 513,
                         random_() % 20,
                         nullptr};
    batch.data = Memory();
    if (batch.layout == TAMIS_KEYS) FillKeys(batch);
    if (batch.layout == TAMIS_OFFSETS32 || batch.layout == TAMIS_OFFSETS64) {
      FillOffsets(batch);
    }
    return batch;
  }
  tamis_hash Hash() { return {random_(), random_()}; }
  uint64_t operator()() { return random_(); }

 private:
  // Pointers can't be checked: lengths and NULLs can.
  void FillKeys(tamis_batch& batch) {
    for (tamis_key& key : keys_) {
      key = {Memory(), random_() % 9 == 0 ? ~size_t{0} : random_() % 400};
    }
    batch.data = random_() % 5 == 0 ? nullptr : keys_.data();
    batch.data_bytes = sizeof(keys_);
  }
  // Nor can the number of offsets.
  void FillOffsets(tamis_batch& batch) {
    batch.count %= 16;
    int64_t offset = 0;
    for (size_t i = 0; i < offsets64_.size(); ++i) {
      offset += static_cast<int64_t>(random_() % 40);
      if (random_() % 200 == 0) offset = static_cast<int64_t>(random_());
      offsets64_[i] = offset;
      offsets32_[i] = static_cast<int32_t>(offset);
    }
    if (random_() % 8 == 0) return;
    batch.offsets = batch.layout == TAMIS_OFFSETS32
                        ? static_cast<const void*>(offsets32_.data())
                        : static_cast<const void*>(offsets64_.data());
  }

  std::mt19937_64 random_;
  std::array<uint64_t, 128> memory_;
  std::array<tamis_key, 16> keys_;
  std::array<int32_t, 20> offsets32_;
  std::array<int64_t, 20> offsets64_;
};

uint64_t Capacity(const tamis_filter* filter) {
  tamis_stats stats = TAMIS_STATS_INIT;
  tamis_get_stats(filter, &stats, nullptr);
  return stats.capacity;
}

tamis_status CallOne(RandomCaller& random, tamis_filter* filter,
                     tamis_error* error) {
  const tamis_batch batch = random.Batch();
  // As many as a batch that is accepted can have.
  std::vector<uint8_t> results(1024);
  const size_t size = random() % 300;
  const void* key = random.Memory();
  size_t done = 0;
  tamis_outcome outcome = TAMIS_FIXED;
  tamis_hash low = random.Hash();
  tamis_hash high = random.Hash();
  switch (random() % 12) {
    case 0:
      return tamis_insert(filter, key, size, error);
    case 1:
      return tamis_erase(filter, key, size, error);
    case 2:
      return tamis_report(filter, key, size, &outcome, error);
    case 3:
    case 4:
      return tamis_insert_batch(filter, &batch, &done, error);
    case 5:
    case 6:
      return tamis_may_contain_batch(filter, &batch, results.data(), error);
    case 7:
      return tamis_report_batch(filter, &batch, results.data(), error);
    case 8:
      return tamis_collision_range(filter, random.Hash(), &low, &high, error);
    case 9:
      return tamis_deserialize(key, size, nullptr, &filter, error);
    case 10:
      return Capacity(filter) > 20'000 ? TAMIS_OK : tamis_expand(filter, error);
    default:
      return tamis_check(filter, error);
  }
}

TEST(CWrong, RandomCalls) {
  for (const char* spec : {"rsqf:r=8", "tamis:f=8,members=mirror", "taf:r=8",
                           "blocked:bits=8", "cuckoo:f=8"}) {
    SCOPED_TRACE(spec);
    RandomCaller random(5);
    const OwnedError error = NewError();
    tamis_filter* made = nullptr;
    ASSERT_EQ(tamis_create_spec(spec, 2000, &made, error.get()), TAMIS_OK);
    const OwnedFilter filter(made);
    std::array<int, 13> seen = {};
    for (int i = 0; i < 3000; ++i) {
      const int status = CallOne(random, made, error.get());
      ASSERT_GE(status, TAMIS_OK);
      ASSERT_LT(status, TAMIS_INTERNAL) << tamis_error_text(error.get());
      ++seen[static_cast<size_t>(status)];
    }
    EXPECT_GT(seen[TAMIS_OK], 100);
    EXPECT_GT(seen[TAMIS_INVALID_ARGUMENT], 100);
    EXPECT_EQ(tamis_check(made, error.get()), TAMIS_OK)
        << tamis_error_text(error.get());
  }
}

}  // namespace
}  // namespace tamis::testing
