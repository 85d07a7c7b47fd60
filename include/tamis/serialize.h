// Filters to bytes and back: files and memory, one format for every filter.
//
//   TAMIS_RETURN_IF_ERROR(Save(filter, "users.tamis"));
//   Result<Rsqf> same = Load<Rsqf>("users.tamis");
//   Result<AnyFilter> some = LoadAny("users.tamis");
//
// Guarantees
//   - Save writes to a temporary beside `path`, syncs it and renames it: under
//     that name there is the old file or the new one, never a half.  The new
//     one keeps the old one's permissions; it holds the seed, see SECURITY.md.
//   - Save streams the filter's own arrays: no second copy in memory.  Load
//     maps the file and copies it once, into the filter; LoadOptions::map
//     leaves out the copy, and reads what look-ups ask for only.
//   - A file that was cut, extended or changed in any bit is refused, with an
//     error that names the offset and the reason: kCorrupt, or kVersion for a
//     version of the format that this library does not know.
//   - Load<F> of a file that holds another kind of filter is kIncompatible.
//   - No length read from a file is used before it is checked against the
//     size of the file, so no file makes Load allocate more than a few times
//     its own size.
//
// Cost: linear in the size.  Besides reading, a load computes the checksums
// (about 10 GB/s), and runs the filter's CheckInvariants: checksums notice
// accidents, but anybody can write a file whose checksums are right.  The
// check makes such a file harmless; for files that only you can write,
// LoadOptions::check_invariants = false saves it.
//
// A file must not be truncated by others while it is loaded (it is mapped);
// Save never does so.  docs/format/filter_file.md specifies the bytes.

#ifndef TAMIS_SERIALIZE_H_
#define TAMIS_SERIALIZE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/any_filter.h"
#include "tamis/filter.h"
#include "tamis/hasher.h"
#include "tamis/load_options.h"
#include "tamis/result.h"

namespace tamis {

// What the keys of a file were before they were hashed.  A filter does not
// know; whoever saves it may say so, and be told by FileInfo.
enum class KeyForm : uint8_t {
  kUnknown = 0,
  kText = 1,   // characters, such as the lines of a text file
  kU64 = 2,    // integers, hashed as 8 little-endian bytes
  kBytes = 3,  // any other bytes
};
std::string_view ToString(KeyForm form);

struct SaveOptions {
  KeyForm keys = KeyForm::kUnknown;
};

// What is in a file, as far as it can be told without building the filter.
struct FileInfo {
  struct Number {
    std::string name;
    uint64_t value;
  };
  struct Section {
    std::string name;
    uint64_t offset;      // in the file; a multiple of 64
    uint64_t size_bytes;  // without the padding after it
    uint64_t checksum;    // as stored: XXH3-64
    bool checksum_ok;
  };

  int version;
  uint64_t file_bytes;
  uint64_t header_bytes;
  Spec spec;  // as it is written there: complete, but for version 1
  HashAlgorithm hash_algorithm;
  Seed seed;
  KeyForm keys;
  std::vector<Number> numbers;
  std::vector<Section> sections;

  // True if every section's checksum is right (the header's own is, always,
  // or there would be no FileInfo).
  bool checksums_ok() const;
};

namespace internal {

Status SaveSnapshot(const Snapshot& snapshot, const std::string& path,
                    const SaveOptions& options = {});
Result<std::vector<std::byte>> SerializeSnapshot(
    const Snapshot& snapshot, const SaveOptions& options = {});

// A decoded file: the snapshot's arrays point into bytes that this keeps.
class DecodedFile {
 public:
  // Reads and checks all but what the filter itself must check; if it is to be
  // mapped, only the header.
  static Result<DecodedFile> Open(const std::string& path,
                                  const LoadOptions& options = {});
  // REQUIRES: `bytes` outlive the snapshot, and a filter mapped from it.
  static Result<DecodedFile> FromMemory(std::span<const std::byte> bytes,
                                        const LoadOptions& options = {});

