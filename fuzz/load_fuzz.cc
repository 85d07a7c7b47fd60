// Decode, validate, use: arbitrary bytes as a filter file.
//
// A mutated file almost never passes its checksums.  So the mutator makes them
// right again: then what a forger could write reaches the filters themselves.
// Either it is refused, or the filter is in order, is written back, and is in
// order after every operation.  Mapped, it is asked without having been
// checked.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "model/reseal.h"
#include "model/use_filter.h"
#include "require.h"
#include "tamis/any_filter.h"
#include "tamis/serialize.h"
#include "tamis/sharded_tamis.h"

namespace tamis::fuzz {
namespace {

void LoadAndUse(std::span<const std::byte> bytes) {
  Result<AnyFilter> filter = DeserializeAny(bytes);
  if (!filter.ok()) return;
  const Result<std::vector<std::byte>> again = Serialize(*filter);
  Require(again.status());
  Require(DeserializeAny(*again).status());
  Require(testing::UseFilter(*filter));
}

// The same bytes as the one page of a filter in shards.
void LoadAsPage(std::span<const std::byte> bytes) {
  const ShardPage page = {
      {{0, 0}, {~uint64_t{0}, ~uint64_t{0}}},
      {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
  ShardedTamis::Options options;
  options.filter.fingerprint_bits = 8;
  options.shard_slots = 64;
  Result<ShardedTamis> filter =
      ShardedTamis::FromShards(std::span(&page, 1), options);
  if (!filter.ok()) return;
  Require(filter->CheckInvariants());
  for (uint64_t i = 0; i < 200; ++i) {
    const KeyHash hash = filter->hasher().Hash(i);
    Require(filter->Insert(hash));
    Require(filter->MayContain(hash), "a member is missed");
  }
  Require(filter->CheckInvariants());
}

struct Free {
  void operator()(void* data) const { std::free(data); }
};

void MapAndAsk(std::span<const std::byte> bytes) {
  if (bytes.empty()) return;
  const std::unique_ptr<void, Free> copy(
      std::aligned_alloc(64, (bytes.size() + 63) / 64 * 64));
  std::memcpy(copy.get(), bytes.data(), bytes.size());
  const std::span aligned(static_cast<const std::byte*>(copy.get()),
                          bytes.size());
  const Result<AnyFilter> filter = DeserializeAny(aligned, {.map = true});
  if (!filter.ok()) return;
  KeyHash hashes[100];
  bool results[100];
  for (uint64_t i = 0; i < 100; ++i) hashes[i] = filter->hasher().Hash(i);
  filter->MayContain(hashes, results);
  (void)filter->CountEach(hashes);
  (void)filter->stats();
}

}  // namespace
}  // namespace tamis::fuzz

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size,
                                          size_t max_size, unsigned seed) {
  const size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 8 != 0) {
    tamis::testing::Reseal(std::as_writable_bytes(std::span(data, mutated)));
  }
  return mutated;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  tamis::fuzz::LoadAndUse(bytes);
  tamis::fuzz::LoadAsPage(bytes);
  tamis::fuzz::MapAndAsk(bytes);
  return 0;
}
