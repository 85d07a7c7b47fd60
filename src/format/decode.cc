#include "format/decode.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "format/bytes.h"
#include "format/layout.h"
#include "format/version1.h"

namespace tamis::internal {
namespace {

using Bytes = std::span<const std::byte>;

Status Damaged(uint64_t offset, const std::string& why,
               StatusCode code = StatusCode::kCorrupt) {
  return {code, "offset " + std::to_string(offset) + ": " + why};
}

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Returns the offset of the first byte of [begin, limit) that is not zero, or
// `limit`.
uint64_t FirstNonZero(Bytes file, uint64_t begin, uint64_t limit) {
  const auto found =
      std::find_if(file.begin() + static_cast<ptrdiff_t>(begin),
                   file.begin() + static_cast<ptrdiff_t>(limit),
                   [](std::byte b) { return b != std::byte{0}; });
  return static_cast<uint64_t>(found - file.begin());
}

Status CheckZero(Bytes file, uint64_t begin, uint64_t limit,
                 std::string_view what) {
  const uint64_t bad = FirstNonZero(file, begin, limit);
  if (bad == limit) return {};
  return Damaged(bad, std::string(what) + " must be zero");
}

uint64_t Field(Bytes file, uint64_t at, int count) {
  return LoadBytes(file.data() + at, count);
}

Status CheckMagic(Bytes file) {
  const Bytes start = file.first(std::min(file.size(), layout::kMagic.size()));
  if (AsText(start) != layout::kMagic.substr(0, start.size()) || file.empty()) {
    return Damaged(0, "not a tamis file: it does not start with \"TAMIS\\0\"");
  }
  if (file.size() < layout::kVersionAt + 2) {
    return Damaged(file.size(), "the file ends before the version number");
  }
  const uint64_t version = Field(file, layout::kVersionAt, 2);
  if (version >= layout::kOldestVersion && version <= layout::kVersion) {
    return {};
  }
  return Damaged(layout::kVersionAt,
                 "format version " + std::to_string(version) +
                     "; this library reads versions " +
                     std::to_string(layout::kOldestVersion) + " to " +
                     std::to_string(layout::kVersion),
                 StatusCode::kVersion);
}

bool IsVersion1(Bytes file) { return Field(file, layout::kVersionAt, 2) == 1; }

// Checks the extent and the checksum of the header; returns its length.
Result<uint64_t> CheckHeaderBytes(Bytes file) {
  if (file.size() < layout::kFixedHeaderBytes) {
    return Damaged(file.size(), "the file ends inside the 64-byte header");
  }
  const uint64_t header_bytes = Field(file, layout::kHeaderBytesAt, 4);
  const uint64_t most = IsVersion1(file) ? layout::kMaxHeaderBytesOfVersion1
                                         : layout::kMaxHeaderBytes;
  if (header_bytes % layout::kAlignment != 0 ||
      header_bytes <= layout::kFixedHeaderBytes || header_bytes > most) {
    return Damaged(layout::kHeaderBytesAt,
                   "a header of " + std::to_string(header_bytes) +
                       " bytes; expected a multiple of 64 from 128 to " +
                       std::to_string(most));
  }
  if (header_bytes > file.size()) {
    return Damaged(file.size(), "the file ends inside its header of " +
                                    std::to_string(header_bytes) + " bytes");
  }
  const uint64_t sum_at = header_bytes - layout::kChecksumBytes;
  if (Field(file, sum_at, 8) != Checksum(file.first(sum_at))) {
    return Damaged(sum_at, "header checksum mismatch: bytes 0 to " +
                               std::to_string(sum_at - 1) + " are damaged");
  }
  return header_bytes;
}

Status CheckFixedFields(Bytes file) {
  for (const layout::ByteRange range : layout::kReserved) {
    TAMIS_RETURN_IF_ERROR(
        CheckZero(file, range.begin, range.limit, "reserved byte"));
  }
  const uint64_t file_bytes = Field(file, layout::kFileBytesAt, 8);
  if (file_bytes != file.size()) {
    return Damaged(std::min<uint64_t>(file_bytes, file.size()),
                   "the file has " + std::to_string(file.size()) +
                       " bytes, its header says " + std::to_string(file_bytes));
  }
  const uint64_t algorithm = Field(file, layout::kHashAlgorithmAt, 1);
  if (algorithm != static_cast<uint64_t>(HashAlgorithm::kXxh3) &&
      algorithm != static_cast<uint64_t>(HashAlgorithm::kSipHash)) {
    return Damaged(layout::kHashAlgorithmAt,
                   "unknown hash algorithm " + std::to_string(algorithm));
  }
  const uint64_t form = Field(file, layout::kKeyFormAt, 1);
  const uint64_t most =
      IsVersion1(file) ? 0 : static_cast<uint64_t>(KeyForm::kBytes);
  if (form > most) {
    return Damaged(layout::kKeyFormAt,
                   "unknown form of keys " + std::to_string(form));
  }
  return {};
}

// Reads the directory from front to back.  Never passes its end.
class DirectoryReader {
 public:
  DirectoryReader(Bytes file, uint64_t header_bytes, Body body)
      : file_(file),
        body_(body),
        at_(layout::kFixedHeaderBytes),
        limit_(header_bytes - layout::kChecksumBytes) {}

