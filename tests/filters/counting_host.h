// A host's allocator, for tests: it counts, and can have no more memory.

#ifndef TAMIS_TESTS_FILTERS_COUNTING_HOST_H_
#define TAMIS_TESTS_FILTERS_COUNTING_HOST_H_

#include <cstdint>
#include <cstdlib>

#include "tamis/allocator.h"

namespace tamis::testing {

// Counts what it gives and takes, and refuses once `allowed` pieces are given.
class CountingHost {
 public:
  CountingHost() { SetAllocator(&allocator_); }
  ~CountingHost() { SetAllocator(nullptr); }
  CountingHost(const CountingHost&) = delete;
  CountingHost& operator=(const CountingHost&) = delete;

  void Allow(int64_t pieces) { allowed_ = pieces; }
  bool refused() const { return allowed_ < 0; }
  int64_t bytes() const { return bytes_; }
  int64_t pieces() const { return pieces_; }

 private:
  static void* Give(void* context, uint64_t size_bytes) {
    CountingHost& host = *static_cast<CountingHost*>(context);
    if (host.allowed_-- <= 0) return nullptr;
    host.bytes_ += static_cast<int64_t>(size_bytes);
    ++host.pieces_;
    return std::calloc(1, size_bytes);
  }
  static void Take(void* context, void* memory, uint64_t size_bytes) {
    CountingHost& host = *static_cast<CountingHost*>(context);
    host.bytes_ -= static_cast<int64_t>(size_bytes);
    --host.pieces_;
    std::free(memory);
  }

  static constexpr int64_t kAll = int64_t{1} << 40;
  int64_t allowed_ = kAll;
  int64_t bytes_ = 0;
  int64_t pieces_ = 0;
  const Allocator allocator_ = {
      .allocate = Give, .free = Take, .context = this, .huge_pages = false};
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FILTERS_COUNTING_HOST_H_
