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

// A child process, killed when it is about what it shall be killed at.
class Victim {
 public:
  explicit Victim(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) {
      argv.push_back(const_cast<char*>(word.c_str()));
    }
    argv.push_back(nullptr);
    child_ = fork();
    if (child_ == 0) {
      execv(argv[0], argv.data());
      _exit(127);
    }
  }
  // Waits for the phase, but not for ever; false if the child is no more.
  bool WaitFor(const CrashBoard& board, Phase wanted) {
    EXPECT_GT(child_, 0);
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    const uint32_t entered = board.Entered(wanted);
    bool alive = true;
    while (alive && board.phase != wanted && board.Entered(wanted) == entered &&
           std::chrono::steady_clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      alive = waitpid(child_, &status_, WNOHANG) == 0;
    }
    return alive;
  }
  // Waits, and a little longer; returns what the child was about in the end.
  Phase Kill(const CrashBoard& board, Phase wanted,
             std::chrono::microseconds more) {
    const bool alive = WaitFor(board, wanted);
    std::this_thread::sleep_for(more);
    if (alive) kill(child_, SIGKILL);
    const Phase phase = board.phase;
    if (alive) waitpid(child_, &status_, 0);
    EXPECT_TRUE(WIFSIGNALED(status_))
        << "the child ended by itself: " << WEXITSTATUS(status_);
    return phase;
  }

 private:
  pid_t child_ = -1;
  int status_ = 0;
};

// How many were killed at what.
struct Kills {
  uint64_t at[static_cast<size_t>(Phase::kEnd) + 1] = {};
  void Add(Phase phase) { ++at[static_cast<size_t>(phase)]; }
  void Print() const {
    std::printf("killed: opening %d, rebuilding %d, writing %d, saving %d\n",
                static_cast<int>(at[0]), static_cast<int>(at[1]),
                static_cast<int>(at[2]), static_cast<int>(at[3]));
  }
};

class CrashTrial {
 public:
  CrashTrial(const CrashPlan& plan, uint64_t seed)
      : plan_(plan), random_(seed), board_(MapBoard(dir_ / "board")) {}

  void Run(int kills) {
    ASSERT_NE(board_, nullptr);
    base_.assign(kCrashKeys, std::nullopt);
    for (int i = 0; i < kills && !testing::Test::HasFailure(); ++i) {
      board_->round = static_cast<uint32_t>(i + 1);
      KillOne(i);
      Verify();
    }
    Report();
  }

