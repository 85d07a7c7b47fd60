// Reseal: makes the checksums of a file right after somebody changed it.
//
// A changed file almost never passes its checksums, and says nothing about what
// is behind them; but anybody can compute checksums.  Offsets are those of
// docs/format/filter_file.md.

#ifndef TAMIS_TESTS_MODEL_RESEAL_H_
#define TAMIS_TESTS_MODEL_RESEAL_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "format/bytes.h"

namespace tamis::testing {

// Calls visit(offset of the value) for each number, and
// visit(offset of the record behind its name) for each section, as far as the
// header can be followed.
template <typename VisitNumber, typename VisitSection>
void ForEachRecord(std::span<const std::byte> file, VisitNumber visit_number,
                   VisitSection visit_section) {
  using internal::LoadBytes;
  if (file.size() < 128) return;
  const uint64_t header = LoadBytes(file.data() + 16, 4);
  if (header < 128 || header > file.size()) return;
  uint64_t at = 64 + LoadBytes(file.data() + 50, 2);
  const auto record_fits = [&](uint64_t bytes) {
    if (at >= header) return false;
    at += 1 + LoadBytes(file.data() + at, 1);
    return at + bytes <= header;
  };
  const uint64_t numbers = LoadBytes(file.data() + 24, 4);
  for (uint64_t i = 0; i < numbers && record_fits(8); ++i, at += 8) {
    visit_number(at);
  }
  const uint64_t sections = LoadBytes(file.data() + 28, 4);
  for (uint64_t i = 0; i < sections && record_fits(24); ++i, at += 24) {
    visit_section(at);
  }
}

// Makes the length of the file and all checksums right.
inline void Reseal(std::span<std::byte> file) {
  using internal::LoadBytes;
  using internal::StoreBytes;
  if (file.size() < 128) return;
  StoreBytes(file.data() + 8, 8, file.size());
  ForEachRecord(
      file, [](uint64_t) {},
      [&](uint64_t at) {
        const uint64_t offset = LoadBytes(file.data() + at, 8);
        const uint64_t size = LoadBytes(file.data() + at + 8, 8);
        if (offset > file.size() || size > file.size() - offset) return;
        StoreBytes(file.data() + at + 16, 8,
                   internal::Checksum(file.subspan(offset, size)));
      });
  const uint64_t header = LoadBytes(file.data() + 16, 4);
  if (header < 128 || header > file.size()) return;
  StoreBytes(file.data() + header - 8, 8,
             internal::Checksum(file.first(header - 8)));
}

}  // namespace tamis::testing

#endif  // TAMIS_TESTS_MODEL_RESEAL_H_
