// One filter that learns, deletes and grows: it starts with 64 slots, takes a
// hundred thousand keys, is told of its mistakes, and never repeats one.

#include <cstdint>
#include <cstdio>

#include "tamis/tamis_filter.h"

namespace {

// Asks for absent keys, reports every false positive; returns how many.
uint64_t AskAndReport(tamis::TamisFilter& filter) {
  uint64_t wrong = 0;
  for (uint64_t key = 1'000'000; key < 1'300'000; ++key) {
    const tamis::KeyHash hash = filter.hasher().Hash(key);
    if (!filter.MayContain(hash)) continue;
    ++wrong;  // the database has no such key: tell the filter
    if (!filter.Adapt(hash).ok()) return ~uint64_t{0};
  }
  return wrong;
}

void Print(const char* when, const tamis::TamisFilter& filter, uint64_t wrong) {
  std::printf("%-14s %6llu keys, %4.1f bits a key, %3llu false positives\n",
              when, static_cast<unsigned long long>(filter.size()),
              filter.stats().BitsPerKey(),
              static_cast<unsigned long long>(wrong));
}

}  // namespace

int main() {
  tamis::Result<tamis::TamisFilter> made =
      tamis::TamisFilter::Create({.slots = 64, .fingerprint_bits = 10});
  if (!made.ok()) return 1;
  tamis::TamisFilter& filter = *made;

  for (uint64_t key = 0; key < 100'000; ++key) {
    if (!filter.Insert(filter.hasher().Hash(key)).ok()) return 1;  // it grows
  }
  Print("first time", filter, AskAndReport(filter));
  const uint64_t again = AskAndReport(filter);
  Print("second time", filter, again);

  for (uint64_t key = 1000; key < 100'000; ++key) {
    if (!filter.Erase(filter.hasher().Hash(key)).ok()) return 1;  // it shrinks
  }
  Print("erased", filter, AskAndReport(filter));
  for (uint64_t key = 0; key < 1000; ++key) {
    if (!filter.MayContain(filter.hasher().Hash(key))) return 1;
  }
  return again == 0 ? 0 : 1;
}
