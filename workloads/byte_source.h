// ByteSource: bytes in order, from a file, standard input, or decompressed.
//
//   file ----------------------> reader
//   file ---> zstd frames ------> reader
//
// Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_BYTE_SOURCE_H_
#define TAMIS_WORKLOADS_BYTE_SOURCE_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tamis/result.h"

namespace tamis::workloads {

inline constexpr size_t kChunkBytes = size_t{64} << 10;

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Writes the next bytes into `bytes`, from the front, and returns how many:
  // at least one, or 0 at the end.  REQUIRES: !bytes.empty()
  virtual Result<size_t> Read(std::span<char> bytes) = 0;
  // How much of the file has been read, from 0 to 1; nothing if it has no size.
  virtual std::optional<double> ShareRead() const = 0;
  // The path, for messages; "standard input" for "-".
  const std::string& name() const { return name_; }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

// Bytes of a source, a chunk at a time.
class ChunkedInput {
 public:
  explicit ChunkedInput(std::unique_ptr<ByteSource> source)
      : source_(std::move(source)), chunk_(kChunkBytes) {}

  // The bytes read and not yet taken.
  std::string_view rest() const { return rest_; }
  void Take(size_t count) { rest_.remove_prefix(count); }
  // Reads more, once the rest is used up; false at the end of the source.
  // REQUIRES: rest().empty()
  Result<bool> Refill() {
    TAMIS_ASSIGN_OR_RETURN(const size_t count, source_->Read(chunk_));
    rest_ = {chunk_.data(), count};
    return count > 0;
  }
  std::optional<double> ShareRead() const { return source_->ShareRead(); }
  const std::string& name() const { return source_->name(); }

 private:
  std::unique_ptr<ByteSource> source_;
  std::vector<char> chunk_;
  std::string_view rest_;
};

// Opens a file, or standard input if `path` is "-".
Result<std::unique_ptr<ByteSource>> OpenFile(const std::string& path);

// Returns the bytes that `compressed`, a sequence of zstd frames, stands for.
Result<std::unique_ptr<ByteSource>> OpenZstd(
    std::unique_ptr<ByteSource> compressed);

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_BYTE_SOURCE_H_
