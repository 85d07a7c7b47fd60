// What the tests of the tamis filter share: a filter beside the exact multiset.

#ifndef TAMIS_TESTS_FILTERS_TAMIS_TAMIS_TESTING_H_
#define TAMIS_TESTS_FILTERS_TAMIS_TAMIS_TESTING_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tamis/key_source.h"
#include "tamis/serialize.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {

// Runs random operations on a filter and on the truth.
class TamisHistory {
 public:
  using Options = TamisFilter::Options;
  TamisHistory(const Options& options, uint64_t seed, uint64_t universe)
      : options_(options),
        random_(seed),
        universe_(universe),
        hasher_(Seed{seed, ~seed}),
        filter_(Make()) {}

  // Runs so many operations, and compares everything now and then.
  void Run(uint64_t operations, uint64_t check_every) {
    for (uint64_t i = 1; i <= operations; ++i) {
      if (i % (1000 + universe_) == 0) growing_ = !growing_;
      Step();
      if (i % check_every == 0) Check();
      if (::testing::Test::HasFailure()) return;
    }
    Check();
  }

  void Check() {
    const Status status = filter_.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(filter_.size(), size_);
    for (const auto& [hash, count] : truth_) {
      ASSERT_TRUE(filter_.MayContain(hash)) << "false negative";
    }
  }

  TamisFilter& filter() { return filter_; }
  uint64_t fixed() const { return fixed_; }
  uint64_t refused() const { return refused_; }
  int max_generation() const { return max_generation_; }
  uint64_t max_voids() const { return max_voids_; }
  uint64_t max_extensions() const { return max_extensions_; }

  void Insert(KeyHash hash) {
    const Status status = filter_.Insert(hash);
    if (status.ok()) {
      ++truth_[hash];
      ++size_;
      source_.Add(hash);
    } else {
      ASSERT_EQ(status.code(), StatusCode::kFull) << status.ToString();
    }
  }
  void Erase(KeyHash hash) {
    source_.Remove(hash);
    const Status status = filter_.Erase(hash);
    ASSERT_TRUE(status.ok()) << status.ToString();
    if (--truth_[hash] == 0) truth_.erase(hash);
    --size_;
  }
  // Tells the filter that `absent` is no member.
  void Adapt(KeyHash absent) {
    if (truth_.contains(absent)) return;
    const bool before = filter_.MayContain(absent);
    const Result<AdaptOutcome> outcome =
        random_() % 2 == 0 ? filter_.Adapt(absent) : AdaptWithList(absent);
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    ASSERT_EQ(*outcome == AdaptOutcome::kNothingToFix, !before);
    const bool is_fixed =
        *outcome == AdaptOutcome::kFixed || *outcome == AdaptOutcome::kReset;
    if (before) {
      ASSERT_EQ(filter_.MayContain(absent), !is_fixed);
    }
    fixed_ += static_cast<uint64_t>(is_fixed);
  }
  KeyHash AnyKey() { return hasher_.Hash(random_() % universe_); }
  KeyHash AbsentKey() {
    return hasher_.Hash((uint64_t{1} << 40) + random_() % (universe_ + 5000));
  }

 private:
  TamisFilter Make() {
    Options options = options_;
    if (options.members == TamisFilter::Members::kSource) {
      options.source = source_;
    }
    return TamisFilter::Create(options, hasher_).value();
  }

  std::vector<KeyHash> MembersIn(const HashRange& range) const {
    std::vector<KeyHash> members;
    for (auto at = truth_.lower_bound(range.low);
         at != truth_.end() && at->first <= range.high; ++at) {
      members.insert(members.end(), at->second, at->first);
    }
    return members;
  }

  // The caller's own list: complete, without some members, or wrong.
  Result<AdaptOutcome> AdaptWithList(KeyHash absent) {
    const uint64_t erases = filter_.num_erases();
    const auto range = filter_.CollisionRange(absent);
    if (!range) return filter_.Adapt(absent, {}, erases);
    std::vector<KeyHash> members = MembersIn(*range);
    const uint64_t ticket = random_() % 8;
    if (ticket == 0) ExpectRefused(absent, members);
    if (ticket == 1) {
      EXPECT_EQ(filter_.Adapt(absent, members, erases + 1).status().code(),
                StatusCode::kStale);
    }
    if (ticket <= 4) {
      std::erase_if(members, [&](KeyHash) { return random_() % 3 == 0; });
    }
    std::shuffle(members.begin(), members.end(), random_);
    return filter_.Adapt(absent, members, erases);
  }
  // A list that is longer than the entries can't be one of members.
  void ExpectRefused(KeyHash absent, std::vector<KeyHash> members) {
    const size_t copies = filter_.size() + 1;
    if (members.empty()) return;
    members.insert(members.end(), copies, members.front());
    const auto before = Serialize(filter_).value();
    const auto outcome = filter_.Adapt(absent, members, filter_.num_erases());
    // Where the caller's range is wider than the filter's, they may all lie
    // outside, and are ignored.
    if (outcome.ok()) return;
    ++refused_;
    ASSERT_EQ(outcome.status().code(), StatusCode::kInvalidArgument);
    ASSERT_EQ(Serialize(filter_).value(), before);
  }

