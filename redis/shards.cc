#include "redis/shards.h"

#include <array>

namespace tamis::redis {
namespace {

constexpr uint16_t kPolynomial = 0x1021;

constexpr std::array<uint16_t, 256> MakeTable() {
  std::array<uint16_t, 256> table = {};
  for (unsigned byte = 0; byte < 256; ++byte) {
    unsigned crc = byte << 8;
    for (int bit = 0; bit < 8; ++bit) {
      crc = crc << 1 ^ ((crc & 0x8000) != 0 ? kPolynomial : 0u);
    }
    table[byte] = static_cast<uint16_t>(crc);
  }
  return table;
}
constexpr std::array<uint16_t, 256> kTable = MakeTable();

}  // namespace

uint16_t Crc16(std::string_view bytes) {
  unsigned crc = 0;
  for (const char c : bytes) {
    const unsigned at = (crc >> 8 ^ static_cast<unsigned char>(c)) & 0xff;
    crc = (crc << 8 ^ kTable[at]) & 0xffff;
  }
  return static_cast<uint16_t>(crc);
}

}  // namespace tamis::redis
