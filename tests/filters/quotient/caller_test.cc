// Members that the caller brings: lists that are complete, that lack some, that
// are old or too long; and callers who add, erase and report at the same time.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "filters/quotient/harness.h"
#include "tamis/adaptive_cuckoo.h"
#include "tamis/any_filter.h"

namespace tamis::testing {
namespace {

std::vector<KeyHash> MembersIn(const SortedSource& keys, HashRange range) {
  std::vector<KeyHash> members;
  EXPECT_TRUE(keys.ForEachInRange(range.low, range.high,
                                  [&](KeyHash h) { members.push_back(h); })
                  .ok());
  return members;
}

// A filter without mirror and source, and a caller who knows the members.
template <typename F>
class Caller {
 public:
  // Of the members of a list, `kept` of 8 are named.
  Caller(AdaptiveOptions options, uint64_t kept, uint64_t seed)
      : filter_(Make(options)),
        random_(seed),
        universe_(6 * options.slots),
        kept_(kept) {}

  void Run(int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_NO_FATAL_FAILURE(Step()) << "step " << i;
      for (const KeyHash hash : truth_.members()) {
        ASSERT_TRUE(filter_.MayContain(hash)) << "false negative, step " << i;
      }
      ASSERT_EQ(filter_.size(), truth_.size());
      if (i % 32 == 0) {
        ASSERT_TRUE(filter_.CheckInvariants().ok());
      }
    }
  }
  uint64_t fixed() const { return fixed_; }
  uint64_t not_fixed() const { return not_fixed_; }

 private:
  static F Make(AdaptiveOptions options) {
    options.members = MembersFrom::kCaller;
    return F::Create(options, Hasher(Seed{7, 7})).value();
  }
  KeyHash AnyKey() { return filter_.hasher().Hash(random_() % universe_); }
  std::vector<KeyHash> SomeMembers(HashRange range) {
    std::vector<KeyHash> members = MembersIn(keys_, range);
    std::erase_if(members, [&](KeyHash) { return random_() % 8 >= kept_; });
    return members;
  }

  void Step() {
    const uint64_t die = random_() % 10;
    if (die < 3) return Insert();
    if (die < 5) return Erase();
    Adapt();
  }
  void Insert() {
    const KeyHash hash = AnyKey();
    const Status status = filter_.Insert(hash);
    if (status.ok()) {
      keys_.Add(hash);
      truth_.Add(hash);
    } else {
      ASSERT_EQ(status.code(), StatusCode::kFull) << status.ToString();
    }
  }
  void Erase() {
    if (truth_.empty()) return;
    const KeyHash victim = truth_.At(random_() % truth_.size());
    keys_.Remove(victim);
    Status status = filter_.Erase(victim);
    if (status.code() == StatusCode::kStale) {
      const auto range = filter_.CollisionRange(victim);
      ASSERT_TRUE(range.has_value());
      status = filter_.Erase(victim, SomeMembers(*range), filter_.num_erases());
    }
    if (status.ok()) {
      truth_.Remove(victim);
      return;
    }
    ASSERT_TRUE(status.code() == StatusCode::kFull ||
                (kept_ < 8 && status.code() == StatusCode::kStale))
        << status.ToString();
    keys_.Add(victim);
  }
  void Adapt() {
    const KeyHash x = AnyKey();
    const auto range = filter_.CollisionRange(x);
    ASSERT_EQ(range.has_value(), filter_.MayContain(x));
    if (truth_.Contains(x) || !range.has_value()) return;
    const auto outcome =
        filter_.Adapt(x, SomeMembers(*range), filter_.num_erases());
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    ASSERT_EQ(filter_.MayContain(x), *outcome == AdaptOutcome::kNotFixed);
    (*outcome == AdaptOutcome::kNotFixed ? not_fixed_ : fixed_) += 1;
  }

