// Key sources that fail, that lack members, and that have strangers: the filter
// is as it was, byte for byte, with the source's own status; and no member is
// ever lost.

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "filters/quotient/harness.h"
#include "tamis/any_filter.h"

namespace tamis::testing {
namespace {

// A source in memory whose reads can be made to fail, some of them half-way.
class FailingSource {
 public:
  SortedSource& keys() { return keys_; }
  // The n-th read from now on fails, and all after it; 0: none does.
  void FailAt(uint64_t n) { fail_at_ = n, reads_ = 0; }
  uint64_t reads() const { return reads_; }
  bool failed() const { return fail_at_ != 0 && reads_ >= fail_at_; }

  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    ++reads_;
    if (!failed()) return keys_.ForEachInRange(low, high, visit);
    uint64_t left = reads_ % 3;
    TAMIS_RETURN_IF_ERROR(keys_.ForEachInRange(
        low, high, [&](KeyHash hash) { return left-- > 0 && visit(hash); }));
    return {StatusCode::kIo, "read " + std::to_string(reads_) + " failed"};
  }

 private:
  SortedSource keys_;
  uint64_t fail_at_ = 0;
  mutable uint64_t reads_ = 0;
};

std::string BytesOf(const internal::Snapshot& snapshot) {
  std::string bytes = snapshot.spec().ToString();
  for (const auto& number : snapshot.numbers()) {
    bytes += " " + number.name + "=" + std::to_string(number.value);
  }
  for (const auto& array : snapshot.arrays()) {
    bytes.append(reinterpret_cast<const char*>(array.bytes.data()),
                 array.bytes.size());
  }
  return bytes;
}

template <typename F>
class Fallible {
 public:
  Fallible(AdaptiveOptions options, uint64_t seed)
      : filter_(F::Create(With(options), Hasher(Seed{7, 7})).value()),
        random_(seed),
        universe_(6 * options.slots) {}

  void Run(int steps) {
    for (int i = 0; i < steps; ++i) {
      ASSERT_NO_FATAL_FAILURE(Step()) << "step " << i;
      if (i % 16 == 0) {
        const Status status = filter_.CheckInvariants();
        ASSERT_TRUE(status.ok()) << status.ToString() << ", step " << i;
      }
    }
  }
  uint64_t failures() const { return failures_; }
  uint64_t stale() const { return stale_; }

 private:
  AdaptiveOptions With(AdaptiveOptions options) const {
    options.source = source_;
    return options;
  }
  KeyHash AnyKey() { return filter_.hasher().Hash(random_() % universe_); }

  // Does it with the first read failing, then the second, and so on, until it
  // is done or refused for another reason.
  template <typename Operation>
  Status TryAll(const Operation& operation) {
    for (uint64_t n = 1;; ++n) {
      const std::string before = BytesOf(filter_.ToSnapshot());
      source_.FailAt(n);
      const Status status = operation();
      const bool failed = source_.failed();
      source_.FailAt(0);
      if (failed) {
        ++failures_;
        EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
      }
      if (!status.ok()) {
        EXPECT_EQ(BytesOf(filter_.ToSnapshot()), before);
      }
      if (status.code() != StatusCode::kIo || ::testing::Test::HasFailure()) {
        stale_ += status.code() == StatusCode::kStale ? 1 : 0;
        return status;
      }
    }
  }
  void ExpectAllThere() {
    for (const KeyHash hash : truth_.members()) {
      ASSERT_TRUE(filter_.MayContain(hash)) << "false negative";
    }
    ASSERT_EQ(filter_.size(), truth_.size());
  }

