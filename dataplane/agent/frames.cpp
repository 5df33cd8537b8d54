#include "dataplane/agent/frames.h"

#include <algorithm>

#include "dataplane/wire/icmp.h"
#include "dataplane/wire/icmpv6.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/nd.h"

namespace sluice::agent {
namespace {

using namespace wire;

constexpr uint8_t kTtl = 64;
constexpr MacAddress kBroadcast{{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}};
constexpr size_t kMinFrame = 60;  // IEEE 802.3, 3.2.8, without the check sequence

// Not by insert(): g++ 12 at -O3 warns of an overflow in its library's code.
void append(Frame& frame, Bytes bytes) {
  const size_t end = frame.size();
  frame.resize(end + bytes.size());
  std::copy(bytes.begin(), bytes.end(), frame.data() + end);
}

template <WireHeader Header>
void append(Frame& frame, const Header& header) {
  append(frame, bytes_of(header));
}

Frame start_frame(const MacAddress& dst, const MacAddress& src, EtherType type) {
  Frame frame;
  append(frame, EthernetHeader{dst, src, Be16(static_cast<uint16_t>(type))});
  return frame;
}

Frame padded(Frame frame) {
  frame.resize(std::max(frame.size(), kMinFrame));
  return frame;
}

Frame arp_frame(const MacAddress& dst, const ArpHeader& arp) {
  auto frame = start_frame(dst, arp.sender_mac, EtherType::arp);
  append(frame, arp);
  return padded(frame);
}

// RFC 4291, 2.7.1, and RFC 2464, 7.
Ipv6Address solicited_node(const Ipv6Address& target) {
  Ipv6Address group{{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff}};
  std::copy(target.octets.begin() + 13, target.octets.end(), group.octets.begin() + 13);
  return group;
}
MacAddress multicast_mac(const Ipv6Address& group) {
  return {{0x33, 0x33, group.octets[12], group.octets[13], group.octets[14], group.octets[15]}};
}
constexpr Ipv6Address kAllNodes{{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}};

// Puts IPv6 before an ICMPv6 message and the checksum into it.
Frame icmpv6_frame(const MacAddress& dst_mac, const MacAddress& src_mac, const Ipv6Address& dst,
                   const Ipv6Address& src, uint8_t hop_limit, std::vector<uint8_t> message) {
  auto* header = overlay<Icmpv6Header>(MutableBytes(message));
  header->checksum = icmpv6_checksum(src, dst, *parse_icmpv6(message));
  auto frame = start_frame(dst_mac, src_mac, EtherType::ipv6);
  Ipv6Header ip{};
  ip.set_version_class_flow(0, 0);
  ip.payload_length.set(static_cast<uint16_t>(message.size()));
  ip.next_header.set(static_cast<uint8_t>(IpProtocol::icmpv6));
  ip.hop_limit.set(hop_limit);
  ip.src = src;
  ip.dst = dst;
  append(frame, ip);
  append(frame, Bytes(message));
  return frame;
}

std::vector<uint8_t> neighbour_message(Icmpv6Type type, uint32_t flags, const Ipv6Address& target,
                                       NdOptionType option, const MacAddress& mac) {
  std::vector<uint8_t> message;
  append(message, NeighbourHeader{Be8(static_cast<uint8_t>(type)), Be8(0), Be16(0), Be32(flags), target});
  append(message, NdLinkAddressOption{Be8(static_cast<uint8_t>(option)), Be8(1), mac});
  return message;
}

std::optional<Frame> echo_reply_v4(const EthernetView& ethernet) {
  const auto ip = parse_ipv4(ethernet.payload);
  if (!ip || ip->header->is_fragment() || ip->header->protocol.get() != static_cast<uint8_t>(IpProtocol::icmp)) return std::nullopt;
  const auto icmp = parse_icmp(ip->payload);
  if (!icmp || icmp->header->icmp_type() != IcmpType::echo_request || !icmp_checksum_ok(*icmp)) return std::nullopt;

  auto frame = start_frame(ethernet.header->src, ethernet.header->dst, EtherType::ipv4);
  append(frame, ethernet.payload.first(ip->header->total_length.get()));
  auto* header = overlay<Ipv4Header>(MutableBytes(frame).subspan(sizeof(EthernetHeader)));
  std::swap(header->src, header->dst);
  header->ttl.set(kTtl);
  header->checksum = ipv4_checksum(*parse_ipv4(Bytes(frame).subspan(sizeof(EthernetHeader))));
  // Not by an update: a reply may be all zeros, for which RFC 1624's equation gives 0 in place of -0.
  const auto message = MutableBytes(frame).subspan(sizeof(EthernetHeader) + header->header_length());
  auto* echo = overlay<IcmpHeader>(message);
  echo->type.set(static_cast<uint8_t>(IcmpType::echo_reply));
  echo->checksum = icmp_checksum(*parse_icmp(message));
  return padded(frame);
}

std::optional<Frame> echo_reply_v6(const EthernetView& ethernet) {
  const auto ip = parse_ipv6(ethernet.payload);
  if (!ip || ip->header->next_header.get() != static_cast<uint8_t>(IpProtocol::icmpv6)) return std::nullopt;
  const auto icmp = parse_icmpv6(ip->payload);
  if (!icmp || icmp->header->icmp_type() != Icmpv6Type::echo_request || ip->header->dst.is_multicast() ||
      !icmpv6_checksum_ok(ip->header->src, ip->header->dst, *icmp))
    return std::nullopt;
  std::vector<uint8_t> message(ip->payload.begin(), ip->payload.end());
  message[0] = static_cast<uint8_t>(Icmpv6Type::echo_reply);
  return icmpv6_frame(ethernet.header->src, ethernet.header->dst, ip->header->src, ip->header->dst, kTtl, message);
}

// RFC 1122, 3.2.2 and RFC 1812, 4.3.2.7.
bool may_complain_about(const Ipv4View& ip) {
  const auto& header = *ip.header;
  if (header.fragment_offset() != 0 || header.dst.is_multicast() || header.dst.is_broadcast() ||
      header.src.is_multicast() || header.src.is_broadcast() || header.src.is_unspecified() || header.src.is_loopback())
    return false;
  if (header.protocol.get() != static_cast<uint8_t>(IpProtocol::icmp)) return true;
  const auto icmp = parse_icmp(ip.payload);
  return icmp && !icmp->header->is_error();
}

std::optional<Frame> icmp_error_v4(const Interface& at, const EthernetView& ethernet, IcmpFault fault, uint16_t mtu) {
  const auto ip = parse_ipv4(ethernet.payload);
  if (!ip || !may_complain_about(*ip)) return std::nullopt;
  const auto* own = at.source_for(true, tables::value_of(ip->header->src));
  if (!own) return std::nullopt;

  IcmpHeader icmp{};
  const auto set = [&icmp](IcmpType type, uint8_t code) { icmp.type.set(static_cast<uint8_t>(type)), icmp.code.set(code); };
  switch (fault) {
    case IcmpFault::ttl_expired: set(IcmpType::time_exceeded, 0); break;
    case IcmpFault::no_route: set(IcmpType::destination_unreachable, static_cast<uint8_t>(IcmpUnreachable::network)); break;
    case IcmpFault::host_unreachable: set(IcmpType::destination_unreachable, static_cast<uint8_t>(IcmpUnreachable::host)); break;
    case IcmpFault::too_big:
      set(IcmpType::destination_unreachable, static_cast<uint8_t>(IcmpUnreachable::fragmentation_needed));
      icmp.low.set(mtu);
      break;
  }
  // As much of the packet as fits 576 bytes (RFC 1812, 4.3.2.3).
  constexpr size_t kRoom = 576 - sizeof(Ipv4Header) - sizeof(IcmpHeader);
  const auto quote = ethernet.payload.first(std::min<size_t>(ip->header->total_length.get(), kRoom));
  icmp.checksum = icmp_checksum(IcmpView{&icmp, quote});

  Ipv4Header header{};
  header.version_ihl.set(0x45);
  header.tos.set(0xc0);  // RFC 1812, 4.3.2.5: precedence of errors
  header.total_length.set(static_cast<uint16_t>(sizeof header + sizeof icmp + quote.size()));
  header.ttl.set(kTtl);
  header.protocol.set(static_cast<uint8_t>(IpProtocol::icmp));
  header.src = tables::to_ipv4(own->address);
  header.dst = ip->header->src;
  header.checksum = internet_checksum(bytes_of(header));

  auto frame = start_frame(ethernet.header->src, at.mac, EtherType::ipv4);
  append(frame, header);
  append(frame, icmp);
  append(frame, quote);
  return padded(frame);
}

// RFC 4443, 2.4 (e).
bool may_complain_about(const Ipv6View& ip, IcmpFault fault) {
  const auto& header = *ip.header;
  const bool to_group = header.dst.is_multicast() && fault != IcmpFault::too_big;
  if (to_group || header.src.is_multicast() || header.src.is_unspecified() || header.src.is_link_local()) return false;
  if (header.next_header.get() != static_cast<uint8_t>(IpProtocol::icmpv6)) return true;
  const auto icmp = parse_icmpv6(ip.payload);
  return icmp && !icmp->header->is_error();
}

std::optional<Frame> icmp_error_v6(const Interface& at, const EthernetView& ethernet, IcmpFault fault, uint16_t mtu) {
  const auto ip = parse_ipv6(ethernet.payload);
  if (!ip || !may_complain_about(*ip, fault)) return std::nullopt;
  const auto* own = at.source_for(false, tables::value_of(ip->header->src));
  if (!own) return std::nullopt;

  Icmpv6Header icmp{};
  const auto set = [&icmp](Icmpv6Type type, uint8_t code) { icmp.type.set(static_cast<uint8_t>(type)), icmp.code.set(code); };
  switch (fault) {
    case IcmpFault::ttl_expired: set(Icmpv6Type::time_exceeded, 0); break;
    case IcmpFault::no_route: set(Icmpv6Type::destination_unreachable, static_cast<uint8_t>(Icmpv6Unreachable::no_route)); break;
    case IcmpFault::host_unreachable: set(Icmpv6Type::destination_unreachable, static_cast<uint8_t>(Icmpv6Unreachable::address)); break;
    case IcmpFault::too_big:
      set(Icmpv6Type::packet_too_big, 0);
      icmp.set_word(mtu);
      break;
  }
  // As much of the packet as fits the minimum MTU (RFC 4443, 2.4 c).
  constexpr size_t kRoom = 1280 - sizeof(Ipv6Header) - sizeof(Icmpv6Header);
  const size_t packet = sizeof(Ipv6Header) + ip->payload.size();
  std::vector<uint8_t> message;
  append(message, icmp);
  append(message, ethernet.payload.first(std::min(packet, kRoom)));
  return icmpv6_frame(ethernet.header->src, at.mac, ip->header->src, tables::to_ipv6(own->address), kTtl, message);
}

}  // namespace

Frame arp_request(const Interface& from, Ipv4Address own, Ipv4Address target, const MacAddress* unicast) {
  return arp_frame(unicast ? *unicast : kBroadcast, make_arp(ArpOperation::request, from.mac, own, MacAddress{}, target));
}

Frame arp_reply(const Interface& from, const ArpHeader& request) {
  return arp_frame(request.sender_mac,
                   make_arp(ArpOperation::reply, from.mac, request.target_ip, request.sender_mac, request.sender_ip));
}

Frame neighbour_solicitation(const Interface& from, const Ipv6Address& own, const Ipv6Address& target,
                             const MacAddress* unicast) {
  const auto dst = unicast ? target : solicited_node(target);
  return icmpv6_frame(unicast ? *unicast : multicast_mac(dst), from.mac, dst, own, 255,
                      neighbour_message(Icmpv6Type::neighbour_solicitation, 0, target, NdOptionType::source_link_address, from.mac));
}

Frame neighbour_advertisement(const Interface& from, const MacAddress& to_mac, const Ipv6Address& to,
                              const Ipv6Address& target) {
  // RFC 4861, 7.2.4: who asks without an address (DAD) is answered to all, unsolicited.
  const bool anonymous = to.is_unspecified();
  const uint32_t flags = kNdRouterFlag | kNdOverrideFlag | (anonymous ? 0 : kNdSolicitedFlag);
  const auto dst = anonymous ? kAllNodes : to;
  return icmpv6_frame(anonymous ? multicast_mac(dst) : to_mac, from.mac, dst, target, 255,
                      neighbour_message(Icmpv6Type::neighbour_advertisement, flags, target, NdOptionType::target_link_address, from.mac));
}

std::optional<Frame> echo_reply(Bytes frame) {
  const auto ethernet = parse_ethernet(frame);
  if (!ethernet) return std::nullopt;
  return ethernet->header->ether_type() == EtherType::ipv4 ? echo_reply_v4(*ethernet) : echo_reply_v6(*ethernet);
}

std::optional<Frame> icmp_error(const Interface& at, Bytes frame, IcmpFault fault, uint16_t mtu) {
  const auto ethernet = parse_ethernet(frame);
  if (!ethernet || ethernet->header->src.is_group()) return std::nullopt;
  return ethernet->header->ether_type() == EtherType::ipv4 ? icmp_error_v4(at, *ethernet, fault, mtu)
                                                           : icmp_error_v6(at, *ethernet, fault, mtu);
}

}  // namespace sluice::agent