  F filter_;
  SortedSource keys_;
  HashMultiset truth_;
  std::mt19937_64 random_;
  uint64_t universe_;
  uint64_t kept_;
  uint64_t fixed_ = 0;
  uint64_t not_fixed_ = 0;
};

template <typename F>
class CallerBrings : public ::testing::Test {};
using AllKinds = ::testing::Types<Taf, Exaf, Utaf>;
TYPED_TEST_SUITE(CallerBrings, AllKinds);

TYPED_TEST(CallerBrings, AllMembersAndLosesNone) {
  for (const int r : {4, 8}) {
    Caller<TypeParam> caller({.slots = 150, .remainder_bits = r}, 8, 1);
    ASSERT_NO_FATAL_FAILURE(caller.Run(4000));
    EXPECT_GT(caller.fixed(), 5u);
  }
}

TYPED_TEST(CallerBrings, SomeMembersAndLosesNone) {
  uint64_t fixed = 0, not_fixed = 0;
  for (uint64_t seed = 0; seed < 10; ++seed) {
    Caller<TypeParam> caller(
        {.slots = 40, .remainder_bits = 4, .overflow = OverflowPolicy::kEvict},
        4, seed);
    ASSERT_NO_FATAL_FAILURE(caller.Run(1500));
    fixed += caller.fixed();
    not_fixed += caller.not_fixed();
  }
  EXPECT_GT(fixed, 50u);
  EXPECT_GT(not_fixed, 50u);
}

// Ten members of one home, and a key that shares some bits with the first.
template <typename F>
struct Crowded {
  explicit Crowded(F made) : filter(std::move(made)) {
    for (uint64_t i = 0; i < 10; ++i) {
      members.push_back({(i + 1) << 53, i});  // home 0 of 100
      EXPECT_TRUE(filter.Insert(members.back()).ok());
    }
  }
  F filter;
  std::vector<KeyHash> members;
  KeyHash x = {(uint64_t{1} << 53) + (uint64_t{1} << 41), 0};
};

template <typename F>
void ExpectOldAndLongListsRefused(F made) {
  Crowded<F> crowd(std::move(made));
  ASSERT_TRUE(crowd.filter.MayContain(crowd.x));
  const uint64_t count = crowd.filter.num_erases();
  ASSERT_TRUE(crowd.filter.Erase(crowd.members.back()).ok());
  EXPECT_EQ(crowd.filter.num_erases(), count + 1);
  const auto letters_and_lines = [&] {
    std::vector<std::byte> all;
    const internal::Snapshot snapshot = crowd.filter.ToSnapshot();
    for (const auto& array : snapshot.arrays()) {
      all.insert(all.end(), array.bytes.begin(), array.bytes.end());
    }
    return all;
  };
  const std::vector<std::byte> before = letters_and_lines();
  EXPECT_EQ(crowd.filter.Adapt(crowd.x, crowd.members, count).status().code(),
            StatusCode::kStale);
  EXPECT_EQ(
      crowd.filter.Adapt(crowd.x, crowd.members, count + 1).status().code(),
      StatusCode::kInvalidArgument)
      << "one more than there are entries";
  EXPECT_EQ(letters_and_lines(), before);
  crowd.members.pop_back();
  const auto outcome = crowd.filter.Adapt(crowd.x, crowd.members, count + 1);
  ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
  EXPECT_EQ(*outcome, AdaptOutcome::kFixed);
  for (const KeyHash member : crowd.members) {
    EXPECT_TRUE(crowd.filter.MayContain(member));
  }
}

TYPED_TEST(CallerBrings, NoOldAndNoLongLists) {
  for (const MembersFrom from : {MembersFrom::kCaller, MembersFrom::kMirror}) {
    ExpectOldAndLongListsRefused(
        TypeParam::Create({.slots = 100, .members = from}).value());
  }
}

TYPED_TEST(CallerBrings, AMemberAndIsToldSo) {
  Crowded<TypeParam> crowd(
      TypeParam::Create({.slots = 100, .members = MembersFrom::kCaller})
          .value());
  EXPECT_EQ(
      crowd.filter.Adapt(crowd.members[3], crowd.members, 0).status().code(),
      StatusCode::kIsMember);
  EXPECT_EQ(crowd.filter.Adapt(crowd.x).status().code(),
            StatusCode::kUnsupported);
  // An empty list: nobody is known, and nothing is changed.
  EXPECT_EQ(crowd.filter.Adapt(crowd.x, {}, 0).value(),
            AdaptOutcome::kNotFixed);
}

TEST(CallerBringsToAnyFilter, AndTheFileRemembersIt) {
  AnyFilter filter = AnyFilter::Create("taf:r=6,members=caller", 200).value();
  EXPECT_TRUE(filter.capabilities().adapt_with_members);
  SortedSource keys;
  for (uint64_t i = 0; i < 180; ++i) {
    const KeyHash hash = filter.hasher().Hash(i);
    ASSERT_TRUE(filter.Insert(hash).ok());
    keys.Add(hash);
  }
  EXPECT_EQ(filter.stats().side_bits, 0u);
  AnyFilter loaded = AnyFilter::FromSnapshot(filter.ToSnapshot(), {}).value();
  EXPECT_EQ(loaded.spec(), filter.spec());
  int fixed = 0;
  for (uint64_t i = 1000; i < 6000; ++i) {
    const KeyHash x = loaded.hasher().Hash(i);
    if (const auto range = loaded.CollisionRange(x)) {
      const auto outcome = loaded.Adapt(x, MembersIn(keys, *range), 0);
      ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
      fixed += loaded.MayContain(x) ? 0 : 1;
    }
  }
  EXPECT_GT(fixed, 10);
  EXPECT_EQ(
      AnyFilter::Create("exaf:members=caller,rehash=9", 100).status().code(),
      StatusCode::kInvalidArgument);
  AnyFilter plain = AnyFilter::Create("cuckooing", 200).value();
  EXPECT_FALSE(plain.capabilities().adapt_with_members);
  EXPECT_EQ(plain.Adapt({}, {}, 0).status().code(), StatusCode::kUnsupported);
}

TEST(CallerBringsToCyclic, OldAndLongListsAreRefused) {
  auto filter =
      CyclicFilter::Create(Spec::Parse("cyclic:f=4,s=3").value(), 400, Hasher())
          .value();
  std::vector<KeyHash> members;
  for (uint64_t i = 0; i < 300; ++i) {
    members.push_back(filter.hasher().Hash(i));
    ASSERT_TRUE(filter.Insert(members.back()).ok());
  }
  uint64_t i = 1000;
  while (!filter.MayContain(filter.hasher().Hash(i))) ++i;
  const KeyHash x = filter.hasher().Hash(i);
  EXPECT_EQ(filter.CollisionRange(x), kAllHashes);
  ASSERT_TRUE(filter.Erase(members.back()).ok());
  EXPECT_EQ(filter.Adapt(x, members, 0).status().code(), StatusCode::kStale);
  EXPECT_EQ(filter.Adapt(x, members, 1).status().code(),
            StatusCode::kInvalidArgument);
  members.pop_back();
  EXPECT_TRUE(filter.Adapt(x, members, 1).ok());
}

// A database that many use at once, and a filter with a lock of its own before
// it.  Nothing but the contract of key_source.h orders the two.
class Database {
 public:
  void Add(KeyHash hash) {
    const std::lock_guard lock(mutex_);
    keys_.Add(hash);
  }
  bool Remove(KeyHash hash) {
    const std::lock_guard lock(mutex_);
    return keys_.Remove(hash);
  }
  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    const std::lock_guard lock(mutex_);
    return keys_.ForEachInRange(low, high, visit);
  }
  std::vector<KeyHash> Read(HashRange range) const {
    const std::lock_guard lock(mutex_);
    return MembersIn(keys_, range);
  }

