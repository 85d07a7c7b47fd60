// Latencies of many operations, and what is said of them.

#ifndef TAMIS_TOOLS_STORE_STOPWATCH_H_
#define TAMIS_TOOLS_STORE_STOPWATCH_H_

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <vector>

namespace tamis::tools {

inline double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
      .count();
}

struct Percentiles {
  double p50 = 0;  // in microseconds, all of them
  double p99 = 0;
  double p999 = 0;
};

// Sorts `nanoseconds`.
inline Percentiles PercentilesOf(std::span<uint32_t> nanoseconds) {
  if (nanoseconds.empty()) return {};
  std::sort(nanoseconds.begin(), nanoseconds.end());
  const auto at = [&](double share) {
    const auto place = static_cast<size_t>(
        share * static_cast<double>(nanoseconds.size() - 1));
    return nanoseconds[place] / 1000.0;
  };
  return {at(0.5), at(0.99), at(0.999)};
}

}  // namespace tamis::tools

#endif  // TAMIS_TOOLS_STORE_STOPWATCH_H_
