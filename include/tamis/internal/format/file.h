// Files, by the system's own calls: written whole or not at all, and mapped.

#ifndef TAMIS_INTERNAL_FORMAT_FILE_H_
#define TAMIS_INTERNAL_FORMAT_FILE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "tamis/result.h"

namespace tamis::internal {

// Returns why the system refused what was asked of it: "PATH: can't ACTION: No
// such file or directory".  REQUIRES: errno is that of the call that failed
Status SystemError(const std::string& path, const std::string& action);

// The name of a file that is there for a while only.  While it lives,
// RemoveTemporaries knows it (unless kMaxTemporaries others live too).
class TemporaryName {
 public:
  static constexpr size_t kMaxTemporaries = 16;

  explicit TemporaryName(std::string name);
  TemporaryName(TemporaryName&& other) noexcept
      : name_(std::move(other.name_)),
        place_(std::exchange(other.place_, kMaxTemporaries)) {}
  TemporaryName& operator=(TemporaryName&&) = delete;
  ~TemporaryName();

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  size_t place_ = kMaxTemporaries;  // among the known; that one: not known
};

// Removes the files of all such names that live, for a program that is about
// to end by a signal.  Calls nothing but what a signal handler may call.
void RemoveTemporaries();

// A file that appears under its name only when it is complete:
//
//   open "PATH.tmp-RANDOM"  ->  Write...  ->  Commit: fsync, rename to PATH
//
// If Commit is not reached or fails, the temporary is removed and whatever
// was at PATH is still there.  A file that replaces another has its owner,
// group and permissions, as far as the system allows, and never more of them;
// the first of its name has what the umask leaves.  Where PATH is a link, the
// link stays, and what it leads to is replaced or made.
class NewFile {
 public:
  // Whether the file is there after a power cut once Commit has returned.
  enum class Durability {
    kSynced,          // it is
    kLeftToTheSystem  // perhaps; for what can be made again, since it is faster
  };

  static Result<NewFile> Create(const std::string& path);

  NewFile(NewFile&& other) noexcept
      : path_(std::move(other.path_)),
        temporary_(std::move(other.temporary_)),
        descriptor_(std::exchange(other.descriptor_, -1)) {}
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  Status Write(std::span<const std::byte> bytes);
  Status Commit(Durability durability = Durability::kSynced);

 private:
  NewFile(std::string path, TemporaryName temporary, int descriptor)
      : path_(std::move(path)),
        temporary_(std::move(temporary)),
        descriptor_(descriptor) {}
  void Discard();

  std::string path_;
  TemporaryName temporary_;
  int descriptor_;  // -1: committed, discarded or moved from
};

// The bytes of a file, mapped for reading.  The file must not be truncated
// while the mapping lives.
class MappedFile {
 public:
  enum class Access { kSequential, kRandom };  // what the system may expect
  static Result<MappedFile> Open(const std::string& path,
                                 Access access = Access::kSequential);

  MappedFile(MappedFile&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_bytes_(std::exchange(other.size_bytes_, 0)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
    return *this;
  }
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_bytes_}; }

 private:
  MappedFile(const std::byte* data, uint64_t size_bytes)
      : data_(data), size_bytes_(size_bytes) {}

  const std::byte* data_;
  uint64_t size_bytes_;
};

}  // namespace tamis::internal

#endif  // TAMIS_INTERNAL_FORMAT_FILE_H_