 private:
  void KillOne(int number) {
    // Mostly while it writes.
    constexpr Phase kWanted[] = {Phase::kWriting, Phase::kSaving,
                                 Phase::kWriting, Phase::kRebuilding,
                                 Phase::kSaving,  Phase::kOpening};
    const Phase wanted = kWanted[number % 6];
    board_->phase = Phase::kOpening;
    Victim victim({TAMIS_CRASH_CHILD, dir_ / "s", dir_ / "board",
                   plan_.layout == StoreLayout::kKeyOrder ? "key" : "hash",
                   plan_.wal ? "wal" : "nowal",
                   wanted == Phase::kRebuilding ? "rebuild"
                   : wanted == Phase::kSaving   ? "save"
                                                : "keep",
                   std::to_string(random_.Below(1 << 30))});
    uint64_t most = wanted == Phase::kRebuilding ? 2000 : 80'000;  // us
    if (wanted == Phase::kOpening) most = 30'000;
    if (wanted == Phase::kSaving) {  // some time of writing, then a save
      std::this_thread::sleep_for(
          std::chrono::microseconds(random_.Below(50'000)));
      most = 200;
    }
    kills_.Add(victim.Kill(*board_, wanted,
                           std::chrono::microseconds(random_.Below(most))));
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

  void Report() const {
    kills_.Print();
    std::printf("keys: %llu, replayed: %llu, rebuilds: %llu\n",
                static_cast<unsigned long long>(keys_),
                static_cast<unsigned long long>(replayed_),
                static_cast<unsigned long long>(rebuilds_));
  }

  CrashPlan plan_;
  TempDir dir_;
  workloads::Random random_;
  CrashBoard* board_;
  std::vector<std::optional<std::string>> base_;
  Kills kills_;
  uint64_t keys_ = 0;
  uint64_t replayed_ = 0;
  uint64_t rebuilds_ = 0;
};

TEST(StoreCrash, HashOrder) { CrashTrial({}, 1).Run(18); }
TEST(StoreCrash, KeyOrder) {
  CrashTrial({.layout = StoreLayout::kKeyOrder}, 2).Run(12);
}
TEST(StoreCrash, WithoutAWal) { CrashTrial({.wal = false}, 3).Run(6); }

// The writer of a database and the filter attached to it die together; the
// answers are the database's afterwards, and the sidecar has its keys.
void KillAttached(int kills, uint64_t seed) {
  const TempDir dir;
  CrashBoard* board = MapBoard(dir / "board");
  ASSERT_NE(board, nullptr);
  workloads::Random random(seed);
  Kills killed;
  constexpr Phase kWanted[] = {Phase::kRebuilding, Phase::kWriting,
                               Phase::kSaving, Phase::kOpening};
  for (int i = 0; i < kills && !testing::Test::HasFailure(); ++i) {
    board->phase = Phase::kEnd;
    Victim victim({TAMIS_CRASH_CHILD, dir / "db", dir / "board", "attach",
                   std::to_string(random.Below(1 << 30))});
    std::this_thread::sleep_for(
        std::chrono::microseconds(random.Below(50'000)));
    killed.Add(victim.Kill(*board, kWanted[i % 4],
                           std::chrono::microseconds(random.Below(5000))));
    rocksdb::DB* made = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(AttachPlanOptions(), dir / "db", &made).ok());
    const std::unique_ptr<rocksdb::DB> db(made);
    const auto attached = AttachedStore::Attach(
        db.get(), db->DefaultColumnFamily(), AttachPlan());
    ASSERT_TRUE(attached.ok()) << attached.status().ToString();
    uint64_t members = 0;
    for (int key = 0; key < 4000; ++key) {
      std::string value;
      const bool there = db->Get({}, std::to_string(key), &value).ok();
      members += there ? 1 : 0;
      const Result<bool> found = (*attached)->Get(std::to_string(key), &value);
      ASSERT_TRUE(found.ok()) << found.status().ToString();
      ASSERT_EQ(*found, there) << key;
    }
    ExpectWhole((*attached)->sidecar(), members);
  }
  killed.Print();
}
TEST(StoreCrash, Attached) { KillAttached(8, 4); }

// Two processes on one store: the second is told so, and breaks nothing.
TEST(StoreCrash, ASecondProcessIsRefused) {
  const TempDir dir;
  CrashBoard* board = MapBoard(dir / "board");
  ASSERT_NE(board, nullptr);
  board->round = 1;
  Victim first({TAMIS_CRASH_CHILD, dir / "s", dir / "board", "hash", "wal",
                "save", "1"});
  ASSERT_TRUE(first.WaitFor(*board, Phase::kWriting));
  for (int i = 0; i < 5; ++i) {
    const Status status = Store::Open(CrashOptions({}), dir / "s").status();
    EXPECT_EQ(status.code(), StatusCode::kIo) << status.ToString();
    EXPECT_NE(status.ToString().find("lock"), std::string::npos)
        << status.ToString();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  first.Kill(*board, Phase::kSaving, {});
  const auto store = MustOpen(dir / "s", CrashOptions({}));
  ASSERT_NE(store, nullptr);
  const Result<Store::CheckReport> report = store->Check();
  ASSERT_TRUE(report.ok()) << report.status().ToString();
  EXPECT_EQ(report->ghosts, 0u);
  for (int writer = 0; writer < kWriters; ++writer) {
    for (uint32_t i = 0; i < board->fresh[writer].acked; ++i) {
      ASSERT_EQ(Read(*store, FreshKey(writer, i)), "f");
    }
  }
}

TEST(StoreCrash, LongThousandKills) {
  if (!LongTests()) GTEST_SKIP() << "TAMIS_LONG_TESTS=1 runs it";
  for (uint64_t seed = 10; seed < 20; ++seed) {
    CrashTrial({}, seed).Run(50);
    CrashTrial({.layout = StoreLayout::kKeyOrder}, seed).Run(30);
    CrashTrial({.wal = false}, seed).Run(10);
    KillAttached(12, seed);
  }
}

}  // namespace
}  // namespace tamis
