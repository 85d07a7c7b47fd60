// Work on several cores: all of it is done, and errors come back.

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "tools/compare/parallel.h"

namespace tamis::tools {
namespace {

TEST(CompareParallel, EverythingIsDoneOnceAndToldInOrder) {
  for (const int jobs : {0, 1, 3, 100}) {
    std::vector<std::atomic<int>> calls(50);
    std::vector<size_t> told;
    const Status status = ForEachInParallel(
        calls.size(), jobs,
        [&](size_t i) {
          ++calls[i];
          return Status();
        },
        [&](size_t finished) { told.push_back(finished); });
    EXPECT_TRUE(status.ok());
    for (const auto& count : calls) EXPECT_EQ(count, 1);
    ASSERT_EQ(told.size(), calls.size());
    for (size_t i = 0; i < told.size(); ++i) EXPECT_EQ(told[i], i + 1);
  }
}

TEST(CompareParallel, AnErrorEndsTheWork) {
  std::atomic<int> calls = 0;
  const Status status = ForEachInParallel(
      1000, 2,
      [&](size_t i) {
        ++calls;
        return i == 3 ? Status(StatusCode::kFull, "three") : Status();
      },
      [](size_t) {});
  EXPECT_EQ(status.code(), StatusCode::kFull);
  EXPECT_LT(calls, 1000);
}

TEST(CompareParallel, AnExceptionIsAnError) {
  const Status status = ForEachInParallel(
      4, 2, [](size_t) -> Status { throw std::runtime_error("no memory"); },
      [](size_t) {});
  EXPECT_EQ(status.code(), StatusCode::kOutOfMemory);
}

TEST(CompareParallel, NothingToDoIsFine) {
  EXPECT_TRUE(ForEachInParallel(
                  0, 4, [](size_t) { return Status(); }, [](size_t) {})
                  .ok());
}

}  // namespace
}  // namespace tamis::tools
