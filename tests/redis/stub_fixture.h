// What tests of engines and values have in common: the stub of a server, items
// that are numbers, and that all of them are found.

#ifndef TAMIS_TESTS_REDIS_STUB_FIXTURE_H_
#define TAMIS_TESTS_REDIS_STUB_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "redis/engine.h"
#include "redis/stub_server.h"
#include "redis/value.h"

namespace tamis::redis {

class StubFixture : public testing::Test {
 protected:
  void SetUp() override { UseStubServer(); }

  static Plan PlanOf(Family family, uint64_t capacity = 100) {
    Plan plan;
    plan.family = family;
    plan.capacity = capacity;
    if (family == Family::kCuckoo) plan.bucket_size = 2;
    return plan;
  }
  static KeyHash HashOf(const Engine& engine, uint64_t item) {
    return engine.hasher().Hash(std::to_string(item));
  }
  static KeyHash HashOf(const Value& value, uint64_t item) {
    return HashOf(value.filter(), item);
  }
  // The items below `count` are there, one by one and all at once.
  template <typename Filter>
  static void ExpectAll(const Filter& filter, uint64_t count) {
    std::vector<KeyHash> hashes;
    for (uint64_t i = 0; i < count; ++i) hashes.push_back(HashOf(filter, i));
    const auto answers = std::make_unique<bool[]>(hashes.size());
    filter.MayContain(hashes, std::span(answers.get(), hashes.size()));
    for (uint64_t i = 0; i < count; ++i) {
      ASSERT_TRUE(answers[i] && filter.MayContain(hashes[i])) << i;
    }
    const Status status = filter.CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
};

}  // namespace tamis::redis

#endif  // TAMIS_TESTS_REDIS_STUB_FIXTURE_H_
