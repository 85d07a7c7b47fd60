// What the tests of growing filters share.

#ifndef TAMIS_TESTS_FILTERS_GROWING_GROWING_TESTING_H_
#define TAMIS_TESTS_FILTERS_GROWING_GROWING_TESTING_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "tamis/infini.h"
#include "tamis/key_hash.h"
#include "tamis/serialize.h"

namespace tamis::testing {

#define EXPECT_OK(expression)                        \
  do {                                               \
    const Status status_ = (expression);             \
    EXPECT_TRUE(status_.ok()) << status_.ToString(); \
  } while (false)
#define ASSERT_OK(expression)                        \
  do {                                               \
    const Status status_ = (expression);             \
    ASSERT_TRUE(status_.ok()) << status_.ToString(); \
  } while (false)

template <typename F>
F MakeGrowing(std::string_view spec, uint64_t slots, uint64_t seed = 1) {
  return F::Create(Spec::Parse(spec).value(), slots, Hasher(Seed{seed, seed}))
      .value();
}
inline InfiniFilter MakeInfini(std::string_view spec, uint64_t slots,
                               uint64_t seed = 1) {
  return MakeGrowing<InfiniFilter>(spec, slots, seed);
}

// Returns the hashes of keys first, first + 1, ...
template <typename F>
std::vector<KeyHash> HashesOf(const F& filter, uint64_t first, uint64_t count) {
  std::vector<KeyHash> hashes;
  hashes.reserve(count);
  for (uint64_t i = 0; i < count; ++i) {
    hashes.push_back(filter.hasher().Hash(first + i));
  }
  return hashes;
}

template <typename F>
void InsertAll(F& filter, const std::vector<KeyHash>& hashes) {
  for (const KeyHash hash : hashes) ASSERT_OK(filter.Insert(hash));
}

template <typename F>
void ExpectHasAll(const F& filter, const std::vector<KeyHash>& hashes) {
  size_t missing = 0;
  for (const KeyHash hash : hashes) missing += !filter.MayContain(hash);
  EXPECT_EQ(missing, 0u) << "false negatives";
  EXPECT_OK(filter.CheckInvariants());
}

// Returns all entries of a table as (home, value).
inline std::vector<std::pair<uint64_t, uint64_t>> EntriesOf(
    const internal::PrefixTable& table) {
  std::vector<std::pair<uint64_t, uint64_t>> entries;
  for (internal::PrefixTable::Cursor at(table); !at.done(); at.Next()) {
    entries.emplace_back(at.home(), at.value());
  }
  return entries;
}

template <typename Table>
std::vector<std::byte> LinesOf(const Table& table) {
  return {table.lines().begin(), table.lines().end()};
}

template <typename F>
F Reloaded(const F& filter) {
  return Deserialize<F>(Serialize(filter).value()).value();
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILTERS_GROWING_GROWING_TESTING_H_
