// What the child of the crash test writes, and how its parent knows.
//
// The child's writers note each operation in a file that both have mapped: in
// `started` before it, in `acked` after it.  A SIGKILL takes the process, not
// the mapping.  After it, a key must be as an operation left it that was acked
// last by some writer, or that was under way; or, if there was none, as before.
//
//   cells[writer][key]   started 5, acked 4: operation 5 was under way
//   fresh[writer]        keys "f WRITER 0", "f WRITER 1", ...: never deleted

#ifndef TAMIS_STORE_TESTS_CRASH_PLAN_H_
#define TAMIS_STORE_TESTS_CRASH_PLAN_H_

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>

#include "tamis/attached_store.h"
#include "tamis/store.h"
#include "workloads/random.h"

namespace tamis {

inline constexpr int kWriters = 4;
inline constexpr int kCrashKeys = 400;

struct Progress {
  std::atomic<uint32_t> started = 0;
  std::atomic<uint32_t> acked = 0;
};

// What the child is about, so that its parent can kill it right then.
enum class Phase : uint32_t { kOpening, kRebuilding, kWriting, kSaving, kEnd };

struct CrashBoard {
  std::atomic<uint32_t> round = 0;
  std::atomic<Phase> phase = Phase::kOpening;
  std::atomic<uint32_t> entered[static_cast<size_t>(Phase::kEnd)];
  Progress cells[kWriters][kCrashKeys];
  Progress fresh[kWriters];

  void Enter(Phase now) {
    phase = now;
    ++entered[static_cast<size_t>(now)];
  }
  uint32_t Entered(Phase which) const {
    return entered[static_cast<size_t>(which)];
  }
};
static_assert(std::atomic<uint32_t>::is_always_lock_free);
static_assert(std::atomic<Phase>::is_always_lock_free);

inline CrashBoard* MapBoard(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT, 0600);
  if (file < 0 || ftruncate(file, sizeof(CrashBoard)) != 0) return nullptr;
  void* at = mmap(nullptr, sizeof(CrashBoard), PROT_READ | PROT_WRITE,
                  MAP_SHARED, file, 0);
  close(file);
  return at == MAP_FAILED ? nullptr : static_cast<CrashBoard*>(at);
}

inline std::string CrashKey(int key) { return "k" + std::to_string(key); }
inline std::string FreshKey(int writer, uint32_t i) {
  return "f " + std::to_string(writer) + " " + std::to_string(i);
}
// What operation `n` of a writer leaves under a key; nothing: a delete.
inline std::optional<std::string> Outcome(uint32_t round, int writer, int key,
                                          uint32_t n) {
  const uint64_t mixed = workloads::DistinctKey(
      round, (uint64_t{n} << 20) + static_cast<uint64_t>(key) * 8 +
                 static_cast<uint64_t>(writer));
  if (mixed % 3 == 0) return std::nullopt;
  return std::to_string(round) + ":" + std::to_string(writer) + ":" +
         std::to_string(n);
}

// How the store of one trial is opened, by parent and child alike.
struct CrashPlan {
  StoreLayout layout = StoreLayout::kHashOrder;
  bool wal = true;
};
inline StoreOptions CrashOptions(const CrashPlan& plan) {
  StoreOptions options;
  options.layout = plan.layout;
  options.wal = plan.wal;
  options.filter.fingerprint_bits = 6;
  options.filter.shard_slots = 64;  // many pages, which split all the time
  options.save_after = 300;
  options.rejuvenate_rate = 1'000'000;
  options.rocksdb.write_buffer_size = 64 << 10;  // flushes and compactions too
  return options;
}

// The same for a database that a filter is attached to.
inline rocksdb::Options AttachPlanOptions() {
  rocksdb::Options options;
  options.create_if_missing = true;
  options.WAL_ttl_seconds = 3600;
  options.write_buffer_size = 64 << 10;
  return options;
}
inline AttachedStore::Options AttachPlan() {
  AttachedStore::Options options;
  options.filter.fingerprint_bits = 6;
  return options;
}

}  // namespace tamis

#endif  // TAMIS_STORE_TESTS_CRASH_PLAN_H_
