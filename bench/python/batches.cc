// The C++ side of batches.py: batches of a million integers through the front
// door, hashing included.  Prints a line "SPEC OPERATION NANOSECONDS" for each
// run.
//
// usage: batches SPEC...

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

#include "tamis/tamis.h"

namespace {

constexpr uint64_t kKeys = 1'000'000;
constexpr int kRuns = 7;

// SplitMix64: keys that are random, the same in Python.
uint64_t KeyOf(uint64_t i) {
  uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

std::vector<uint64_t> Keys(uint64_t first) {
  std::vector<uint64_t> keys(kKeys);
  for (uint64_t i = 0; i < kKeys; ++i) keys[i] = KeyOf(first + i);
  return keys;
}

template <typename Work>
void Time(const char* spec, const char* operation, Work work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::nano> took =
      std::chrono::steady_clock::now() - begin;
  std::printf("%s %s %.3f\n", spec, operation, took.count() / kKeys);
}

tamis::Status Measure(const char* spec) {
  const std::vector<uint64_t> members = Keys(0);
  const std::vector<uint64_t> absent = Keys(kKeys);
  const auto results = std::make_unique<bool[]>(kKeys);
  const std::span answers(results.get(), kKeys);
  for (int run = 0; run < kRuns; ++run) {
    TAMIS_ASSIGN_OR_RETURN(
        tamis::Filter filter,
        tamis::Filter::Create({.keys = kKeys, .spec = spec}));
    tamis::Status added;
    Time(spec, "add", [&] { added = filter.Insert(members); });
    TAMIS_RETURN_IF_ERROR(added);
    Time(spec, "absent", [&] { filter.MayContain(absent, answers); });
    Time(spec, "members", [&] { filter.MayContain(members, answers); });
  }
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const tamis::Status measured = Measure(argv[i]);
    if (measured.ok()) continue;
    std::fprintf(stderr, "%s: %s\n", argv[i], measured.ToString().c_str());
    return 1;
  }
  return 0;
}
