// LoadOptions::check_invariants: what it asks for happens once, and what it
// leaves out does not happen.
//
// A forger's contents, with every length right, are accepted by all filters if
// nobody asks for the check, and by none that they damage if somebody does.
// What was accepted so may answer anything, but look-ups stay in bounds (the
// sanitizers watch).

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "conformance/conformance.h"
#include "format/samples.h"
#include "model/forged.h"

namespace tamis::testing {
namespace {

constexpr LoadOptions kUnchecked = {.check_invariants = false};

// A filter that counts how often it is checked.
class Counted : public ExactFilter {
 public:
  explicit Counted(ExactFilter filter) : ExactFilter(std::move(filter)) {}
  static Result<Counted> Create(const Spec& spec, uint64_t slots,
                                const Hasher& hasher) {
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter,
                           ExactFilter::Create(spec, slots, hasher));
    return Counted(std::move(filter));
  }
  static Result<Counted> FromSnapshot(const internal::Snapshot& snapshot,
                                      const LoadOptions& options) {
    TAMIS_ASSIGN_OR_RETURN(ExactFilter filter,
                           ExactFilter::FromSnapshot(snapshot, kUnchecked));
    return internal::CheckedIfAsked(Counted(std::move(filter)), options);
  }
  Status CheckInvariants() const {
    ++checks;
    return ExactFilter::CheckInvariants();
  }
  inline static int checks = 0;
};

TEST(CheckInvariantsOption, ChecksOnceOrNotAtAll) {
  const ByteVector bytes = SampleBytes();
  Counted::checks = 0;
  ASSERT_TRUE(Deserialize<Counted>(bytes).ok());
  EXPECT_EQ(Counted::checks, 1);
  ASSERT_TRUE(Deserialize<Counted>(bytes, kUnchecked).ok());
  EXPECT_EQ(Counted::checks, 1);
}

class Trust : public ConformanceTest {
 protected:
  static AnyFilter Sample(AnyFilter filter) {
    for (const KeyHash hash : Hashes(filter, 0, 100)) {
      EXPECT_TRUE(filter.Insert(hash).ok());
    }
    if (filter.capabilities().adapt) {
      for (const KeyHash hash : FalsePositives(filter, 2000)) {
        EXPECT_TRUE(filter.Adapt(hash).ok());
      }
    }
    return filter;
  }
  // Asks one by one and in a batch; answers must agree.
  static void LookUp(const AnyFilter& filter) {
    const std::vector<KeyHash> hashes = Hashes(filter, 0, 300);
    std::array<bool, 300> answers{};
    filter.MayContain(hashes, answers);
    uint64_t found = 0;
    for (const bool answer : answers) found += answer;
    (void)filter.CountEach(hashes);
    (void)filter.ExpectedFpr();
    ASSERT_LE(found, hashes.size());
  }
};
TAMIS_CONFORMANCE_INSTANTIATE(Trust);

TEST_P(Trust, ForgedContentsAreAcceptedOnlyWithoutTheCheck) {
  if (GetParam().kind == &kReference) GTEST_SKIP() << "has nothing to forge";
  if (GetParam().spec.starts_with("fuse")) GTEST_SKIP() << "always checks";
  const AnyFilter filter = Sample(Make(3, 128));
  const internal::Snapshot good = filter.ToSnapshot();
  ASSERT_TRUE(AnyFilter::FromSnapshot(good).ok());
  uint64_t refused = 0;
  uint64_t padding = 0;  // the byte behind coded letters must be 0, always
  const auto try_forged = [&](const internal::Snapshot& forged) {
    const auto trusted = AnyFilter::FromSnapshot(forged, kUnchecked);
    if (!trusted.ok()) {
      ++padding;
      return;
    }
    LookUp(*trusted);
    const bool is_sound = AnyFilter::FromSnapshot(forged).ok();
    EXPECT_EQ(is_sound, trusted->CheckInvariants().ok());
    refused += !is_sound;
  };
  for (const auto& array : good.arrays()) {
    if (array.name == "depths")
      continue;  // says where shards are: always checked
    std::vector<std::byte> bytes(array.bytes.begin(), array.bytes.end());
    for (size_t at = 0; at < bytes.size(); ++at) {
      bytes[at] ^= static_cast<std::byte>(0x81 >> at % 5);
      try_forged(WithArray(good, array.name, bytes));
      bytes[at] = array.bytes[at];
    }
    for (std::byte& byte : bytes) byte = std::byte{0xff};
    try_forged(WithArray(good, array.name, bytes));
  }
  EXPECT_GT(refused, 0u);
  EXPECT_LE(padding, 2u);
}

}  // namespace
}  // namespace tamis::testing
