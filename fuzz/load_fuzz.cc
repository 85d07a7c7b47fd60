// Decode, validate, use: arbitrary bytes as a filter file.
//
// A mutated file almost never passes its checksums, so the input is tried as
// it is, and once more with all checksums made right: then what a forger could
// write reaches the filters themselves.  Either it is refused, or the filter
// is in order, answers, and is written back.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "require.h"
#include "tamis/any_filter.h"
#include "tamis/internal/format/bytes.h"
#include "tamis/serialize.h"

namespace tamis::fuzz {
namespace {

// Asks and changes a filter that claims to be in order.
void Use(AnyFilter& filter) {
  Require(filter.CheckInvariants());
  const uint64_t size = filter.size();
  KeyHash hashes[100];
  bool results[100];
  for (uint64_t i = 0; i < 100; ++i) hashes[i] = filter.hasher().Hash(i);
  filter.MayContain(hashes, results);
  for (size_t i = 0; i < 100; ++i) {
    Require(results[i] == filter.MayContain(hashes[i]), "batch differs");
  }
  (void)filter.stats();
  const bool inserted = filter.Insert(hashes[0]).ok();
  Require(filter.size() == size + (inserted ? 1 : 0), "wrong size");
  Require(!inserted || filter.MayContain(hashes[0]), "false negative");
  if (inserted && filter.capabilities().erase) {
    Require(filter.Erase(hashes[0]));
  }
  Require(filter.CheckInvariants());
}

void LoadAndUse(std::span<const std::byte> bytes) {
  Result<AnyFilter> filter = DeserializeAny(bytes);
  if (!filter.ok()) return;
  const Result<std::vector<std::byte>> again = Serialize(*filter);
  Require(again.status());
  Require(DeserializeAny(*again).status());
  Use(*filter);
}

// Makes the lengths and checksums of a file right, as far as its header can
// be followed: offsets in the fixed header are those of the specification.
void Reseal(std::vector<std::byte>& file) {
  if (file.size() < 128) return;
  internal::StoreBytes(file.data() + 8, 8, file.size());
  const uint64_t header = internal::LoadBytes(file.data() + 16, 4);
  if (header < 128 || header > file.size()) return;
  uint64_t at = 64 + internal::LoadBytes(file.data() + 50, 2);
  const auto skip_name = [&] {
    at += at < header ? 1 + internal::LoadBytes(file.data() + at, 1) : 1;
  };
  const uint64_t numbers = internal::LoadBytes(file.data() + 24, 4);
  for (uint64_t i = 0; i < numbers && at < header; ++i) {
    skip_name();
    at += 8;
  }
  const uint64_t sections = internal::LoadBytes(file.data() + 28, 4);
  for (uint64_t i = 0; i < sections && at < header; ++i) {
    skip_name();
    if (at + 24 > header) break;
    const uint64_t offset = internal::LoadBytes(file.data() + at, 8);
    const uint64_t size = internal::LoadBytes(file.data() + at + 8, 8);
    if (offset <= file.size() && size <= file.size() - offset) {
      internal::StoreBytes(
          file.data() + at + 16, 8,
          internal::Checksum(std::span(file).subspan(offset, size)));
    }
    at += 24;
  }
  internal::StoreBytes(file.data() + header - 8, 8,
                       internal::Checksum(std::span(file).first(header - 8)));
}

}  // namespace
}  // namespace tamis::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  tamis::fuzz::LoadAndUse(bytes);
  std::vector<std::byte> resealed(bytes.begin(), bytes.end());
  tamis::fuzz::Reseal(resealed);
  tamis::fuzz::LoadAndUse(resealed);
  return 0;
}
