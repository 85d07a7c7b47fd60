#include "tamis/serialize.h"

#include <algorithm>

#include "format/decode.h"
#include "format/encode.h"
#include "tamis/internal/format/file.h"

namespace tamis {
namespace internal {

class DecodedFile::Mapping {
 public:
  explicit Mapping(MappedFile file) : file_(std::move(file)) {}
  std::span<const std::byte> bytes() const { return file_.bytes(); }

 private:
  MappedFile file_;
};

DecodedFile::DecodedFile(std::unique_ptr<Mapping> mapping, Snapshot snapshot)
    : mapping_(std::move(mapping)), snapshot_(std::move(snapshot)) {}
DecodedFile::DecodedFile(DecodedFile&&) noexcept = default;
DecodedFile& DecodedFile::operator=(DecodedFile&&) noexcept = default;
DecodedFile::~DecodedFile() = default;

Result<DecodedFile> DecodedFile::Open(const std::string& path) {
  TAMIS_ASSIGN_OR_RETURN(MappedFile file, MappedFile::Open(path));
  auto mapping = std::make_unique<Mapping>(std::move(file));
  Result<Snapshot> snapshot = Decode(mapping->bytes());
  if (!snapshot.ok()) return snapshot.status().WithContext(path);
  return DecodedFile(std::move(mapping), std::move(snapshot).value());
}

Result<DecodedFile> DecodedFile::FromMemory(std::span<const std::byte> bytes) {
  TAMIS_ASSIGN_OR_RETURN(Snapshot snapshot, Decode(bytes));
  return DecodedFile(nullptr, std::move(snapshot));
}

Status SaveSnapshot(const Snapshot& snapshot, const std::string& path) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> header,
                         EncodeHeader(snapshot));
  TAMIS_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
  TAMIS_RETURN_IF_ERROR(EncodePieces(
      snapshot, header,
      [&](std::span<const std::byte> bytes) { return file.Write(bytes); }));
  return file.Commit();
}

Result<std::vector<std::byte>> SerializeSnapshot(const Snapshot& snapshot) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> header,
                         EncodeHeader(snapshot));
  std::vector<std::byte> out;
  out.reserve(FileBytes(header));
  TAMIS_RETURN_IF_ERROR(
      EncodePieces(snapshot, header, [&](std::span<const std::byte> bytes) {
        out.insert(out.end(), bytes.begin(), bytes.end());
        return OkStatus();
      }));
  return out;
}

Status BadContents(const Snapshot& snapshot, const Status& reason) {
  const StatusCode code = reason.code() == StatusCode::kInvalidArgument
                              ? StatusCode::kCorrupt
                              : reason.code();
  return Status(code, std::string(reason.message()))
      .WithContext("offset 64: contents of " + snapshot.spec().ToString());
}

Status NotOfThisKind(const Snapshot& snapshot, const Status& reason) {
  if (!AnyFilter::FromSnapshot(snapshot).ok()) {
    return BadContents(snapshot, reason);
  }
  return {StatusCode::kIncompatible, "offset 64: the file holds a filter " +
                                         snapshot.spec().ToString() +
                                         ", which is of another kind"};
}

Status ExpectKind(const Snapshot& snapshot, const Spec& loaded) {
  if (loaded.name() == snapshot.spec().name()) return {};
  return {StatusCode::kIncompatible, "offset 64: the file holds a filter " +
                                         snapshot.spec().ToString() + ", not " +
                                         loaded.ToString()};
}

}  // namespace internal

bool FileInfo::checksums_ok() const {
  return std::all_of(sections.begin(), sections.end(),
                     [](const Section& s) { return s.checksum_ok; });
}

Result<AnyFilter> LoadAny(const std::string& path, const LoadOptions& options) {
  return Load<AnyFilter>(path, options);
}

Result<AnyFilter> DeserializeAny(std::span<const std::byte> bytes,
                                 const LoadOptions& options) {
  return Deserialize<AnyFilter>(bytes, options);
}

Result<FileInfo> Inspect(const std::string& path) {
  TAMIS_ASSIGN_OR_RETURN(const internal::MappedFile file,
                         internal::MappedFile::Open(path));
  Result<FileInfo> info = internal::DecodeHeader(file.bytes());
  if (!info.ok()) return info.status().WithContext(path);
  return info;
}

Result<FileInfo> Inspect(std::span<const std::byte> bytes) {
  return internal::DecodeHeader(bytes);
}

}  // namespace tamis
