// Filters at their limits: full, of no size, of absurd sizes, and operations
// that they do not have.

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "conformance/conformance.h"

namespace tamis::testing {
namespace {

TAMIS_CONFORMANCE_SUITE(ConformanceLimits);

// Inserts until kFull, or well beyond the capacity of a filter that grows or
// degrades instead.  Returns the keys that went in.
std::vector<KeyHash> Overfill(AnyFilter& filter, Status& last) {
  std::vector<KeyHash> members;
  const uint64_t many = 3 * filter.capacity() + 1000;
  for (uint64_t key = 0; key < many; ++key) {
    const KeyHash hash = filter.hasher().Hash(key);
    last = filter.Insert(hash);
    if (!last.ok()) break;
    members.push_back(hash);
  }
  return members;
}

TEST_P(ConformanceLimits, AFullFilterSaysSoAndIsUnchanged) {
  AnyFilter filter = Make(1, 300);
  Status last;
  const std::vector<KeyHash> members = Overfill(filter, last);
  ExpectAllFound(filter, members);
  if (last.ok()) return;  // it grows, or only gets worse
  EXPECT_EQ(last.code(), StatusCode::kFull) << last.ToString();
  EXPECT_EQ(filter.size(), members.size());
  const std::vector<std::byte> before = Bytes(filter);
  for (uint64_t i = 0; i < 20; ++i) {
    const Status again = filter.Insert(filter.hasher().Hash(kAbsent + i));
    if (again.ok()) return;  // a cuckoo filter may find room for another key
    ASSERT_EQ(again.code(), StatusCode::kFull);
    ASSERT_EQ(Bytes(filter), before) << "a refused Insert changed the filter";
  }
}

TEST_P(ConformanceLimits, AFullFilterTakesAnErasedKeyAgain) {
  AnyFilter filter = Make(2, 300);
  if (!filter.capabilities().erase) GTEST_SKIP() << "has no Erase";
  Status last;
  const std::vector<KeyHash> members = Overfill(filter, last);
  for (size_t i = 0; i < members.size(); i += 17) {
    ASSERT_TRUE(filter.Erase(members[i]).ok());
    const Status again = filter.Insert(members[i]);
    ASSERT_TRUE(again.ok()) << "key " << i << ": " << again.ToString();
  }
  ExpectAllFound(filter, members);
}

TEST_P(ConformanceLimits, CapacityIsNearWhatWasAskedFor) {
  for (const uint64_t slots : {100u, 1000u, 1001u, 5000u}) {
    const double capacity = static_cast<double>(Make(1, slots).capacity());
    EXPECT_GE(capacity, 0.4 * static_cast<double>(slots)) << slots;
    EXPECT_LE(capacity, 8 * static_cast<double>(slots) + 1000) << slots;
  }
}

TEST_P(ConformanceLimits, NoSlotsIsAStatus) {
  const Result<AnyFilter> filter = Create(0, Hasher(Seed{1, 1}));
  EXPECT_EQ(filter.status().code(), StatusCode::kInvalidArgument);
  EXPECT_FALSE(filter.status().message().empty());
}

TEST_P(ConformanceLimits, CapacityIsNeverLessThanTheSize) {
  for (const uint64_t slots : {1, 2, 5}) {
    AnyFilter filter = Make(7, slots);
    for (uint64_t key = 0; key < 40; ++key) {
      if (!filter.Insert(filter.hasher().Hash(key)).ok()) break;
      ASSERT_GE(filter.capacity(), filter.size()) << slots << " slots";
    }
  }
}

TEST_P(ConformanceLimits, AbsurdSizesAreAStatus) {
  for (const int exponent : {63, 60, 56}) {
    for (const uint64_t less : {0u, 1u}) {
      const uint64_t slots = (uint64_t{1} << exponent) - less;
      const Result<AnyFilter> filter = Create(slots, Hasher(Seed{1, 1}));
      ASSERT_FALSE(filter.ok()) << slots;
      EXPECT_TRUE(filter.status().code() == StatusCode::kInvalidArgument ||
                  filter.status().code() == StatusCode::kOutOfMemory)
          << filter.status().ToString();
    }
  }
  EXPECT_FALSE(Create(~uint64_t{0}, Hasher(Seed{1, 1})).ok());
}

TEST_P(ConformanceLimits, AnUnknownParameterIsRefused) {
  const std::string text(GetParam().spec);
  const char separator = text.find(':') == std::string::npos ? ':' : ',';
  const Spec spec = Spec::Parse(text + separator + "no-such=1").value();
  const Result<AnyFilter> filter =
      GetParam().kind->create(spec, 1000, Hasher(Seed{1, 1}));
  ASSERT_FALSE(filter.ok());
  EXPECT_EQ(filter.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(filter.status().message().find("no-such"), std::string::npos)
      << filter.status().ToString();
}

TEST_P(ConformanceLimits, CapabilitiesAgreeWithBehaviour) {
  AnyFilter filter = Make();
  const AnyFilter other = Make();
  const KeyHash hash = filter.hasher().Hash(1);
  ASSERT_TRUE(filter.Insert(hash).ok());
  const Capabilities can = filter.capabilities();
  const auto unsupported = [](const Status& status) {
    return status.code() == StatusCode::kUnsupported;
  };
  const Status adapt = filter.Adapt(hash).status();
  EXPECT_NE(can.adapt, unsupported(adapt));
  EXPECT_EQ(can.knows_members, adapt.code() == StatusCode::kIsMember);
  EXPECT_NE(can.merge, unsupported(filter.Merge(other)));
  EXPECT_NE(can.erase, unsupported(filter.Erase(hash)));
  EXPECT_NE(can.expand, unsupported(filter.Expand()));
  EXPECT_TRUE(filter.BulkLoad(Hashes(filter, 0, 10)).ok())
      << "falls back to inserts";
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

}  // namespace
}  // namespace tamis::testing
