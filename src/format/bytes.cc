#include "format/bytes.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace tamis::internal {

uint64_t Checksum(std::span<const std::byte> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace tamis::internal
