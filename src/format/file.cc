#include "tamis/internal/format/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

#include "tamis/hasher.h"

namespace tamis::internal {
namespace {

// Makes a rename in the directory of `path` durable.
Status SyncDirectory(const std::string& path) {
  const size_t slash = path.rfind('/');
  const std::string directory =
      slash == std::string::npos ? "." : path.substr(0, slash + 1);
  const int descriptor = open(directory.c_str(), O_RDONLY | O_CLOEXEC);
  // Who may write there but not read can't sync it; the file itself is safe.
  if (descriptor < 0 && errno == EACCES) return {};
  if (descriptor < 0) return SystemError(directory, "open for syncing");
  const int failed = fsync(descriptor);
  // Some file systems refuse to sync a directory; the file itself is safe.
  Status status = failed != 0 && errno != EINVAL
                      ? SystemError(directory, "sync")
                      : OkStatus();
  close(descriptor);
  return status;
}

// Is this the name of something open: a link in /proc, or to one there, such as
// /dev/stdout?  Behind it may be a regular file, but whoever opened that wants
// it written, not replaced.  REQUIRES: the links lead to a file
bool NamesSomethingOpen(const std::string& path) {
  std::error_code error;
  std::filesystem::path at = std::filesystem::absolute(path, error);
  while (!error && std::filesystem::is_symlink(at, error)) {
    const auto folder = std::filesystem::canonical(at.parent_path(), error);
    if (folder.string().starts_with("/proc/")) return true;
    at = folder / std::filesystem::read_symlink(at, error);
  }
  return false;
}

// Returns what a link leads to, be it there or not; any other path as it is.
Result<std::string> FollowLinks(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as Linux has it
  std::error_code error;
  std::filesystem::path at = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    if (!std::filesystem::is_symlink(at, error)) return at.string();
    at = at.parent_path() / std::filesystem::read_symlink(at, error);
    if (error) break;
  }
  return Status(StatusCode::kIo, path + ": too many links, or one to itself");
}

// Returns a name beside `target` that nobody has; shortened, where the name of
// the file leaves no room for more.
std::string NameOfTemporary(const std::string& target) {
  const std::string ending = ".tmp-" + std::to_string(Seed::Random().low);
  const size_t name = target.rfind('/') + 1;  // npos + 1 is 0
  const size_t limit =
      std::min(name + NAME_MAX, size_t{PATH_MAX} - 1) - ending.size();
  return target.substr(0, std::max(limit, name + 1)) + ending;
}

// Lets those use the file who may use `old`, and nobody else.  Not everybody
// may give a file away: then the group is another one, and may do nothing.
void TakeAccess(int descriptor, const struct stat& old) {
  constexpr auto kSameOwner = static_cast<uid_t>(-1);
  mode_t mode = old.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
  if (fchown(descriptor, old.st_uid, old.st_gid) != 0 &&
      fchown(descriptor, kSameOwner, old.st_gid) != 0) {
    mode &= ~static_cast<mode_t>(S_IRWXG);
  }
  fchmod(descriptor, mode);  // may fail: the file then stays its owner's
}

// What a signal handler may read at any time: a name is there while its flag
// says so, and its memory always.
struct KnownTemporary {
  std::atomic<bool> taken = false;
  std::atomic<bool> named = false;
  std::array<char, PATH_MAX> name = {};
};
std::array<KnownTemporary, TemporaryName::kMaxTemporaries> temporaries;
static_assert(std::atomic<bool>::is_always_lock_free,
              "a signal handler may not wait for a lock");

}  // namespace

TemporaryName::TemporaryName(std::string name) : name_(std::move(name)) {
  for (size_t i = 0; i < kMaxTemporaries; ++i) {
    KnownTemporary& known = temporaries[i];
    if (name_.size() >= known.name.size() || known.taken.exchange(true)) {
      continue;
    }
    std::copy_n(name_.c_str(), name_.size() + 1, known.name.data());
    known.named = true;
    place_ = i;
    return;
  }
}

