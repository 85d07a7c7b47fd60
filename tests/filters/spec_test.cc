#include "tamis/spec.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tamis {
namespace {

Spec Parsed(std::string_view text) { return Spec::Parse(text).value(); }

TEST(Spec, RoundTripsItsText) {
  for (const char* text :
       {"rsqf", "rsqf:r=8", "bloom1:bits=8,k=4,w=64", "cached(rsqf:r=8)",
        "cached(rsqf:r=8):size=10", "infini-growing:f=12,chain=none",
        "cached(cached(bloom))", "bloom:bits=9.6"}) {
    const Result<Spec> spec = Spec::Parse(text);
    ASSERT_TRUE(spec.ok()) << spec.status().ToString();
    EXPECT_EQ(spec->ToString(), text);
    EXPECT_EQ(Parsed(spec->ToString()), *spec);
  }
}

TEST(Spec, HasNameInnerAndParameters) {
  const Spec spec = Parsed("cached(rsqf:r=8):size=10");
  EXPECT_EQ(spec.name(), "cached");
  EXPECT_EQ(spec.inner(), "rsqf:r=8");
  EXPECT_TRUE(spec.Has("size"));
  EXPECT_FALSE(spec.Has("r")) << "that is the inner one's";
}

TEST(Spec, RefusesWhatHasNoForm) {
  for (const char* text :
       {"", ":", "rsqf:", "rsqf:r", "rsqf:r=", "rsqf:=8", "RSQF", "rs qf",
        "rsqf:r=8,", "rsqf:r=8,r=9", "cached(", "cached()", "cached(rsqf",
        "cached(rsqf)x", "cached)rsqf(", "a(b)c(d)", "rsqf r=8"}) {
    const Result<Spec> spec = Spec::Parse(text);
    EXPECT_EQ(spec.status().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_FALSE(spec.status().message().empty());
  }
}

TEST(Spec, RefusesAbsurdLengthAndDepth) {
  EXPECT_TRUE(Spec::Parse(std::string(Spec::kMaxLength, 'a')).ok());
  EXPECT_FALSE(Spec::Parse(std::string(Spec::kMaxLength + 1, 'a')).ok());
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "a(";
  EXPECT_FALSE(Spec::Parse(deep + "a" + std::string(100'000, ')')).ok());
}

std::vector<std::string> Texts(std::string_view list) {
  std::vector<std::string> texts;
  const std::vector<Spec> specs = Spec::ParseList(list).value();
  for (const Spec& spec : specs) {
    texts.push_back(spec.ToString());
  }
  return texts;
}

TEST(SpecList, ParametersBelongToTheSpecBefore) {
  using Strings = std::vector<std::string>;
  EXPECT_EQ(Texts("rsqf:r=8,bloom1:bits=8,k=4,w=64,taf"),
            (Strings{"rsqf:r=8", "bloom1:bits=8,k=4,w=64", "taf"}));
  EXPECT_EQ(Texts("rsqf,r=8"), (Strings{"rsqf:r=8"}));
  EXPECT_EQ(Texts("cached(bloom1:bits=8,k=4),rsqf"),
            (Strings{"cached(bloom1:bits=8,k=4)", "rsqf"}));
  EXPECT_EQ(Texts("cached(rsqf:r=8),size=3,rsqf"),
            (Strings{"cached(rsqf:r=8):size=3", "rsqf"}));
}

TEST(SpecList, RefusesEmptyParts) {
  for (const char* text : {"", ",", "rsqf,", ",rsqf", "rsqf,,taf", "r=8"}) {
    EXPECT_FALSE(Spec::ParseList(text).ok()) << text;
  }
}

TEST(Spec, IntegersAreCheckedAgainstTheirRange) {
  EXPECT_EQ(Parsed("rsqf:r=8").Integer("r", 5, 2, 56).value(), 8u);
  EXPECT_EQ(Parsed("rsqf").Integer("r", 5, 2, 56).value(), 5u);
  for (const char* text : {"rsqf:r=1", "rsqf:r=57", "rsqf:r=-8", "rsqf:r=8x",
                           "rsqf:r=0x8", "rsqf:r=18446744073709551616"}) {
    const Result<uint64_t> r = Parsed(text).Integer("r", 5, 2, 56);
    EXPECT_EQ(r.status().code(), StatusCode::kInvalidArgument) << text;
    EXPECT_NE(r.status().message().find("2 to 56"), std::string::npos);
  }
}

TEST(Spec, NumbersAreCheckedAgainstTheirRange) {
  EXPECT_DOUBLE_EQ(Parsed("bloom:bits=9.5").Number("bits", 8, 1, 64).value(),
                   9.5);
  EXPECT_DOUBLE_EQ(Parsed("bloom").Number("bits", 8, 1, 64).value(), 8);
  for (const char* text : {"bloom:bits=0.5", "bloom:bits=65", "bloom:bits=nan",
                           "bloom:bits=inf", "bloom:bits=9.5.1"}) {
    EXPECT_FALSE(Parsed(text).Number("bits", 8, 1, 64).ok()) << text;
  }
}

TEST(Spec, ChoicesAreNamed) {
  const auto choice = [](std::string_view text) {
    return Parsed(text).Choice("chain", {"full", "none"});
  };
  EXPECT_EQ(choice("infini").value(), 0u);
  EXPECT_EQ(choice("infini:chain=full").value(), 0u);
  EXPECT_EQ(choice("infini:chain=none").value(), 1u);
  EXPECT_NE(choice("infini:chain=some").status().message().find("full, none"),
            std::string::npos);
}

TEST(Spec, ExpectOnlyNamesTheStranger) {
  EXPECT_TRUE(Parsed("rsqf:r=8").ExpectOnly({"r"}).ok());
  EXPECT_TRUE(Parsed("rsqf").ExpectOnly({}).ok());
  const Status status = Parsed("rsqf:r=8,q=3").ExpectOnly({"r", "slots"});
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("'q'"), std::string::npos);
  EXPECT_NE(status.message().find("r, slots"), std::string::npos);
}

TEST(Spec, ExpectOnlyRefusesAnInnerSpecWhereNoneBelongs) {
  const Status none = Parsed("rsqf(bloom:k=4):r=8").ExpectOnly({"r"});
  EXPECT_EQ(none.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(none.message().find("'bloom:k=4'"), std::string::npos);
  const auto around = [](std::string_view text) {
    return Parsed(text).ExpectOnly({"entries"}, Spec::Inner::kOne);
  };
  EXPECT_TRUE(around("cached(rsqf:r=8):entries=9").ok());
  EXPECT_EQ(around("cached").code(), StatusCode::kInvalidArgument);
}

TEST(Spec, SetAddsAndReplaces) {
  Spec spec("bloom");
  spec.Set("bits", 8).Set("k", 4).Set("bits", 12);
  EXPECT_EQ(spec.ToString(), "bloom:bits=12,k=4");
}

}  // namespace
}  // namespace tamis
