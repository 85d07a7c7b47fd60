// The process that the crash test kills: opens the store and writes until then.
//
// usage: store_crash_child STORE BOARD hash|key wal|nowal keep|rebuild|save SEED
//        store_crash_child DATABASE BOARD attach SEED

#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "store/tests/crash_plan.h"

namespace tamis {
namespace {

class Writer {
 public:
  Writer(Store& store, CrashBoard& board, int number, uint64_t seed)
      : store_(store), board_(board), number_(number), random_(seed) {}

  // Ends only by an error.
  void Run() {
    while (ok_) {
      switch (random_.Below(6)) {
        case 0:
        case 1:
          Fresh();
          break;
        case 2:
          Batch();
          break;
        case 3:
          Ask();
          break;
        default:
          One(static_cast<int>(random_.Below(kCrashKeys)));
      }
    }
  }

 private:
  Progress& Cell(int key) { return board_.cells[number_][key]; }

  void Fresh() {
    Progress& at = board_.fresh[number_];
    const uint32_t i = at.started++;
    ok_ = store_.Put(FreshKey(number_, i), "f").ok();
    if (ok_) at.acked = i + 1;
  }

  void One(int key) {
    const uint32_t n = ++Cell(key).started;
    const auto value = Outcome(board_.round, number_, key, n);
    ok_ = value ? store_.Put(CrashKey(key), *value).ok()
                : store_.Delete(CrashKey(key)).ok();
    if (ok_) Cell(key).acked = n;
  }

  void Batch() {
    rocksdb::WriteBatch batch;
    const int first = static_cast<int>(random_.Below(kCrashKeys - 8));
    for (int key = first; key < first + 8; ++key) {
      const auto value =
          Outcome(board_.round, number_, key, ++Cell(key).started);
      const rocksdb::Status status = value ? batch.Put(CrashKey(key), *value)
                                           : batch.Delete(CrashKey(key));
      ok_ = ok_ && status.ok();
    }
    ok_ = ok_ && store_.Write({}, &batch).ok();
    for (int key = first; ok_ && key < first + 8; ++key) {
      Cell(key).acked = Cell(key).started.load();
    }
  }

  // So that the filter has something to learn.
  void Ask() {
    std::string value;
    for (int i = 0; i < 20; ++i) {
      const Result<bool> found =
          store_.Get("absent" + std::to_string(random_.Below(5000)), &value);
      ok_ = ok_ && found.ok() && !*found;
    }
  }

  Store& store_;
  CrashBoard& board_;
  const int number_;
  workloads::Random random_;
  bool ok_ = true;
};

// Keeps saving what the writers change.
void SaveForever(Store& store, CrashBoard& board) {
  for (bool ok = true; ok;) {
    board.Enter(Phase::kSaving);
    ok = store.SaveFilter().ok();
    board.Enter(Phase::kWriting);
    std::this_thread::sleep_for(std::chrono::microseconds(300));
  }
}

int Write(const std::vector<std::string>& arguments, CrashBoard& board) {
  CrashPlan plan;
  if (arguments[3] == "key") plan.layout = StoreLayout::kKeyOrder;
  plan.wal = arguments[4] == "wal";
  StoreOptions options = CrashOptions(plan);
  options.rebuild = arguments[5] == "rebuild";
  options.on_progress = [&](std::string_view, uint64_t) {
    board.Enter(Phase::kRebuilding);
  };
  auto store = Store::Open(options, arguments[1]);
  if (!store.ok()) return 4;
  board.Enter(Phase::kWriting);
  std::vector<std::thread> threads;
  const uint64_t seed = std::strtoull(arguments[6].c_str(), nullptr, 10);
  for (int i = 0; i < kWriters; ++i) {
    threads.emplace_back([&, i] {
      Writer(**store, board, i, seed * kWriters + static_cast<uint64_t>(i))
          .Run();
    });
  }
  if (arguments[5] == "save") SaveForever(**store, board);
  for (std::thread& thread : threads) thread.join();
  return 5;  // a write or a read failed: the test wants to know
}

// Somebody writes to a database of others, while a filter is attached to it,
// catches up, and is detached: again and again.
int WriteAndAttach(const std::vector<std::string>& arguments,
                   CrashBoard& board) {
  rocksdb::DB* made = nullptr;
  if (!rocksdb::DB::Open(AttachPlanOptions(), arguments[1], &made).ok()) {
    return 6;
  }
  const std::unique_ptr<rocksdb::DB> db(made);
  const uint64_t seed = std::strtoull(arguments[4].c_str(), nullptr, 10);
  std::thread writer([&] {
    workloads::Random random(seed);
    while (true) {
      const std::string key = std::to_string(random.Below(3000));
      const rocksdb::Status status =
          random.Below(3) == 0 ? db->Delete({}, key) : db->Put({}, key, "v");
      if (!status.ok()) _exit(7);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  });
  workloads::Random random(seed + 1);
  while (true) {
    AttachedStore::Options options = AttachPlan();
    options.rebuild = random.Below(3) == 0;
    options.on_progress = [&](std::string_view, uint64_t) {
      board.Enter(Phase::kRebuilding);
    };
    board.Enter(Phase::kOpening);
    auto attached =
        AttachedStore::Attach(db.get(), db->DefaultColumnFamily(), options);
    if (!attached.ok()) _exit(8);
    board.Enter(Phase::kWriting);
    for (uint64_t i = random.Below(20); i > 0; --i) {
      if (!(*attached)->CatchUp().ok()) _exit(9);
    }
    board.Enter(Phase::kSaving);
    if (!(*attached)->Close().ok()) _exit(10);
  }
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() < 5) return 2;
  CrashBoard* board = MapBoard(arguments[2]);
  if (board == nullptr) return 3;
  if (arguments[3] == "attach") return WriteAndAttach(arguments, *board);
  return arguments.size() == 7 ? Write(arguments, *board) : 2;
}

}  // namespace
}  // namespace tamis

int main(int argc, char** argv) {
  return tamis::Main(std::vector<std::string>(argv, argv + argc));
}