 private:
  mutable std::mutex mutex_;
  SortedSource keys_;
};

class Service {
 public:
  explicit Service(bool with_source)
      : with_source_(with_source),
        filter_(Taf::Create({.slots = 400,
                             .remainder_bits = 5,
                             .overflow = OverflowPolicy::kEvict,
                             .source = with_source ? KeySourceRef(database_)
                                                   : KeySourceRef(),
                             .members = MembersFrom::kCaller},
                            Hasher(Seed{3, 3}))
                    .value()) {}

  KeyHash Hash(uint64_t key) const { return filter_.hasher().Hash(key); }
  // Into the filter first.
  bool Add(KeyHash hash) {
    {
      const std::lock_guard lock(mutex_);
      if (!filter_.Insert(hash).ok()) return false;
    }
    std::this_thread::yield();
    database_.Add(hash);
    return true;
  }
  // Out of the database first.  If it is uncertain which entry to take, the key
  // goes back, and all is as before.
  bool Erase(KeyHash hash) {
    EXPECT_TRUE(database_.Remove(hash));
    std::this_thread::yield();
    Status status;
    {
      const std::lock_guard lock(mutex_);
      status = filter_.Erase(hash);
    }
    if (status.code() == StatusCode::kStale && !with_source_) {
      status = EraseWithMembers(hash);
    }
    if (status.ok()) return true;
    EXPECT_TRUE(status.code() == StatusCode::kStale ||
                status.code() == StatusCode::kFull)
        << status.ToString();
    database_.Add(hash);
    return false;
  }
  // Reports x, which nobody ever adds.
  void Report(KeyHash x) {
    uint64_t count = 0;
    std::optional<HashRange> range;
    {
      const std::lock_guard lock(mutex_);
      count = filter_.num_erases();
      range = filter_.CollisionRange(x);
    }
    if (!range.has_value()) return;
    const std::vector<KeyHash> members = database_.Read(*range);
    std::this_thread::yield();
    const std::lock_guard lock(mutex_);
    const auto outcome =
        with_source_ ? filter_.Adapt(x) : filter_.Adapt(x, members, count);
    EXPECT_TRUE(outcome.ok() || outcome.status().code() == StatusCode::kStale)
        << outcome.status().ToString();
    adapts_ += outcome.ok() && !filter_.MayContain(x) ? 1 : 0;
  }
  bool Has(KeyHash hash) {
    const std::lock_guard lock(mutex_);
    return filter_.MayContain(hash);
  }
  const Taf& filter() const { return filter_; }
  uint64_t adapts() const { return adapts_; }