  void Step() {
    const uint64_t die = random_() % 64;
    if (die == 0) {
      BulkLoad();
    } else if (die == 1) {
      Merge();
    } else if (die < 20) {
      Insert();
    } else if (die < 34) {
      Erase();
    } else if (die < 40) {
      Arrive();
    } else {
      Adapt();
    }
    ASSERT_NO_FATAL_FAILURE(ExpectAllThere());
  }
  void Insert() {
    const KeyHash hash = AnyKey();
    const Status status = TryAll([&] { return filter_.Insert(hash); });
    if (status.ok()) {
      truth_.Add(hash);
      late_.push_back(hash);  // and not yet into the source
      if (random_() % 4 != 0) Arrive();
    } else {
      ASSERT_TRUE(status.code() == StatusCode::kFull ||
                  status.code() == StatusCode::kStale)
          << status.ToString();
    }
  }
  // All that was inserted gets into the source.
  void Arrive() {
    for (const KeyHash hash : late_) source_.keys().Add(hash);
    late_.clear();
  }
  void Erase() {
    if (truth_.empty()) return;
    const KeyHash victim = truth_.At(random_() % truth_.size());
    if (!source_.keys().Remove(victim)) return;  // it is late
    const Status status = TryAll([&] { return filter_.Erase(victim); });
    if (status.ok()) {
      truth_.Remove(victim);
      return;
    }
    ASSERT_EQ(status.code(), StatusCode::kStale) << status.ToString();
    ASSERT_FALSE(late_.empty()) << "nobody is on the way";
    source_.keys().Add(victim);
  }
  void Adapt() {
    const KeyHash x = AnyKey();
    if (truth_.Contains(x) || !filter_.MayContain(x)) return;
    std::optional<AdaptOutcome> outcome;
    const Status status = TryAll([&] {
      const Result<AdaptOutcome> adapted = filter_.Adapt(x);
      if (adapted.ok()) outcome = *adapted;
      return adapted.status();
    });
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(filter_.MayContain(x), outcome == AdaptOutcome::kNotFixed);
  }
  void BulkLoad() {
    std::vector<KeyHash> keys;
    for (int i = 0; i < 5; ++i) keys.push_back(AnyKey());
    AddAll(keys, TryAll([&] { return filter_.BulkLoad(keys); }));
  }
  void Merge() {
    FailingSource theirs;
    F other = F::Create({.slots = filter_.capacity(),
                         .remainder_bits = filter_.table().width(),
                         .source = theirs},
                        filter_.hasher())
                  .value();
    std::vector<KeyHash> keys;
    for (int i = 0; i < 5; ++i) {
      keys.push_back(AnyKey());
      ASSERT_TRUE(other.Insert(keys.back()).ok());
      theirs.keys().Add(keys.back());
    }
    const std::string before = BytesOf(filter_.ToSnapshot());
    theirs.FailAt(1);
    const StatusCode failed = filter_.Merge(other).code();
    ASSERT_TRUE(failed == StatusCode::kIo || failed == StatusCode::kFull);
    ASSERT_EQ(BytesOf(filter_.ToSnapshot()), before);
    theirs.FailAt(0);
    theirs.keys().Remove(keys[2]);
    const StatusCode lacking = filter_.Merge(other).code();
    ASSERT_TRUE(lacking == StatusCode::kStale || lacking == StatusCode::kFull);
    ASSERT_EQ(BytesOf(filter_.ToSnapshot()), before);
    theirs.keys().Add(keys[2]);
    AddAll(keys, TryAll([&] { return filter_.Merge(other); }));
  }
  void AddAll(const std::vector<KeyHash>& keys, const Status& status) {
    if (!status.ok()) {
      ASSERT_TRUE(status.code() == StatusCode::kFull ||
                  status.code() == StatusCode::kStale)
          << status.ToString();
      return;
    }
    for (const KeyHash hash : keys) truth_.Add(hash);
    late_.insert(late_.end(), keys.begin(), keys.end());
  }