  Result<Spec> ReadSpec() {
    const uint64_t begin = at_;
    const uint64_t size = Field(file_, layout::kSpecBytesAt, 2);
    if (size > layout::kMaxSpecBytes) {
      return Damaged(layout::kSpecBytesAt,
                     "a spec of " + std::to_string(size) + " bytes");
    }
    TAMIS_ASSIGN_OR_RETURN(const std::string_view text, Text(size));
    Result<Spec> spec = Spec::Parse(text);
    if (!spec.ok()) {
      return Damaged(begin, std::string(spec.status().message()));
    }
    if (spec->ToString() != text) {
      return Damaged(begin, Quoted(text) + " is no spec as it is written");
    }
    return spec;
  }

  Result<FileInfo::Number> ReadNumber() {
    TAMIS_ASSIGN_OR_RETURN(std::string name, Name(number_names_));
    TAMIS_ASSIGN_OR_RETURN(const uint64_t value, Word());
    return FileInfo::Number{std::move(name), value};
  }

  // Reads one section's record; the section must begin at `expected` and end
  // within the file.
  Result<FileInfo::Section> ReadSection(uint64_t expected) {
    TAMIS_ASSIGN_OR_RETURN(std::string name, Name(section_names_));
    const uint64_t record = at_;
    TAMIS_ASSIGN_OR_RETURN(const uint64_t offset, Word());
    TAMIS_ASSIGN_OR_RETURN(const uint64_t size, Word());
    TAMIS_ASSIGN_OR_RETURN(const uint64_t checksum, Word());
    if (offset != expected) {
      return Damaged(record, "section " + Quoted(name) + " at " +
                                 std::to_string(offset) + ", expected at " +
                                 std::to_string(expected));
    }
    if (expected > file_.size() || size > file_.size() - expected ||
        layout::Align(expected + size) > file_.size()) {
      return Damaged(record + 8, "section " + Quoted(name) + " of " +
                                     std::to_string(size) +
                                     " bytes reaches beyond the file's end");
    }
    const bool good = body_ == Body::kUnread ||
                      Checksum(file_.subspan(offset, size)) == checksum;
    return FileInfo::Section{std::move(name), offset, size, checksum, good};
  }

  Status ExpectEnd() const {
    if (layout::Align(at_ + layout::kChecksumBytes) !=
        limit_ + layout::kChecksumBytes) {
      return Damaged(at_, "the directory is shorter than the header says");
    }
    return CheckZero(file_, at_, limit_, "padding byte of the header");
  }

 private:
  Result<std::string_view> Text(uint64_t size) {
    if (size > limit_ - at_) {
      return Damaged(at_, "the directory ends before " + std::to_string(size) +
                              " more bytes");
    }
    const uint64_t begin = std::exchange(at_, at_ + size);
    return AsText(file_.subspan(begin, size));
  }

  Result<uint64_t> Word() {
    TAMIS_ASSIGN_OR_RETURN(const std::string_view text, Text(8));
    return LoadBytes(std::as_bytes(std::span(text)).data(), 8);
  }

