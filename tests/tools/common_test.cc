// The small parts of the tool: numbers from the command line, statistics and
// tables.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tools/common/parse.h"
#include "tools/common/same_spec.h"
#include "tools/common/shell_word.h"
#include "tools/common/statistics.h"
#include "tools/common/text_table.h"

namespace tamis::tools {
namespace {

using ::testing::ElementsAre;

TEST(ShellWord, QuotesWhatAShellWouldExpand) {
  EXPECT_EQ(ShellWord("--out=a/b-c_1.txt"), "--out=a/b-c_1.txt");
  EXPECT_EQ(ShellWord("cached(bloom)"), "'cached(bloom)'");
  EXPECT_EQ(ShellWord("it's $x"), "'it'\\''s $x'");
  EXPECT_EQ(ShellWord(""), "''");
}

TEST(Parse, ReadsNumbersAndPowers) {
  EXPECT_EQ(ParseSize("1000000").value(), 1000000u);
  EXPECT_EQ(ParseSize("2^24").value(), uint64_t{1} << 24);
  EXPECT_EQ(ParseSize("2^63").value(), uint64_t{1} << 63);
  EXPECT_EQ(ParseSize("10^3").value(), 1000u);
  EXPECT_EQ(ParseSize("7^0").value(), 1u);
  EXPECT_EQ(ParseSize("1^99999999999").value(), 1u);
}

TEST(Parse, RefusesWhatIsNoSize) {
  for (const char* text : {"", "x", "2^", "^2", "2^64", "-1", "1.5", "2^2^2",
                           "99999999999999999999"}) {
    const auto size = ParseSize(text);
    ASSERT_FALSE(size.ok()) << text;
    EXPECT_EQ(size.status().code(), StatusCode::kInvalidArgument);
  }
}

TEST(Parse, ReadsSeeds) {
  EXPECT_EQ(ParseSeed("0").value(), 0u);
  EXPECT_EQ(ParseSeed("18446744073709551615").value(), ~uint64_t{0});
  for (const char* text : {"", "-1", " 5", "0x10", "2^3", "1.0"}) {
    EXPECT_FALSE(ParseSeed(text).ok()) << text;
  }
}

TEST(SameSpec, DropsThoseThatMeanTheSame) {
  const auto distinct = [](const std::string& list) {
    return WithoutRepetitions(Spec::ParseList(list).value()).size();
  };
  EXPECT_EQ(distinct("taf,taf"), 1u);
  EXPECT_EQ(distinct("taf:r=8,overflow=evict,taf:overflow=evict,r=08"), 1u);
  EXPECT_EQ(distinct("taf,taf:overflow=refuse"), 1u);
  EXPECT_EQ(distinct("taf,taf:r=8"), 2u);  // the first leaves r open
  EXPECT_EQ(distinct("taf,exaf,cached(rsqf),cached(bloom),cached(rsqf)"), 4u);
  EXPECT_EQ(distinct("nosuch,nosuch:x=1"), 2u);  // for others to refuse
}

TEST(Parse, ReadsLists) {
  EXPECT_THAT(ParseSizeList("2^4,100").value(), ElementsAre(16, 100));
  EXPECT_FALSE(ParseSizeList("2^4,,100").ok());
  EXPECT_THAT(Split("a,,b", ','), ElementsAre("a", "", "b"));
  EXPECT_THAT(Split("", ','), ElementsAre());
}

TEST(Statistics, MedianIsTheMiddle) {
  EXPECT_EQ(Median(std::vector<double>{3, 1, 2}), 2);
  EXPECT_EQ(Median(std::vector<double>{4, 1, 2, 3}), 2.5);
  EXPECT_EQ(Median(std::vector<double>{7}), 7);
}

TEST(Statistics, SpreadIsRangeOverMedian) {
  EXPECT_DOUBLE_EQ(Spread(std::vector<double>{8, 10, 13}), 0.5);
  EXPECT_EQ(Spread(std::vector<double>{5}), 0);
}

TEST(Statistics, MeanIsTheSumByTheCount) {
  EXPECT_DOUBLE_EQ(Mean(std::vector<double>{8, 10, 15}), 11);
}

TEST(TextTable, AlignsNumbersRightAndWordsLeft) {
  std::ostringstream out;
  TextTable{{"filter", "ns"}, {{"rsqf", "9.50"}, {"bloom1", "10.25"}}}
      .PrintAligned(out);
  EXPECT_EQ(out.str(),
            "filter     ns\n"
            "rsqf     9.50\n"
            "bloom1  10.25\n");
}

TEST(TextTable, QuotesCsvFields) {
  std::ostringstream out;
  TextTable{{"a", "b"}, {{"x:k=1,w=2", "say \"hi\""}}}.PrintCsv(out);
  EXPECT_EQ(out.str(), "a,b\n\"x:k=1,w=2\",\"say \"\"hi\"\"\"\n");
}

}  // namespace
}  // namespace tamis::tools
