// Streams made by name: the same keys as the classes, and helpful errors.

#include "workloads/key_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tamis/hasher.h"
#include "workloads/firehose.h"
#include "workloads/flows.h"
#include "workloads/growth.h"
#include "workloads/temp_dir.h"
#include "workloads/uniform.h"
#include "workloads/zipf.h"

namespace tamis::workloads {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

template <typename Stream>
void ExpectSame(std::string_view spec, Stream stream) {
  const auto keys = TakeKeys(spec, 1'000);
  ASSERT_TRUE(keys.ok()) << keys.status().ToString();
  for (const uint64_t key : *keys) ASSERT_EQ(key, stream.Next()) << spec;
}

TEST(MakeStream, GivesTheKeysOfEachClass) {
  ExpectSame("firehose-active", ActiveSetStream({}));
  ExpectSame("firehose-active:exponent=0.5,seed=9",
             ActiveSetStream({.seed = 9, .exponent = 0.5}));
  ExpectSame("firehose-powerlaw:seed=3", PowerLawStream(3));
  ExpectSame("zipf", ZipfStream({}));
  ExpectSame(
      "zipf:exponent=1.5,universe=50,seed=2,scramble=no",
      ZipfStream(
          {.seed = 2, .exponent = 1.5, .universe = 50, .scramble = false}));
  ExpectSame("uniform:seed=4", UniformStream({.seed = 4}));
  ExpectSame("uniform:universe=7", UniformStream({.universe = 7}));
  ExpectSame("flows:seed=5", FlowStream(5));
}

TEST(MakeStream, MakesEveryKindItLists) {
  for (const StreamKind& kind : StreamKinds()) {
    if (kind.name == "replay") continue;
    EXPECT_TRUE(TakeKeys(kind.name, 10).ok()) << kind.name;
  }
}

TEST(MakeStream, SaysWhatIsWrong) {
  const auto message = [](std::string_view spec) {
    const Status status = MakeStream(spec).status();
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << spec;
    return std::string(status.message());
  };
  EXPECT_THAT(message("zip"),
              AllOf(HasSubstr("'zip'"), HasSubstr("zipf"), HasSubstr("flows")));
  EXPECT_THAT(message("flows:exponent=1"), HasSubstr("exponent"));
  EXPECT_THAT(message("zipf:exponent=-1"), HasSubstr("exponent=-1"));
  EXPECT_THAT(message("zipf:universe=0"), HasSubstr("universe=0"));
  EXPECT_THAT(message("zipf:scramble=maybe"), HasSubstr("yes, no"));
  EXPECT_THAT(message("firehose-active:seed=4294967296"),
              HasSubstr("4294967295"));
  EXPECT_THAT(message("replay"), HasSubstr("file"));
}

TEST(Replay, GivesIntegersAsTheyAreAndHashesTheRest) {
  const TempDir dir;
  const std::string bytes("\1\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0", 16);
  const std::string u64 = dir.Write("a.u64", bytes);
  EXPECT_THAT(TakeKeys("replay:file=" + u64, 2).value(), ElementsAre(1, 258));
  const std::string text = dir.Write("a.txt", "one\ntwo\n");
  EXPECT_THAT(TakeKeys("replay:file=" + text, 1).value(),
              ElementsAre(Hasher(Seed{}).Hash("one").high));
  const std::string odd = dir.Write("keys", bytes);
  EXPECT_THAT(TakeKeys("replay:format=u64,file=" + odd, 1).value(),
              ElementsAre(1));
}

TEST(Replay, EndsWithTheFile) {
  const TempDir dir;
  const std::string path = dir.Write("a.txt", "one\ntwo\n");
  EXPECT_THAT(
      std::string(TakeKeys("replay:file=" + path, 3).status().message()),
      HasSubstr("ended after 2 keys"));
  EXPECT_EQ(TakeKeys("replay:file=" + dir.Path("none"), 1).status().code(),
            StatusCode::kNotFound);
  const std::string stray = dir.Write("b.u64", "1234567");
  EXPECT_EQ(TakeKeys("replay:file=" + stray, 1).status().code(),
            StatusCode::kCorrupt);
}

TEST(MakeGrowth, ReadsItsSpec) {
  const auto made =
      MakeGrowth(Spec::Parse("growth:erase=0.5,order=oldest,seed=8").value());
  ASSERT_TRUE(made.ok());
  GrowthStream stream = *made;
  GrowthStream same({.seed = 8,
                     .erase_share = 0.5,
                     .order = GrowthStream::EraseOrder::kOldest});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(stream.Next().key, same.Next().key);
  EXPECT_FALSE(MakeGrowth(Spec::Parse("growth:erase=2").value()).ok());
}

}  // namespace
}  // namespace tamis::workloads
