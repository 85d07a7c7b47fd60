// Nothing is lost: a process with several writers is killed at random points,
// and what it was told to be written is there.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <chrono>
#include <thread>

#include "store/tests/crash_plan.h"
#include "store/tests/temp_store.h"

namespace tamis {
namespace {

class CrashTrial {
 public:
  CrashTrial(const CrashPlan& plan, uint64_t seed)
      : plan_(plan), random_(seed), board_(MapBoard(dir_ / "board")) {}

  void Run(int kills) {
    ASSERT_NE(board_, nullptr);
    base_.assign(kCrashKeys, std::nullopt);
    for (int i = 0; i < kills && !testing::Test::HasFailure(); ++i) {
      board_->round = static_cast<uint32_t>(i + 1);
      KillOne(/*rebuild=*/i % 7 == 6);
      Verify();
    }
    RecordProperty();
  }

 private:
  void KillOne(bool rebuild) {
    board_->opened = 0;
    const std::vector<std::string> words = {
        TAMIS_CRASH_CHILD,
        dir_ / "s",
        dir_ / "board",
        plan_.layout == StoreLayout::kKeyOrder ? "key" : "hash",
        plan_.wal ? "wal" : "nowal",
        rebuild ? "rebuild" : "keep",
        std::to_string(random_.Below(1 << 30))};
    std::vector<char*> argv;
    for (const std::string& word : words) {
      argv.push_back(const_cast<char*>(word.c_str()));
    }
    argv.push_back(nullptr);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      execv(argv[0], argv.data());
      _exit(127);
    }
    // Sometimes while it opens, replays or rebuilds, mostly while it writes.
    if (random_.Below(4) != 0) {
      for (int i = 0; i < 5000 && board_->opened == 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    std::this_thread::sleep_for(
        std::chrono::microseconds(random_.Below(80'000)));
    int status = 0;
    ASSERT_EQ(kill(child, SIGKILL), 0);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status))
        << "the child ended by itself: " << WEXITSTATUS(status);
    opened_ += board_->opened;
  }

  // True if `now` is what some writer left, or has under way.
  bool IsAllowed(int key, const std::optional<std::string>& now) const {
    bool touched = false;
    for (int writer = 0; writer < kWriters; ++writer) {
      const Progress& cell = board_->cells[writer][key];
      const uint32_t acked = cell.acked;
      const uint32_t started = cell.started;
      touched = touched || acked > 0;
      for (const uint32_t n : {acked, started}) {
        if (n > 0 && now == Outcome(board_->round, writer, key, n)) return true;
      }
    }
    return !touched && now == base_[static_cast<size_t>(key)];
  }

  void Verify() {
    const auto store = MustOpen(dir_ / "s", CrashOptions(plan_));
    ASSERT_NE(store, nullptr);
    const StoreCounters counters = store->Stats().counters;
    rebuilds_ += counters.rebuilds;
    replayed_ += counters.replayed;
    const Result<Store::CheckReport> report = store->Check();
    ASSERT_TRUE(report.ok()) << report.status().ToString();
    EXPECT_EQ(report->ghosts, 0u) << "an entry without its member";
    for (int key = 0; key < kCrashKeys; ++key) {
      const auto now = Read(*store, CrashKey(key));
      if (plan_.wal) {
        EXPECT_TRUE(IsAllowed(key, now))
            << CrashKey(key) << " is " << now.value_or("absent");
      }
      base_[static_cast<size_t>(key)] = now;
      for (auto& writer : board_->cells) {
        writer[key].started = 0;
        writer[key].acked = 0;
      }
    }
    for (int writer = 0; writer < kWriters; ++writer) {
      Progress& fresh = board_->fresh[writer];
      for (uint32_t i = 0; plan_.wal && i < fresh.acked; ++i) {
        ASSERT_EQ(Read(*store, FreshKey(writer, i)), "f")
            << FreshKey(writer, i) << " was acknowledged";
      }
      fresh.started = fresh.acked.load();
    }
    keys_ = report->keys;
    // Mostly the parent does not tidy up: the next child finds what this one
    // left.
    if (random_.Below(4) == 0) ExpectOk(store->SaveFilter());
  }

  void RecordProperty() const {
    testing::Test::RecordProperty("children_that_wrote",
                                  std::to_string(opened_));
    testing::Test::RecordProperty("keys", std::to_string(keys_));
    testing::Test::RecordProperty("replayed", std::to_string(replayed_));
    std::printf(
        "children that wrote: %llu, keys: %llu, replayed: %llu, "
        "rebuilds: %llu\n",
        static_cast<unsigned long long>(opened_),
        static_cast<unsigned long long>(keys_),
        static_cast<unsigned long long>(replayed_),
        static_cast<unsigned long long>(rebuilds_));
  }

  CrashPlan plan_;
  TempDir dir_;
  workloads::Random random_;
  CrashBoard* board_;
  std::vector<std::optional<std::string>> base_;
  uint64_t opened_ = 0;
  uint64_t keys_ = 0;
  uint64_t replayed_ = 0;
  uint64_t rebuilds_ = 0;
};

TEST(StoreCrash, HashOrder) { CrashTrial({}, 1).Run(16); }
TEST(StoreCrash, KeyOrder) {
  CrashTrial({.layout = StoreLayout::kKeyOrder}, 2).Run(10);
}
TEST(StoreCrash, WithoutAWal) { CrashTrial({.wal = false}, 3).Run(8); }

TEST(StoreCrash, LongThousandKills) {
  if (!LongTests()) GTEST_SKIP() << "TAMIS_LONG_TESTS=1 runs it";
  for (uint64_t seed = 10; seed < 20; ++seed) {
    CrashTrial({}, seed).Run(60);
    CrashTrial({.layout = StoreLayout::kKeyOrder}, seed).Run(30);
    CrashTrial({.wal = false}, seed).Run(10);
  }
}

}  // namespace
}  // namespace tamis
