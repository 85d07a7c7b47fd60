// Measuring time: CPU time of this thread, on one core.
//
// CPU time rather than wall time, so that a neighbour that takes the core away
// for a while does not count; cache lines that it takes away do.

#ifndef TAMIS_TOOLS_COMMON_CPU_TIME_H_
#define TAMIS_TOOLS_COMMON_CPU_TIME_H_

#include <cstdint>
#include <utility>

namespace tamis::tools {

// Returns the nanoseconds that this thread has spent on a CPU.
uint64_t CpuNanoseconds();

// Keeps this thread on the core it is on; false if the system refuses.
bool PinToCore();

// Returns the nanoseconds that `work()` takes per operation.
// REQUIRES: operations > 0
template <typename Work>
double NanosecondsPer(uint64_t operations, Work&& work) {
  const uint64_t begin = CpuNanoseconds();
  std::forward<Work>(work)();
  return static_cast<double>(CpuNanoseconds() - begin) /
         static_cast<double>(operations);
}

// Makes the compiler believe that `value` is used.
template <typename T>
void KeepValue(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_COMMON_CPU_TIME_H_
