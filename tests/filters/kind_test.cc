// The rows: what they declare is what the filters do.

#include "tamis/kind.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <utility>

#include "model/exact_filter.h"
#include "tamis/key_source.h"

namespace tamis {
namespace {

AnyFilter Make(const Spec& spec) {
  Result<AnyFilter> filter =
      AnyFilter::Create(spec, {.keys = 100, .hasher = Hasher(Seed{})});
  EXPECT_TRUE(filter.ok()) << spec.ToString() << ": "
                           << filter.status().ToString();
  return std::move(filter).value();
}

Spec ShortestSpec(const Kind& kind) {
  return Spec::Parse(kind.ShortestSpec()).value();
}

TEST(Kind, RowsAreWhole) {
  std::set<std::string_view> specs;
  for (const Kind& kind : AllKinds()) {
    SCOPED_TRACE(kind.ShortestSpec());
    EXPECT_TRUE(specs.insert(kind.ShortestSpec()).second) << "twice";
    EXPECT_EQ(FindKind(ShortestSpec(kind)).value(), &kind);
    EXPECT_NE(kind.use, "");
    EXPECT_NE(kind.paper, "");
    EXPECT_TRUE(kind.doi.empty() || kind.doi.starts_with("10."));
    bool declares_open = false;
    for (const Parameter& one : kind.parameters) {
      EXPECT_NE(one.meaning, "") << one.name;
      declares_open |= one.name == kind.open;
    }
    EXPECT_TRUE(declares_open) << kind.open;
    EXPECT_GT(kind.max_load, 0.9);
  }
}

TEST(Kind, CapabilitiesAreThoseOfTheFilter) {
  for (const Kind& kind : AllKinds()) {
    EXPECT_EQ(kind.capabilities, Make(ShortestSpec(kind)).capabilities())
        << kind.ShortestSpec();
  }
}

// The rows of the sharded forms fix some of the parameters of `tamis`, which has
// a row of its own.
bool IsSharded(const Kind& kind) {
  return kind.form.find("shards=") != std::string_view::npos ||
         kind.form.find("threads=") != std::string_view::npos;
}

// Also of those defaults that follow from others.
TEST(Kind, DeclaredDefaultsAreWhatTheFilterTakes) {
  for (const Kind& kind : AllKinds()) {
    if (IsSharded(kind)) continue;
    Spec declared = ShortestSpec(kind);
    for (const Parameter& one : kind.parameters) {
      if (!declared.Has(one.name)) declared.Set(one.name, one.Default());
    }
    EXPECT_EQ(CompleteSpec(Make(ShortestSpec(kind)).spec()).value().ToString(),
              CompleteSpec(declared).value().ToString());
  }
}

TEST(Kind, ACompleteSpecHasEveryParameterAndMeansTheSame) {
  for (const Kind& kind : AllKinds()) {
    SCOPED_TRACE(kind.ShortestSpec());
    const AnyFilter filter = Make(ShortestSpec(kind));
    const Spec complete = CompleteSpec(filter.spec()).value();
    for (const Parameter& one : kind.parameters) {
      EXPECT_EQ(complete.Has(one.name), !one.added_later) << one.name;
    }
    EXPECT_EQ(Make(complete).spec(), filter.spec());
    EXPECT_EQ(CompleteSpec(complete).value(), complete);
  }
}

TEST(Kind, ACompleteSpecKeepsWhatIsGiven) {
  EXPECT_EQ(CompleteSpec(*Spec::Parse("taf:overflow=evict")).value().ToString(),
            "taf:r=8,overflow=evict,c=0,members=mirror");
  EXPECT_EQ(
      CompleteSpec(*Spec::Parse("infini:threshold=0.5,f=9")).value().ToString(),
      "infini:f=9,chain=sealed,threshold=0.5");
  EXPECT_EQ(CompleteSpec(Spec("sieve")).status().code(),
            StatusCode::kInvalidArgument);
}

// What is declared can be given, and nothing else can.
TEST(Kind, LimitsAreTheLimits) {
  const auto takes = [](const Kind& kind, const Parameter& one,
                        const std::string& value) {
    const Spec spec = ShortestSpec(kind).Set(one.name, value);
    const SortedSource source;
    CreateOptions options{.keys = 100};
    if (value == "source") options.source = source;
    return AnyFilter::Create(spec, options).ok();
  };
  for (const Kind& kind : AllKinds()) {
    if (IsSharded(kind)) continue;
    for (const Parameter& one : kind.parameters) {
      SCOPED_TRACE(std::string(kind.name) + " " + std::string(one.name));
      EXPECT_TRUE(takes(kind, one, one.Default()));
      EXPECT_FALSE(takes(kind, one, "nonsense"));
      EXPECT_FALSE(takes(kind, one, "-1"));
      for (const std::string_view choice : one.Choices()) {
        EXPECT_TRUE(takes(kind, one, std::string(choice))) << choice;
      }
      if (one.type == Parameter::Type::kChoice) continue;
      EXPECT_TRUE(takes(kind, one, one.Min())) << one.Min();
      EXPECT_TRUE(takes(kind, one, one.Max())) << one.Max();
      EXPECT_FALSE(takes(kind, one, "1e30"));
      if (one.type == Parameter::Type::kWhole && one.whole_limits.min > 0) {
        EXPECT_FALSE(
            takes(kind, one, std::to_string(one.whole_limits.min - 1)));
      }
      if (one.type == Parameter::Type::kWhole && ~one.whole_limits.max != 0) {
        EXPECT_FALSE(
            takes(kind, one, std::to_string(one.whole_limits.max + 1)));
      }
    }
    const Spec strange = ShortestSpec(kind).Set("strange", "1");
    EXPECT_FALSE(AnyFilter::Create(strange, {.keys = 100}).ok());
  }
}

// Says whether a filter of the tests can be made, saved and loaded by its spec.
bool WorksOnceRegistered() {
  static constexpr Parameter kParameters[] = {
      WholeNumber("bits", 0, {0, 63}, "bits that are compared; 0: all")};
  RegisterKind(KindOf<testing::ExactFilter>(
      {.name = "exact", .use = "to compare with", .parameters = kParameters}));
  AnyFilter filter = AnyFilter::Create("exact:bits=20", {.keys = 10}).value();
  const KeyHash hash = filter.hasher().Hash(1);
  return filter.Insert(hash).ok() &&
         AnyFilter::FromSnapshot(filter.ToSnapshot())
             .value()
             .MayContain(hash) &&
         AnyFilter::KnownKinds().back() == "exact";
}

// In a process of its own: the other tests are of the kinds that there are.
TEST(KindDeathTest, OneThatIsRegisteredIsKnownEverywhere) {
  EXPECT_FALSE(AnyFilter::Create("exact", {.keys = 10}).ok());
  EXPECT_EXIT(std::exit(WorksOnceRegistered() ? 0 : 1),
              ::testing::ExitedWithCode(0), "");
}

TEST(Parameter, SaysWhatItMayBe) {
  EXPECT_EQ(WholeNumber("r", 8, {2, 56}, "").ToString(), "r=8 (2 to 56)");
  EXPECT_EQ(WholeNumber("n", 0, {0, ~uint64_t{0}}, "").ToString(),
            "n=0 (0 or more)");
  EXPECT_EQ(Number("c", 0.5, {0, 1e9}, "").ToString(), "c=0.5 (0 to 1e+09)");
  EXPECT_EQ(OneOf("p", "a|b|c", "").ToString(), "p=a|b|c");
  EXPECT_EQ(OneOf("p", "a|b|c", "").Default(), "a");
  EXPECT_EQ(OneOf("p", "a|b|c", "").Choices().size(), 3u);
}

TEST(ParameterReader, ReadsWhatIsDeclared) {
  constexpr Parameter kDeclared[] = {WholeNumber("r", 8, {2, 56}, ""),
                                     Number("c", 0.5, {0, 1}, ""),
                                     OneOf("p", "a|b|c", "")};
  const Spec spec = Spec::Parse("x:r=9,p=c").value();
  const ParameterReader read(spec, kDeclared);
  EXPECT_TRUE(read.Check().ok());
  EXPECT_EQ(read.Int("r").value(), 9);
  EXPECT_EQ(read.Number("c").value(), 0.5);
  EXPECT_EQ(read.Choice("p").value(), 2u);
  EXPECT_EQ(read.Whole("other").value(), 0u);
  EXPECT_EQ(read.Whole("other", 5).value(), 5u);
  const Spec wrong = Spec::Parse("x:r=1,p=d,q=1").value();
  const ParameterReader bad(wrong, kDeclared);
  EXPECT_FALSE(bad.Check().ok());
  EXPECT_FALSE(bad.Int("r").ok());
  EXPECT_FALSE(bad.Choice("p").ok());
}

}  // namespace
}  // namespace tamis
