// The pcap reader on captures that are put together here, byte by byte.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "workloads/key_reader.h"
#include "workloads/temp_dir.h"

namespace tamis::workloads {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int kEthernet = 1;
constexpr int kRawIp = 101;

std::string Big16(unsigned value) {
  return {static_cast<char>(value >> 8), static_cast<char>(value)};
}
std::string Little32(size_t value) {
  std::string bytes;
  for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> (8 * i));
  return bytes;
}
std::string Little16(unsigned value) {
  return {static_cast<char>(value), static_cast<char>(value >> 8)};
}
std::string Zeros(size_t count) { return std::string(count, '\0'); }

std::string PcapHeader(int link_type) {
  return Little32(0xa1b2c3d4) + Little16(2) + Little16(4) + Zeros(8) +
         Little32(65'535) + Little32(static_cast<size_t>(link_type));
}
std::string PcapPacket(const std::string& bytes) {
  return Zeros(8) + Little32(bytes.size()) + Little32(bytes.size()) + bytes;
}

std::string Ports(unsigned source, unsigned destination) {
  return Big16(source) + Big16(destination) + Zeros(4);
}

// 10.0.0.1 -> 10.0.0.2
std::string Ipv4(int protocol, const std::string& payload,
                 unsigned fragment = 0) {
  return "\x45" + Zeros(5) + Big16(fragment) + "\x40" +
         static_cast<char>(protocol) + Zeros(2) +
         std::string("\12\0\0\1\12\0\0\2", 8) + payload;
}
// 2001:db8::1 -> 2001:db8::2
std::string Ipv6(int next_header, const std::string& payload) {
  const std::string prefix = "\x20\x01\x0d\xb8" + Zeros(11);
  return "\x60" + Zeros(5) + static_cast<char>(next_header) + "\x40" + prefix +
         "\1" + prefix + "\2" + payload;
}
std::string Ethernet(unsigned type, const std::string& payload) {
  return Zeros(12) + Big16(type) + payload;
}

struct Capture {
  std::vector<std::string> keys;
  Status status;
};

Capture ReadCapture(const std::string& path) {
  auto reader = OpenKeys(path);
  if (!reader.ok()) return {{}, reader.status()};
  Capture outcome;
  while ((*reader)->Next()) outcome.keys.emplace_back((*reader)->key());
  outcome.status = (*reader)->status();
  return outcome;
}

Capture ReadPackets(int link_type, const std::vector<std::string>& packets) {
  const TempDir dir;
  std::string bytes = PcapHeader(link_type);
  for (const std::string& packet : packets) bytes += PcapPacket(packet);
  Capture outcome = ReadCapture(dir.Write("a.pcap", bytes));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  return outcome;
}

TEST(PcapReader, WritesFiveTuples) {
  EXPECT_THAT(
      ReadPackets(kRawIp, {Ipv4(6, Ports(443, 50'000)), Ipv4(17, Ports(53, 1)),
                           Ipv4(132, Ports(7, 8)), Ipv4(1, Ports(9, 9)),
                           Ipv6(6, Ports(80, 81))})
          .keys,
      ElementsAre("10.0.0.1,10.0.0.2,443,50000,6", "10.0.0.1,10.0.0.2,53,1,17",
                  "10.0.0.1,10.0.0.2,7,8,132", "10.0.0.1,10.0.0.2,0,0,1",
                  "2001:db8::1,2001:db8::2,80,81,6"));
}

TEST(PcapReader, LaterFragmentsHaveNoPorts) {
  const std::string first = std::string("\x11\0\0\1\0\0\0\0", 8);
  const std::string later = std::string("\x11\0\0\x10\0\0\0\0", 8);
  EXPECT_THAT(
      ReadPackets(
          kRawIp,
          {Ipv4(17, Ports(5, 6), 0x2000), Ipv4(17, Ports(5, 6), 0x0010),
           Ipv6(44, first + Ports(5, 6)), Ipv6(44, later + Ports(5, 6))})
          .keys,
      ElementsAre("10.0.0.1,10.0.0.2,5,6,17", "10.0.0.1,10.0.0.2,0,0,17",
                  "2001:db8::1,2001:db8::2,5,6,17",
                  "2001:db8::1,2001:db8::2,0,0,17"));
}

TEST(PcapReader, WalksOverExtensionHeaders) {
  const std::string hop_by_hop = "\x2b" + Zeros(7);  // next: routing
  const std::string routing = "\6\1" + Zeros(14);    // next: TCP
  EXPECT_THAT(ReadPackets(kRawIp, {Ipv6(0, hop_by_hop + routing + Ports(1, 2)),
                                   Ipv6(0, "\x2b")})
                  .keys,
              ElementsAre("2001:db8::1,2001:db8::2,1,2,6",
                          "2001:db8::1,2001:db8::2,0,0,0"));
}

TEST(PcapReader, WalksOverOptionsOfEveryLength) {
  const std::string destination = "\x33\2" + Zeros(22);     // next: AH
  const std::string authentication = "\x11\4" + Zeros(22);  // next: UDP
  std::string long_header = Ipv4(6, Zeros(12) + Ports(3, 4));
  long_header[0] = '\x48';  // 8 words of 4 bytes
  EXPECT_THAT(
      ReadPackets(kRawIp, {Ipv6(60, destination + authentication + Ports(1, 2)),
                           long_header})
          .keys,
      ElementsAre("2001:db8::1,2001:db8::2,1,2,17", "10.0.0.1,10.0.0.2,3,4,6"));
}

TEST(PcapReader, FindsIpBehindEveryKindOfLink) {
  const std::string v4 = Ipv4(6, Ports(1, 2));
  const std::string v6 = Ipv6(17, Ports(3, 4));
  const std::vector<std::string> keys = {"10.0.0.1,10.0.0.2,1,2,6",
                                         "2001:db8::1,2001:db8::2,3,4,17"};
  const std::string ppp_frame = "\xff\x03";
  constexpr int kNull = 0, kPpp = 9, kLinuxSll = 113, kLinuxSll2 = 276;
  EXPECT_EQ(ReadPackets(kNull, {Zeros(4) + v4, Zeros(4) + v6, "abc"}).keys,
            keys);
  EXPECT_EQ(ReadPackets(kPpp, {Big16(0x21) + v4, ppp_frame + Big16(0x57) + v6,
                               Big16(0xc021) + v4, ppp_frame})
                .keys,
            keys);
  EXPECT_EQ(ReadPackets(kLinuxSll, {Zeros(14) + Big16(0x0800) + v4,
                                    Zeros(14) + Big16(0x86dd) + v6,
                                    Zeros(14) + Big16(0x0806) + v4})
                .keys,
            keys);
  EXPECT_EQ(ReadPackets(kLinuxSll2, {Big16(0x0800) + Zeros(18) + v4,
                                     Big16(0x86dd) + Zeros(18) + v6,
                                     Big16(0x0806) + Zeros(18) + v4})
                .keys,
            keys);
}

TEST(PcapReader, FindsIpBehindEthernetAndVlanTags) {
  const std::string ip = Ipv4(6, Ports(1, 2));
  const std::string tagged = Big16(7) + Big16(0x0800) + ip;
  EXPECT_THAT(
      ReadPackets(kEthernet,
                  {Ethernet(0x0800, ip), Ethernet(0x0806, Zeros(28)),  // ARP
                   Ethernet(0x8100, tagged),
                   Ethernet(0x88a8, Big16(8) + Big16(0x8100) + tagged)})
          .keys,
      ElementsAre("10.0.0.1,10.0.0.2,1,2,6", "10.0.0.1,10.0.0.2,1,2,6",
                  "10.0.0.1,10.0.0.2,1,2,6"));
}

TEST(PcapReader, PacketsCutAnywhereAreNoDanger) {
  const std::string v4 = Ethernet(0x0800, Ipv4(6, Ports(1, 2)));
  const std::string v6 = Ethernet(
      0x86dd, Ipv6(0, "\x2c" + Zeros(7) + "\6" + Zeros(7) + Ports(1, 2)));
  std::vector<std::string> packets;
  for (const std::string& whole : {v4, v6}) {
    for (size_t size = 0; size <= whole.size(); ++size) {
      packets.push_back(whole.substr(0, size));
    }
  }
  const Capture outcome = ReadPackets(kEthernet, packets);
  // From the end of the addresses on, each is a key.
  EXPECT_EQ(outcome.keys.size(),
            (v4.size() - 14 - 20 + 1) + (v6.size() - 14 - 40 + 1));
  EXPECT_EQ(outcome.keys.back(), "2001:db8::1,2001:db8::2,1,2,6");
}

TEST(PcapReader, ReadsPcapng) {
  const std::string packet = Ipv4(6, Ports(1, 2)) + "....";  // 32 bytes
  ASSERT_EQ(packet.size() % 4, 0u);
  const auto block = [](size_t type, const std::string& body) {
    const std::string size = Little32(body.size() + 12);
    return Little32(type) + size + body + size;
  };
  const std::string bytes =
      block(0x0a0d0d0a, Little32(0x1a2b3c4d) + Little16(1) + Little16(0) +
                            std::string(8, '\xff')) +
      block(1, Little16(kRawIp) + Little16(0) + Little32(65'535)) +
      block(6, Zeros(12) + Little32(packet.size()) + Little32(packet.size()) +
                   packet);
  const TempDir dir;
  const Capture outcome = ReadCapture(dir.Write("a.pcapng", bytes));
  EXPECT_TRUE(outcome.status.ok()) << outcome.status.ToString();
  EXPECT_THAT(outcome.keys, ElementsAre("10.0.0.1,10.0.0.2,1,2,6"));
}

TEST(PcapReader, NamesTheCutOffPacket) {
  const TempDir dir;
  const std::string packet = PcapPacket(Ipv4(6, Ports(1, 2)));
  const std::string whole = PcapHeader(kRawIp) + packet + packet;
  const Capture outcome =
      ReadCapture(dir.Write("a.pcap", whole.substr(0, whole.size() - 5)));
  EXPECT_EQ(outcome.keys.size(), 1u);
  EXPECT_EQ(outcome.status.code(), StatusCode::kCorrupt);
  EXPECT_THAT(
      std::string(outcome.status.message()),
      AllOf(HasSubstr("a.pcap"), HasSubstr("expected packet 2"),
            HasSubstr("byte offset " + std::to_string(whole.size() - 5))));
}

TEST(PcapReader, NamesAMissingHeader) {
  const TempDir dir;
  const std::string long_line(1'000'000, 'x');
  for (const std::string& bytes :
       {std::string(), std::string("7 bytes"), long_line,
        PcapHeader(kRawIp).substr(0, 20)}) {
    const Capture outcome = ReadCapture(dir.Write("a.pcap", bytes));
    EXPECT_EQ(outcome.status.code(), StatusCode::kCorrupt) << bytes.size();
    EXPECT_THAT(std::string(outcome.status.message()),
                AllOf(HasSubstr("a.pcap"),
                      HasSubstr("expected a pcap or pcapng header")));
  }
}

TEST(PcapReader, NamesAnUnknownLinkType) {
  const TempDir dir;
  const Capture outcome = ReadCapture(dir.Write("a.pcap", PcapHeader(105)));
  EXPECT_EQ(outcome.status.code(), StatusCode::kUnsupported);
  EXPECT_THAT(std::string(outcome.status.message()),
              AllOf(HasSubstr("IEEE802_11"), HasSubstr("expected Ethernet")));
}

}  // namespace
}  // namespace tamis::workloads
