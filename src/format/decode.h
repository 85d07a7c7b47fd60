// Bytes to snapshot.
//
// Nothing read is used before it is checked.  In order: magic, version, the
// header's length, its checksum, reserved bytes, the file's length, then the
// directory, record by record, then each section: its place must be the one
// that a writer would choose, so that two files with the same contents are the
// same bytes, and every byte of a file is covered by a check.

#ifndef TAMIS_FORMAT_DECODE_H_
#define TAMIS_FORMAT_DECODE_H_

#include <cstddef>
#include <span>

#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/serialize.h"

namespace tamis::internal {

// What is done about the sections.
enum class Body {
  kChecked,  // checksums are compared, and the padding must be zero
  kUnread,   // nothing: all are taken to be right
};

// Reads the header.
Result<FileInfo> DecodeHeader(std::span<const std::byte> file, Body body);

// Reads all of it; fails if any checksum is found wrong, or if the body is to
// stay unread and the version is 1, which filters can't be mapped from.
Result<Snapshot> Decode(std::span<const std::byte> file, Body body);

}  // namespace tamis::internal

#endif  // TAMIS_FORMAT_DECODE_H_
