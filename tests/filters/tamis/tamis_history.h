// Random operations on a tamis filter, in one piece or in shards, against the
// exact multiset.

#ifndef TAMIS_TESTS_FILTERS_TAMIS_TAMIS_HISTORY_H_
#define TAMIS_TESTS_FILTERS_TAMIS_TAMIS_HISTORY_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "model/sorted_members.h"
#include "tamis/key_source.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"
#include "tamis/tamis_filter.h"

namespace tamis::testing {

inline std::string NameOf(TamisFilter::Members members) {
  switch (members) {
    case TamisFilter::Members::kMirror:
      return "mirror";
    case TamisFilter::Members::kCaller:
      return "caller";
    case TamisFilter::Members::kSource:
      return "source";
  }
  return "";
}

// F is TamisFilter, ShardedTamis or ConcurrentTamis.
template <typename F>
class TamisHistory {
 public:
  using Options = typename F::Options;
  using Members = TamisFilter::Members;

  static constexpr bool kReadersMayGiveUp = requires(const F& filter) {
    filter.num_forced();
  };
  static constexpr bool kHasShards = !std::is_same_v<F, TamisFilter>;

  // `close`: hashes that differ in their first bits and in their last, as no
  // hasher makes them; the smallest and the largest are among them.
  TamisHistory(const Options& options, uint64_t seed, uint64_t universe,
               bool close = false)
      : options_(options),
        random_(seed),
        universe_(universe),
        close_(close),
        hasher_(Seed{seed, ~seed}),
        filter_(Make()) {}

  // Runs so many operations, and compares everything now and then.
  void Run(uint64_t operations, uint64_t check_every) {
    for (uint64_t i = 1; i <= operations; ++i) {
      // Growing takes longer than shrinking: it loses more to the others.
      if (i % (1000 + universe_ * 3 / 2) == 0) growing_ = !growing_;
      Step();
      if (i % check_every == 0) Check();
      if (::testing::Test::HasFailure()) return;
    }
    Check();
    if constexpr (!kHasShards) {
      Rebuild();  // at least once, however short the history
      Check();
    }
  }

  void Check() {
    const Status status = filter_.CheckInvariants();
    ASSERT_TRUE(status.ok()) << status.ToString();
    ASSERT_EQ(filter_.size(), truth_.size());
    for (const auto& [hash, count] : truth_.counts()) {
      ASSERT_TRUE(filter_.MayContain(hash)) << "false negative";
    }
    CheckBatch();
  }

  uint64_t fixed() const { return fixed_; }
  uint64_t refused() const { return refused_; }
  uint64_t rebuilds() const { return rebuilds_; }
  uint64_t max_shards() const { return max_shards_; }
  uint64_t joins() const { return joins_; }
  double max_voids() const { return max_voids_; }
  double max_extensions() const { return max_extensions_; }
  int max_generation() const { return max_generation_; }

 private:
  static TamisFilter::Options& FilterOptions(Options& options) {
    if constexpr (kHasShards) {
      return options.filter;
    } else {
      return options;
    }
  }
  const TamisFilter::Options& filter_options() {
    return FilterOptions(options_);
  }
  Options WithSource() {
    Options options = options_;
    if (filter_options().members == Members::kSource) {
      FilterOptions(options).source = source_;
    }
    return options;
  }
  F Make() { return F::Create(WithSource(), hasher_).value(); }
  std::vector<std::byte> Bytes(const F& filter) const {
    return internal::SerializeSnapshot(filter.ToSnapshot()).value();
  }
  // One that may not grow may be full.
  bool MayBeFull(const Status& status) {
    return !filter_options().grow && status.code() == StatusCode::kFull;
  }
  KeyHash HashOf(uint64_t key) const {
    if (!close_) return hasher_.Hash(key);
    constexpr uint64_t kMiddles[] = {0, ~uint64_t{0}, 0x5555555555555555, 1};
    const uint64_t middle = kMiddles[key % 4];
    const uint64_t first = key / 4 % 8;
    const uint64_t last = key / 32 % 16;  // around the end of the string
    return {first << 61 | middle >> 3,
            middle ^ last << 60 ^ (key >> 40 << 56) ^ (key / 512 % 4)};
  }
  KeyHash AnyKey() { return HashOf(random_() % universe_); }
  KeyHash AbsentKey() {
    return HashOf((uint64_t{1} << 40) + random_() % (universe_ + 5000));
  }
  KeyHash AnyMember() { return truth_.Any(random_); }

  // Batches say what single calls say.
  void CheckBatch() {
    std::vector<KeyHash> keys;
    for (int i = 0; i < 300; ++i) {
      keys.push_back(i % 2 == 0 ? AnyKey() : AbsentKey());
    }
    const auto answers = std::make_unique<bool[]>(keys.size());
    filter_.MayContain(keys, std::span(answers.get(), keys.size()));
    for (size_t i = 0; i < keys.size(); ++i) {
      ASSERT_EQ(answers[i], filter_.MayContain(keys[i]));
    }
  }

