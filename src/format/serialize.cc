#include "tamis/serialize.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "format/decode.h"
#include "format/encode.h"
#include "format/layout.h"
#include "tamis/internal/format/file.h"

namespace tamis {
namespace internal {

namespace {

Body BodyFor(const LoadOptions& options) {
  return options.map ? Body::kUnread : Body::kChecked;
}

}  // namespace

Result<DecodedFile> DecodedFile::Open(const std::string& path,
                                      const LoadOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(
      MappedFile opened,
      MappedFile::Open(path, options.map ? MappedFile::Access::kRandom
                                         : MappedFile::Access::kSequential));
  auto file = std::make_shared<const MappedFile>(std::move(opened));
  Result<Snapshot> snapshot = Decode(file->bytes(), BodyFor(options));
  if (!snapshot.ok()) return snapshot.status().WithContext(path);
  snapshot->set_owner(std::move(file));
  return DecodedFile(std::move(snapshot).value());
}

Result<DecodedFile> DecodedFile::FromMemory(std::span<const std::byte> bytes,
                                            const LoadOptions& options) {
  if (options.map &&
      reinterpret_cast<uintptr_t>(bytes.data()) % layout::kAlignment != 0) {
    return Status(StatusCode::kInvalidArgument,
                  "bytes to map must start at a multiple of 64");
  }
  TAMIS_ASSIGN_OR_RETURN(Snapshot snapshot, Decode(bytes, BodyFor(options)));
  return DecodedFile(std::move(snapshot));
}

Status SaveSnapshot(const Snapshot& snapshot, const std::string& path,
                    const SaveOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> header,
                         EncodeHeader(snapshot, options));
  TAMIS_ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path));
  TAMIS_RETURN_IF_ERROR(EncodePieces(
      snapshot, header,
      [&](std::span<const std::byte> bytes) { return file.Write(bytes); }));
  return file.Commit();
}

Result<std::vector<std::byte>> SerializeSnapshot(const Snapshot& snapshot,
                                                 const SaveOptions& options) {
  TAMIS_ASSIGN_OR_RETURN(const std::vector<std::byte> header,
                         EncodeHeader(snapshot, options));
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
  // kUnsupported is said of the way to load: mapped, or without a source.
  if (reason.code() == StatusCode::kUnsupported ||
      !AnyFilter::FromSnapshot(snapshot).ok()) {
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

Status ExpectSameHeader(const Snapshot& file, const Snapshot& loaded) {
  if (file.version() == 1) return {};
  const bool same_numbers = std::equal(
      file.numbers().begin(), file.numbers().end(), loaded.numbers().begin(),
      loaded.numbers().end(), [](const auto& a, const auto& b) {
        return a.name == b.name && a.value == b.value;
      });
  const bool same_arrays = std::equal(
      file.arrays().begin(), file.arrays().end(), loaded.arrays().begin(),
      loaded.arrays().end(), [](const auto& a, const auto& b) {
        return a.name == b.name && a.bytes.size() == b.bytes.size();
      });
  const char* what = file.spec() != loaded.spec() ? "spec is"
                     : !same_numbers              ? "numbers are"
                     : !same_arrays               ? "sections are"
                                                  : nullptr;
  if (what == nullptr) return {};
  return BadContents(
      file, {StatusCode::kCorrupt, std::string("the ") + what + " not what " +
                                       loaded.spec().ToString() + " writes"});
}

}  // namespace internal

std::string_view ToString(KeyForm form) {
  switch (form) {
    case KeyForm::kUnknown:
      return "unknown";
    case KeyForm::kText:
      return "text";
    case KeyForm::kU64:
      return "u64";
    case KeyForm::kBytes:
      return "bytes";
  }
  return "unknown";
}

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

namespace {

Result<FileInfo> InfoOf(const std::string& path, internal::Body body) {
  TAMIS_ASSIGN_OR_RETURN(const internal::MappedFile file,
                         internal::MappedFile::Open(path));
  Result<FileInfo> info = internal::DecodeHeader(file.bytes(), body);
  if (!info.ok()) return info.status().WithContext(path);
  return info;
}

}  // namespace

Result<FileInfo> Inspect(const std::string& path) {
  return InfoOf(path, internal::Body::kChecked);
}

Result<KeyForm> KeyFormOf(const std::string& path) {
  TAMIS_ASSIGN_OR_RETURN(const FileInfo info,
                         InfoOf(path, internal::Body::kUnread));
  return info.keys;
}

Result<FileInfo> Inspect(std::span<const std::byte> bytes) {
  return internal::DecodeHeader(bytes, internal::Body::kChecked);
}

}  // namespace tamis
