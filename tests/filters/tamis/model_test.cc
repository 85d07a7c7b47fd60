// The tamis filter, in one piece and in shards, against the model of it: after
// every operation both hold the same prefixes.
//
// The model knows neither homes, steps of growth, shards nor void arrays: what
// the filter does with them must not show.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "filters/tamis/tamis_history.h"
#include "model/prefix_model.h"
#include "model/sorted_members.h"
#include "tamis/internal/filters/sharded/shard_place.h"

namespace tamis::testing {
namespace {

using internal::ExtensionTable;
using internal::Prefix;
using internal::ShardPlace;

// Reads a filter as the model sees it.
class Seen {
 public:
  explicit Seen(const TamisFilter& filter) { Add(filter, {}); }
  explicit Seen(const ShardedTamis& filter) {
    KeyHash next = {0, 0};
    do {
      const HashRange range = filter.RangeOf(next);
      Add(filter.ShardOf(next), ShardPlace::ForRange(range).value());
      next = {range.high.high + 1, 0};
    } while (next.high != 0);
  }
  PrefixModel::Prefixes entries;
  PrefixModel::Prefixes extensions;
  std::vector<PrefixModel::Stretch> stretches;
  uint64_t voids = 0;

 private:
  // REQUIRES: the filter has 2^k homes
  void Add(const TamisFilter& filter, const ShardPlace& place) {
    const auto& active = filter.active();
    const int home_bits = std::countr_zero(active.homes());
    const int above = place.depth + home_bits;
    const auto absolute = [&](const Prefix& prefix) -> HashPrefix {
      const Uint128 local =
          home_bits == 0 ? prefix.low << 64 : prefix.low << (64 - home_bits);
      Uint128 low = place.depth == 0 ? local : local >> place.depth;
      low |= static_cast<Uint128>(place.prefix) << 64;
      return {low, above + prefix.length};
    };
    for (internal::QuotientTable::Cursor at(active.table()); !at.done();
         at.Next()) {
      entries.insert(absolute(active.PrefixIn(at.home(), at.value())));
    }
    for (const auto& entry : filter.voids().entries()) {
      entries.insert(absolute(filter.voids().PrefixOfEntry(entry)));
    }
    const auto all = filter.extensions().All();
    for (const Prefix& extension : *all) extensions.insert(absolute(extension));
    stretches.push_back({place.range(), above + active.bits()});
    voids += filter.voids().size();
  }
};

template <typename F>
class Both {
 public:
  using Options = typename F::Options;
  static constexpr bool kHasShards = std::is_same_v<F, ShardedTamis>;

  Both(const Options& options, uint64_t seed, uint64_t universe)
      : options_(options),
        random_(seed),
        universe_(universe),
        hasher_(Seed{seed, 1}),
        filter_(F::Create(options, hasher_).value()) {
    Compare();
  }
  void Run(uint64_t operations) {
    for (uint64_t i = 1; i <= operations; ++i) {
      if (i % 700 == 0) growing_ = !growing_;
      Step();
      if (!::testing::Test::HasFailure()) Compare();
      if (::testing::Test::HasFailure()) {
        ADD_FAILURE() << "operation " << i << ", " << last_;
        return;
      }
    }
  }
  uint64_t max_voids = 0;
  uint64_t max_extensions = 0;
  uint64_t max_shards = 0;
  uint64_t shrunk = 0;  // times that full became less somewhere

 private:
  KeyHash AnyKey() { return hasher_.Hash(random_() % universe_); }
  void Follow() {
    const std::vector<PrefixModel::Stretch> now = Seen(filter_).stretches;
    for (size_t i = 0; i < now.size() && i < stretches_.size(); ++i) {
      shrunk += static_cast<uint64_t>(now[i].full < stretches_[i].full);
    }
    model_.Follow(now);
    stretches_ = now;
  }
  // A shard may contract by itself before it is joined with another.
  void FollowShard(KeyHash member) {
    const HashRange range = filter_.RangeOf(member);
    const ShardPlace place = ShardPlace::ForRange(range).value();
    TamisFilter alone = filter_.ShardOf(member).Copy().value();
    ASSERT_TRUE(alone.Erase(place.ToLocal(member)).ok());
    for (PrefixModel::Stretch& stretch : stretches_) {
      if (stretch.range != range) continue;
      stretch.full = place.depth + std::countr_zero(alone.active().homes()) +
                     alone.active().bits();
    }
    model_.Follow(stretches_);
  }
  void Compare() {
    Follow();
    const Seen seen(filter_);
    max_voids = std::max(max_voids, seen.voids);
    max_extensions = std::max<uint64_t>(max_extensions, seen.extensions.size());
    max_shards = std::max<uint64_t>(max_shards, seen.stretches.size());
    ASSERT_TRUE(seen.entries == model_.entries()) << "entries differ";
    ASSERT_TRUE(seen.extensions == model_.extensions()) << "extensions differ";
    for (int i = 0; i < 4; ++i) {
      const KeyHash key = i == 0 ? AnyKey() : hasher_.Hash(random_());
      ASSERT_EQ(filter_.MayContain(key), model_.MayContain(key));
    }
  }

