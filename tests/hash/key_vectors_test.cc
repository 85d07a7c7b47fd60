// Test vectors of keys: tests/vectors/keys.tsv, which every language is held to
// (see the README beside it).  TAMIS_UPDATE_GOLDEN=1 writes it anew.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <limits>
#include <ostream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tamis/hasher.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

const std::string kPath = TAMIS_TEST_DATA_DIR "/../vectors/keys.tsv";

std::string Hex(uint64_t value, int digits = 16) {
  std::string text;
  for (int digit = digits - 1; digit >= 0; --digit) {
    text += "0123456789abcdef"[(value >> (4 * digit)) & 15];
  }
  return text;
}
std::string Hex(KeyHash hash) { return Hex(hash.high) + Hex(hash.low); }
std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += Hex(static_cast<unsigned char>(c), 2);
  return text;
}
std::string LittleEndian(uint64_t key) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += static_cast<char>(key >> (8 * i));
  return bytes;
}

struct Key {
  std::string form;
  std::string written;
  std::string bytes;
};

std::vector<Key> AllKeys() {
  std::vector<Key> keys;
  // Each branch of XXH3 is for some lengths: 1 to 3, 4 to 8, 9 to 16, 17 to
  // 128, 129 to 240, and more.
  std::string bytes;
  for (const size_t size :
       {0, 1, 3, 4, 8, 9, 16, 17, 128, 129, 240, 241, 1100}) {
    while (bytes.size() < size) {
      bytes += static_cast<char>(bytes.size() * 7 + 1);
    }
    keys.push_back({"bytes", Hex(bytes), bytes});
  }
  keys.push_back({"bytes", "0000", std::string(2, '\0')});
  keys.push_back({"text", "\"42\"", "42"});
  keys.push_back({"text", "\"a\"", "a"});
  keys.push_back({"text", "\"a\\u0000\"", std::string("a\0", 2)});
  keys.push_back({"text", "\"caf\\u00e9\"", "caf\xc3\xa9"});
  keys.push_back({"text", "\"\\ud83e\\udd80\"", "\xf0\x9f\xa6\x80"});
  keys.push_back({"text", "\"the quick brown fox\"", "the quick brown fox"});
  for (const uint64_t key :
       {uint64_t{0}, uint64_t{1}, uint64_t{42}, uint64_t{255}, uint64_t{256},
        uint64_t{1} << 32, uint64_t{1} << 63,
        std::numeric_limits<uint64_t>::max()}) {
    keys.push_back({"u64", std::to_string(key), LittleEndian(key)});
  }
  return keys;
}

std::string AllVectors() {
  std::ostringstream out;
  out << "# See README.md in this folder.\n"
         "# algorithm\tseed_low\tseed_high\tform\tkey\tbytes\thash\n";
  for (const auto algorithm : {HashAlgorithm::kXxh3, HashAlgorithm::kSipHash}) {
    for (const Seed seed :
         {Seed{0, 0}, Seed{0x0123456789abcdef, 0xfedcba9876543210}}) {
      const Hasher hasher(algorithm, seed);
      for (const Key& key : AllKeys()) {
        out << ToString(algorithm) << '\t' << Hex(seed.low) << '\t'
            << Hex(seed.high) << '\t' << key.form << '\t' << key.written << '\t'
            << Hex(key.bytes) << '\t' << Hex(hasher.Hash(key.bytes)) << '\n';
      }
    }
  }
  return out.str();
}

TEST(KeyVectors, AreAsCommitted) {
  const std::string made = AllVectors();
  if (std::getenv("TAMIS_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(kPath, std::ios::binary) << made;
  }
  std::ifstream file(kPath, std::ios::binary);
  const std::string committed(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(committed, made);
}

TEST(KeyVectors, AnIntegerIsItsLittleEndianBytes) {
  for (const auto algorithm : {HashAlgorithm::kXxh3, HashAlgorithm::kSipHash}) {
    const Hasher hasher(algorithm, Seed{1, 2});
    for (const uint64_t key : {uint64_t{0}, uint64_t{42}, ~uint64_t{0}}) {
      EXPECT_EQ(hasher.Hash(key), hasher.Hash(LittleEndian(key)));
    }
  }
}

}  // namespace
}  // namespace tamis::testing
