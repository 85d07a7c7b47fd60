// Blocks: snapshots whose bytes end where their memory ends, and can be changed.

#ifndef TAMIS_TESTS_FORMAT_BLOCKS_H_
#define TAMIS_TESTS_FORMAT_BLOCKS_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "tamis/internal/filters/snapshot.h"

namespace tamis::testing {

// Bytes in a block of their own, of exactly their size: a sanitizer sees every
// read beyond it.
class Block {
 public:
  explicit Block(std::span<const std::byte> bytes) : size_(bytes.size()) {
    void* data = nullptr;
    EXPECT_EQ(posix_memalign(&data, 64, std::max<size_t>(1, size_)), 0);
    data_.reset(static_cast<std::byte*>(data));
    if (size_ != 0) std::memcpy(data_.get(), bytes.data(), size_);
  }
  std::span<std::byte> bytes() { return {data_.get(), size_}; }

 private:
  struct Free {
    void operator()(std::byte* data) const { std::free(data); }
  };
  std::unique_ptr<std::byte, Free> data_;
  size_t size_;
};

// A snapshot whose arrays can be changed and end where their blocks end.
struct Blocks {
  explicit Blocks(const internal::Snapshot& good)
      : snapshot(good.spec(), good.hasher()) {
    for (const auto& number : good.numbers()) {
      snapshot.AddNumber(number.name, number.value);
    }
    for (const auto& array : good.arrays()) {
      blocks.emplace_back(array.bytes);
      snapshot.AddArray(array.name, blocks.back().bytes());
    }
  }
  std::vector<Block> blocks;
  internal::Snapshot snapshot;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FORMAT_BLOCKS_H_
