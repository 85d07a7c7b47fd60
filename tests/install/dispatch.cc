// A user's program for any x86-64: it inlines look-ups of its own and asks the
// library for batches.  Prints a line of counts; not all equal is an error.

#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/bloom.h"
#include "tamis/rsqf.h"

namespace {

constexpr uint64_t kMembers = 5000;
constexpr uint64_t kAsked = 100'000;

// How many of the first kAsked keys the filter may contain: one by one, as this
// program was compiled, and in a batch, as the library was.
template <typename F>
bool Count(F& filter, const tamis::Hasher& hasher) {
  std::vector<tamis::KeyHash> hashes;
  for (uint64_t key = 0; key < kAsked; ++key) {
    hashes.push_back(hasher.Hash(key));
    if (key < kMembers && !filter.Insert(hashes.back()).ok()) return false;
  }
  const auto results = std::make_unique<bool[]>(kAsked);
  filter.MayContain(hashes, {results.get(), kAsked});
  uint64_t one_by_one = 0;
  uint64_t in_a_batch = 0;
  for (uint64_t key = 0; key < kAsked; ++key) {
    one_by_one += filter.MayContain(hashes[key]) ? 1 : 0;
    in_a_batch += results[key] ? 1 : 0;
  }
  std::printf("%llu ", static_cast<unsigned long long>(in_a_batch));
  return one_by_one == in_a_batch && in_a_batch >= kMembers;
}

}  // namespace

int main() {
  const tamis::Hasher hasher(tamis::Seed{1, 2});
  auto rsqf = tamis::Rsqf::Create({.slots = 6000, .remainder_bits = 8}, hasher);
  if (!rsqf.ok() || !Count(*rsqf, hasher)) return 1;
  for (const std::string_view kind : tamis::AnyFilter::KnownKinds()) {
    auto any = tamis::AnyFilter::Create(kind, 6000, hasher);
    if (!any.ok() || !Count(*any, hasher)) return 1;
  }
  std::puts("may be members");
  return 0;
}
