#include "workloads/pcap_reader.h"

#include <pcap/pcap.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include "workloads/five_tuple.h"

namespace tamis::workloads {
namespace {

// What libpcap reads through: a FILE* whose read function is our source.
struct Cookie {
  ChunkedInput input;
  uint64_t offset = 0;  // bytes given to libpcap
  Status status = {};
};

ssize_t ReadCookie(void* opaque, char* buffer, size_t size) {
  auto* cookie = static_cast<Cookie*>(opaque);
  if (cookie->input.rest().empty()) {
    const Result<bool> more = cookie->input.Refill();
    if (!more.ok()) {
      cookie->status = more.status();
      return -1;
    }
  }
  const std::string_view rest = cookie->input.rest();
  const size_t count = rest.copy(buffer, size);
  cookie->input.Take(count);
  cookie->offset += count;
  return static_cast<ssize_t>(count);
}

struct ClosePcap {
  void operator()(pcap_t* capture) const { pcap_close(capture); }
};
using Capture = std::unique_ptr<pcap_t, ClosePcap>;

Status DamagedAt(const Cookie& cookie, const std::string& what,
                 const char* reason) {
  if (!cookie.status.ok()) return cookie.status;
  return {StatusCode::kCorrupt,
          cookie.input.name() + ": " + what + ", byte offset " +
              std::to_string(cookie.offset) + ": " + reason};
}

class PcapReader final : public KeyReader {
 public:
  PcapReader(std::unique_ptr<Cookie> cookie, Capture capture)
      : cookie_(std::move(cookie)),
        capture_(std::move(capture)),
        link_type_(pcap_datalink(capture_.get())) {}

  bool Next() override {
    if (!status_.ok()) return false;
    for (;;) {
      pcap_pkthdr* header = nullptr;
      const unsigned char* bytes = nullptr;
      const int outcome = pcap_next_ex(capture_.get(), &header, &bytes);
      if (outcome == PCAP_ERROR_BREAK) return false;
      ++packet_;
      if (outcome != 1) {
        return Fail(DamagedAt(*cookie_,
                              "expected packet " + std::to_string(packet_),
                              pcap_geterr(capture_.get())));
      }
      if (FiveTuple(link_type_, {bytes, header->caplen}, text_)) {
        key_ = text_;
        return true;
      }
    }
  }
  std::optional<double> ShareRead() const override {
    return cookie_->input.ShareRead();
  }

 private:
  std::unique_ptr<Cookie> cookie_;  // outlives capture_, which reads it
  Capture capture_;
  int link_type_;
  std::string text_;
  uint64_t packet_ = 0;
};

}  // namespace

Result<std::unique_ptr<KeyReader>> OpenPcap(
    std::unique_ptr<ByteSource> source) {
  auto cookie = std::make_unique<Cookie>(
      Cookie{.input = ChunkedInput(std::move(source))});
  FILE* file =
      fopencookie(cookie.get(), "r", {ReadCookie, nullptr, nullptr, nullptr});
  if (file == nullptr) {
    return Status(StatusCode::kOutOfMemory,
                  cookie->input.name() + ": no memory for a stream");
  }
  // Unbuffered, so that `offset` is what libpcap has asked for and no more.
  std::setvbuf(file, nullptr, _IONBF, 0);
  char reason[PCAP_ERRBUF_SIZE] = "";
  Capture capture(pcap_fopen_offline(file, reason));
  if (capture == nullptr) {
    std::fclose(file);
    return DamagedAt(*cookie, "expected a pcap or pcapng header", reason);
  }
  if (const int type = pcap_datalink(capture.get()); !KnowsLinkType(type)) {
    const char* name = pcap_datalink_val_to_name(type);
    return Status(StatusCode::kUnsupported,
                  cookie->input.name() + ": link type " +
                      (name != nullptr ? name : std::to_string(type)) +
                      "; expected " + std::string(kKnownLinkTypes));
  }
  return std::unique_ptr<KeyReader>(
      std::make_unique<PcapReader>(std::move(cookie), std::move(capture)));
}

}  // namespace tamis::workloads
