// SmallFilter: a filter of every kind with something in each of its parts.

#ifndef TAMIS_TESTS_FORMAT_SMALL_FILTER_H_
#define TAMIS_TESTS_FORMAT_SMALL_FILTER_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "conformance/conformance.h"

namespace tamis::testing {

class SmallFilterTest : public ConformanceTest {
 protected:
  static constexpr uint64_t kKeys = 100;

  // Holds keys 0 to 99; has adapted if it can, and grown several times if it
  // can, so that there is a chain.
  AnyFilter SmallFilter() const {
    const bool grows = Make().capabilities().expand;
    AnyFilter filter = Make(3, grows ? 4 : 128);
    for (const KeyHash hash : Hashes(filter, 0, kKeys)) {
      if (!filter.Insert(hash).ok()) filter = Refilled(Make(3, 128));
    }
    if (filter.capabilities().adapt) {
      for (const KeyHash hash : FalsePositives(filter, 2000)) {
        EXPECT_TRUE(filter.Adapt(hash).ok());
      }
    }
    EXPECT_TRUE(filter.CheckInvariants().ok());
    return filter;
  }

 private:
  // Some grow only so often: they begin larger.
  static AnyFilter Refilled(AnyFilter filter) {
    EXPECT_TRUE(filter.InsertEach(Hashes(filter, 0, kKeys)).ok());
    return filter;
  }
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FORMAT_SMALL_FILTER_H_
