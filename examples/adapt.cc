// A filter in front of a set, which learns from its mistakes.
//
// The set is a std::set here; in earnest it would be a database, far away.
// Every false positive costs one useless look-up in it, and tells the filter
// something: asked again, it says no.

#include <cstdint>
#include <cstdio>
#include <set>

#include "tamis/taf.h"

namespace {

// Queries keys 1,000,000 to 1,019,999, all absent, and returns how often the
// set was asked in vain.
int AskForAbsentKeys(tamis::Taf& filter, const std::set<uint64_t>& members) {
  int in_vain = 0;
  for (uint64_t key = 1'000'000; key < 1'020'000; ++key) {
    const tamis::KeyHash hash = filter.hasher().Hash(key);
    if (!filter.MayContain(hash)) continue;
    if (members.contains(key)) continue;  // the slow side knows the truth
    ++in_vain;
    if (!filter.Adapt(hash).ok()) return -1;  // never again, this one
  }
  return in_vain;
}

}  // namespace

int main() {
  tamis::Result<tamis::Taf> filter =
      tamis::Taf::Create({.keys = 9'500, .fpr = 0.004});
  if (!filter.ok()) return 1;
  std::set<uint64_t> members;
  for (uint64_t key = 0; key < 9'500; ++key) {
    members.insert(key);
    if (!filter->Insert(filter->hasher().Hash(key)).ok()) return 1;
  }
  const int first = AskForAbsentKeys(*filter, members);
  const int second = AskForAbsentKeys(*filter, members);
  std::printf("false positives, first time: %d, second time: %d\n", first,
              second);
  for (const uint64_t key : members) {
    if (!filter->MayContain(filter->hasher().Hash(key))) return 1;
  }
  return first >= 0 && second >= 0 && second * 10 <= first ? 0 : 1;
}
