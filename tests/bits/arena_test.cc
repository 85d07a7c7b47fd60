// The arena of huge pages: pieces that overlap nothing, and come back.

#include "bits/arena.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <new>
#include <random>
#include <vector>

#include "bits/huge_pages.h"

namespace tamis::internal {
namespace {

struct Piece {
  std::byte* memory;
  uint64_t size;
  std::byte mark;
};

bool IsIntact(const Piece& piece) {
  return std::all_of(piece.memory, piece.memory + piece.size,
                     [&](std::byte b) { return b == piece.mark; });
}

class ArenaTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!kHasHugePages) GTEST_SKIP() << "no huge pages on this system";
  }
  void ExpectSound() const {
    const Status status = arena_.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  Arena arena_;
};

// Every piece keeps what was written to it while others come and go.
TEST_F(ArenaTest, PiecesDoNotOverlap) {
  std::mt19937_64 random(1);
  std::vector<Piece> pieces;
  uint64_t used = 0;
  for (int i = 0; i < 3000; ++i) {
    if (pieces.size() < 60 || random() % 2 == 0) {
      const uint64_t size = 64 * (200 + random() % 900);
      std::byte* memory = arena_.Allocate(size);
      ASSERT_NE(memory, nullptr);
      ASSERT_EQ(reinterpret_cast<uintptr_t>(memory) % 64, 0u);
      const auto mark = static_cast<std::byte>(random());
      std::memset(memory, static_cast<int>(mark), size);
      pieces.push_back({memory, size, mark});
      used += size;
    } else {
      std::swap(pieces[random() % pieces.size()], pieces.back());
      const Piece piece = pieces.back();
      pieces.pop_back();
      ASSERT_TRUE(IsIntact(piece));
      ASSERT_TRUE(arena_.Free(piece.memory));
      used -= piece.size;
    }
    ASSERT_EQ(arena_.used_bytes(), used);
    if (i % 100 == 0) ExpectSound();
  }
  for (const Piece& piece : pieces) {
    ASSERT_TRUE(IsIntact(piece));
    ASSERT_TRUE(arena_.Free(piece.memory));
  }
  ExpectSound();
  EXPECT_EQ(arena_.used_bytes(), 0u);
  EXPECT_LE(arena_.mapped_bytes(), kHugePageBytes) << "pages stay mapped";
}

TEST_F(ArenaTest, ReusesWhatWasFreed) {
  std::vector<std::byte*> all(30);
  for (std::byte*& piece : all) piece = arena_.Allocate(64 << 10);
  const uint64_t mapped = arena_.mapped_bytes();
  for (int round = 0; round < 100; ++round) {
    for (std::byte*& piece : all) {
      ASSERT_TRUE(arena_.Free(piece));
      piece = arena_.Allocate(64 << 10);
    }
  }
  EXPECT_EQ(arena_.mapped_bytes(), mapped);
  ExpectSound();
  for (std::byte* piece : all) ASSERT_TRUE(arena_.Free(piece));
}

TEST_F(ArenaTest, KnowsWhatIsNotItsOwn) {
  std::byte* mine = arena_.Allocate(64 << 10);
  std::vector<std::byte> other(64 << 10);
  EXPECT_FALSE(arena_.Free(other.data()));
  EXPECT_EQ(arena_.used_bytes(), 64u << 10);
  EXPECT_TRUE(arena_.Free(mine));
  ExpectSound();
}

// Memory that can be refused, and what of it is in use.
class Refusing : public std::pmr::memory_resource {
 public:
  void RefuseAfter(int pieces) { left_ = pieces; }
  int64_t used_bytes() const { return used_bytes_; }

 private:
  void* do_allocate(size_t size_bytes, size_t alignment) override {
    if (left_ == 0) throw std::bad_alloc();
    --left_;
    used_bytes_ += static_cast<int64_t>(size_bytes);
    return std::pmr::new_delete_resource()->allocate(size_bytes, alignment);
  }
  void do_deallocate(void* memory, size_t size_bytes,
                     size_t alignment) override {
    used_bytes_ -= static_cast<int64_t>(size_bytes);
    std::pmr::new_delete_resource()->deallocate(memory, size_bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override {
    return this == &other;
  }

  int left_ = 0;
  int64_t used_bytes_ = 0;
};

// Whatever is refused, Allocate says so and changes nothing, and Free, which
// destructors call, asks for nothing.
TEST_F(ArenaTest, RefusedMemoryChangesNothing) {
  Refusing notes;
  {
    Arena arena(&notes);
    std::mt19937_64 random(2);
    std::vector<std::byte*> pieces;
    int refused = 0;
    for (int i = 0; i < 3000; ++i) {
      if (pieces.size() < 60 || random() % 2 == 0) {
        notes.RefuseAfter(static_cast<int>(random() % 5));
        const uint64_t used = arena.used_bytes();
        std::byte* memory = arena.Allocate(64 * (200 + random() % 900));
        if (memory != nullptr) {
          pieces.push_back(memory);
        } else {
          ++refused;
          ASSERT_EQ(arena.used_bytes(), used);
        }
      } else {
        std::swap(pieces[random() % pieces.size()], pieces.back());
        notes.RefuseAfter(0);
        ASSERT_TRUE(arena.Free(pieces.back()));
        pieces.pop_back();
      }
      const Status status = arena.CheckInvariants();
      ASSERT_TRUE(status.ok()) << status.ToString();
    }
    EXPECT_GT(refused, 300);
    notes.RefuseAfter(0);
    for (std::byte* piece : pieces) ASSERT_TRUE(arena.Free(piece));
    EXPECT_EQ(arena.used_bytes(), 0u);
  }
  EXPECT_EQ(notes.used_bytes(), 0);
}

}  // namespace
}  // namespace tamis::internal
