// Numbers as bytes: big-endian where the order of keys is to be the order of
// numbers, which is everywhere in the store.

#ifndef TAMIS_STORE_SRC_BYTES_H_
#define TAMIS_STORE_SRC_BYTES_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tamis/hasher.h"
#include "tamis/key_hash.h"

namespace tamis::internal {

inline void WriteBe64(char* to, uint64_t value) {
  for (int i = 7; i >= 0; --i, value >>= 8) to[i] = static_cast<char>(value);
}
inline uint64_t ReadBe64(const char* from) {
  uint64_t value = 0;
  for (int i = 0; i < 8; ++i) {
    value = value << 8 | static_cast<unsigned char>(from[i]);
  }
  return value;
}

inline void PutU8(std::string* to, uint8_t value) {
  to->push_back(static_cast<char>(value));
}
inline void PutU32(std::string* to, uint32_t value) {
  const char bytes[] = {
      static_cast<char>(value >> 24), static_cast<char>(value >> 16),
      static_cast<char>(value >> 8), static_cast<char>(value)};
  to->append(bytes, sizeof bytes);
}
inline void PutU64(std::string* to, uint64_t value) {
  char bytes[8];
  WriteBe64(bytes, value);
  to->append(bytes, sizeof bytes);
}
inline void PutHash(std::string* to, KeyHash hash) {
  PutU64(to, hash.high);
  PutU64(to, hash.low);
}

// Takes numbers off the front.  What is not there reads as 0 and is remembered:
// ask ok() before using anything.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  uint64_t Number(size_t size_bytes) {
    uint64_t value = 0;
    for (const char byte : Bytes(size_bytes)) {
      value = value << 8 | static_cast<unsigned char>(byte);
    }
    return value;
  }
  uint8_t U8() { return static_cast<uint8_t>(Number(1)); }
  uint32_t U32() { return static_cast<uint32_t>(Number(4)); }
  uint64_t U64() { return Number(8); }
  KeyHash Hash() {
    const uint64_t high = U64();
    return {high, U64()};
  }
  std::string_view Bytes(uint64_t size_bytes) {
    if (size_bytes > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const std::string_view taken = rest_.substr(0, size_bytes);
    rest_.remove_prefix(size_bytes);
    return taken;
  }

  bool ok() const { return ok_; }
  bool AtEnd() const { return ok_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool ok_ = true;
};

// A record that is kept outside of the data ends with this sum of it.
inline uint64_t Checksum(std::string_view bytes) {
  return Hasher(Seed{}).Hash(bytes).high;
}
inline std::string Sealed(std::string bytes) {
  PutU64(&bytes, Checksum(bytes));
  return bytes;
}
// Returns the bytes without their checksum; nothing, of size 0, if it is wrong.
inline std::string_view Unsealed(std::string_view bytes) {
  if (bytes.size() < 8) return {};
  const std::string_view rest = bytes.substr(0, bytes.size() - 8);
  return ReadBe64(rest.data() + rest.size()) == Checksum(rest)
             ? rest
             : std::string_view();
}

}  // namespace tamis::internal

#endif  // TAMIS_STORE_SRC_BYTES_H_
