#include "workloads/five_tuple.h"

#include <arpa/inet.h>
#include <pcap/pcap.h>

#include <cstddef>

namespace tamis::workloads {
namespace {

using Bytes = std::span<const uint8_t>;

constexpr unsigned kEtherIpv4 = 0x0800;
constexpr unsigned kEtherIpv6 = 0x86dd;
constexpr unsigned kEtherVlan = 0x8100;
constexpr unsigned kEtherServiceVlan = 0x88a8;
constexpr unsigned kPppIpv4 = 0x0021;
constexpr unsigned kPppIpv6 = 0x0057;

constexpr size_t kIpv4HeaderBytes = 20;
constexpr size_t kIpv6HeaderBytes = 40;

// REQUIRES: at + 2 <= bytes.size()
unsigned BigEndian16(Bytes bytes, size_t at) {
  return static_cast<unsigned>(bytes[at] << 8 | bytes[at + 1]);
}

// Returns what follows the first `count` bytes; nothing if there are fewer.
Bytes Skip(Bytes bytes, size_t count) {
  return bytes.size() < count ? Bytes() : bytes.subspan(count);
}

// Returns what follows a header that ends in an Ethernet type at `at`, and any
// VLAN tags; nothing if the type is not IP.
Bytes AfterEtherType(Bytes packet, size_t at) {
  while (packet.size() >= at + 2) {
    const unsigned type = BigEndian16(packet, at);
    if (type == kEtherIpv4 || type == kEtherIpv6) return Skip(packet, at + 2);
    if (type != kEtherVlan && type != kEtherServiceVlan) return {};
    at += 4;
  }
  return {};
}

Bytes AfterPpp(Bytes packet) {
  if (packet.size() >= 2 && packet[0] == 0xff && packet[1] == 0x03) {
    packet = packet.subspan(2);  // address and control, where not left out
  }
  if (packet.size() < 2) return {};
  const unsigned protocol = BigEndian16(packet, 0);
  const bool is_ip = protocol == kPppIpv4 || protocol == kPppIpv6;
  return is_ip ? packet.subspan(2) : Bytes();
}

// Returns the IP packet inside; nothing if there is none.
Bytes IpPacket(int link_type, Bytes packet) {
  switch (link_type) {
    case DLT_EN10MB:
      return AfterEtherType(packet, 12);
    case DLT_LINUX_SLL:
      return AfterEtherType(packet, 14);
    case DLT_LINUX_SLL2:
      // The type comes first there, and the header is 20 bytes.
      if (packet.size() < 20) return {};
      return AfterEtherType(packet, 0).empty() ? Bytes() : packet.subspan(20);
    case DLT_NULL:
    case DLT_LOOP:
      return Skip(packet, 4);
    case DLT_PPP:
    case DLT_PPP_SERIAL:
      return AfterPpp(packet);
    default:
      return packet;
  }
}

struct Transport {
  unsigned protocol;
  Bytes bytes;  // empty where there are no ports to be read
};

Transport Ipv4Transport(Bytes packet) {
  const size_t header_bytes = size_t{packet[0] & 0x0fu} * 4;
  const bool later_fragment = (BigEndian16(packet, 6) & 0x1fff) != 0;
  const bool readable = !later_fragment && header_bytes >= kIpv4HeaderBytes;
  return {packet[9], readable ? Skip(packet, header_bytes) : Bytes()};
}

// Walks over the extension headers, each of which names its successor.
Transport Ipv6Transport(Bytes packet) {
  unsigned protocol = packet[6];
  Bytes rest = packet.subspan(kIpv6HeaderBytes);
  for (;;) {
    const bool options = protocol == IPPROTO_HOPOPTS ||
                         protocol == IPPROTO_ROUTING ||
                         protocol == IPPROTO_DSTOPTS;
    const bool fragment = protocol == IPPROTO_FRAGMENT;
    const bool authentication = protocol == IPPROTO_AH;
    if (!options && !fragment && !authentication) return {protocol, rest};
    if (rest.size() < 8) return {protocol, {}};
    protocol = rest[0];
    if (fragment) {
      const bool later = (BigEndian16(rest, 2) & 0xfff8) != 0;
      if (later) return {protocol, {}};
      rest = Skip(rest, 8);
    } else if (authentication) {
      rest = Skip(rest, (size_t{rest[1]} + 2) * 4);
    } else {
      rest = Skip(rest, (size_t{rest[1]} + 1) * 8);
    }
  }
}

bool HasPorts(const Transport& transport) {
  return transport.bytes.size() >= 4 && (transport.protocol == IPPROTO_TCP ||
                                         transport.protocol == IPPROTO_UDP ||
                                         transport.protocol == IPPROTO_SCTP);
}

void Write(std::string& key, int family, const uint8_t* source,
           const uint8_t* destination, const Transport& transport) {
  char address[INET6_ADDRSTRLEN];
  key = inet_ntop(family, source, address, sizeof(address));
  key += ',';
  key += inet_ntop(family, destination, address, sizeof(address));
  const bool ports = HasPorts(transport);
  for (const size_t at : {size_t{0}, size_t{2}}) {
    key += ',';
    key += std::to_string(ports ? BigEndian16(transport.bytes, at) : 0);
  }
  key += ',';
  key += std::to_string(transport.protocol);
}

}  // namespace

bool KnowsLinkType(int link_type) {
  switch (link_type) {
    case DLT_EN10MB:
    case DLT_LINUX_SLL:
    case DLT_LINUX_SLL2:
    case DLT_NULL:
    case DLT_LOOP:
    case DLT_PPP:
    case DLT_PPP_SERIAL:
    case DLT_RAW:
    case DLT_IPV4:
    case DLT_IPV6:
      return true;
    default:
      return false;
  }
}

bool FiveTuple(int link_type, std::span<const uint8_t> packet,
               std::string& key) {
  const Bytes ip = IpPacket(link_type, packet);
  if (ip.empty()) return false;
  const int version = ip[0] >> 4;
  if (version == 4 && ip.size() >= kIpv4HeaderBytes) {
    Write(key, AF_INET, ip.data() + 12, ip.data() + 16, Ipv4Transport(ip));
    return true;
  }
  if (version == 6 && ip.size() >= kIpv6HeaderBytes) {
    Write(key, AF_INET6, ip.data() + 8, ip.data() + 24, Ipv6Transport(ip));
    return true;
  }
  return false;
}

}  // namespace tamis::workloads