  // It owns the mapping, unless the bytes are the caller's.
  const Snapshot& snapshot() const { return snapshot_; }

 private:
  explicit DecodedFile(Snapshot snapshot) : snapshot_(std::move(snapshot)) {}

  Snapshot snapshot_;
};

// Returns the error of contents that describe no filter, or another one, with
// the place in the file.  What FromSnapshot takes for a wrong argument is a
// damaged file here: nobody but the file gave arguments.
Status BadContents(const Snapshot& snapshot, const Status& reason);

// What to say when F can't read the contents: if they are those of a sound
// filter of another kind, that they are (kIncompatible).
Status NotOfThisKind(const Snapshot& snapshot, const Status& reason);
// Fails if the file is of a kind that F is not, such as taf for Rsqf: F would
// read the other's arrays its own way, and might miss members.
Status ExpectKind(const Snapshot& snapshot, const Spec& loaded);
// Fails unless a filter made from `file` would write the same: its spec in
// full, the same numbers, and arrays of the same names and lengths.  Files of
// version 1 may differ.
Status ExpectSameHeader(const Snapshot& file, const Snapshot& loaded);

// Makes the filter, which checks itself if asked to.
template <FilterType F>
Result<F> BuildFilter(const Snapshot& snapshot, const LoadOptions& options) {
  Result<F> filter = F::FromSnapshot(snapshot, options);
  if (!filter.ok()) return NotOfThisKind(snapshot, filter.status());
  TAMIS_RETURN_IF_ERROR(ExpectKind(snapshot, filter->spec()));
  TAMIS_RETURN_IF_ERROR(ExpectSameHeader(snapshot, filter->ToSnapshot()));
  return filter;
}

}  // namespace internal

// F is any filter, or AnyFilter.
template <FilterType F>
Status Save(const F& filter, const std::string& path,
            const SaveOptions& options = {}) {
  return internal::SaveSnapshot(filter.ToSnapshot(), path, options);
}

// kInvalidArgument only if the filter's own names break the format's limits.
template <FilterType F>
Result<std::vector<std::byte>> Serialize(const F& filter,
                                         const SaveOptions& options = {}) {
  return internal::SerializeSnapshot(filter.ToSnapshot(), options);
}

template <FilterType F>
Result<F> Load(const std::string& path, const LoadOptions& options = {}) {
  TAMIS_ASSIGN_OR_RETURN(const internal::DecodedFile file,
                         internal::DecodedFile::Open(path, options));
  Result<F> filter = internal::BuildFilter<F>(file.snapshot(), options);
  if (!filter.ok()) return filter.status().WithContext(path);
  return filter;
}

// The same from memory.  With LoadOptions::map the filter refers to `bytes`,
// which must outlive it and start at a multiple of 64.
template <FilterType F>
Result<F> Deserialize(std::span<const std::byte> bytes,
                      const LoadOptions& options = {}) {
  TAMIS_ASSIGN_OR_RETURN(const internal::DecodedFile file,
                         internal::DecodedFile::FromMemory(bytes, options));
  return internal::BuildFilter<F>(file.snapshot(), options);
}

// The same for a filter whose kind the file says.
Result<AnyFilter> LoadAny(const std::string& path,
                          const LoadOptions& options = {});
Result<AnyFilter> DeserializeAny(std::span<const std::byte> bytes,
                                 const LoadOptions& options = {});

// Reads a file's header and checksums.  Damaged sections are reported in the
// result; an error means that the header itself can't be read.
Result<FileInfo> Inspect(const std::string& path);
Result<FileInfo> Inspect(std::span<const std::byte> bytes);
// Returns what the keys of a file were.  Reads the header alone.
Result<KeyForm> KeyFormOf(const std::string& path);

}  // namespace tamis

#endif  // TAMIS_SERIALIZE_H_