  void Insert(KeyHash hash) {
    const Status status = filter_.Insert(hash);
    if (MayBeFull(status)) return;
    ASSERT_TRUE(status.ok()) << status.ToString();
    Add(hash);
  }
  void Add(KeyHash hash) {
    truth_.Add(hash);
    source_.Add(hash);
  }
  void Erase(KeyHash hash) {
    source_.Remove(hash);
    const Status status = filter_.Erase(hash);
    ASSERT_TRUE(status.ok()) << status.ToString();
    truth_.Remove(hash);
  }
  // Tells the filter that `absent` is no member.
  void Adapt(KeyHash absent) {
    if (truth_.Contains(absent)) return;
    const bool before = filter_.MayContain(absent);
    const Result<AdaptOutcome> outcome =
        random_() % 2 == 0 ? filter_.Adapt(absent) : AdaptWithList(absent);
    ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    const bool is_fixed =
        *outcome == AdaptOutcome::kFixed || *outcome == AdaptOutcome::kReset;
    const bool is_nothing = *outcome == AdaptOutcome::kNothingToFix;
    // Readers that do not wait say maybe where a run is very long.
    ASSERT_TRUE(before || is_nothing);
    ASSERT_TRUE(kReadersMayGiveUp || before == !is_nothing);
    if (before && !kReadersMayGiveUp) {
      ASSERT_EQ(filter_.MayContain(absent), !is_fixed);
    }
    fixed_ += static_cast<uint64_t>(is_fixed);
  }

