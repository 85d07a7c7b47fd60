#include "workloads/key_reader.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "workloads/byte_source.h"
#include "workloads/pcap_reader.h"

namespace tamis::workloads {
namespace {

using Encoding = KeyFormat::Encoding;
using SourcePointer = std::unique_ptr<ByteSource>;

constexpr size_t kWordBytes = 8;

// A line is given out where it lies in the chunk; only one that crosses from a
// chunk to the next is put together in carry_.
class TextReader final : public KeyReader {
 public:
  explicit TextReader(SourcePointer source) : input_(std::move(source)) {}

  bool Next() override {
    if (!status_.ok()) return false;
    ++line_;
    carry_.clear();
    for (;;) {
      if (input_.rest().empty()) {
        const Result<bool> more = input_.Refill();
        if (!more.ok()) return Fail(more.status());
        if (!*more) return GiveLast();
        if (line_ == 1 && carry_.empty() && LooksCompressed(input_.rest())) {
          return FailCompressed();
        }
      }
      const std::string_view rest = input_.rest();
      const size_t newline = rest.find('\n');
      if (newline != std::string_view::npos) return GiveLine(newline);
      if (carry_.size() + rest.size() > kMaxKeyBytes) return FailLong();
      carry_ += rest;
      input_.Take(rest.size());
    }
  }
  std::optional<double> ShareRead() const override {
    return input_.ShareRead();
  }

 private:
  bool GiveLine(size_t newline) {
    key_ = input_.rest().substr(0, newline);
    input_.Take(newline + 1);
    if (!carry_.empty()) {
      carry_ += key_;
      key_ = carry_;
    }
    if (key_.ends_with('\r')) key_.remove_suffix(1);
    return key_.size() <= kMaxKeyBytes || FailLong();
  }
  bool GiveLast() {
    key_ = carry_;
    return !carry_.empty();
  }
  // Compressed bytes have newlines too: they would pass for keys.
  static bool LooksCompressed(std::string_view start) {
    return start.starts_with("\x1f\x8b") ||        // gzip
           start.starts_with("\x28\xb5\x2f\xfd");  // zstd
  }
  bool FailCompressed() {
    return Fail({StatusCode::kCorrupt,
                 input_.name() +
                     ": offset 0: compressed data; expected a key a line (pipe "
                     "it through zcat, or say that it is text.zst)"});
  }
  bool FailLong() {
    return Fail({StatusCode::kCorrupt,
                 input_.name() + ": line " + std::to_string(line_) +
                     " is longer than " + std::to_string(kMaxKeyBytes) +
                     " bytes; expected a key a line (is this a text file?)"});
  }

  ChunkedInput input_;
  std::string carry_;
  uint64_t line_ = 0;
};

class U64Reader final : public KeyReader {
 public:
  explicit U64Reader(SourcePointer source) : input_(std::move(source)) {}

  bool Next() override {
    if (!status_.ok()) return false;
    if (input_.rest().size() < kWordBytes) return NextAcrossChunks();
    key_ = input_.rest().substr(0, kWordBytes);
    input_.Take(kWordBytes);
    ++count_;
    return true;
  }
  std::optional<double> ShareRead() const override {
    return input_.ShareRead();
  }

 private:
  bool NextAcrossChunks() {
    size_t have = 0;
    while (have < kWordBytes) {
      if (input_.rest().empty()) {
        const Result<bool> more = input_.Refill();
        if (!more.ok()) return Fail(more.status());
        if (!*more) return have == 0 ? false : FailStray(have);
      }
      const size_t take = std::min(kWordBytes - have, input_.rest().size());
      std::memcpy(word_.data() + have, input_.rest().data(), take);
      input_.Take(take);
      have += take;
    }
    key_ = {word_.data(), kWordBytes};
    ++count_;
    return true;
  }
  bool FailStray(size_t have) {
    return Fail({StatusCode::kCorrupt, input_.name() + ": " +
                                           std::to_string(have) +
                                           " stray bytes at byte offset " +
                                           std::to_string(count_ * kWordBytes) +
                                           "; expected 8 bytes a key"});
  }

  ChunkedInput input_;
  std::array<char, kWordBytes> word_;
  uint64_t count_ = 0;
};

// Takes `suffix` off the end of `text`, if it is there.
bool Strip(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

constexpr std::array<std::pair<std::string_view, Encoding>, 3> kEncodings = {{
    {"text", Encoding::kText},
    {"u64", Encoding::kU64},
    {"pcap", Encoding::kPcap},
}};

}  // namespace

KeyFormat DetectKeyFormat(std::string_view path) {
  KeyFormat format{.zstd = Strip(path, ".zst")};
  if (path.ends_with(".u64")) format.encoding = Encoding::kU64;
  for (const std::string_view extension : {".pcap", ".pcapng", ".cap"}) {
    if (path.ends_with(extension)) format.encoding = Encoding::kPcap;
  }
  return format;
}

Result<KeyFormat> ParseKeyFormat(std::string_view name) {
  std::string_view rest = name;
  const bool zstd = Strip(rest, ".zst");
  for (const auto& [known, encoding] : kEncodings) {
    if (rest == known) return KeyFormat{encoding, zstd};
  }
  return Status(StatusCode::kInvalidArgument,
                "unknown key format '" + std::string(name) +
                    "'; expected text, u64 or pcap, or one of them and .zst");
}

std::string ToString(const KeyFormat& format) {
  const auto index = static_cast<size_t>(format.encoding);
  return std::string(kEncodings[index].first) + (format.zstd ? ".zst" : "");
}

Result<std::unique_ptr<KeyReader>> OpenKeys(const std::string& path,
                                            std::optional<KeyFormat> format) {
  const KeyFormat detected = DetectKeyFormat(path);
  const Encoding encoding = format.value_or(detected).encoding;
  TAMIS_ASSIGN_OR_RETURN(SourcePointer source, OpenFile(path));
  if (detected.zstd || (format.has_value() && format->zstd)) {
    TAMIS_ASSIGN_OR_RETURN(source, OpenZstd(std::move(source)));
  }
  std::unique_ptr<KeyReader> reader;
  switch (encoding) {
    case Encoding::kText:
      reader = std::make_unique<TextReader>(std::move(source));
      break;
    case Encoding::kU64:
      reader = std::make_unique<U64Reader>(std::move(source));
      break;
    case Encoding::kPcap:
      return OpenPcap(std::move(source));
  }
  return reader;
}

}  // namespace tamis::workloads
