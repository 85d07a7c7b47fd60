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
        const auto found = table.FindUnder(at);
        ASSERT_EQ(found.count, wanted.count);
        ASSERT_EQ(found.covers, wanted.covers);
        ASSERT_TRUE(wanted.count == 0 ||
                    table.MayHave(HomeOf(at), StringOf(at)));
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
    for (const Prefix& extension : all) (void)forged.FindUnder(extension.low);
  }
  EXPECT_EQ(refused, 300u);
}

}  // namespace
}  // namespace tamis::internal