  void Step() {
    const uint64_t ticket = random_() % 10'000;
    if (ticket < 4) {
      StepSize();
    } else if (ticket < 8) {
      Reload();
    } else if (ticket < 12) {
      filter_.Forget(filter_.extensions().size() / 2);
    } else if (ticket < 15) {
      MergeSmall();
    } else if (ticket < 18) {
      BulkLoad();
    } else if (ticket < 20) {
      if (options_.members != TamisFilter::Members::kCaller) {
        const Status status = filter_.RejuvenateAll();
        ASSERT_TRUE(status.ok()) << status.ToString();
      }
    } else if (ticket < 700) {
      Rejuvenate();
    } else if (ticket < 4000) {
      Adapt(AbsentKey());
    } else if (growing_ ? ticket < 8500 : ticket < 5500) {
      Insert(AnyKey());
    } else if (!truth_.empty()) {
      Erase(AnyMember());
    }
    max_generation_ = std::max(max_generation_, filter_.generation());
    max_voids_ = std::max(max_voids_, filter_.voids().size());
    max_extensions_ = std::max(max_extensions_, filter_.extensions().size());
  }

  KeyHash AnyMember() {
    auto at = truth_.lower_bound({random_(), random_()});
    return at == truth_.end() ? truth_.begin()->first : at->first;
  }
  void StepSize() {
    const bool may_expand = filter_.capacity() < 8 * size_ + 100;
    const Status status = may_expand && random_() % 2 == 0 ? filter_.Expand()
                                                           : filter_.Contract();
    ASSERT_TRUE(status.ok() || status.code() == StatusCode::kFull ||
                status.code() == StatusCode::kUnsupported)
        << status.ToString();
  }
  void Reload() {
    const auto bytes = Serialize(filter_).value();
    LoadOptions load;
    if (options_.members == TamisFilter::Members::kSource) {
      load.source = source_;
    }
    auto loaded = Deserialize<TamisFilter>(bytes, load);
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    ASSERT_EQ(Serialize(*loaded).value(), bytes);
    filter_ = std::move(loaded).value();
  }
  void MergeSmall() {
    TamisFilter other = Make();
    std::vector<KeyHash> keys;
    for (uint64_t i = random_() % 40; i > 0; --i) {
      keys.push_back(AnyKey());
      if (!other.Insert(keys.back()).ok()) keys.pop_back();
    }
    AddAll(keys, filter_.Merge(other));
  }
  void BulkLoad() {
    std::vector<KeyHash> keys;
    for (uint64_t i = random_() % 100; i > 0; --i) keys.push_back(AnyKey());
    AddAll(keys, filter_.BulkLoad(keys));
  }
  void AddAll(const std::vector<KeyHash>& keys, const Status& status) {
    if (!status.ok()) {
      ASSERT_EQ(status.code(), StatusCode::kFull) << status.ToString();
      return;
    }
    for (const KeyHash key : keys) {
      ++truth_[key];
      ++size_;
      source_.Add(key);
    }
  }
  void Rejuvenate() {
    if (truth_.empty()) return;
    if (random_() % 8 != 0) {
      const Status status = filter_.Rejuvenate(AnyMember());
      ASSERT_TRUE(status.ok()) << status.ToString();
      return;
    }
    std::map<KeyHash, uint64_t> some;
    for (int i = 0; i < 5; ++i) {
      const KeyHash member = AnyMember();
      some[member] = 1 + random_() % truth_[member];
    }
    std::vector<KeyHash> keys;
    for (const auto& [key, count] : some) keys.insert(keys.end(), count, key);
    const Status status = filter_.Rejuvenate(keys);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  Options options_;
  std::mt19937_64 random_;
  uint64_t universe_;
  Hasher hasher_;
  SortedSource source_;
  TamisFilter filter_;
  std::map<KeyHash, uint64_t> truth_;
  uint64_t size_ = 0;
  bool growing_ = true;
  uint64_t fixed_ = 0;
  uint64_t refused_ = 0;
  int max_generation_ = 0;
  uint64_t max_voids_ = 0;
  uint64_t max_extensions_ = 0;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILTERS_TAMIS_TAMIS_TESTING_H_
