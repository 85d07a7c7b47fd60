// Damage to what is saved is noticed, and the filter rebuilt from the data.

#include <gtest/gtest.h>

#include <fstream>

#include "store/src/layout.h"
#include "store/tests/raw_store.h"
#include "store/tests/temp_store.h"
#include "workloads/random.h"

namespace tamis {
namespace {

constexpr int kKeys = 50;

StoreOptions Small() {
  StoreOptions options;
  options.hasher = Hasher(Seed{5, 5});
  options.filter.grow = false;  // the smallest page
  options.filter.expected_keys = 60;
  return options;
}

class Damage : public testing::Test {
 protected:
  void SetUp() override {
    const auto store = MustOpen(path_, Small());
    for (int i = 0; i < kKeys; ++i) ExpectOk(store->Put(Key(i), "v"));
    ExpectOk(store->Close());
  }
  static std::string Key(int i) { return "key" + std::to_string(i); }

  // Opens, and finds everything right after `rebuilds` rebuilds.
  void ExpectMended(uint64_t rebuilds, const std::string& what) {
    std::string told;
    StoreOptions options = Small();
    options.on_progress = [&](std::string_view text, uint64_t) {
      told += std::string(text) + "\n";
    };
    const auto store = MustOpen(path_, options);
    ASSERT_NE(store, nullptr) << what;
    EXPECT_EQ(store->Stats().counters.rebuilds, rebuilds) << what;
    if (rebuilds > 0) {
      EXPECT_NE(told.find("rebuilding"), std::string::npos) << what;
    }
    for (int i = 0; i < kKeys; ++i) ASSERT_EQ(Read(*store, Key(i)), "v");
    ExpectWhole(*store, kKeys);
  }

  TempDir dir_;
  std::string path_ = dir_ / "s";
};

// The codes are tried one by one here, and a few of them in a whole store.
TEST_F(Damage, EveryByteOfAPageIsGuarded) {
  std::string page;
  {
    const RawStore raw(path_);
    page = raw.Read(internal::kFilterFamily, internal::PageKey(0, {}));
  }
  ASSERT_TRUE(internal::DecodePage(page).ok());
  for (size_t i = 0; i < page.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = page;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      ASSERT_FALSE(internal::DecodePage(damaged).ok()) << i << "." << bit;
    }
    ASSERT_FALSE(internal::DecodePage(page.substr(0, i)).ok()) << "cut " << i;
  }
}

TEST_F(Damage, AStoreWithADamagedPageIsRebuilt) {
  workloads::Random random(1);
  for (int trial = 0; trial < 12; ++trial) {
    {
      const RawStore raw(path_);
      const std::string key = internal::PageKey(0, {});
      std::string bytes = raw.Read(internal::kFilterFamily, key);
      const size_t at = random.Below(bytes.size());
      if (trial % 3 == 0) {
        bytes.resize(at);
      } else {
        bytes[at] = static_cast<char>(bytes[at] + 1);
      }
      raw.Write(internal::kFilterFamily, key, bytes);
    }
    ExpectMended(1, "trial " + std::to_string(trial));
    ExpectMended(0, "after trial " + std::to_string(trial));
  }
}

TEST_F(Damage, AMissingPageIsNoticed) {
  {
    const RawStore raw(path_);
    ASSERT_TRUE(raw.db()
                    ->Delete({}, raw.family(internal::kFilterFamily),
                             internal::PageKey(0, {}))
                    .ok());
  }
  ExpectMended(1, "no page");
}

TEST_F(Damage, ADamagedJournalIsNoticed) {
  {
    const RawStore raw(path_);
    raw.Write(internal::kJournalFamily, internal::JournalKey(1 << 20), "junk");
  }
  ExpectMended(1, "junk");
  ExpectMended(0, "the junk is gone");
}

// A journal that erases what is not there: the filter can't be right.
TEST_F(Damage, AJournalThatDoesNotFitIsNoticed) {
  {
    const RawStore raw(path_);
    std::string record;
    internal::AppendChange(&record, {0, false, {1, 2}});
    raw.Write(internal::kJournalFamily, internal::JournalKey(1 << 20), record);
  }
  ExpectMended(1, "an erase of nothing");
}

TEST_F(Damage, TheDescriptionIsKeptTwice) {
  {
    const RawStore raw(path_);
    raw.Write(internal::kFilterFamily, "meta", "junk");
  }
  ExpectMended(0, "one copy");
  {
    const RawStore raw(path_);
    raw.Write(internal::kFilterFamily, "meta", "junk");
    raw.Write(internal::kFilterFamily, "meta copy", "junk");
  }
  EXPECT_EQ(Store::Open(Small(), path_).status().code(), StatusCode::kCorrupt);
}

TEST_F(Damage, ANewerVersionIsRefused) {
  {
    const RawStore raw(path_);
    std::string meta = raw.Read(internal::kFilterFamily, "meta");
    meta.resize(meta.size() - 8);
    meta[15] = internal::kStoreVersion +
               1;  // after "tamis store\n", the last byte of the version
    raw.Write(internal::kFilterFamily, "meta", internal::Sealed(meta));
  }
  const Status status = Store::Open(Small(), path_).status();
  EXPECT_EQ(status.code(), StatusCode::kVersion) << status.ToString();
}

// Files of the database itself, flipped: RocksDB's checksums or ours notice, or
// it was no byte that matters.  Never a wrong answer.
TEST_F(Damage, FlippedFilesGiveAnErrorOrRightAnswers) {
  {
    const auto store = MustOpen(path_, Small());
    ExpectOk(store->Flush());
  }
  workloads::Random random(2);
  for (int trial = 0; trial < 25; ++trial) {
    const std::string copy = dir_ / "copy";
    std::filesystem::remove_all(copy);
    std::filesystem::copy(path_, copy);
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::directory_iterator(copy)) {
      if (file.path().extension() == ".sst") files.push_back(file.path());
    }
    ASSERT_FALSE(files.empty());
    const std::string& chosen = files[random.Below(files.size())];
    {
      std::fstream file(chosen,
                        std::ios::in | std::ios::out | std::ios::binary);
      const auto at = static_cast<std::streamoff>(
          random.Below(std::filesystem::file_size(chosen)));
      file.seekg(at);
      const char byte = static_cast<char>(file.get());
      file.seekp(at);
      file.put(static_cast<char>(byte ^ 0x40));
    }
    StoreOptions options = Small();
    options.rocksdb.paranoid_checks = true;
    const auto store = Store::Open(options, copy);
    if (!store.ok()) continue;  // said so
    for (int i = 0; i < kKeys; ++i) {
      std::string value;
      const Result<bool> found = (*store)->Get(Key(i), &value);
      EXPECT_TRUE(!found.ok() || (*found && value == "v")) << chosen;
    }
  }
}

}  // namespace
}  // namespace tamis
