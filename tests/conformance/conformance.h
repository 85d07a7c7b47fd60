// The fixture of the conformance suite: what every test of it needs.
//
// The suite runs through AnyFilter, over the list in all_specs.h.  One file
// holds one theme, and one suite:
//
//   TAMIS_CONFORMANCE_SUITE(ConformanceBatch);
//   TEST_P(ConformanceBatch, EqualsOneByOne) { ... }

#ifndef TAMIS_TESTS_CONFORMANCE_CONFORMANCE_H_
#define TAMIS_TESTS_CONFORMANCE_CONFORMANCE_H_

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/all_specs.h"

namespace tamis::testing {

// Returns the spec with what a test's name may not contain replaced by '_'.
inline std::string FileName(std::string_view spec) {
  std::string name(spec);
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

class ConformanceTest : public ::testing::TestWithParam<ConformanceCase> {
 protected:
  // Disjoint ranges of keys: tests insert from the first, and ask for others.
  static constexpr uint64_t kAbsent = uint64_t{1} << 40;

  Result<AnyFilter> Create(uint64_t slots, const Hasher& hasher) const {
    TAMIS_ASSIGN_OR_RETURN(const Spec spec, Spec::Parse(GetParam().spec));
    return GetParam().kind->create(spec, slots, hasher);
  }
  // Returns an empty filter.  A spec that can't be created fails the test
  // Creation.FromItsSpec; the others may rely on it.
  AnyFilter Make(uint64_t seed = 1, uint64_t slots = 0) const {
    return Create(slots == 0 ? GetParam().slots : slots,
                  Hasher(Seed{seed, ~seed}))
        .value();
  }

  static std::vector<KeyHash> Hashes(const AnyFilter& filter, uint64_t first,
                                     uint64_t count) {
    std::vector<KeyHash> hashes;
    for (uint64_t i = 0; i < count; ++i) {
      hashes.push_back(filter.hasher().Hash(first + i));
    }
    return hashes;
  }

  // Inserts keys 0, 1, ... up to `load` of the capacity; returns them.
  static std::vector<KeyHash> Fill(AnyFilter& filter, double load = 0.75) {
    const auto count =
        static_cast<uint64_t>(load * static_cast<double>(filter.capacity()));
    std::vector<KeyHash> hashes = Hashes(filter, 0, count);
    const Status status = filter.InsertEach(hashes);
    EXPECT_TRUE(status.ok())
        << "at load " << load << " of its capacity: " << status.ToString();
    EXPECT_EQ(filter.size(), count);
    return hashes;
  }

  static void ExpectAllFound(const AnyFilter& filter,
                             const std::vector<KeyHash>& hashes) {
    EXPECT_EQ(filter.CountEach(hashes), hashes.size()) << "false negatives";
    const Status status = filter.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }

  // Returns absent keys for which the filter says yes, among `tries`.
  static std::vector<KeyHash> FalsePositives(const AnyFilter& filter,
                                             uint64_t tries) {
    std::vector<KeyHash> found;
    for (uint64_t i = 0; i < tries; ++i) {
      const KeyHash hash = filter.hasher().Hash(kAbsent + i);
      if (filter.MayContain(hash)) found.push_back(hash);
    }
    return found;
  }

  static std::vector<std::byte> Bytes(const AnyFilter& filter) {
    return Serialize(filter).value();
  }
  Result<AnyFilter> Reload(const AnyFilter& filter) const {
    TAMIS_ASSIGN_OR_RETURN(const auto bytes, Serialize(filter));
    return GetParam().kind->load(bytes);
  }
};

inline std::string CaseName(
    const ::testing::TestParamInfo<ConformanceCase>& parameter) {
  return FileName(parameter.param.spec);
}

#define TAMIS_CONFORMANCE_INSTANTIATE(Suite)                                   \
  INSTANTIATE_TEST_SUITE_P(AllFilters, Suite, ::testing::ValuesIn(AllSpecs()), \
                           CaseName)

#define TAMIS_CONFORMANCE_SUITE(Suite)     \
  class Suite : public ConformanceTest {}; \
  TAMIS_CONFORMANCE_INSTANTIATE(Suite)

inline void PrintTo(const ConformanceCase& value, std::ostream* out) {
  *out << value.spec << " of " << value.slots << " slots";
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_CONFORMANCE_CONFORMANCE_H_