  Result<std::string> Name(std::set<std::string>& known) {
    const uint64_t begin = at_;
    TAMIS_ASSIGN_OR_RETURN(const std::string_view size, Text(1));
    TAMIS_ASSIGN_OR_RETURN(const std::string_view text,
                           Text(static_cast<unsigned char>(size[0])));
    if (!layout::IsName(text)) {
      return Damaged(begin, "a name that is empty or not printable ASCII");
    }
    if (!known.emplace(text).second) {
      return Damaged(begin, "the name " + Quoted(text) + " is given twice");
    }
    return std::string(text);
  }

  Bytes file_;
  Body body_;
  uint64_t at_;
  uint64_t limit_;
  std::set<std::string> number_names_;
  std::set<std::string> section_names_;
};

// Reads the sections' records, and checks the padding after each section and
// that the last one ends the file.
Status ReadSections(Bytes file, uint64_t count, DirectoryReader& reader,
                    Body body, FileInfo& info) {
  uint64_t expected = info.header_bytes;
  for (uint64_t i = 0; i < count; ++i) {
    TAMIS_ASSIGN_OR_RETURN(FileInfo::Section section,
                           reader.ReadSection(expected));
    const uint64_t limit = section.offset + section.size_bytes;
    expected = layout::Align(limit);
    if (body == Body::kChecked) {
      TAMIS_RETURN_IF_ERROR(
          CheckZero(file, limit, expected, "padding after a section"));
    }
    info.sections.push_back(std::move(section));
  }
  if (expected == file.size()) return {};
  return Damaged(expected, "bytes after the last section");
}

}  // namespace

Result<FileInfo> DecodeHeader(Bytes file, Body body) {
  TAMIS_RETURN_IF_ERROR(CheckMagic(file));
  TAMIS_ASSIGN_OR_RETURN(const uint64_t header_bytes, CheckHeaderBytes(file));
  TAMIS_RETURN_IF_ERROR(CheckFixedFields(file));
  DirectoryReader reader(file, header_bytes, body);
  TAMIS_ASSIGN_OR_RETURN(Spec spec, reader.ReadSpec());
  FileInfo info{
      .version = static_cast<int>(Field(file, layout::kVersionAt, 2)),
      .file_bytes = file.size(),
      .header_bytes = header_bytes,
      .spec = std::move(spec),
      .hash_algorithm =
          static_cast<HashAlgorithm>(Field(file, layout::kHashAlgorithmAt, 1)),
      .seed = {Field(file, layout::kSeedLowAt, 8),
               Field(file, layout::kSeedHighAt, 8)},
      .keys = static_cast<KeyForm>(Field(file, layout::kKeyFormAt, 1)),
      .numbers = {},
      .sections = {},
  };
  // Each record takes bytes of the directory, so neither count can make these
  // loops longer than the header is.
  const uint64_t numbers = Field(file, layout::kNumberCountAt, 4);
  for (uint64_t i = 0; i < numbers; ++i) {
    TAMIS_ASSIGN_OR_RETURN(FileInfo::Number number, reader.ReadNumber());
    info.numbers.push_back(std::move(number));
  }
  TAMIS_RETURN_IF_ERROR(ReadSections(
      file, Field(file, layout::kSectionCountAt, 4), reader, body, info));
  TAMIS_RETURN_IF_ERROR(reader.ExpectEnd());
  return info;
}

Result<Snapshot> Decode(Bytes file, Body body) {
  TAMIS_ASSIGN_OR_RETURN(FileInfo info, DecodeHeader(file, body));
  if (body == Body::kUnread && info.version == 1) {
    return Damaged(layout::kVersionAt,
                   "a file of version 1 can't be mapped; load and save it, and "
                   "map that",
                   StatusCode::kVersion);
  }
  Snapshot snapshot(
      info.version == 1 ? WithVersion1Defaults(info.spec) : info.spec,
      Hasher(info.hash_algorithm, info.seed));
  snapshot.set_version(info.version);
  for (FileInfo::Number& number : info.numbers) {
    snapshot.AddNumber(std::move(number.name), number.value);
  }
  for (FileInfo::Section& section : info.sections) {
    if (!section.checksum_ok) {
      return Damaged(section.offset, "section " + Quoted(section.name) +
                                         ": checksum mismatch in its " +
                                         std::to_string(section.size_bytes) +
                                         " bytes");
    }
    snapshot.AddArray(std::move(section.name),
                      file.subspan(section.offset, section.size_bytes));
  }
  return snapshot;
}

}  // namespace tamis::internal
