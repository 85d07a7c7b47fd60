#include "format/encode.h"

#include <string>

#include "format/bytes.h"
#include "format/layout.h"

namespace tamis::internal {
namespace {

Status Unfit(const std::string& message) {
  return {StatusCode::kInvalidArgument, "can't be saved: " + message};
}

Status CheckName(const std::string& name) {
  if (layout::IsName(name)) return {};
  return Unfit("'" + name + "' is no name for a number or an array");
}

// Returns the length of the header: fixed part, directory, checksum, and the
// padding before the checksum.
Result<uint64_t> HeaderBytes(const Snapshot& snapshot) {
  const uint64_t spec_bytes = snapshot.spec().ToString().size();
  if (spec_bytes > layout::kMaxSpecBytes) {
    return Unfit("a spec of " + std::to_string(spec_bytes) + " characters");
  }
  uint64_t bytes = layout::kFixedHeaderBytes + spec_bytes;
  for (const Snapshot::NamedNumber& number : snapshot.numbers()) {
    TAMIS_RETURN_IF_ERROR(CheckName(number.name));
    bytes += layout::kNumberRecordBytes + number.name.size();
  }
  for (const Snapshot::NamedArray& array : snapshot.arrays()) {
    TAMIS_RETURN_IF_ERROR(CheckName(array.name));
    bytes += layout::kSectionRecordBytes + array.name.size();
  }
  bytes = layout::Align(bytes + layout::kChecksumBytes);
  if (bytes > layout::kMaxHeaderBytes) {
    return Unfit("a header of " + std::to_string(bytes) + " bytes");
  }
  return bytes;
}

void StoreFixedHeader(const Snapshot& snapshot, const SaveOptions& options,
                      uint64_t header_bytes, uint64_t file_bytes,
                      std::vector<std::byte>& header) {
  const auto store = [&](uint64_t at, int count, uint64_t value) {
    StoreBytes(header.data() + at, count, value);
  };
  const Hasher& hasher = snapshot.hasher();
  store(layout::kVersionAt, 2, layout::kVersion);
  store(layout::kFileBytesAt, 8, file_bytes);
  store(layout::kHeaderBytesAt, 4, header_bytes);
  store(layout::kNumberCountAt, 4, snapshot.numbers().size());
  store(layout::kSectionCountAt, 4, snapshot.arrays().size());
  store(layout::kSeedLowAt, 8, hasher.seed().low);
  store(layout::kSeedHighAt, 8, hasher.seed().high);
  store(layout::kHashAlgorithmAt, 1, static_cast<uint64_t>(hasher.algorithm()));
  store(layout::kKeyFormAt, 1, static_cast<uint64_t>(options.keys));
  store(layout::kSpecBytesAt, 2, snapshot.spec().ToString().size());
}

void AppendName(std::vector<std::byte>& out, const std::string& name) {
  AppendBytes(out, 1, name.size());
  AppendText(out, name);
}

// Appends the directory; returns the offset at which the file ends.
uint64_t AppendDirectory(const Snapshot& snapshot, uint64_t header_bytes,
                         std::vector<std::byte>& header) {
  AppendText(header, snapshot.spec().ToString());
  for (const Snapshot::NamedNumber& number : snapshot.numbers()) {
    AppendName(header, number.name);
    AppendBytes(header, 8, number.value);
  }
  uint64_t offset = header_bytes;
  for (const Snapshot::NamedArray& array : snapshot.arrays()) {
    AppendName(header, array.name);
    AppendBytes(header, 8, offset);
    AppendBytes(header, 8, array.bytes.size());
    AppendBytes(header, 8, Checksum(array.bytes));
    offset = layout::Align(offset + array.bytes.size());
  }
  return offset;
}

}  // namespace

Result<std::vector<std::byte>> EncodeHeader(const Snapshot& snapshot,
                                            const SaveOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const uint64_t header_bytes, HeaderBytes(snapshot));
  std::vector<std::byte> header;
  header.reserve(header_bytes);
  AppendText(header, layout::kMagic);
  header.resize(layout::kFixedHeaderBytes);
  const uint64_t file_bytes = AppendDirectory(snapshot, header_bytes, header);
  StoreFixedHeader(snapshot, options, header_bytes, file_bytes, header);
  header.resize(header_bytes - layout::kChecksumBytes);
  AppendBytes(header, layout::kChecksumBytes, Checksum(header));
  return header;
}

uint64_t FileBytes(std::span<const std::byte> header) {
  return LoadBytes(header.data() + layout::kFileBytesAt, 8);
}

}  // namespace tamis::internal
