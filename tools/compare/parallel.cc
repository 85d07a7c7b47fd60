#include "tools/compare/parallel.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tamis::tools {
namespace {

// What the standard library throws in a thread must not end the program.
Status Guarded(const std::function<Status(size_t)>& work, size_t i) {
  try {
    return work(i);
  } catch (const std::exception& error) {
    return {StatusCode::kOutOfMemory, error.what()};
  }
}

}  // namespace

Status ForEachInParallel(size_t count, int jobs,
                         const std::function<Status(size_t)>& work,
                         const std::function<void(size_t)>& done) {
  std::mutex mutex;  // of all that follows
  size_t next = 0;
  size_t finished = 0;
  Status status;
  const auto worker = [&] {
    std::unique_lock lock(mutex);
    while (next < count && status.ok()) {
      const size_t mine = next++;
      lock.unlock();
      Status result = Guarded(work, mine);
      lock.lock();
      if (!result.ok() && status.ok()) status = std::move(result);
      done(++finished);
    }
  };
  std::vector<std::thread> threads;
  const size_t others = std::min(count, static_cast<size_t>(std::max(jobs, 1)));
  for (size_t i = 1; i < others; ++i) threads.emplace_back(worker);
  worker();
  for (std::thread& thread : threads) thread.join();
  return status;
}

}  // namespace tamis::tools
