// Snapshot to bytes.
//
// The header is built in memory (it is small); the sections are the filter's
// own arrays and are never copied here.  Whoever writes emits the header, then
// for each array its bytes and the zeros up to the next multiple of 64.

#ifndef TAMIS_FORMAT_ENCODE_H_
#define TAMIS_FORMAT_ENCODE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "format/layout.h"
#include "tamis/internal/filters/snapshot.h"
#include "tamis/result.h"
#include "tamis/serialize.h"

namespace tamis::internal {

// Returns the header of the file for `snapshot`.  Reads all arrays once, for
// their checksums.  kInvalidArgument if a name is not fit for the format.
Result<std::vector<std::byte>> EncodeHeader(const Snapshot& snapshot,
                                            const SaveOptions& options);

// Returns the length of the whole file, which the header states.
uint64_t FileBytes(std::span<const std::byte> header);

// Calls write(bytes) -> Status for every piece of the file, in order.
template <typename Write>
Status EncodePieces(const Snapshot& snapshot, std::span<const std::byte> header,
                    Write write) {
  static constexpr std::byte kZeros[layout::kAlignment] = {};
  TAMIS_RETURN_IF_ERROR(write(header));
  for (const Snapshot::NamedArray& array : snapshot.arrays()) {
    TAMIS_RETURN_IF_ERROR(write(array.bytes));
    const size_t size = array.bytes.size();
    TAMIS_RETURN_IF_ERROR(
        write(std::span(kZeros).first(layout::Align(size) - size)));
  }
  return {};
}

}  // namespace tamis::internal

#endif  // TAMIS_FORMAT_ENCODE_H_
