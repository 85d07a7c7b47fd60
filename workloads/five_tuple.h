// FiveTuple: the key of an IP packet, "src,dst,sport,dport,proto".
//
//   Ethernet [VLAN tags] | IPv4             | TCP, UDP, SCTP
//   or another link      | IPv6 [extensions]| begin with the two ports
//
// Packets come from outside: every field is looked at only after its length
// has been checked.

#ifndef TAMIS_WORKLOADS_FIVE_TUPLE_H_
#define TAMIS_WORKLOADS_FIVE_TUPLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tamis::workloads {

// Says whether we know where IP begins behind that link header (DLT_...).
bool KnowsLinkType(int link_type);
inline constexpr std::string_view kKnownLinkTypes =
    "Ethernet, raw IP, loopback, Linux cooked (SLL, SLL2) or PPP";

// Writes the key of a captured packet to `key`; false if it is not IP, or cut
// before the end of its addresses.  Ports are 0 for protocols without, for
// fragments but the first, and where the capture cut them off.
bool FiveTuple(int link_type, std::span<const uint8_t> packet,
               std::string& key);

}  // namespace tamis::workloads

#endif  // TAMIS_WORKLOADS_FIVE_TUPLE_H_
