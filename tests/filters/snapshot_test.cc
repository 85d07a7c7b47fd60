#include "tamis/internal/filters/snapshot.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace tamis::internal {
namespace {

Snapshot Sample(const std::vector<uint64_t>& words) {
  Snapshot snapshot(Spec("rsqf"), Hasher(Seed{1, 2}));
  snapshot.AddNumber("slots", 64);
  snapshot.AddNumber("size", 3);
  snapshot.AddArray("words", std::span<const uint64_t>(words));
  snapshot.AddArray("empty", std::span<const std::byte>());
  return snapshot;
}

TEST(Snapshot, KeepsWhatWasPutIn) {
  const std::vector<uint64_t> words = {1, 2, 3};
  const Snapshot snapshot = Sample(words);
  EXPECT_EQ(snapshot.spec().name(), "rsqf");
  EXPECT_EQ(snapshot.hasher(), Hasher(Seed{1, 2}));
  EXPECT_EQ(snapshot.Number("slots").value(), 64u);
  EXPECT_EQ(snapshot.Array("words").value().size(), 24u);
  EXPECT_EQ(snapshot.Array("words", 24).value().data(),
            std::as_bytes(std::span(words)).data())
      << "a view, not a copy";
  EXPECT_TRUE(snapshot.Array("empty", 0).ok());
}

TEST(Snapshot, ReportsWhatIsMissing) {
  const Snapshot snapshot = Sample({});
  const Status number = snapshot.Number("homes").status();
  EXPECT_EQ(number.code(), StatusCode::kCorrupt);
  EXPECT_EQ(number.message(), "'homes' is missing");
  EXPECT_EQ(snapshot.Array("lines").status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(snapshot.Array("lines", 0).status().code(), StatusCode::kCorrupt);
  EXPECT_FALSE(snapshot.Number("words").ok()) << "an array is no number";
}

TEST(Snapshot, ChecksRanges) {
  const Snapshot snapshot = Sample({});
  EXPECT_TRUE(snapshot.Number("size", 3, 3).ok());
  EXPECT_EQ(snapshot.Number("size", 4, 9).status().message(),
            "'size' is 3, expected 4 to 9");
  EXPECT_FALSE(snapshot.Number("size", 0, 2).ok());
}

TEST(Snapshot, ChecksLengths) {
  const Snapshot snapshot = Sample({5});
  EXPECT_TRUE(snapshot.Array("words", 8).ok());
  EXPECT_EQ(snapshot.Array("words", 16).status().message(),
            "'words' has 8 bytes, expected 16");
  EXPECT_FALSE(snapshot.Array("words", 7).ok()) << "longer is wrong, too";
}

}  // namespace
}  // namespace tamis::internal
