// Whichever piece of memory the host refuses, in whatever operation on shards: no
// member is lost, and the filter goes on.

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "filters/counting_host.h"
#include "tamis/concurrent_tamis.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"

namespace tamis::testing {
namespace {

constexpr int64_t kAll = int64_t{1} << 40;
constexpr uint64_t kMembers = 400;
const Hasher kHasher(Seed{8, 9});

KeyHash HashOf(uint64_t key) { return kHasher.Hash(key); }

std::vector<KeyHash> Hashes(uint64_t first, uint64_t count) {
  std::vector<KeyHash> hashes;
  for (uint64_t i = 0; i < count; ++i) hashes.push_back(HashOf(first + i));
  return hashes;
}

template <typename F>
class ShardMemory : public ::testing::Test {
 protected:
  // Some shards with extensions and voids.
  static F Taught(bool rejuvenates = false) {
    typename F::Options options;
    options.filter.slots = 20;
    options.filter.fingerprint_bits = 3;
    options.filter.extension_bits = 32;
    options.filter.rejuvenate_all = rejuvenates;
    options.shard_slots = 64;
    F filter = F::Create(options, kHasher).value();
    for (const KeyHash hash : Hashes(0, kMembers)) {
      EXPECT_TRUE(filter.Insert(hash).ok());
    }
    for (const KeyHash hash : Hashes(10'000, 400)) {
      EXPECT_TRUE(filter.Adapt(hash).ok());
    }
    return filter;
  }
  // Refuses the n-th piece of an operation, for every n until none is refused.
  // Those of the members that `change` erases are not looked for.
  static void ExpectNoneLost(const std::function<Status(F&)>& change,
                             uint64_t first_kept = 0,
                             bool rejuvenates = false) {
    CountingHost host;
    int64_t refusals = 0;
    // Every n at first; in the many that are alike, some.
    for (int64_t allowed = 0; allowed < 2000; allowed += 1 + allowed / 32 * 3) {
      host.Allow(kAll);
      F filter = Taught(rejuvenates);
      host.Allow(allowed);
      const Status status = change(filter);
      const bool refused = host.refused();
      host.Allow(kAll);
      const Status sound = filter.CheckInvariants();
      ASSERT_TRUE(sound.ok()) << sound.ToString() << " at " << allowed;
      for (uint64_t key = first_kept; key < kMembers; ++key) {
        ASSERT_TRUE(filter.MayContain(HashOf(key))) << "lost at " << allowed;
      }
      // And it goes on.
      for (const KeyHash hash : Hashes(90'000, 50)) {
        ASSERT_TRUE(filter.Insert(hash).ok());
        ASSERT_TRUE(filter.MayContain(hash));
      }
      if (!refused) {
        ASSERT_TRUE(status.ok()) << status.ToString();
        EXPECT_GT(refusals, 0) << "it needs no memory";
        return;
      }
      ++refusals;
      ASSERT_TRUE(status.ok() || status.code() == StatusCode::kOutOfMemory)
          << status.ToString();
    }
    FAIL() << "never enough memory";
  }
};
using Forms = ::testing::Types<ShardedTamis, ConcurrentTamis>;
TYPED_TEST_SUITE(ShardMemory, Forms);

TYPED_TEST(ShardMemory, RefusedWhileInsertsSplit) {
  for (const bool rejuvenates : {false, true}) {
    this->ExpectNoneLost(
        [](TypeParam& filter) -> Status {
          const std::vector<KeyHash> hashes = Hashes(20'000, 150);
          for (size_t i = 0; i < hashes.size(); ++i) {
            const Status status = filter.Insert(hashes[i]);
            // What was said to be in is in.
            for (size_t j = 0; j < i + (status.ok() ? 1 : 0); ++j) {
              if (!filter.MayContain(hashes[j])) {
                return {StatusCode::kCorrupt, "false negative"};
              }
            }
            TAMIS_RETURN_IF_ERROR(status);
          }
          return {};
        },
        0, rejuvenates);
  }
}

TYPED_TEST(ShardMemory, RefusedWhileErasesJoin) {
  constexpr uint64_t kErased = 370;
  this->ExpectNoneLost(
      [](TypeParam& filter) -> Status {
        for (const KeyHash hash : Hashes(0, kErased)) {
          TAMIS_RETURN_IF_ERROR(filter.Erase(hash));
        }
        return {};
      },
      kErased);
}

TYPED_TEST(ShardMemory, RefusedWhileItLearns) {
  this->ExpectNoneLost([](TypeParam& filter) -> Status {
    for (const KeyHash hash : Hashes(40'000, 150)) {
      TAMIS_RETURN_IF_ERROR(filter.Adapt(hash).status());
    }
    return {};
  });
}

TYPED_TEST(ShardMemory, RefusedWhileAllAreChanged) {
  this->ExpectNoneLost([](TypeParam& filter) { return filter.Expand(); });
  this->ExpectNoneLost(
      [](TypeParam& filter) { return filter.BulkLoad(Hashes(50'000, 500)); });
  this->ExpectNoneLost([](TypeParam& filter) -> Status {
    TAMIS_ASSIGN_OR_RETURN(TypeParam other,
                           TypeParam::Create(filter.options(), kHasher));
    for (const KeyHash hash : Hashes(60'000, 150)) {
      TAMIS_RETURN_IF_ERROR(other.Insert(hash));
    }
    return filter.Merge(other);
  });
}

TYPED_TEST(ShardMemory, RefusedWhileItShrinksOrIsMadeWhole) {
  this->ExpectNoneLost([](TypeParam& filter) -> Status {
    TAMIS_RETURN_IF_ERROR(filter.Expand());
    const Status status = filter.Contract();
    return status.code() == StatusCode::kFull ? Status() : status;
  });
  this->ExpectNoneLost(
      [](TypeParam& filter) { return filter.RejuvenateAll(); });
}

TYPED_TEST(ShardMemory, RefusedLoadsLeakNothing) {
  const auto bytes =
      internal::SerializeSnapshot(this->Taught().ToSnapshot()).value();
  CountingHost host;
  for (int64_t allowed = 0; allowed < 2000; ++allowed) {
    host.Allow(allowed);
    const auto file = internal::DecodedFile::FromMemory(bytes).value();
    const Result<TypeParam> loaded =
        TypeParam::FromSnapshot(file.snapshot(), {});
    if (loaded.ok()) {
      EXPECT_GT(allowed, 3);
      return;
    }
    ASSERT_EQ(loaded.status().code(), StatusCode::kOutOfMemory);
    ASSERT_EQ(host.pieces(), 0);
  }
  FAIL() << "never enough memory";
}

}  // namespace
}  // namespace tamis::testing
