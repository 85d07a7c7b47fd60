// A filter that learns without a mirror: it asks the set itself which members
// collide.
//
// The set is sorted by hash here, in memory; in earnest it would be a database
// whose rows are in that order.  The filter then has no copy of any key.

#include "tamis/key_source.h"

#include <cstdint>
#include <cstdio>

#include "tamis/taf.h"

int main() {
  tamis::SortedSource source;  // or anything with ForEachInRange
  tamis::Result<tamis::Taf> made =
      tamis::Taf::Create({.slots = 10'000, .source = source});
  if (!made.ok()) return 1;
  tamis::Taf& filter = *made;

  for (uint64_t key = 0; key < 9'500; ++key) {
    const tamis::KeyHash hash = filter.hasher().Hash(key);
    if (!filter.Insert(hash).ok()) return 1;
    source.Add(hash);  // after Insert
  }
  for (uint64_t key = 0; key < 1'000; ++key) {
    const tamis::KeyHash hash = filter.hasher().Hash(key);
    source.Remove(hash);  // before Erase
    if (!filter.Erase(hash).ok()) return 1;
  }
  int fixed = 0;
  for (uint64_t key = 1'000'000; key < 1'020'000; ++key) {
    const tamis::KeyHash hash = filter.hasher().Hash(key);
    if (!filter.MayContain(hash)) continue;
    if (!filter.Adapt(hash).ok()) return 1;
    fixed += filter.MayContain(hash) ? 0 : 1;
  }
  std::printf("%d false positives fixed, without a mirror\n", fixed);
  return fixed > 0 && filter.CheckInvariants().ok() ? 0 : 1;
}
