// Checksums of UDP, TCP and ICMPv6, which cover a pseudo header of the IP addresses (RFC 768; RFC 9293,
// 3.1; RFC 8200, 8.1), and their incremental update.
#pragma once

#include "dataplane/wire/address.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/checksum.h"
#include "dataplane/wire/icmpv6.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/tcp.h"
#include "dataplane/wire/udp.h"

namespace sluice::wire {

struct Ipv4PseudoHeader {
  Ipv4Address src, dst;
  Be8 zero, protocol;
  Be16 length;
};
static_assert(sizeof(Ipv4PseudoHeader) == 12 && alignof(Ipv4PseudoHeader) == 1);

struct Ipv6PseudoHeader {
  Ipv6Address src, dst;
  Be32 length;
  Be24 zero;
  Be8 next_header;
};
static_assert(sizeof(Ipv6PseudoHeader) == 40 && alignof(Ipv6PseudoHeader) == 1);

inline ChecksumSum pseudo_header_sum(const Ipv4Address& src, const Ipv4Address& dst, IpProtocol protocol,
                                     size_t length) {
  ChecksumSum sum;
  sum.add(Ipv4PseudoHeader{src, dst, Be8(0), Be8(static_cast<uint8_t>(protocol)),
                           Be16(static_cast<uint16_t>(length))});
  return sum;
}

inline ChecksumSum pseudo_header_sum(const Ipv6Address& src, const Ipv6Address& dst, IpProtocol protocol,
                                     size_t length) {
  ChecksumSum sum;
  sum.add(Ipv6PseudoHeader{src, dst, Be32(static_cast<uint32_t>(length)), Be24(0),
                           Be8(static_cast<uint8_t>(protocol))});
  return sum;
}

// The sum over pseudo header and segment, finished: zero where the checksum inside is right.
template <class Address>
Be16 l4_checksum(const Address& src, const Address& dst, IpProtocol protocol, Bytes segment) {
  ChecksumSum sum = pseudo_header_sum(src, dst, protocol, segment.size());
  sum.add(segment);
  return sum.finish();
}

// The address that stands for the destination in the pseudo header: behind a routing header that still
// has segments left, the last one (RFC 8200, 8.1). Types 0, 2 (RFC 6275, 6.4) and 4 (RFC 8754, 2: the
// list is in reverse) are known; for others the header's destination is taken.
inline Ipv6Address final_destination(const Ipv6Header& header, const Ipv6ChainView& chain) {
  if (!chain.routing || chain.routing->segments_left.get() == 0) return header.dst;
  const auto* addresses = reinterpret_cast<const Ipv6Address*>(chain.routing + 1);
  const size_t count = chain.routing->length.get() / 2;  // parse_ipv6_chain() has checked the length
  if (count == 0) return header.dst;
  switch (chain.routing->routing_type.get()) {
    case 0:
    case 2:
      return addresses[count - 1];
    case 4:
      return addresses[0];
    default:
      return header.dst;
  }
}

namespace detail {

// The checksum of a segment as if its checksum field, at `header.checksum`, were zero.
template <class Address, WireHeader Header>
Be16 checksum_without_field(const Address& src, const Address& dst, IpProtocol protocol, Header header,
                            Bytes rest) {
  header.checksum = Be16(0);
  ChecksumSum sum = pseudo_header_sum(src, dst, protocol, sizeof(Header) + rest.size());
  sum.add(header);
  sum.add(rest);
  return sum.finish();
}

}  // namespace detail

// RFC 768: a computed zero is sent as all ones, because zero says "no checksum".
constexpr Be16 udp_nonzero(Be16 checksum) { return checksum == Be16(0) ? Be16(0xffff) : checksum; }

// The checksum that belongs into the header, whatever stands there now. Address: Ipv4Address or
// Ipv6Address (final_destination() where there is a routing header).
template <class Address>
Be16 udp_checksum(const Address& src, const Address& dst, const UdpView& view) {
  return udp_nonzero(detail::checksum_without_field(src, dst, IpProtocol::udp, *view.header, view.payload));
}

// Over IPv4 a zero checksum means that the sender made none, and is good.
inline bool udp_checksum_ok(const Ipv4Address& src, const Ipv4Address& dst, const UdpView& view) {
  return view.header->checksum == Be16(0) ||
         l4_checksum(src, dst, IpProtocol::udp, view.datagram()) == Be16(0);
}

// Over IPv6 zero is not good (RFC 8200, 8.1); tunnels that use RFC 6935's exception test for it before.
inline bool udp_checksum_ok(const Ipv6Address& src, const Ipv6Address& dst, const UdpView& view) {
  return view.header->checksum != Be16(0) &&
         l4_checksum(src, dst, IpProtocol::udp, view.datagram()) == Be16(0);
}

template <class Address>
Be16 tcp_checksum(const Address& src, const Address& dst, const TcpView& view) {
  return detail::checksum_without_field(src, dst, IpProtocol::tcp, *view.header,
                                        view.segment().subspan(sizeof(TcpHeader)));
}

template <class Address>
bool tcp_checksum_ok(const Address& src, const Address& dst, const TcpView& view) {
  return l4_checksum(src, dst, IpProtocol::tcp, view.segment()) == Be16(0);
}

inline Be16 icmpv6_checksum(const Ipv6Address& src, const Ipv6Address& dst, const Icmpv6View& view) {
  return detail::checksum_without_field(src, dst, IpProtocol::icmpv6, *view.header, view.payload);
}

inline bool icmpv6_checksum_ok(const Ipv6Address& src, const Ipv6Address& dst, const Icmpv6View& view) {
  return l4_checksum(src, dst, IpProtocol::icmpv6, view.message()) == Be16(0);
}

// The UDP checksum after a covered field changed; a datagram without one stays without one.
template <class Field>
Be16 update_udp_checksum(Be16 checksum, const Field& before, const Field& after) {
  return checksum == Be16(0) ? checksum : udp_nonzero(update_checksum(checksum, before, after));
}

}  // namespace sluice::wire
