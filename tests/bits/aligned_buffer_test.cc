#include "tamis/internal/bits/aligned_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace tamis::internal {
namespace {

constexpr uint64_t kHugePage = uint64_t{2} << 20;

class AlignedBufferOfSize : public ::testing::TestWithParam<uint64_t> {};
INSTANTIATE_TEST_SUITE_P(Sizes, AlignedBufferOfSize,
                         ::testing::Values(1, 63, 64, 65, 4096, kHugePage - 1,
                                           kHugePage, kHugePage + 1,
                                           3 * kHugePage + 17));

TEST_P(AlignedBufferOfSize, IsZeroedAlignedAndWritable) {
  Result<AlignedBuffer> buffer = AlignedBuffer::Allocate(GetParam());
  ASSERT_TRUE(buffer.ok()) << buffer.status().ToString();
  EXPECT_EQ(buffer->size_bytes(), GetParam());
  EXPECT_EQ(buffer->bytes().size(), GetParam());
  const uint64_t alignment = GetParam() >= kHugePage ? kHugePage : 64;
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer->data()) % alignment, 0u);
  EXPECT_TRUE(std::all_of(buffer->bytes().begin(), buffer->bytes().end(),
                          [](std::byte b) { return b == std::byte{0}; }));
  std::memset(buffer->data(), 0xff, GetParam());
}

TEST(AlignedBuffer, OfNoBytesIsEmpty) {
  const AlignedBuffer buffer = AlignedBuffer::Allocate(0).value();
  EXPECT_EQ(buffer.size_bytes(), 0u);
  EXPECT_TRUE(buffer.bytes().empty());
  EXPECT_EQ(AlignedBuffer().size_bytes(), 0u);
}

TEST(AlignedBuffer, MovesKeepTheBytes) {
  for (const uint64_t size : {uint64_t{100}, kHugePage}) {
    AlignedBuffer first = AlignedBuffer::Allocate(size).value();
    first.data()[size - 1] = std::byte{7};
    const std::byte* place = first.data();
    AlignedBuffer second = std::move(first);
    EXPECT_EQ(second.data(), place);
    EXPECT_EQ(first.size_bytes(), 0u);  // NOLINT(bugprone-use-after-move)
    AlignedBuffer third = AlignedBuffer::Allocate(10).value();
    third = std::move(second);
    EXPECT_EQ(third.data()[size - 1], std::byte{7});
    EXPECT_EQ(third.size_bytes(), size);
    AlignedBuffer& self = third;
    third = std::move(self);
    EXPECT_EQ(third.size_bytes(), size);
  }
}

TEST(AlignedBuffer, AbsurdSizesAreAStatus) {
  for (const uint64_t size :
       {~uint64_t{0}, uint64_t{1} << 63, uint64_t{1} << 61, uint64_t{1} << 58,
        uint64_t{1} << 50}) {
    const Result<AlignedBuffer> buffer = AlignedBuffer::Allocate(size);
    ASSERT_FALSE(buffer.ok()) << size;
    EXPECT_EQ(buffer.status().code(), StatusCode::kOutOfMemory);
  }
}

}  // namespace
}  // namespace tamis::internal
