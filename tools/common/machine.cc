#include "tools/common/machine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string_view>
#include <thread>

#include "tamis/internal/bits/words.h"

namespace tamis::tools {
namespace {

constexpr const char* kUnknown = "unknown";

std::string FirstLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.empty() ? kUnknown : line;
}

// Returns what stands after `name` and a colon in a file of "name : value".
std::string FieldOf(const std::string& path, std::string_view name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(name)) continue;
    const size_t colon = line.find(':');
    const size_t begin = line.find_first_not_of(" \t", colon + 1);
    if (colon != std::string::npos && begin != std::string::npos) {
      return line.substr(begin);
    }
  }
  return kUnknown;
}

// Returns "L1d 32K, L2 1024K, L3 32768K": what the first core sees.
std::string Caches() {
  std::string caches;
  for (int i = 0; i < 8; ++i) {
    const std::string folder =
        fmt::format("/sys/devices/system/cpu/cpu0/cache/index{}/", i);
    const std::string type = FirstLine(folder + "type");
    if (type == kUnknown) break;
    if (type == "Instruction") continue;
    caches += fmt::format(
        "{}L{}{} {}", caches.empty() ? "" : ", ", FirstLine(folder + "level"),
        type == "Data" ? "d" : "", FirstLine(folder + "size"));
  }
  return caches.empty() ? kUnknown : caches;
}

std::string Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

// Says which of the twins are compiled, and whether asserts are.
std::string Build() {
#ifdef __OPTIMIZE__
  std::string build = "optimised";
#else
  std::string build = "not optimised";
#endif
#ifndef NDEBUG
  build += ", asserts on";
#endif
#ifdef TAMIS_HAS_BMI2
  build += ", bmi2";
#endif
#ifdef TAMIS_HAS_AVX2
  build += ", avx2";
#endif
  return build;
}

}  // namespace

MachineFacts DescribeMachine() {
  return {
      {"tamis", Version()},
      {"cpu", FieldOf("/proc/cpuinfo", "model name")},
      {"cores", std::to_string(sysconf(_SC_NPROCESSORS_ONLN))},
      {"caches", Caches()},
      {"ram", FieldOf("/proc/meminfo", "MemTotal")},
      {"system", "Linux " + FirstLine("/proc/sys/kernel/osrelease")},
      {"compiler", Compiler()},
      {"build", Build()},
      {"huge_pages", FirstLine("/sys/kernel/mm/transparent_hugepage/enabled")},
  };
}

int DefaultJobs() {
  return static_cast<int>(
      std::clamp<unsigned>(std::thread::hardware_concurrency(), 1, kMaxJobs));
}

const char* Version() { return TAMIS_VERSION; }

}  // namespace tamis::tools
