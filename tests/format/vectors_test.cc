// Test vectors: how a key's bytes become a hash, a home and a string.
//
// tests/golden/vectors.txt is what docs/format/filter_file.md promises, for
// readers in other languages; tests/format/reader/ is one.  Here the library is
// held to it.  TAMIS_UPDATE_GOLDEN=1 writes it anew.

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "tamis/hasher.h"
#include "tamis/internal/hash/hash_string.h"
#include "tamis/serialize.h"
#include "test_data.h"

namespace tamis::testing {
namespace {

const std::string kGolden = TAMIS_TEST_DATA_DIR;

std::string Hex(uint64_t value, int digits = 16) {
  char text[17];
  std::snprintf(text, sizeof(text), "%0*llx", digits,
                static_cast<unsigned long long>(value));
  return text;
}
std::string Hex(KeyHash hash) { return Hex(hash.high) + Hex(hash.low); }
std::string Hex(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) text += Hex(static_cast<unsigned char>(c), 2);
  return text;
}

void WriteHashes(std::ostream& out) {
  const std::string long_key(300, 'k');
  for (const auto algorithm : {HashAlgorithm::kXxh3, HashAlgorithm::kSipHash}) {
    const Seed seed{0x0123456789abcdef, 0xfedcba9876543210};
    const Hasher hasher(algorithm, seed);
    for (const std::string_view key :
         {std::string_view("a"), std::string_view("42"),
          std::string_view("\x2a\0\0\0\0\0\0\0", 8),
          std::string_view("the quick brown fox"),
          std::string_view(long_key)}) {
      out << "hash " << ToString(algorithm) << ' ' << Hex(seed.low) << ' '
          << Hex(seed.high) << ' ' << Hex(key) << ' ' << Hex(hasher.Hash(key))
          << '\n';
    }
  }
}

void WriteStrings(std::ostream& out) {
  const Hasher hasher(HashAlgorithm::kXxh3, Seed{7, 8});
  for (const uint64_t key : {1u, 2u, 3u}) {
    const KeyHash hash = hasher.Hash(key);
    out << "extend " << Hex(hash) << " 0 " << Hex(internal::Extend(hash, 0))
        << "\nextend " << Hex(hash) << " 5 " << Hex(internal::Extend(hash, 5))
        << '\n';
    for (const uint64_t homes : {1ull, 128ull, 1000ull, (1ull << 40) + 7}) {
      out << "place " << Hex(hash) << ' ' << homes << ' '
          << internal::Place(hash, homes).home << '\n';
      const internal::HashString string(hash, homes);
      for (const uint64_t begin : {0u, 3u, 90u, 120u, 250u}) {
        out << "string " << Hex(hash) << ' ' << homes << ' ' << begin << " 13 "
            << Hex(string.Bits(begin, 13), 4) << '\n';
      }
    }
  }
}

void WriteAnswers(std::ostream& out) {
  for (const char* name : {"rsqf_r_5", "rsqf_r_8", "rsqf_r_10", "rsqf_r_16"}) {
    const std::string path = std::string("version2/") + name + ".tamis";
    const Result<AnyFilter> filter = LoadAny(kGolden + "/" + path);
    ASSERT_TRUE(filter.ok()) << filter.status().ToString();
    uint64_t yes = 0;
    for (uint64_t key = 0; key < 5000; ++key) {
      yes += filter->MayContain(filter->hasher().Hash(key));
    }
    out << "answers " << path << " 5000 " << yes << '\n';
  }
}

TEST(Vectors, AreAsTheyWere) {
  std::ostringstream now;
  now << "# See docs/format/filter_file.md, \"From a key to its string\".\n";
  WriteHashes(now);
  WriteStrings(now);
  WriteAnswers(now);
  const std::string path = kGolden + "/vectors.txt";
  if (std::getenv("TAMIS_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path) << now.str();
  }
  std::ifstream in(path);
  const std::string golden((std::istreambuf_iterator<char>(in)),
                           std::istreambuf_iterator<char>());
  EXPECT_EQ(now.str(), golden);
}

}  // namespace
}  // namespace tamis::testing
