// The front door in use: keys of all forms, batches, learning, files.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/tamis.h"

namespace tamis {
namespace {

using std::string_view_literals::operator""sv;
using ::testing::HasSubstr;

const Hasher kHasher(Seed{.low = 3, .high = 4});

static_assert(FilterKey<uint64_t> && FilterKey<int> && FilterKey<std::string>);
static_assert(FilterKey<const char*> && FilterKey<char[4]>);
static_assert(FilterKey<std::vector<std::byte>> && FilterKey<KeyHash>);
static_assert(!FilterKey<double> && !FilterKey<bool> && !FilterKey<void*>);
static_assert(!FilterKey<std::nullptr_t>);
static_assert(!FilterKey<std::vector<uint64_t>>);
static_assert(FilterBatch<std::vector<uint64_t>> &&
              FilterBatch<std::array<int, 3>> &&
              FilterBatch<std::vector<std::string>> &&
              FilterBatch<std::span<const std::string_view>> &&
              FilterBatch<std::span<const KeyHash>>);
static_assert(!FilterBatch<std::string> && !FilterBatch<std::vector<char>> &&
              !FilterBatch<std::vector<uint8_t>> &&
              !FilterBatch<std::vector<std::byte>> &&
              !FilterBatch<std::set<uint64_t>>);

Filter MustCreate(Filter::Options options) {
  options.hasher = kHasher;
  Result<Filter> filter = Filter::Create(options);
  EXPECT_TRUE(filter.ok()) << filter.status().ToString();
  return std::move(filter).value();
}

std::vector<bool> Ask(const Filter& filter, const auto& keys) {
  const auto results = std::make_unique<bool[]>(keys.size());
  filter.MayContain(keys, {results.get(), keys.size()});
  return std::vector<bool>(results.get(), results.get() + keys.size());
}

TEST(Filter, TakesEveryFormOfAKey) {
  Filter filter = MustCreate({.keys = 100, .fpr = 1e-6, .deletes = true});
  const std::string text = "text";
  const std::array<std::byte, 3> bytes = {std::byte{1}, std::byte{0}};
  ASSERT_TRUE(filter.Insert("literal").ok());
  ASSERT_TRUE(filter.Insert(text).ok());
  ASSERT_TRUE(filter.Insert("view"sv).ok());
  ASSERT_TRUE(filter.Insert(bytes).ok());
  ASSERT_TRUE(filter.Insert(42).ok());
  ASSERT_TRUE(filter.Insert(kHasher.Hash("hashed")).ok());
  EXPECT_EQ(filter.size(), 6);
  EXPECT_TRUE(filter.MayContain("literal"sv));
  EXPECT_TRUE(filter.MayContain("text"));
  EXPECT_TRUE(filter.MayContain("view"));
  EXPECT_TRUE(filter.MayContain(std::span<const std::byte>(bytes)));
  EXPECT_TRUE(filter.MayContain(uint64_t{42}));
  EXPECT_TRUE(filter.MayContain("\x2a\0\0\0\0\0\0\0"sv));  // the same key
  EXPECT_TRUE(filter.MayContain("hashed"));
  EXPECT_FALSE(filter.MayContain("42"));
  EXPECT_FALSE(filter.MayContain(43));
  ASSERT_TRUE(filter.Erase("text").ok());
  EXPECT_FALSE(filter.MayContain(text));
}

TEST(Filter, BatchesAnswerAsSingleLookUpsDo) {
  Filter filter = MustCreate({.keys = 20'000, .fpr = 0.05});
  std::vector<uint64_t> keys(9001);  // several chunks, and a part of one
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i * i;
  ASSERT_TRUE(filter.Insert(std::span(keys).first(5000)).ok());
  std::vector<std::string> texts;
  for (const uint64_t key : keys) texts.push_back("key " + std::to_string(key));
  ASSERT_TRUE(filter.Insert(std::span(texts).first(5000)).ok());
  EXPECT_EQ(filter.size(), 10'000);
  const std::vector<std::string_view> views(texts.begin(), texts.end());
  std::vector<KeyHash> hashes;
  for (const auto& text : texts) hashes.push_back(filter.Hash(text));

  const std::vector<bool> by_integer = Ask(filter, keys);
  const std::vector<bool> by_text = Ask(filter, texts);
  EXPECT_EQ(by_text, Ask(filter, views));
  EXPECT_EQ(by_text, Ask(filter, hashes));
  for (size_t i = 0; i < keys.size(); ++i) {
    ASSERT_EQ(by_integer[i], filter.MayContain(keys[i]));
    ASSERT_EQ(by_text[i], filter.MayContain(texts[i]));
    ASSERT_TRUE(i >= 5000 || (by_integer[i] && by_text[i]));
  }
  EXPECT_TRUE(Ask(filter, std::vector<uint64_t>()).empty());
}

TEST(Filter, FullIsAnErrorAndNothingChanges) {
  Filter filter = MustCreate({.keys = 100, .fpr = 0.01});
  const std::vector<uint64_t> keys(1000, 5);
  EXPECT_EQ(filter.Insert(keys).code(), StatusCode::kFull);
  EXPECT_EQ(filter.size(), 100);
  EXPECT_EQ(filter.Insert("more").code(), StatusCode::kFull);
  EXPECT_TRUE(filter.CheckInvariants().ok());
}

// Those with a mirror know all their hashes: they are made anew, larger.
TEST(Filter, GrowsByItsMembers) {
  for (const std::string spec :
       {"cuckooing", "swapping", "cyclic", "cuckoo:k=4", "taf", "exaf", "utaf",
        "tamis:grow=no,members=mirror"}) {
    Filter filter =
        MustCreate({.keys = 200, .fpr = 0.01, .spec = spec, .grows = true});
    for (uint64_t key = 0; key < 3000; ++key) {
      ASSERT_TRUE(filter.Insert(key).ok()) << spec << " " << key;
    }
    std::vector<uint64_t> more(3000);
    std::iota(more.begin(), more.end(), 3000);
    ASSERT_TRUE(filter.Insert(more).ok()) << spec;
    EXPECT_EQ(filter.size(), 6000);
    for (uint64_t key = 0; key < 6000; ++key) {
      ASSERT_TRUE(filter.MayContain(key)) << spec << " " << key;
    }
    EXPECT_LT(filter.stats().expected_fpr, 0.011) << spec;
    ASSERT_TRUE(filter.Erase(17).ok());
    EXPECT_EQ(filter.Erase(17).code(), StatusCode::kNotFound) << spec;
    EXPECT_TRUE(filter.CheckInvariants().ok()) << spec;
  }
}

// It once doubled until there was no memory left.
TEST(Filter, DoesNotGrowForEverForOneKey) {
  for (const char* spec : {"cuckooing:f=8", "cuckooing:f=12"}) {
    Filter filter = MustCreate({.keys = 400, .spec = spec});
    Status status;
    uint64_t copies = 0;
    for (; copies < 1000 && status.ok(); ++copies) status = filter.Insert(7);
    EXPECT_EQ(status.code(), StatusCode::kFull) << spec << status.ToString();
    EXPECT_EQ(filter.size(), copies - 1) << spec;
    EXPECT_LT(filter.any().capacity(), 100000u) << spec;
    EXPECT_TRUE(filter.MayContain(7)) << spec;
    EXPECT_TRUE(filter.Insert(8).ok()) << spec;
  }
}

TEST(Filter, GrowsByItsSource) {
  for (const std::string spec : {"taf", "tamis:grow=no"}) {
    SortedSource source;
    Filter filter = MustCreate({.keys = 100, .spec = spec, .source = source});
    for (uint64_t key = 0; key < 1000; ++key) {
      ASSERT_TRUE(filter.Insert(key).ok()) << spec << " " << key;
      source.Add(filter.Hash(key));
    }
    EXPECT_TRUE(filter.CheckInvariants().ok());
    // Members that the source does not name yet must not be lost.
    const SortedSource none;
    Filter early = MustCreate({.keys = 100, .spec = spec, .source = none});
    Status status;
    for (uint64_t key = 0; status.ok(); ++key) status = early.Insert(key);
    EXPECT_NE(status.code(), StatusCode::kOk);
    for (uint64_t key = 0; key < early.size(); ++key) {
      ASSERT_TRUE(early.MayContain(key)) << spec;
    }
  }
}

// A list of members that was read before an erase stays too old.
TEST(Filter, RebuildingForgetsNoErase) {
  for (const std::string spec : {"taf", "cyclic", "tamis:grow=no"}) {
    Filter filter = MustCreate({.keys = 50, .spec = spec});
    for (uint64_t key = 0; key < 50; ++key) {
      ASSERT_TRUE(filter.Insert(key).ok());
    }
    const uint64_t erases = filter.num_erases(1);
    ASSERT_TRUE(filter.Erase(7).ok());
    ASSERT_TRUE(filter.any().RebuildTo(500).ok()) << spec;
    EXPECT_EQ(filter.num_erases(1), erases + 1) << spec;
    EXPECT_EQ(filter.size(), 49);
    EXPECT_EQ(filter.any().RebuildTo(8).code(), StatusCode::kFull) << spec;
    EXPECT_EQ(filter.size(), 49);
    EXPECT_TRUE(filter.CheckInvariants().ok());
  }
}

TEST(Filter, SaysWhatItCanNot) {
  Filter blocked = MustCreate({.keys = 100});
  EXPECT_EQ(blocked.Erase("a").code(), StatusCode::kUnsupported);
  EXPECT_EQ(blocked.Expand().code(), StatusCode::kUnsupported);
  EXPECT_EQ(blocked.ReportFalsePositive("a").status().code(),
            StatusCode::kUnsupported);
  EXPECT_FALSE(blocked.CollisionRange("a").has_value());
  EXPECT_FALSE(blocked.capabilities().erase);
}

// ---- Learning -------------------------------------------------------------

TEST(Learning, FromASource) {
  SortedSource source;
  Filter filter = MustCreate({.keys = 1000, .fpr = 0.02, .source = source});
  for (uint64_t key = 0; key < 1000; ++key) {
    ASSERT_TRUE(filter.Insert(key).ok());  // (S2): the filter first
    source.Add(filter.Hash(key));
  }
  uint64_t wrong = 0;
  for (int round = 0; round < 2; ++round) {
    wrong = 0;
    for (uint64_t key = 1'000'000; key < 1'003'000; ++key) {
      if (!filter.MayContain(key)) continue;
      ++wrong;
      ASSERT_TRUE(filter.ReportFalsePositive(key).ok());
    }
    EXPECT_TRUE(round > 0 || wrong > 20) << wrong;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(filter.ReportFalsePositive(7).status().code(),
            StatusCode::kIsMember);
  EXPECT_EQ(filter.stats().side_bits, 0);
}

TEST(Learning, FromMembersThatTheCallerBrings) {
  Filter filter = MustCreate({.keys = 1000, .fpr = 0.02, .adapts = true});
  std::map<KeyHash, std::string> table;  // a database sorted by hash
  for (int i = 0; i < 1000; ++i) {
    const std::string key = "member " + std::to_string(i);
    ASSERT_TRUE(filter.Insert(key).ok());
    table.emplace(filter.Hash(key), key);
  }
  uint64_t wrong = 0;
  for (int round = 0; round < 2; ++round) {
    wrong = 0;
    for (int i = 0; i < 3000; ++i) {
      const std::string key = "absent " + std::to_string(i);
      const uint64_t erases = filter.num_erases(key);
      const std::optional<HashRange> range = filter.CollisionRange(key);
      ASSERT_EQ(range.has_value(), filter.MayContain(key));
      if (!range) continue;
      ++wrong;
      std::vector<std::string> members;
      for (auto at = table.lower_bound(range->low);
           at != table.end() && at->first <= range->high; ++at) {
        members.push_back(at->second);
      }
      ASSERT_FALSE(members.empty());
      const auto outcome = filter.ReportFalsePositive(key, members, erases);
      ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
      EXPECT_FALSE(filter.MayContain(key));
    }
    EXPECT_TRUE(round > 0 || wrong > 20) << wrong;
  }
  EXPECT_EQ(wrong, 0);
  for (const auto& [hash, key] : table) ASSERT_TRUE(filter.MayContain(key));
}

TEST(Learning, WithoutMembersIsRefusedWithAHint) {
  Filter filter = MustCreate({.keys = 10, .adapts = true});
  ASSERT_TRUE(filter.Insert("a").ok());
  const auto outcome = filter.ReportFalsePositive("b");
  EXPECT_EQ(outcome.status().code(), StatusCode::kUnsupported);
  EXPECT_THAT(outcome.status().ToString(), HasSubstr(".source"));
}

TEST(Learning, AListFromBeforeAnEraseIsStale) {
  Filter filter = MustCreate({.keys = 10, .fpr = 0.2, .adapts = true});
  for (uint64_t key = 0; key < 10; ++key) {
    ASSERT_TRUE(filter.Insert(key).ok());
  }
  const uint64_t erases = filter.num_erases(99);
  ASSERT_TRUE(filter.Erase(3).ok());
  const std::vector<uint64_t> members = {3};
  EXPECT_EQ(filter.ReportFalsePositive(99, members, erases).status().code(),
            StatusCode::kStale);
}

// ---- Files ----------------------------------------------------------------

class FilterFile : public ::testing::Test {
 protected:
  FilterFile()
      : path_(std::filesystem::temp_directory_path() /
              ("tamis_door_" + std::to_string(std::random_device()()))) {}
  ~FilterFile() override { std::filesystem::remove(path_); }

  const std::string path_;
};

TEST_F(FilterFile, IsTheSameFilter) {
  for (const Filter::Options& options :
       {Filter::Options{.keys = 500},
        Filter::Options{.keys = 500, .deletes = true},
        Filter::Options{.keys = 100, .grows = true}}) {
    Filter filter = MustCreate(options);
    for (uint64_t key = 0; key < 500; ++key) {
      ASSERT_TRUE(filter.Insert(key).ok());
    }
    ASSERT_TRUE(filter.Save(path_).ok());
    const auto bytes = filter.Serialize();
    ASSERT_TRUE(bytes.ok());
    Result<Filter> loaded = Filter::Load(path_);
    Result<Filter> from_bytes = Filter::Deserialize(*bytes);
    ASSERT_TRUE(loaded.ok() && from_bytes.ok());
    EXPECT_EQ(loaded->spec(), filter.spec());
    EXPECT_EQ(loaded->hasher(), filter.hasher());
    for (uint64_t key = 0; key < 5000; ++key) {
      ASSERT_EQ(loaded->MayContain(key), filter.MayContain(key));
      ASSERT_EQ(from_bytes->MayContain(key), filter.MayContain(key));
    }
  }
}

TEST_F(FilterFile, CanBeMapped) {
  Filter filter = MustCreate({.keys = 500});
  ASSERT_TRUE(filter.Insert("a").ok());
  ASSERT_TRUE(filter.Save(path_).ok());
  Result<Filter> mapped = Filter::Load(path_, {.map = true});
  ASSERT_TRUE(mapped.ok());
  EXPECT_TRUE(mapped->MayContain("a"));
  EXPECT_EQ(mapped->Insert("b").code(), StatusCode::kUnsupported);
}

TEST_F(FilterFile, SaysIfItCanNotBeMapped) {
  Filter filter = MustCreate({.keys = 500, .spec = "cached(bloom)"});
  ASSERT_TRUE(filter.Save(path_).ok());
  const Status status = Filter::Load(path_, {.map = true}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(status.message(), HasSubstr("can't be mapped"));
}

TEST_F(FilterFile, NeedsAName) {
  const Status status = MustCreate({.keys = 5}).Save("");
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(status.message(), HasSubstr("no name"));
}

TEST_F(FilterFile, DamagedIsRefused) {
  EXPECT_FALSE(Filter::Load(path_).ok());
  const auto bytes = MustCreate({.keys = 500}).Serialize();
  ASSERT_TRUE(bytes.ok());
  std::vector<std::byte> damaged = *bytes;
  damaged[damaged.size() / 2] ^= std::byte{1};
  EXPECT_EQ(Filter::Deserialize(damaged).status().code(), StatusCode::kCorrupt);
}

TEST(Filter, Merges) {
  for (const Filter::Options& options :
       {Filter::Options{.keys = 500},
        Filter::Options{.keys = 500, .deletes = true},
        Filter::Options{.keys = 500, .grows = true}}) {
    Filter one = MustCreate(options);
    Filter other = MustCreate(options);
    ASSERT_TRUE(one.Insert("one").ok());
    ASSERT_TRUE(other.Insert("other").ok());
    ASSERT_TRUE(one.Merge(other).ok());
    EXPECT_TRUE(one.MayContain("one") && one.MayContain("other"));
    EXPECT_EQ(one.size(), 2);
  }
  Filter here = MustCreate({.keys = 5});
  Filter there = MustCreate({.keys = 5, .deletes = true});
  EXPECT_EQ(here.Merge(there).code(), StatusCode::kIncompatible);
}

// ---- Everything at random, against an exact set ---------------------------

// A filter with what it stands for: a multiset, which is also its source.
class Walk {
 public:
  Walk(Filter::Options options, uint64_t seed) : random_(seed) {
    options.source = source_;
    filter_.emplace(MustCreate(options));
  }

  void Step() {
    const uint64_t key = random_() % 3000;
    switch (random_() % 8) {
      case 0:
      case 1:
      case 2:
        Insert(key);
        break;
      case 3:
      case 4:
        Erase(key);
        break;
      case 5:
        Reload();
        break;
      default:
        Report(key);
    }
  }
  void Check() const {
    for (const uint64_t key : truth_) ASSERT_TRUE(filter_->MayContain(key));
    ASSERT_EQ(filter_->size(), truth_.size());
    ASSERT_TRUE(filter_->CheckInvariants().ok());
  }

 private:
  void Insert(uint64_t key) {
    const Status status = filter_->Insert(key);
    if (status.code() == StatusCode::kFull) return;
    ASSERT_TRUE(status.ok()) << status.ToString();
    source_.Add(filter_->Hash(key));
    truth_.insert(key);
  }
  void Erase(uint64_t key) {
    const auto at = truth_.find(key);
    if (at == truth_.end()) return;
    ASSERT_TRUE(source_.Remove(filter_->Hash(key)));
    ASSERT_TRUE(filter_->Erase(key).ok());
    truth_.erase(at);
  }
  void Report(uint64_t key) {
    if (!filter_->MayContain(key)) return;
    const auto outcome = filter_->ReportFalsePositive(key);
    if (truth_.contains(key)) {
      ASSERT_EQ(outcome.status().code(), StatusCode::kIsMember);
    } else {
      ASSERT_TRUE(outcome.ok()) << outcome.status().ToString();
    }
  }
  void Reload() {
    if (random_() % 16 != 0) return;
    const auto bytes = filter_->Serialize();
    ASSERT_TRUE(bytes.ok());
    Result<Filter> loaded = Filter::Deserialize(*bytes, {.source = source_});
    ASSERT_TRUE(loaded.ok()) << loaded.status().ToString();
    *filter_ = std::move(loaded).value();
  }

  std::mt19937_64 random_;
  SortedSource source_;
  std::multiset<uint64_t> truth_;
  std::optional<Filter> filter_;
};

TEST(Filter, RandomOperationsLoseNothing) {
  for (uint64_t seed = 0; seed < 8; ++seed) {
    Walk walk({.keys = 64, .fpr = 0.05, .grows = seed % 2 == 0}, seed);
    for (int step = 0; step < 4000; ++step) {
      walk.Step();
      if (step % 500 == 0) walk.Check();
      if (HasFatalFailure()) return;
    }
    walk.Check();
  }
}

}  // namespace
}  // namespace tamis