 private:
  Status EraseWithMembers(KeyHash hash) {
    uint64_t count = 0;
    std::optional<HashRange> range;
    {
      const std::lock_guard lock(mutex_);
      count = filter_.num_erases();
      range = filter_.CollisionRange(hash);
    }
    EXPECT_TRUE(range.has_value()) << "false negative";
    if (!range.has_value()) return {StatusCode::kCorrupt, "lost"};
    const std::vector<KeyHash> members = database_.Read(*range);
    const std::lock_guard lock(mutex_);
    return filter_.Erase(hash, members, count);
  }

  bool with_source_;
  Database database_;
  std::mutex mutex_;
  Taf filter_;
  std::atomic<uint64_t> adapts_ = 0;
};

// Adds and erases keys of its own, and sees that none of them is ever missing.
void AddAndErase(Service& service, uint64_t own, int steps) {
  std::mt19937_64 random(own);
  std::vector<KeyHash> mine;
  for (int i = 0; i < steps; ++i) {
    const bool add = mine.size() < 40 || (mine.size() < 90 && random() % 2);
    if (add) {
      const KeyHash hash = service.Hash((own << 32) + random() % 1000);
      if (service.Add(hash)) mine.push_back(hash);
    } else {
      std::swap(mine[random() % mine.size()], mine.back());
      if (service.Erase(mine.back())) mine.pop_back();
    }
    if (mine.empty()) continue;
    ASSERT_TRUE(service.Has(mine[random() % mine.size()])) << "false negative";
  }
  for (const KeyHash hash : mine) {
    ASSERT_TRUE(service.Has(hash)) << "false negative";
  }
}

constexpr uint64_t kAbsentBit = uint64_t{1} << 63;  // of no key that is added

TEST(AddersErasersAndReporters, AtTheSameTimeLoseNothing) {
  for (const bool with_source : {false, true}) {
    Service service(with_source);
    std::atomic<bool> done = false;
    std::vector<std::thread> adders, reporters;
    for (uint64_t own = 1; own <= 3; ++own) {
      adders.emplace_back([&, own] { AddAndErase(service, own, 2000); });
    }
    for (uint64_t reporter = 0; reporter < 2; ++reporter) {
      reporters.emplace_back([&, reporter] {
        std::mt19937_64 random(100 + reporter);
        // On a busy machine the others may be done before anything was fixed.
        while (!done || service.adapts() <= 20) {
          service.Report(service.Hash(random() | kAbsentBit));
        }
      });
    }
    for (std::thread& thread : adders) thread.join();
    done = true;
    for (std::thread& thread : reporters) thread.join();
    const Status status = service.filter().CheckInvariants();
    EXPECT_TRUE(status.ok()) << status.ToString();
    EXPECT_GT(service.adapts(), 20u);
  }
}

}  // namespace
}  // namespace tamis::testing