  FailingSource source_;
  F filter_;
  HashMultiset truth_;
  std::vector<KeyHash> late_;  // in the filter, and not yet in the source
  std::mt19937_64 random_;
  uint64_t universe_;
  uint64_t failures_ = 0;
  uint64_t stale_ = 0;
};

template <typename F>
class FailingSources : public ::testing::Test {};
using AllKinds = ::testing::Types<Taf, Exaf, Utaf>;
TYPED_TEST_SUITE(FailingSources, AllKinds);

TYPED_TEST(FailingSources, ChangeNothingAtAnyRead) {
  uint64_t failures = 0;
  for (const OverflowPolicy policy :
       {OverflowPolicy::kRefuse, OverflowPolicy::kEvict,
        OverflowPolicy::kReset}) {
    for (const int r : {4, 8}) {
      SCOPED_TRACE("r = " + std::to_string(r));
      Fallible<TypeParam> fallible(
          {.slots = 120, .remainder_bits = r, .overflow = policy},
          static_cast<uint64_t>(r));
      ASSERT_NO_FATAL_FAILURE(fallible.Run(3000));
      failures += fallible.failures();
    }
  }
  EXPECT_GT(failures, 1000u);
}

TEST(FailingSource, ChangesNothingWithTheBroomFiltersTraits) {
  Fallible<Exaf> fallible({.slots = 120,
                           .remainder_bits = 5,
                           .overflow = OverflowPolicy::kEvict,
                           .adapt_on_insert = true,
                           .rehash_after = 7},
                          3);
  ASSERT_NO_FATAL_FAILURE(fallible.Run(3000));
  EXPECT_GT(fallible.failures(), 1000u);
}

// Who is on the way into the source, and shares contents with others of its
// home: few homes, so that there are many.
TEST(FailingSource, LosesNobodyWhoIsOnTheWay) {
  uint64_t stale = 0;
  for (uint64_t seed = 0; seed < 20; ++seed) {
    Fallible<Taf> fallible(
        {.slots = 24, .remainder_bits = 4, .overflow = OverflowPolicy::kEvict},
        seed);
    ASSERT_NO_FATAL_FAILURE(fallible.Run(600));
    stale += fallible.stale();
  }
  EXPECT_GT(stale, 0u) << "never met: the test has lost its point";
}

TEST(WrongSource, WithAStrangerIsReported) {
  SortedSource source;
  Taf filter = Taf::Create({.slots = 100, .source = source}).value();
  const KeyHash member = filter.hasher().Hash(1);
  ASSERT_TRUE(filter.Insert(member).ok());
  ASSERT_TRUE(filter.CheckInvariants().ok()) << "it may lack members";
  source.Add(member);
  source.Add({member.high ^ 1, member.low});  // in the same slot, if at all
  EXPECT_EQ(filter.CheckInvariants().code(), StatusCode::kCorrupt);
  const KeyHash x = {member.high ^ 2, member.low};
  ASSERT_TRUE(filter.MayContain(x));
  EXPECT_EQ(filter.Adapt(x).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(filter.Erase(member).code(), StatusCode::kCorrupt);
  EXPECT_TRUE(filter.MayContain(member));
}

TEST(WrongSource, ThatHasAKeyStillWhenItIsErasedIsReported) {
  Harness<Taf> harness({.slots = 100}, KeysIn::kSource);
  const KeyHash member = harness.Hash(1);
  ASSERT_TRUE(harness.Insert(member).ok());
  EXPECT_EQ(harness.filter().Erase(member).code(), StatusCode::kNotFound);
  EXPECT_TRUE(harness.Check().ok());
}

// Hands out what it has in the wrong order.
class UnsortedSource {
 public:
  explicit UnsortedSource(std::vector<KeyHash> keys) : keys_(std::move(keys)) {}
  Status ForEachInRange(KeyHash low, KeyHash high, HashVisitor visit) const {
    for (const KeyHash hash : keys_) {
      if (low <= hash && hash <= high && !visit(hash)) break;
    }
    return {};
  }

 private:
  std::vector<KeyHash> keys_;
};

TEST(WrongSource, ThatIsNotSortedIsCorrupt) {
  const KeyHash a = {uint64_t{1} << 56, 5}, b = {uint64_t{1} << 56, 4};
  const UnsortedSource source({a, b});
  Taf filter = Taf::Create({.slots = 100, .source = source}).value();
  ASSERT_TRUE(filter.Insert(a).ok());
  ASSERT_TRUE(filter.Insert(b).ok());
  EXPECT_EQ(filter.Adapt({a.high, 6}).status().code(), StatusCode::kCorrupt);
  EXPECT_EQ(filter.Erase(a).code(), StatusCode::kCorrupt);
  EXPECT_EQ(filter.CheckInvariants().code(), StatusCode::kCorrupt);
  Taf into = Taf::Create({.slots = 100}, filter.hasher()).value();
  EXPECT_EQ(into.Merge(filter).code(), StatusCode::kCorrupt);
  EXPECT_EQ(into.size(), 0u);
}

// One key many times: what is equal is looked at once.  (Cubic, it took 17 s;
// the number of comparisons is tested in keys/pairing_test.cc.)
TEST(RepeatedKeys, AreErasedOneByOne) {
  Harness<Taf> taf({.slots = 4000}, KeysIn::kSource);
  Harness<Exaf> exaf({.slots = 4000, .adapt_on_insert = true}, KeysIn::kSource);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(taf.Insert(taf.Hash(1)).ok());
    if (i < 200) {
      ASSERT_TRUE(exaf.Insert(exaf.Hash(1)).ok());
    }
  }
  ASSERT_TRUE(taf.Erase(taf.Hash(1)).ok());
  ASSERT_TRUE(exaf.Erase(exaf.Hash(1)).ok());
  EXPECT_TRUE(taf.Check().ok());
  EXPECT_TRUE(exaf.Check().ok());
}

TEST(Taf, QueriesPerMemberAreChecked) {
  for (const double c : {-1.0, 1e300, 0.0 / 0.0, 1.0 / 0.0}) {
    EXPECT_EQ(
        Taf::Create({.slots = 100, .queries_per_member = c}).status().code(),
        StatusCode::kInvalidArgument)
        << c;
  }
}

}  // namespace
}  // namespace tamis::testing
