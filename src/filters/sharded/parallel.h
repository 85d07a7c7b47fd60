// Work that is the same for many things, done by several threads.

#ifndef TAMIS_FILTERS_SHARDED_PARALLEL_H_
#define TAMIS_FILTERS_SHARDED_PARALLEL_H_

#include <atomic>
#include <cstddef>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

#include "tamis/result.h"

namespace tamis::internal {

// Calls function(i), which returns a Status, for all i in [0, count), with at
// most so many threads.  Returns the first error in the order of i; after an
// error what has not begun is left out.
template <typename Function>
Status ForAll(size_t count, size_t threads, Function&& function) {
  std::vector<Status> results(count);
  std::atomic<size_t> next{0};
  std::atomic<bool> has_failed{false};
  const auto work = [&] {
    for (size_t i = next++; i < count && !has_failed; i = next++) {
      try {
        results[i] = function(i);
      } catch (const std::bad_alloc&) {
        results[i] = Status(StatusCode::kOutOfMemory, "no memory for a thread");
      }
      if (!results[i].ok()) has_failed = true;
    }
  };
  std::vector<std::thread> others;
  try {
    for (size_t i = 1; i < threads && i < count; ++i) others.emplace_back(work);
  } catch (const std::system_error&) {
    // There are no more threads: those that there are do it.
  }
  work();
  for (std::thread& thread : others) thread.join();
  for (Status& result : results) TAMIS_RETURN_IF_ERROR(result);
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_FILTERS_SHARDED_PARALLEL_H_
