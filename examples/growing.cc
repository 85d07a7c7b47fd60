// A filter for a set whose size nobody knows: it starts with 64 slots, takes a
// million keys, gives old keys long fingerprints again, and shrinks back.

#include <cstdint>
#include <cstdio>
#include <vector>

#include "tamis/infini.h"

namespace {

void Print(const char* when, const tamis::InfiniFilter& filter) {
  std::printf("%-24s %8llu keys, %2d doublings, %5.1f bits a key, FPR %.5f\n",
              when, static_cast<unsigned long long>(filter.size()),
              filter.generation(), filter.stats().BitsPerKey(),
              filter.ExpectedFpr());
}

}  // namespace

int main() {
  tamis::Result<tamis::InfiniFilter> made =
      tamis::InfiniFilter::Create({.slots = 64, .fingerprint_bits = 10});
  if (!made.ok()) return 1;
  tamis::InfiniFilter& filter = *made;

  std::vector<tamis::KeyHash> keys;
  for (uint64_t key = 0; key < 1'000'000; ++key) {
    keys.push_back(filter.hasher().Hash(key));
    if (!filter.Insert(keys.back()).ok()) return 1;  // doubles when it must
  }
  Print("inserted", filter);

  // The data is rewritten once a day, say; its keys come by, and with them the
  // chance to store more of their hashes.
  if (!filter.Rejuvenate(keys).ok()) return 1;
  Print("rejuvenated", filter);

  for (size_t i = 1000; i < keys.size(); ++i) {
    if (!filter.Erase(keys[i]).ok()) return 1;  // halves when it may
  }
  Print("erased all but 1000", filter);
  for (size_t i = 0; i < 1000; ++i) {
    if (!filter.MayContain(keys[i])) return 1;
  }
  return 0;
}
