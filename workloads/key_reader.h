// KeyReader: the keys of a file or of standard input, one after the other.
//
//   auto reader = OpenKeys("queries.u64.zst");
//   if (!reader.ok()) return reader.status();
//   while ((*reader)->Next()) Use(hasher.Hash((*reader)->key()));
//   return (*reader)->status();
//
// Every key is a string of bytes.  Those of a u64 file are its 8 bytes as they
// stand, which hash as the integer does (hasher.h).
//
//   format   a key is                                  extensions
//   text     a line, without its newline               .txt and all others
//   u64      8 bytes, a little-endian integer          .u64
//   pcap     a packet's "src,dst,sport,dport,proto"    .pcap .pcapng .cap
//
// A further extension .zst says that the whole is compressed by zstd; "-" is
// standard input, read as text unless a format is given.
//
// Text: a line ends with "\n" or "\r\n"; the last one needs no end.  An empty
// line is the empty key.  No other byte has a meaning.  Lines are at most
// kMaxKeyBytes long, so that a file without newlines can't fill the memory.
//
// pcap and pcapng: one key for each IP packet, in its direction; ports are 0
// where there are none (not TCP, UDP or SCTP; a later fragment).  What is not
// IP is passed over.  Addresses are written as inet_ntop does.
//
// Damaged input ends the keys with a status that names the file, the line,
// packet or byte offset, and what was expected.  Keys before the damage have
// been given out by then.  (Inside a zstd frame, damage is sure to be noticed
// only if the frame has a checksum, as those of the zstd command have.)
//
// Cost: one buffer of 64 KiB (and zstd's window), whatever the size of the
// file.  Thread safety: one object, one thread.

#ifndef TAMIS_WORKLOADS_KEY_READER_H_
#define TAMIS_WORKLOADS_KEY_READER_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tamis/result.h"

namespace tamis::workloads {

inline constexpr uint64_t kMaxKeyBytes = uint64_t{16} << 20;

struct KeyFormat {
  enum class Encoding { kText, kU64, kPcap };
  Encoding encoding = Encoding::kText;
  bool zstd = false;

  friend bool operator==(const KeyFormat&, const KeyFormat&) = default;
};

// Returns the format that the extensions of `path` say.
KeyFormat DetectKeyFormat(std::string_view path);
// Reads "text", "u64" or "pcap", with or without ".zst".
Result<KeyFormat> ParseKeyFormat(std::string_view name);
// The reverse.
std::string ToString(const KeyFormat& format);

class KeyReader {
 public:
  virtual ~KeyReader() = default;

  // Steps to the next key; false at the end or at an error.
  virtual bool Next() = 0;
  // The key stepped to.  Valid until the next call of Next.
  std::string_view key() const { return key_; }
  // How much of the file's bytes has been read, from 0 to 1, as compressed as
  // they are; nothing for what has no size, such as a pipe.
  virtual std::optional<double> ShareRead() const = 0;
  // The error that ended the keys, if one did.
  const Status& status() const { return status_; }

 protected:
  // Ends the keys with an error.
  bool Fail(Status status) {
    status_ = std::move(status);
    return false;
  }

  std::string_view key_;
  Status status_;
};

// Opens `path`, or standard input if it is "-".  `format`, if given, is taken
// instead of what the extension says; a path that ends in .zst is compressed
// in any case.  kNotFound or kIo, with the path and the reason, if it can't be
// opened.
Result<std::unique_ptr<KeyReader>> OpenKeys(
    const std::string& path, std::optional<KeyFormat> format = std::nullopt);

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_KEY_READER_H_
