// Which slot is whose: against all matchings, tried one by one, and the cost
// where keys repeat.

#include "tamis/internal/keys/pairing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>
#include <vector>

namespace tamis::internal {
namespace {

// Members are {0, number}; `edges` says which contents they match.
class Table final : public SlotMatcher {
 public:
  explicit Table(std::function<bool(uint64_t, uint64_t)> edges,
                 bool nests = false)
      : edges_(std::move(edges)), nests_(nests) {}

  bool Matches(uint64_t content, KeyHash member) const override {
    ++calls_;
    return edges_(content, member.low);
  }
  bool Nests() const override { return nests_; }
  uint64_t calls() const { return calls_; }

 private:
  std::function<bool(uint64_t, uint64_t)> edges_;
  bool nests_;
  mutable uint64_t calls_ = 0;
};

std::vector<KeyHash> Members(const std::vector<uint64_t>& numbers) {
  std::vector<KeyHash> members;
  for (const uint64_t number : numbers) members.push_back({0, number});
  std::sort(members.begin(), members.end());
  return members;
}

TEST(Pairing, FindsAMatchingWhereGreedyPairingFails) {
  // Slot 0 matches both, slot 1 member 0 only.
  const Table table(
      [](uint64_t slot, uint64_t member) { return slot == 0 || member == 0; });
  const auto owners =
      PairSlots(std::vector<uint64_t>{0, 1}, Members({0, 1}), table);
  ASSERT_TRUE(owners.has_value());
  EXPECT_EQ(*owners, (Owners{KeyHash{0, 1}, KeyHash{0, 0}}));
}

TEST(Pairing, KnowsAStranger) {
  const Table table([](uint64_t, uint64_t member) { return member != 2; });
  const std::vector<uint64_t> slots = {0, 1, 2};
  EXPECT_FALSE(PairSlots(slots, Members({0, 1, 2}), table).has_value());
  EXPECT_TRUE(PairSlots(slots, Members({0, 1}), table).has_value());
  EXPECT_FALSE(PairSlots(slots, Members({0, 0, 1, 1}), table).has_value());
}

// y may be in either slot, and the other is that of somebody unknown.
TEST(Pairing, IsNotCertainWhereAnUnknownMemberMayBe) {
  const Table both([](uint64_t, uint64_t) { return true; });
  const std::vector<uint64_t> slots = {7, 9};
  EXPECT_EQ(*PairSlots(slots, Members({1}), both), Owners(2));
  // Equal slots are as good as one another; so are prefixes, longest first.
  EXPECT_EQ(*PairSlots(std::vector<uint64_t>{7, 7}, Members({1}), both),
            (Owners{KeyHash{0, 1}, std::nullopt}));
  const Table nested([](uint64_t, uint64_t) { return true; }, true);
  EXPECT_EQ(*PairSlots(slots, Members({1}), nested),
            (Owners{std::nullopt, KeyHash{0, 1}}));
  // y2 fits slot 9 only, so y1 is in slot 7.
  const Table chain(
      [](uint64_t slot, uint64_t member) { return member == 1 || slot == 9; });
  EXPECT_EQ(*PairSlots(slots, Members({1, 2}), chain),
            (Owners{KeyHash{0, 1}, KeyHash{0, 2}}));
}

// All ways to give the members slots.
class AllMatchings {
 public:
  AllMatchings(size_t slots, const std::vector<uint64_t>& members,
               std::function<bool(size_t, uint64_t)> edges)
      : members_(members), edges_(std::move(edges)), owner_(slots, kNobody) {
    Go(0);
  }
  bool any() const { return !always_used_.empty(); }
  // Is the slot used in all of them?
  bool AlwaysUsed(size_t slot) const { return always_used_[slot]; }

 private:
  static constexpr uint64_t kNobody = ~uint64_t{0};

  void Go(size_t next) {
    if (next == members_.size()) {
      if (always_used_.empty()) always_used_.assign(owner_.size(), true);
      for (size_t s = 0; s < owner_.size(); ++s) {
        if (owner_[s] == kNobody) always_used_[s] = false;
      }
      return;
    }
    for (size_t s = 0; s < owner_.size(); ++s) {
      if (owner_[s] != kNobody || !edges_(s, members_[next])) continue;
      owner_[s] = members_[next];
      Go(next + 1);
      owner_[s] = kNobody;
    }
  }

  std::vector<uint64_t> members_;
  std::function<bool(size_t, uint64_t)> edges_;
  std::vector<uint64_t> owner_;
  std::vector<bool> always_used_;
};

TEST(Pairing, AgreesWithAllMatchings) {
  std::mt19937_64 random(11);
  uint64_t certain = 0, uncertain = 0, strangers = 0;
  for (int i = 0; i < 3000; ++i) {
    const size_t slots = 1 + random() % 6;
    std::vector<uint64_t> contents, members;  // all contents differ
    for (size_t s = 0; s < slots; ++s) contents.push_back(10 + s);
    const size_t count = random() % (slots + 1);
    for (size_t m = 0; m < count; ++m) members.push_back(m);
    std::vector<bool> edges(slots * (slots + 1));
    for (size_t e = 0; e < edges.size(); ++e) edges[e] = random() % 5 < 2;
    const auto matches = [&](uint64_t slot, uint64_t member) {
      return static_cast<bool>(edges[slot * (slots + 1) + member]);
    };
    const Table table([&](uint64_t content, uint64_t member) {
      return matches(content - 10, member);
    });
    const AllMatchings all(slots, members, matches);
    const auto found = PairSlots(contents, Members(members), table);
    ASSERT_EQ(found.has_value(), all.any());
    strangers += all.any() ? 0 : 1;
    if (!all.any()) continue;
    std::vector<int> times(count);
    for (size_t s = 0; s < slots; ++s) {
      const auto& owner = (*found)[s];
      ASSERT_EQ(owner.has_value(), all.AlwaysUsed(s));
      if (!owner.has_value()) {
        ++uncertain;
        continue;
      }
      ++certain;
      ASSERT_TRUE(matches(s, owner->low));
      ASSERT_EQ(++times[owner->low], 1);
    }
  }
  EXPECT_GT(certain, 500u);
  EXPECT_GT(uncertain, 500u);
  EXPECT_GT(strangers, 500u);
}

// However often keys repeat, only different ones are compared.
TEST(Pairing, CostsWhatTheDifferentOnesCost) {
  const Table table(
      [](uint64_t slot, uint64_t member) { return slot % 2 == member % 2; });
  std::vector<uint64_t> contents, members;
  for (uint64_t i = 0; i < 30'000; ++i) {
    contents.push_back(i % 6);
    members.push_back(i % 4);
  }
  const auto owners = PairSlots(contents, Members(members), table);
  ASSERT_TRUE(owners.has_value());
  EXPECT_EQ(table.calls(), 6u * 4u);
  for (size_t s = 0; s < contents.size(); ++s) {
    ASSERT_EQ((*owners)[s]->low % 2, contents[s] % 2);
  }
}

}  // namespace
}  // namespace tamis::internal
