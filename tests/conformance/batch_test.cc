// The answers for a batch are those for its keys, one by one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "conformance/conformance.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceBatch);

// Returns members and others, mixed.
std::vector<KeyHash> Mixed(const Hasher& hasher, uint64_t count,
                           uint64_t members) {
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i) {
    const uint64_t key = (i * 2654435761u) % (2 * members);
    hashes.push_back(hasher.Hash(key));
  }
  return hashes;
}

TEST_P(ConformanceBatch, EqualsOneByOneForAllSizesAndOffsets) {
  AnyFilter filter = Make();
  const uint64_t members = Fill(filter).size();
  const std::vector<KeyHash> all = Mixed(filter.hasher(), 310, members);
  const auto results = std::make_unique<bool[]>(320);
  for (size_t size = 0; size <= 300; ++size) {
    const size_t offset = size % 7;
    const auto batch = std::span(all).subspan(offset, size);
    std::fill_n(results.get(), 320, true);
    filter.MayContain(batch, std::span(results.get() + offset, size));
    for (size_t i = 0; i < size; ++i) {
      ASSERT_EQ(results[offset + i], filter.MayContain(batch[i]))
          << "key " << i << " of a batch of " << size;
    }
  }
}

TEST_P(ConformanceBatch, WritesOnlyItsResults) {
  AnyFilter filter = Make();  // empty, so that every answer is no
  const std::vector<KeyHash> all = Hashes(filter, 0, 200);
  const auto results = std::make_unique<bool[]>(210);
  for (size_t size = 0; size <= 200; size += 13) {
    std::fill_n(results.get(), 210, true);
    filter.MayContain(std::span(all).first(size),
                      std::span(results.get(), 205));
    EXPECT_EQ(std::count(results.get() + size, results.get() + 210, true),
              static_cast<ptrdiff_t>(210 - size));
  }
}

TEST_P(ConformanceBatch, LargeBatchEqualsOneByOne) {
  AnyFilter filter = Make();
  const uint64_t members = Fill(filter, 0.85).size();
  const std::vector<KeyHash> all = Mixed(filter.hasher(), 20'000, members);
  const auto results = std::make_unique<bool[]>(all.size());
  filter.MayContain(all, std::span(results.get(), all.size()));
  uint64_t differ = 0;
  uint64_t yes = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    differ += results[i] != filter.MayContain(all[i]);
    yes += results[i];
  }
  EXPECT_EQ(differ, 0u);
  EXPECT_EQ(yes, filter.CountEach(all));
}

TEST_P(ConformanceBatch, KeysAreAnsweredAsTheirHashes) {
  AnyFilter filter = Make();
  const uint64_t members = Fill(filter).size();
  std::vector<uint64_t> keys(5000);  // more than are hashed at once
  std::iota(keys.begin(), keys.end(), members / 2);
  std::vector<KeyHash> hashes(keys.size());
  filter.hasher().Hash(keys, hashes);
  const auto results = std::make_unique<bool[]>(keys.size());
  filter.MayContain(std::span<const uint64_t>(keys),
                    std::span(results.get(), keys.size()));
  for (size_t i = 0; i < keys.size(); ++i) {
    const bool answer = filter.MayContain(hashes[i]);
    ASSERT_EQ(results[i], answer) << "key " << keys[i];
    ASSERT_EQ(filter.MayContain(keys[i]), answer) << "key " << keys[i];
  }
  EXPECT_EQ(filter.CountEach(std::span<const uint64_t>(keys)),
            filter.CountEach(hashes));
}

TEST_P(ConformanceBatch, TextIsAnsweredAsItsHash) {
  AnyFilter filter = Make();
  ASSERT_TRUE(filter.Insert(filter.hasher().Hash("key")).ok());
  EXPECT_TRUE(filter.MayContain("key"));
  for (uint64_t i = 0; i < 300; ++i) {
    const std::string text(i % 40, static_cast<char>(i));
    EXPECT_EQ(filter.MayContain(text),
              filter.MayContain(filter.hasher().Hash(text)));
  }
}

TEST_P(ConformanceBatch, OneKeyManyTimes) {
  AnyFilter filter = Make();
  const KeyHash member = Fill(filter)[0];
  const std::vector<KeyHash> same(257, member);
  const auto results = std::make_unique<bool[]>(same.size());
  filter.MayContain(same, std::span(results.get(), same.size()));
  EXPECT_EQ(std::count(results.get(), results.get() + same.size(), true), 257);
}

}  // namespace
}  // namespace tamis::testing
