#include "workloads/byte_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <utility>
#include <vector>

#include "tamis/internal/format/file.h"

namespace tamis::workloads {
namespace {

using internal::SystemError;

class FileSource final : public ByteSource {
 public:
  FileSource(std::string name, int descriptor)
      : ByteSource(std::move(name)),
        descriptor_(descriptor),
        size_(RegularSize(descriptor)) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override {
    if (descriptor_ != STDIN_FILENO) close(descriptor_);
  }

  Result<size_t> Read(std::span<char> bytes) override {
    ssize_t count;
    do {
      count = read(descriptor_, bytes.data(), bytes.size());
    } while (count < 0 && errno == EINTR);
    if (count < 0) return SystemError(name(), "read");
    read_ += static_cast<uint64_t>(count);
    return static_cast<size_t>(count);
  }
  std::optional<double> ShareRead() const override {
    if (size_ == 0) return std::nullopt;
    return std::min(static_cast<double>(read_) / static_cast<double>(size_),
                    1.0);
  }

 private:
  // 0 for a pipe or a device.
  static uint64_t RegularSize(int descriptor) {
    struct stat facts;
    const bool regular =
        fstat(descriptor, &facts) == 0 && S_ISREG(facts.st_mode);
    return regular ? static_cast<uint64_t>(facts.st_size) : 0;
  }

  int descriptor_;
  uint64_t size_;  // 0: nobody knows
  uint64_t read_ = 0;
};

struct FreeStream {
  void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
};
using Decompressor = std::unique_ptr<ZSTD_DStream, FreeStream>;

class ZstdSource final : public ByteSource {
 public:
  ZstdSource(std::unique_ptr<ByteSource> compressed, Decompressor stream)
      : ByteSource(compressed->name()),
        compressed_(std::move(compressed)),
        stream_(std::move(stream)),
        chunk_(kChunkBytes),
        input_{chunk_.data(), 0, 0} {}

  Result<size_t> Read(std::span<char> bytes) override {
    ZSTD_outBuffer output{bytes.data(), bytes.size(), 0};
    while (output.pos == 0) {
      if (input_.pos == input_.size && !flushing_) {
        TAMIS_ASSIGN_OR_RETURN(const bool more, Refill());
        if (!more) return size_t{0};
      }
      const size_t hint =
          ZSTD_decompressStream(stream_.get(), &output, &input_);
      if (ZSTD_isError(hint)) {
        return Corrupt(ZSTD_getErrorName(hint));
      }
      frame_open_ = hint != 0;
      // A full buffer may leave bytes inside the decompressor.
      flushing_ = frame_open_ && output.pos == output.size;
    }
    return output.pos;
  }
  std::optional<double> ShareRead() const override {
    return compressed_->ShareRead();
  }

 private:
  // Reads the next compressed bytes; false at an end between two frames.
  Result<bool> Refill() {
    offset_ += input_.size;
    TAMIS_ASSIGN_OR_RETURN(const size_t count, compressed_->Read(chunk_));
    input_ = {chunk_.data(), count, 0};
    if (count > 0) return true;
    if (offset_ == 0) return Corrupt("the file is empty");
    if (frame_open_) return Corrupt("the file ends inside a frame");
    return false;
  }
  Status Corrupt(const std::string& reason) const {
    return {StatusCode::kCorrupt,
            name() + ": expected a whole zstd frame, but at compressed byte " +
                std::to_string(offset_ + input_.pos) + ": " + reason};
  }

  std::unique_ptr<ByteSource> compressed_;
  Decompressor stream_;
  std::vector<char> chunk_;
  ZSTD_inBuffer input_;
  uint64_t offset_ = 0;  // of the chunk in the compressed file
  bool frame_open_ = false;
  bool flushing_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path) {
  if (path == "-") {
    return std::unique_ptr<ByteSource>(
        std::make_unique<FileSource>("standard input", STDIN_FILENO));
  }
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return SystemError(path, "open");
  auto source = std::make_unique<FileSource>(path, descriptor);
  struct stat facts;
  if (fstat(descriptor, &facts) != 0) return SystemError(path, "open");
  if (S_ISDIR(facts.st_mode)) {
    return Status(StatusCode::kIo,
                  path + ": is a directory; expected a file of keys");
  }
  return std::unique_ptr<ByteSource>(std::move(source));
}

Result<std::unique_ptr<ByteSource>> OpenZstd(
    std::unique_ptr<ByteSource> compressed) {
  Decompressor stream(ZSTD_createDStream());
  if (stream == nullptr) {
    return Status(StatusCode::kOutOfMemory,
                  compressed->name() + ": no memory for a zstd window");
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<ZstdSource>(std::move(compressed), std::move(stream)));
}

}  // namespace tamis::workloads
