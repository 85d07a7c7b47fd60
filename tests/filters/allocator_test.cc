// A host's allocator gets all memory of filters back, and whichever of its
// answers is "none", the filter is as it was.

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "filters/counting_host.h"
#include "tamis/any_filter.h"
#include "tamis/serialize.h"

namespace tamis::testing {
namespace {

const Hasher kHasher(Seed{11, 12});

std::vector<KeyHash> SomeHashes(uint64_t first, uint64_t count) {
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i)
    hashes.push_back(kHasher.Hash(first + i));
  return hashes;
}

Result<AnyFilter> HalfFull(std::string_view spec) {
  TAMIS_ASSIGN_OR_RETURN(AnyFilter filter,
                         AnyFilter::Create(spec, 2000, kHasher));
  TAMIS_RETURN_IF_ERROR(filter.InsertEach(SomeHashes(0, 900)));
  return filter;
}

std::vector<std::string> Specs() {
  std::vector<std::string> specs;
  for (const std::string_view kind : AnyFilter::KnownKinds()) {
    specs.emplace_back(kind);
  }
  return specs;
}

class HostAllocator : public ::testing::TestWithParam<std::string> {};
std::string NameOf(const ::testing::TestParamInfo<std::string>& kind) {
  std::string name = kind.param;
  for (char& c : name) c = std::isalnum(c) != 0 ? c : '_';
  return name;
}
INSTANTIATE_TEST_SUITE_P(Kinds, HostAllocator, ::testing::ValuesIn(Specs()),
                         NameOf);

TEST_P(HostAllocator, GivesAllMemoryAndGetsItBack) {
  CountingHost host;
  {
    Result<AnyFilter> filter = HalfFull(GetParam());
    ASSERT_TRUE(filter.ok()) << filter.status().ToString();
    EXPECT_GE(host.bytes() * 8, static_cast<int64_t>(filter->SizeBits()));
    EXPECT_GT(host.pieces(), 0);
    for (const KeyHash hash : SomeHashes(0, 900)) {
      ASSERT_TRUE(filter->MayContain(hash));
    }
    SetAllocator(nullptr);  // it still goes back to the host
  }
  EXPECT_EQ(host.bytes(), 0);
  EXPECT_EQ(host.pieces(), 0);
}

// Refuses the n-th piece of an operation, for every n until it succeeds.
void ExpectUnchangedWhenRefused(
    std::string_view spec, const std::function<Status(AnyFilter&)>& change) {
  CountingHost host;
  for (int64_t allowed = 0; allowed < 100; ++allowed) {
    host.Allow(int64_t{1} << 40);
    Result<AnyFilter> filter = HalfFull(spec);
    ASSERT_TRUE(filter.ok()) << filter.status().ToString();
    const std::vector<std::byte> before = Serialize(*filter).value();
    host.Allow(allowed);
    const Status status = change(*filter);
    if (!host.refused()) return;  // all that it asked for was given
    if (status.ok()) continue;    // it can do without
    ASSERT_EQ(status.code(), StatusCode::kOutOfMemory) << status.ToString();
    host.Allow(int64_t{1} << 40);
    EXPECT_EQ(Serialize(*filter).value(), before) << allowed;
    const Status sound = filter->CheckInvariants();
    EXPECT_TRUE(sound.ok()) << sound.ToString();
  }
  FAIL() << "never enough memory";
}

TEST_P(HostAllocator, RefusesAndNothingChanges) {
  const auto expand = [](AnyFilter& filter) { return filter.Expand(); };
  const auto contract = [](AnyFilter& filter) { return filter.Contract(); };
  const auto load = [](AnyFilter& filter) {
    return filter.BulkLoad(SomeHashes(5000, 500));
  };
  const auto merge = [](AnyFilter& filter) {
    TAMIS_ASSIGN_OR_RETURN(const AnyFilter other,
                           AnyFilter::Create(filter.spec(), 2000, kHasher));
    return filter.Merge(other);
  };
  ExpectUnchangedWhenRefused(GetParam(), expand);
  ExpectUnchangedWhenRefused(GetParam(), contract);
  ExpectUnchangedWhenRefused(GetParam(), load);
  ExpectUnchangedWhenRefused(GetParam(), merge);
}

TEST_P(HostAllocator, RefusesWhileCreatingAndNothingLeaks) {
  CountingHost host;
  for (int64_t allowed = 0; allowed < 100; ++allowed) {
    host.Allow(allowed);
    const Result<AnyFilter> filter =
        AnyFilter::Create(GetParam(), 2000, kHasher);
    if (filter.ok()) return;
    ASSERT_EQ(filter.status().code(), StatusCode::kOutOfMemory);
    EXPECT_EQ(host.pieces(), 0);
  }
  FAIL() << "never enough memory";
}

}  // namespace
}  // namespace tamis::testing
