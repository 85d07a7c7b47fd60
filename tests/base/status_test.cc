#include "tamis/status.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <utility>

#include "tamis/result.h"

namespace tamis {
namespace {

TEST(Status, SuccessIsSilent) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.ToString(), "ok");
  EXPECT_TRUE(OkStatus().ok());
}

TEST(Status, ErrorHasACodeAndAMessage) {
  const Status status(StatusCode::kFull, "rsqf holds 4 of 4 keys");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), StatusCode::kFull);
  EXPECT_EQ(status.message(), "rsqf holds 4 of 4 keys");
  EXPECT_EQ(status.ToString(), "full: rsqf holds 4 of 4 keys");
}

TEST(Status, IsOnePointer) { EXPECT_EQ(sizeof(Status), sizeof(void*)); }

TEST(Status, CopiesAreIndependent) {
  Status first(StatusCode::kIo, "disk");
  const Status copy = first;
  first = Status();
  EXPECT_TRUE(first.ok());
  EXPECT_EQ(copy.message(), "disk");
  first = copy;
  EXPECT_EQ(first.code(), StatusCode::kIo);
  const Status& self = first;
  first = self;
  EXPECT_EQ(first.message(), "disk");
}

TEST(Status, MovesLeaveSuccess) {
  Status first(StatusCode::kIo, "disk");
  const Status second = std::move(first);
  EXPECT_EQ(second.message(), "disk");
  EXPECT_TRUE(first.ok());  // NOLINT(bugprone-use-after-move)
}

TEST(Status, ContextStandsBeforeTheMessage) {
  const Status status = Status(StatusCode::kCorrupt, "cut").WithContext("f");
  EXPECT_EQ(status.code(), StatusCode::kCorrupt);
  EXPECT_EQ(status.message(), "f: cut");
  EXPECT_TRUE(Status().WithContext("f").ok());
}

TEST(StatusCode, NamesDiffer) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(StatusCode::kOutOfMemory);
       ++code) {
    names.insert(ToString(static_cast<StatusCode>(code)));
  }
  EXPECT_EQ(names.size(), 11u);
  EXPECT_FALSE(names.contains("unknown"));
}

Result<int> Half(int number) {
  if (number % 2 != 0) {
    return Status(StatusCode::kInvalidArgument, "an odd number");
  }
  return number / 2;
}

Result<int> Quarter(int number) {
  TAMIS_ASSIGN_OR_RETURN(const int half, Half(number));
  TAMIS_ASSIGN_OR_RETURN(const int quarter, Half(half));
  return quarter;
}

Status CheckEven(int number) {
  TAMIS_RETURN_IF_ERROR(Half(number).status());
  return {};
}

TEST(Result, HasAValueOrAStatus) {
  const Result<int> four = Half(8);
  ASSERT_TRUE(four.ok());
  EXPECT_EQ(*four, 4);
  EXPECT_EQ(four.value(), 4);
  EXPECT_TRUE(four.status().ok());
  const Result<int> none = Half(7);
  EXPECT_FALSE(none.ok());
  EXPECT_EQ(none.status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(none.value_or(-1), -1);
  EXPECT_EQ(four.value_or(-1), 4);
}

TEST(Result, MacrosPassErrorsOn) {
  EXPECT_EQ(Quarter(12).value(), 3);
  EXPECT_EQ(Quarter(6).status().message(), "an odd number");
  EXPECT_FALSE(CheckEven(3).ok());
  EXPECT_TRUE(CheckEven(4).ok());
}

TEST(Result, HoldsWhatCanOnlyBeMoved) {
  Result<std::unique_ptr<int>> result = std::make_unique<int>(5);
  EXPECT_EQ(**result, 5);
  const std::unique_ptr<int> taken = std::move(result).value();
  EXPECT_EQ(*taken, 5);
}

}  // namespace
}  // namespace tamis
