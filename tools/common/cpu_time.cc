#include "tools/common/cpu_time.h"

#include <ctime>

#ifdef __linux__
#include <sched.h>
#endif

namespace tamis::tools {

uint64_t CpuNanoseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<uint64_t>(now.tv_nsec);
}

bool PinToCore() {
#ifdef __linux__
  const int core = sched_getcpu();
  if (core < 0) return false;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<unsigned>(core), &only);
  return sched_setaffinity(0, sizeof(only), &only) == 0;
#else
  return false;
#endif
}

}  // namespace tamis::tools