TemporaryName::~TemporaryName() {
  if (place_ == kMaxTemporaries) return;
  temporaries[place_].named = false;
  temporaries[place_].taken = false;
}

void RemoveTemporaries() {
  for (const KnownTemporary& known : temporaries) {
    if (known.named) unlink(known.name.data());
  }
}

Status SystemError(const std::string& path, const std::string& action) {
  const int error = errno;
  return {error == ENOENT ? StatusCode::kNotFound : StatusCode::kIo,
          path + ": can't " + action + ": " +
              std::generic_category().message(error)};
}

Result<NewFile> NewFile::Create(const std::string& path) {
  if (path.empty()) {
    return Status(StatusCode::kInvalidArgument, "the file has no name");
  }
  TAMIS_ASSIGN_OR_RETURN(const std::string target, FollowLinks(path));
  struct stat old = {};
  const bool replaces = stat(target.c_str(), &old) == 0;
  // A rename would put a file in the place of a device or a pipe.
  if (replaces && (!S_ISREG(old.st_mode) || NamesSomethingOpen(path))) {
    return Status(StatusCode::kIo,
                  path + ": not a regular file; can't be replaced by one");
  }
  TemporaryName temporary(NameOfTemporary(target));
  const int descriptor =
      open(temporary.name().c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
           replaces ? S_IRUSR | S_IWUSR : 0666);
  if (descriptor < 0) return SystemError(path, "create");
  if (replaces) TakeAccess(descriptor, old);
  return NewFile(target, std::move(temporary), descriptor);
}

NewFile::~NewFile() { Discard(); }

void NewFile::Discard() {
  if (descriptor_ < 0) return;
  close(std::exchange(descriptor_, -1));
  unlink(temporary_.name().c_str());
}

Status NewFile::Write(std::span<const std::byte> bytes) {
  constexpr size_t kMaxWrite = size_t{1} << 30;  // the system may write less
  while (!bytes.empty()) {
    const ssize_t written =
        write(descriptor_, bytes.data(), std::min(bytes.size(), kMaxWrite));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return SystemError(path_, "write");
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return {};
}

Status NewFile::Commit(Durability durability) {
  const bool sync = durability == Durability::kSynced;
  Status status;
  if (sync && fsync(descriptor_) != 0) {
    status = SystemError(path_, "sync");
  } else if (rename(temporary_.name().c_str(), path_.c_str()) != 0) {
    status = SystemError(path_, "rename the finished file to this");
  } else {
    close(std::exchange(descriptor_, -1));
    return sync ? SyncDirectory(path_) : OkStatus();
  }
  Discard();
  return status;
}

Result<MappedFile> MappedFile::Open(const std::string& path, Access access) {
  // Not blocking, because a pipe without a writer would never open.
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return SystemError(path, "open");
  struct stat info = {};
  Result<MappedFile> result = MappedFile(nullptr, 0);
  if (fstat(descriptor, &info) != 0) {
    result = SystemError(path, "read its size");
  } else if (!S_ISREG(info.st_mode)) {
    result = Status(StatusCode::kIo, path + ": not a regular file");
  } else if (info.st_size > 0) {  // an empty file can't be mapped
    const auto size = static_cast<uint64_t>(info.st_size);
    void* data = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
    if (data == MAP_FAILED) {
      result = SystemError(path, "map into memory");
    } else {
      const bool is_random = access == Access::kRandom;
      // Advice may fail.
      madvise(data, size, is_random ? MADV_RANDOM : MADV_SEQUENTIAL);
      result.value().data_ = static_cast<const std::byte*>(data);
      result.value().size_bytes_ = size;
    }
  }
  close(descriptor);
  return result;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) munmap(const_cast<std::byte*>(data_), size_bytes_);
}

}  // namespace tamis::internal
