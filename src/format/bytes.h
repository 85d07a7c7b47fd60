// Numbers as little-endian bytes, and checksums: what both directions share.

#ifndef TAMIS_FORMAT_BYTES_H_
#define TAMIS_FORMAT_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace tamis::internal {

// Returns the XXH3-64 of `bytes`, seed 0.
uint64_t Checksum(std::span<const std::byte> bytes);

// Returns the `count` bytes at `bytes` as a number, lowest first.
inline uint64_t LoadBytes(const std::byte* bytes, int count) {
  uint64_t value = 0;
  for (int i = count - 1; i >= 0; --i) {
    value = value << 8 | std::to_integer<uint64_t>(bytes[i]);
  }
  return value;
}

inline void StoreBytes(std::byte* bytes, int count, uint64_t value) {
  for (int i = 0; i < count; ++i) {
    bytes[i] = static_cast<std::byte>(value >> (8 * i));
  }
}

inline void AppendBytes(std::vector<std::byte>& out, int count,
                        uint64_t value) {
  out.resize(out.size() + static_cast<size_t>(count));
  StoreBytes(out.data() + out.size() - count, count, value);
}

inline void AppendText(std::vector<std::byte>& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace tamis::internal

#endif  // TAMIS_FORMAT_BYTES_H_