  uint64_t ErasesOf(KeyHash hash) const {
    if constexpr (requires { filter_.num_erases(hash); }) {
      return filter_.num_erases(hash);
    } else {
      return filter_.num_erases();
    }
  }
  // The caller's own list: complete, without some members, or wrong.
  Result<AdaptOutcome> AdaptWithList(KeyHash absent) {
    const uint64_t erases = ErasesOf(absent);
    const auto range = filter_.CollisionRange(absent);
    if (!range) return filter_.Adapt(absent, {}, erases);
    EXPECT_TRUE(range->Contains(absent));
    std::vector<KeyHash> members = truth_.In(*range);
    const uint64_t ticket = random_() % 8;
    if (ticket == 0) ExpectRefused(absent, members);
    if (ticket == 1) {
      EXPECT_EQ(filter_.Adapt(absent, members, ~erases).status().code(),
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
    if (members.empty()) return;
    members.insert(members.end(), truth_.size() + 1, members.front());
    const bool compares = random_() % 8 == 0;
    const auto before = compares ? Bytes(filter_) : std::vector<std::byte>();
    const auto outcome = filter_.Adapt(absent, members, ErasesOf(absent));
    // Where the caller's range is wider than the filter's, they may all lie
    // outside, and are ignored.
    if (outcome.ok()) return;
    ++refused_;
    ASSERT_EQ(outcome.status().code(), StatusCode::kInvalidArgument);
    if (compares) {
      ASSERT_EQ(Bytes(filter_), before);
    }
  }

  void Step() {
    const uint64_t ticket = random_() % 10'000;
    if (ticket < 4) {
      StepSize();
    } else if (ticket < 6) {
      Reload();
    } else if (ticket < 8) {
      if constexpr (kHasShards) ReloadPages();
    } else if (ticket < 12) {
      filter_.Forget(static_cast<uint64_t>(Detail("extensions") / 2));
    } else if (ticket < 15) {
      MergeSome();
    } else if (ticket < 18) {
      BulkLoad();
    } else if (ticket < 20) {
      if (filter_options().members != Members::kCaller) {
        const Status status = filter_.RejuvenateAll();
        ASSERT_TRUE(status.ok()) << status.ToString();
      }
    } else if (ticket < 21) {
      if constexpr (!kHasShards) Rebuild();
    } else if (ticket < 700) {
      Rejuvenate();
    } else if (ticket < 4000) {
      Adapt(AbsentKey());
    } else if (growing_ ? ticket < 8900 : ticket < 5000) {
      Insert(AnyKey());
    } else if (!truth_.empty()) {
      Erase(AnyMember());
    }
    if (ticket < 60) Observe();
  }

  double Detail(const std::string& name) const {
    for (const auto& [detail, value] : filter_.stats().details) {
      if (detail == name) return value;
    }
    ADD_FAILURE() << "no detail " << name;
    return 0;
  }
  void Observe() {
    const auto shards =
        kHasShards ? static_cast<uint64_t>(Detail("shards")) : 1;
    joins_ += static_cast<uint64_t>(shards < last_shards_);
    last_shards_ = shards;
    max_shards_ = std::max(max_shards_, shards);
    max_voids_ = std::max(max_voids_, Detail("voids"));
    max_extensions_ = std::max(max_extensions_, Detail("extensions"));
    if constexpr (!kHasShards) {
      max_generation_ = std::max(max_generation_, filter_.generation());
    }
  }
  void StepSize() {
    const bool may_expand = filter_.capacity() < 8 * truth_.size() + 100;
    const Status status = may_expand && random_() % 2 == 0 ? filter_.Expand()
                                                           : filter_.Contract();
    ASSERT_TRUE(status.ok() || status.code() == StatusCode::kFull ||
                status.code() == StatusCode::kUnsupported)
        << status.ToString();
  }
  LoadOptions ForLoading() {
    LoadOptions load;
    if (filter_options().members == Members::kSource) load.source = source_;
    return load;
  }
  void Reload() {
    const auto bytes = Bytes(filter_);
    const auto file = internal::DecodedFile::FromMemory(bytes).value();
    auto loaded = F::FromSnapshot(file.snapshot(), ForLoading());
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    ASSERT_EQ(Bytes(*loaded), bytes);
    filter_ = std::move(loaded).value();
  }
  void ReloadPages() {
    std::vector<std::pair<HashRange, std::string>> kept;
    const Status status = filter_.ForEachShard(
        [&](const HashRange& range, std::string_view bytes) {
          kept.emplace_back(range, bytes);
          return Status();
        });
    ASSERT_TRUE(status.ok()) << status.ToString();
    std::vector<ShardPage> pages;
    for (const auto& [range, bytes] : kept) pages.push_back({range, bytes});
    std::shuffle(pages.begin(), pages.end(), random_);
    Options options = options_;
    if (options.filter.members == Members::kSource) {
      options.filter.source = source_;
    }
    auto loaded = F::FromShards(pages, options);
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    filter_ = std::move(loaded).value();
    pages.pop_back();
    ASSERT_EQ(F::FromShards(pages, options).status().code(),
              StatusCode::kCorrupt);
  }
  // Another filter of the same kind, sometimes a larger one.
  void MergeSome() {
    F other = Make();
    std::vector<KeyHash> keys;
    const uint64_t most = random_() % 8 == 0 ? 2000 : 40;
    for (uint64_t i = random_() % most; i > 0; --i) {
      keys.push_back(AnyKey());
      const Status status = other.Insert(keys.back());
      if (MayBeFull(status)) keys.pop_back();
      ASSERT_TRUE(status.ok() || MayBeFull(status)) << status.ToString();
    }
    if (random_() % 2 == 0) {
      AddAll(keys, filter_.Merge(other));
      return;
    }
    const Status status = other.Merge(filter_);
    if (status.ok()) filter_ = std::move(other);
    AddAll(keys, status);
  }
  void BulkLoad() {
    std::vector<KeyHash> keys;
    const uint64_t most = random_() % 8 == 0 ? 3000 : 100;
    for (uint64_t i = random_() % most; i > 0; --i) keys.push_back(AnyKey());
    AddAll(keys, filter_.BulkLoad(keys));
  }
  void AddAll(const std::vector<KeyHash>& keys, const Status& status) {
    if (MayBeFull(status)) return;
    ASSERT_TRUE(status.ok()) << status.ToString();
    for (const KeyHash key : keys) Add(key);
  }
  // Made anew of its first size, from what its mirror or its source names.
  void Rebuild() {
    const Status status = filter_.RebuildTo(filter_options().slots);
    if (filter_options().members == Members::kCaller) {
      ASSERT_EQ(status.code(), StatusCode::kUnsupported);
      return;
    }
    ASSERT_TRUE(status.ok()) << status.ToString();
    ++rebuilds_;
  }
  void Rejuvenate() {
    if (truth_.empty()) return;
    if (random_() % 2 == 0) {
      const Status status = filter_.Rejuvenate(AnyMember());
      ASSERT_TRUE(status.ok()) << status.ToString();
      return;
    }
    const Status status = filter_.Rejuvenate(truth_.Some(5, random_));
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  Options options_;
  std::mt19937_64 random_;
  uint64_t universe_;
  bool close_;
  Hasher hasher_;
  SortedSource source_;
  F filter_;
  SortedMembers truth_;
  bool growing_ = true;
  uint64_t fixed_ = 0;
  uint64_t refused_ = 0;
  uint64_t rebuilds_ = 0;
  uint64_t max_shards_ = 0;
  uint64_t last_shards_ = 0;
  uint64_t joins_ = 0;  // times that there were fewer shards
  int max_generation_ = 0;
  double max_voids_ = 0;
  double max_extensions_ = 0;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILTERS_TAMIS_TAMIS_HISTORY_H_
