// A user's program: proves that the headers are found, that the compiler flags
// arrive, and that the library and what it needs are linked.

#include <cstdio>
#include <string>

#include "tamis/hasher.h"
#include "tamis/status.h"

int main() {
  const tamis::Status status(tamis::StatusCode::kFull, "no room");
  if (status.ToString() != "full: no room") return 1;
  // Both hashers, so that what each of them needs is linked.
  for (const auto algorithm :
       {tamis::HashAlgorithm::kXxh3, tamis::HashAlgorithm::kSipHash}) {
    const tamis::Hasher hasher(algorithm, tamis::Seed::Random());
    if (hasher.Hash("key") != hasher.Hash("key")) return 1;
  }
  std::puts("tamis is installed");
  return 0;
}
