// The table of extensions: what look-ups find in it is what is there.

#include "tamis/internal/filters/tamis/extension_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace tamis::internal {
namespace {

// Many under few prefixes, so that runs go on in later lines; some are long.
std::vector<Prefix> SomeExtensions(const ExtensionTable::Plan& plan,
                                   uint64_t homes_in_use,
                                   std::mt19937_64& random) {
  std::vector<Prefix> all;
  for (uint64_t i = 0; i < plan.capacity; ++i) {
    const uint64_t home = plan.homes - 1 - random() % homes_in_use;
    const auto more = static_cast<int>(1 + random() % 9);
    all.push_back(PrefixOf(MakePosition(home, random()), plan.bits + more));
  }
  return all;
}

// The first hash that is read as `at`.
KeyHash HashAt(Position at, uint64_t homes) {
  const Position rest = ((at % homes) << 64) + homes - 1;
  const Position hash = ((at / homes) << 64) + rest / homes;
  return {static_cast<uint64_t>(hash >> 64), static_cast<uint64_t>(hash)};
}

ExtensionTable::Under CountUnder(const std::vector<Prefix>& all, Position at,
                                 int bits) {
  ExtensionTable::Under under;
  const Prefix full = PrefixOf(at, bits);
  for (const Prefix& extension : all) {
    if (!full.Covers(extension.low)) continue;
    ++under.count;
    under.covers |= extension.Covers(at);
  }
  return under;
}

TEST(ExtensionTable, FindsWhatIsThere) {
  std::mt19937_64 random(1);
  for (const uint64_t homes_in_use : {1u, 3u, 40u, 1000u}) {
    for (const int bits : {3, 8, 12}) {
      const auto plan = ExtensionTable::Plan::For(1000, bits, 200);
      const std::vector<Prefix> all =
          SomeExtensions(plan, homes_in_use, random);
      const ExtensionTable table = ExtensionTable::Build(plan, all).value();
      ASSERT_TRUE(table.CheckInvariants().ok());
      const auto expect_found = [&](Position at) {
        if (HomeOf(at) >= plan.homes) return;
        const auto wanted = CountUnder(all, at, bits);
        const KeyHash hash = HashAt(at, plan.homes);
        ASSERT_EQ(PositionOf(hash, plan.homes), at);
        const auto found = table.FindUnder(hash);
        ASSERT_EQ(found.count, wanted.count);
        ASSERT_EQ(found.covers, wanted.covers);
        ASSERT_TRUE(wanted.count == 0 || table.MayHave(hash));
      };
      for (const Prefix& extension : all) {
        expect_found(extension.low);
        expect_found(extension.last() + 1);
        expect_found(MakePosition(HomeOf(extension.low), random()));
      }
    }
  }
}

// Unlike those of a file, parts of any content: asked, never out of bounds.
TEST(ExtensionTable, PartsThatWereNotCheckedCanBeAsked) {
  std::mt19937_64 random(2);
  const auto plan = ExtensionTable::Plan::For(1000, 8, 200);
  const std::vector<Prefix> all = SomeExtensions(plan, 1000, random);
  const ExtensionTable table = ExtensionTable::Build(plan, all).value();
  uint64_t refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<std::byte> lines(table.lines().begin(), table.lines().end());
    auto longs = PlainVector<ExtensionTable::Long>::Copy(table.longs()).value();
    ASSERT_FALSE(longs.empty());
    lines[random() % lines.size()] ^=
        static_cast<std::byte>(1 + random() % 255);
    longs[random() % longs.size()] = {random(), random()};
    const ExtensionTable forged =
        ExtensionTable::FromParts(plan, table.table_size(), lines,
                                  std::move(longs))
            .value();
    refused += static_cast<uint64_t>(!forged.CheckInvariants().ok());
    for (const Prefix& extension : all) {
      (void)forged.FindUnder(HashAt(extension.low, plan.homes));
    }
  }
  EXPECT_EQ(refused, 300u);
}

// Every key under a prefix that was added passes, the first and the last too.
TEST(PrefixScreen, CoversAllThatWasAdded) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    const uint64_t homes = 1 + (random() >> (8 + random() % 56));
    const int bits = 3 + static_cast<int>(random() % 38);
    PrefixScreen screen =
        PrefixScreen::Create(homes, bits, 1 + random() % 100).value();
    for (int i = 0; i < 20; ++i) {
      const KeyHash key = {random(), random()};
      const Prefix full = PrefixOf(PositionOf(key, homes), bits);
      screen.Add(full);
      ASSERT_TRUE(screen.Has(full));
      ASSERT_TRUE(screen.MayCover(key));
      ASSERT_TRUE(screen.MayCover(HashAt(full.low, homes)));
      ASSERT_TRUE(screen.MayCover(HashAt(full.last(), homes)));
    }
  }
}

// Six bits a prefix: about one key in 17 passes that need not.
TEST(PrefixScreen, LetsFewOthersPass) {
  std::mt19937_64 random(4);
  for (const uint64_t homes : {1'000'000u, 1u << 20}) {
    PrefixScreen screen =
        PrefixScreen::Create(homes, 12, 6 * 10'000 / 64).value();
    for (int i = 0; i < 10'000; ++i) {
      screen.Add(PrefixOf(PositionOf({random(), random()}, homes), 12));
    }
    uint64_t passed = 0;
    for (int i = 0; i < 100'000; ++i) {
      passed += static_cast<uint64_t>(screen.MayCover({random(), random()}));
    }
    EXPECT_GT(passed, 4000u);
    EXPECT_LT(passed, 9000u);
  }
}

}  // namespace
}  // namespace tamis::internal
