// The constants of the file format, versions 1 and 2, in one place.
// docs/format/filter_file.md is the specification in prose.
//
//   0                    64                header_bytes
//   | fixed header, 64 B | directory | sum | section 0 |0| section 1 |0| ...
//                          names and   |                 |
//                          numbers     XXH3-64 of all    zeros up to the next
//                                      bytes before it   multiple of 64
//
// All values here are on disk: never renumber, never move.  A change of the
// layout is a new version.

#ifndef TAMIS_FORMAT_LAYOUT_H_
#define TAMIS_FORMAT_LAYOUT_H_

#include <array>
#include <cstdint>
#include <string_view>

namespace tamis::internal::layout {

inline constexpr std::string_view kMagic{"TAMIS\0", 6};
inline constexpr uint16_t kVersion = 2;        // written
inline constexpr uint16_t kOldestVersion = 1;  // read

// Offsets in the fixed header.
inline constexpr uint64_t kMagicAt = 0;           // 6 bytes
inline constexpr uint64_t kVersionAt = 6;         // u16
inline constexpr uint64_t kFileBytesAt = 8;       // u64
inline constexpr uint64_t kHeaderBytesAt = 16;    // u32
inline constexpr uint64_t kReserved0At = 20;      // 4 bytes, zero
inline constexpr uint64_t kNumberCountAt = 24;    // u32
inline constexpr uint64_t kSectionCountAt = 28;   // u32
inline constexpr uint64_t kSeedLowAt = 32;        // u64
inline constexpr uint64_t kSeedHighAt = 40;       // u64
inline constexpr uint64_t kHashAlgorithmAt = 48;  // u8, as in hasher.h
inline constexpr uint64_t kKeyFormAt = 49;        // u8; zero in version 1
inline constexpr uint64_t kSpecBytesAt = 50;      // u16
inline constexpr uint64_t kReserved2At = 52;      // 12 bytes, zero
inline constexpr uint64_t kFixedHeaderBytes = 64;

struct ByteRange {  // [begin, limit)
  uint64_t begin;
  uint64_t limit;
};
inline constexpr std::array<ByteRange, 2> kReserved = {{
    {kReserved0At, kNumberCountAt},
    {kReserved2At, kFixedHeaderBytes},
}};

// In the directory:
//   spec     its text
//   number   u8 length of the name, name, u64 value
//   section  u8 length of the name, name, u64 offset, u64 size, u64 checksum
inline constexpr uint64_t kNumberRecordBytes = 1 + 8;       // and the name
inline constexpr uint64_t kSectionRecordBytes = 1 + 3 * 8;  // and the name
inline constexpr uint64_t kChecksumBytes = 8;

inline constexpr uint64_t kAlignment = 64;
inline constexpr uint64_t kMaxSpecBytes = 1024;
inline constexpr uint64_t kMaxNameBytes = 255;
// A chain of a million tables has a header of 80 MB.
inline constexpr uint64_t kMaxHeaderBytes = uint64_t{1} << 28;
inline constexpr uint64_t kMaxHeaderBytesOfVersion1 = uint64_t{1} << 20;

static_assert(kFixedHeaderBytes % kAlignment == 0,
              "a section mapped from a file starts a cache line");
static_assert(kMaxHeaderBytes < ~uint32_t{0},
              "the header's length is stored in 32 bits");

// Returns `offset`, or the next multiple of 64.
// REQUIRES: offset <= 2^64 - 64
constexpr uint64_t Align(uint64_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

// Names are printable ASCII without spaces, so that they can be shown.
constexpr bool IsName(std::string_view name) {
  if (name.empty() || name.size() > kMaxNameBytes) return false;
  for (const char c : name) {
    if (c <= ' ' || c > '~') return false;
  }
  return true;
}

}  // namespace tamis::internal::layout

#endif  // TAMIS_FORMAT_LAYOUT_H_