  void Step() {
    const uint64_t ticket = random_() % 1000;
    if (ticket < 8) {
      last_ = "expand";
      if (filter_.capacity() < 6 * filter_.size() + 60) {
        ASSERT_TRUE(filter_.Expand().ok());
      }
    } else if (ticket < 16) {
      last_ = "contract";
      (void)filter_.Contract().ok();
    } else if (ticket < 19) {
      last_ = "forget";
      filter_.Forget(0);
      model_.Forget();
    } else if (ticket < 22) {
      last_ = "load";
      LoadSome();
    } else if (ticket < 25) {
      last_ = "merge";
      MergeSome();
    } else if (ticket < 60) {
      last_ = "rejuvenate";
      RejuvenateSome();
    } else if (ticket < 400) {
      last_ = "adapt";
      Adapt(hasher_.Hash((uint64_t{1} << 40) + random_() % universe_));
    } else if (growing_ ? ticket < 850 : ticket < 500) {
      last_ = "insert";
      Insert(AnyKey());
    } else if (!truth_.empty()) {
      last_ = "erase";
      const KeyHash member = truth_.Any(random_);
      model_.Erase(member);
      if constexpr (kHasShards) FollowShard(member);
      ASSERT_TRUE(filter_.Erase(member).ok());
      truth_.Remove(member);
    }
  }
  // It grows first, and then inserts.
  void Insert(KeyHash key) {
    ASSERT_TRUE(filter_.Insert(key).ok());
    Added({key});
  }
  void Added(const std::vector<KeyHash>& keys) {
    Follow();
    for (const KeyHash key : keys) {
      model_.Insert(key);
      truth_.Add(key);
    }
  }
  std::vector<KeyHash> SomeKeys(uint64_t most) {
    std::vector<KeyHash> keys;
    for (uint64_t i = random_() % most; i > 0; --i) keys.push_back(AnyKey());
    return keys;
  }
  void LoadSome() {
    const std::vector<KeyHash> keys = SomeKeys(60);
    ASSERT_TRUE(filter_.BulkLoad(keys).ok());
    Added(keys);
  }
  // What the other holds is as if it had been inserted when all were as long as
  // its own are.
  void MergeSome() {
    F other = F::Create(options_, hasher_).value();
    const std::vector<KeyHash> keys = SomeKeys(4);
    for (const KeyHash key : keys) ASSERT_TRUE(other.Insert(key).ok());
    const Seen its(other);
    ASSERT_TRUE(filter_.Merge(other).ok());
    Follow();
    model_.Add(its.entries);
    for (const KeyHash key : keys) truth_.Add(key);
  }
  void Adapt(KeyHash absent) {
    if (truth_.Contains(absent)) return;
    const auto range = filter_.CollisionRange(absent);
    ASSERT_EQ(range.has_value(), model_.MayContain(absent));
    if (!range) return;
    std::vector<KeyHash> members = truth_.In(*range);
    if (random_() % 2 == 0) {
      std::erase_if(members, [&](KeyHash) { return random_() % 3 == 0; });
    }
    std::shuffle(members.begin(), members.end(), random_);
    const auto outcome = filter_.Adapt(absent, members, filter_.num_erases());
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    model_.Adapt(absent, members);
  }
  void RejuvenateSome() {
    if (truth_.empty()) return;
    const std::vector<KeyHash> keys = truth_.Some(4, random_);
    ASSERT_TRUE(filter_.Rejuvenate(keys).ok());
    Follow();
    model_.Rejuvenate(keys);
  }

  Options options_;
  std::mt19937_64 random_;
  uint64_t universe_;
  Hasher hasher_;
  F filter_;
  PrefixModel model_{ExtensionTable::kRestBits};
  std::vector<PrefixModel::Stretch> stretches_;
  SortedMembers truth_;
  bool growing_ = true;
  std::string last_;
};

TamisFilter::Options Small(int steps, int bits) {
  return {.slots = 8,
          .fingerprint_bits = bits,
          .steps = steps,
          .members = TamisFilter::Members::kCaller,
          .extension_bits = 64};
}

bool IsLong() { return std::getenv("TAMIS_LONG_TESTS") != nullptr; }
constexpr uint64_t kModelOperations = 3000;

// Runs histories of all steps and lengths; returns the sum of what happened.
template <typename F, typename MakeOptions>
void RunAll(uint64_t seeds, MakeOptions&& make) {
  uint64_t voids = 0;
  uint64_t extensions = 0;
  uint64_t shards = 0;
  uint64_t shrunk = 0;
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    for (const int steps : {1, 2, 3, 4}) {
      const uint64_t universe = seed % 2 == 0 ? 400 : 9;
      Both<F> both(make(Small(steps, 3 + static_cast<int>(seed % 2))),
                   4 * seed + static_cast<uint64_t>(steps), universe);
      both.Run(kModelOperations);
      if (::testing::Test::HasFailure()) {
        FAIL() << "seed " << seed << ", steps " << steps;
      }
      voids += both.max_voids;
      extensions += both.max_extensions;
      shards = std::max(shards, both.max_shards);
      shrunk += both.shrunk;
    }
  }
  EXPECT_GT(voids, 0u);
  EXPECT_GT(extensions, 0u);
  EXPECT_GT(shrunk, 0u);
  EXPECT_EQ(shards > 1, (std::is_same_v<F, ShardedTamis>));
}

TEST(TamisModel, IsWhatTheFilterHolds) {
  RunAll<TamisFilter>(
      IsLong() ? 200 : 3,
      [](const TamisFilter::Options& options) { return options; });
}

TEST(TamisModel, IsWhatItsShardsHold) {
  RunAll<ShardedTamis>(
      IsLong() ? 200 : 3, [](const TamisFilter::Options& options) {
        return ShardedTamis::Options{.filter = options, .shard_slots = 32};
      });
}

}  // namespace
}  // namespace tamis::testing
