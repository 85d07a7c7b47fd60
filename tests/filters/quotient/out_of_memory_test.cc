// Merges and bulk loads that run out of memory half-way leave the members as
// they were.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <vector>

#include "filters/quotient/harness.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace tamis::testing {
namespace {

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)

// Lets the process have no more than a little memory above what it has, for as
// long as it lives.
class MemoryLimit {
 public:
  MemoryLimit() {
    getrlimit(RLIMIT_AS, &old_);
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const uint64_t bytes =
        pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) + (1 << 20);
    const rlimit tight = {bytes, old_.rlim_max};
    setrlimit(RLIMIT_AS, &tight);
  }
  ~MemoryLimit() { setrlimit(RLIMIT_AS, &old_); }
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  rlimit old_{};
};

// Hashes whose home is among the last: their runs need a longer tail, and that
// a larger mirror, of more than 2 MB.
constexpr uint64_t kLargeSlots = 1 << 17;
std::vector<KeyHash> AtTheEnd(uint64_t count, uint64_t first) {
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i) {
    const KeyHash any = Hasher(Seed{5, 5}).Hash(first + i);
    hashes.push_back({any.high | (~uint64_t{0} << 47), any.low});
  }
  return hashes;
}

template <typename Change>
void ExpectUndone(Change&& change) {
  Taf filter = Taf::Create({.slots = kLargeSlots}, Hasher(Seed{5, 5})).value();
  const std::vector<KeyHash> members = AtTheEnd(300, 0);
  for (const KeyHash hash : members) ASSERT_TRUE(filter.Insert(hash).ok());
  const Status status = change(filter);
  ASSERT_EQ(status.code(), StatusCode::kOutOfMemory) << status.ToString();
  EXPECT_EQ(filter.size(), members.size());
  for (const KeyHash hash : members) EXPECT_TRUE(filter.MayContain(hash));
  const Status sound = filter.CheckInvariants();
  EXPECT_TRUE(sound.ok()) << sound.ToString();
}

TEST(OutOfMemory, LeavesTheMembersOfABulkLoadAsTheyWere) {
  const std::vector<KeyHash> more = AtTheEnd(2000, 1000);
  ExpectUndone([&](Taf& filter) {
    const MemoryLimit limit;
    return filter.BulkLoad(more);
  });
}

TEST(OutOfMemory, LeavesTheMembersOfAMergeAsTheyWere) {
  Taf other = Taf::Create({.slots = kLargeSlots}, Hasher(Seed{5, 5})).value();
  ASSERT_TRUE(other.BulkLoad(AtTheEnd(2000, 1000)).ok());
  ExpectUndone([&](Taf& filter) {
    const MemoryLimit limit;
    return filter.Merge(other);
  });
}

#endif

}  // namespace
}  // namespace tamis::testing
