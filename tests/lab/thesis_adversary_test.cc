// The adversary against filters whose behaviour is known beforehand.

#include "lab/adversaries/thesis_adversary.h"

#include <gtest/gtest.h>

#include <set>

#include "tamis/any_filter.h"

namespace tamis::workloads {
namespace {

// Says yes to one key in 16, by its hash, and never learns.
class StubbornFilter {
 public:
  Status Insert(KeyHash hash) {
    members_.insert(hash);
    return {};
  }
  bool MayContain(KeyHash hash) const {
    return members_.contains(hash) || hash.low % 16 == 0;
  }
  const Hasher& hasher() const { return hasher_; }
  const std::set<KeyHash>& members() const { return members_; }

 private:
  Hasher hasher_{Seed{.low = 5}};
  std::set<KeyHash> members_;
};

// The same, but it remembers each false positive it is told of.
class LearningFilter : public StubbornFilter {
 public:
  bool MayContain(KeyHash hash) const {
    return StubbornFilter::MayContain(hash) && !known_.contains(hash);
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) {
    EXPECT_FALSE(members().contains(hash)) << "Q and S must be disjoint";
    known_.insert(hash);
    return AdaptOutcome::kFixed;
  }

 private:
  std::set<KeyHash> known_;
};

// Forgets the last false positive for the next.
class ForgetfulFilter : public StubbornFilter {
 public:
  bool MayContain(KeyHash hash) const {
    return StubbornFilter::MayContain(hash) && hash != last_;
  }
  Result<AdaptOutcome> Adapt(KeyHash hash) {
    last_ = hash;
    return AdaptOutcome::kReset;
  }

 private:
  KeyHash last_;
};

constexpr ThesisAdversaryOptions kGame = {
    .seed = 3, .members = 100, .queries = 3'200, .rounds = 5};

template <typename F>
std::vector<AdversaryRound> Play(F filter, ThesisAdversaryOptions options) {
  EXPECT_TRUE(InsertAdversaryMembers(filter, options).ok());
  auto rounds = RunThesisAdversary(filter, options);
  EXPECT_TRUE(rounds.ok());
  return rounds.value_or({});
}

TEST(ThesisAdversary, BeatsAFilterThatNeverLearns) {
  const auto rounds = Play(StubbornFilter(), kGame);
  ASSERT_EQ(rounds.size(), 5u);
  EXPECT_EQ(rounds[0].queue_size, 3'200u);
  EXPECT_EQ(rounds[0].queries, 32'000u);
  EXPECT_EQ(rounds[0].false_positives, 10 * rounds[0].erring);
  EXPECT_NEAR(rounds[0].ElementFpr(), 1.0 / 16, 0.02);
  for (size_t i = 1; i < rounds.size(); ++i) {
    EXPECT_EQ(rounds[i].queue_size, rounds[0].erring);
    EXPECT_EQ(rounds[i].OverallFpr(), 1);
    EXPECT_EQ(rounds[i].ElementFpr(), 1);
  }
}

TEST(ThesisAdversary, LosesToAFilterThatRemembers) {
  const auto rounds = Play(LearningFilter(), kGame);
  ASSERT_EQ(rounds.size(), 2u) << "in the second round nobody errs";
  EXPECT_EQ(rounds[0].false_positives, rounds[0].erring);
  EXPECT_EQ(rounds[1].queue_size, rounds[0].erring);
  EXPECT_EQ(rounds[1].ElementFpr(), 0);
}

TEST(ThesisAdversary, CountsResets) {
  const auto rounds = Play(ForgetfulFilter(), kGame);
  ASSERT_EQ(rounds.size(), 5u);
  EXPECT_EQ(rounds[4].OverallFpr(), 1) << "each is forgotten before its turn";
  EXPECT_EQ(rounds[4].resets, rounds[4].false_positives);
}

TEST(ThesisAdversary, StopsWhenTheQueueIsSmall) {
  ThesisAdversaryOptions options = kGame;
  options.stop_share = 10;  // 1,000 elements
  EXPECT_EQ(Play(StubbornFilter(), options).size(), 1u);
  options.queries = 0;
  EXPECT_TRUE(Play(StubbornFilter(), options).empty());
}

TEST(ThesisAdversary, PlaysAgainstAnyFilter) {
  auto filter = AnyFilter::Create("rsqf:r=8", 1'000, Hasher(Seed{.low = 7}));
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  const ThesisAdversaryOptions options = {
      .members = 900, .queries = 9'000, .rounds = 3, .stop_share = 0};
  const auto rounds = Play(std::move(filter).value(), options);
  ASSERT_EQ(rounds.size(), 3u);
  EXPECT_LT(rounds[0].OverallFpr(), 0.02);
  EXPECT_EQ(rounds[2].ElementFpr(), 1) << "rsqf does not adapt";
}

}  // namespace
}  // namespace tamis::workloads
