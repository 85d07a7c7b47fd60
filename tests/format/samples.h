// What the format's tests share: a small filter, and ways to damage its bytes.

#ifndef TAMIS_TESTS_FORMAT_SAMPLES_H_
#define TAMIS_TESTS_FORMAT_SAMPLES_H_

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "format/bytes.h"
#include "model/exact_filter.h"
#include "tamis/serialize.h"

namespace tamis::testing {

using ByteVector = std::vector<std::byte>;

// Returns a filter of a few keys whose bytes are always the same.
inline ExactFilter SampleFilter(uint64_t keys = 5) {
  const Hasher hasher(HashAlgorithm::kSipHash, Seed{0x0123456789abcdef, 0xfe});
  Spec spec("exact");
  spec.Set("bits", 20);
  ExactFilter filter = ExactFilter::Create(spec, 100, hasher).value();
  for (uint64_t key = 0; key < keys; ++key) {
    EXPECT_TRUE(filter.Insert(hasher.Hash(key)).ok());
  }
  return filter;
}

inline ByteVector SampleBytes() { return Serialize(SampleFilter()).value(); }

// Returns the header's length, as stated in it.
inline uint64_t HeaderBytes(const ByteVector& file) {
  return internal::LoadBytes(file.data() + 16, 4);
}

// Makes the header's checksum right again after a forgery.
inline void ResealHeader(ByteVector& file) {
  const uint64_t at = HeaderBytes(file) - 8;
  internal::StoreBytes(file.data() + at, 8,
                       internal::Checksum(std::span(file).first(at)));
}

// Puts `text` in the place of the spec, with its checksum right.
// REQUIRES: both are of the same length.
inline void ForgeSpec(ByteVector& file, std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    file[64 + i] = static_cast<std::byte>(text[i]);
  }
  ResealHeader(file);
}

// A path in the test's own temporary folder, removed at the end.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name)
      : path_(::testing::TempDir() + "tamis_format_" + name) {
    std::filesystem::remove(path_);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }

  const std::string& path() const { return path_; }
  void Write(const ByteVector& bytes) const {
    std::ofstream out(path_, std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::string path_;
};

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_FORMAT_SAMPLES_H_
