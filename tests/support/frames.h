// Frames for tests, built field by field so that each test can bend the one it is about.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/icmp.h"
#include "dataplane/wire/icmpv6.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/l4_checksum.h"

namespace sluice::testing {

using Frame = std::vector<uint8_t>;

inline wire::MacAddress mac(const std::string& text) { return wire::mac_from_text(text).value(); }
inline wire::Ipv4Address ip4(const std::string& text) { return wire::ipv4_from_text(text).value(); }
inline wire::Ipv6Address ip6(const std::string& text) { return wire::ipv6_from_text(text).value(); }

inline Frame joined(wire::Bytes first, wire::Bytes second) {
  Frame frame(first.size() + second.size());
  std::ranges::copy(second, std::ranges::copy(first, frame.begin()).out);
  return frame;
}

inline Frame ethernet_frame(const wire::MacAddress& dst, const wire::MacAddress& src, wire::EtherType type,
                            wire::Bytes payload) {
  return joined(wire::bytes_of(wire::EthernetHeader{dst, src, wire::Be16(static_cast<uint16_t>(type))}),
                payload);
}

struct Ipv4Shape {
  std::string src = "10.0.1.2", dst = "10.10.0.1";
  uint8_t ttl = 64;
  wire::IpProtocol protocol = wire::IpProtocol::udp;
  uint16_t flags_fragment = 0;
  size_t option_bytes = 0;  // filled with no-operation options; a multiple of four
  Frame payload = Frame(26, 0x5a);
};

// Also right after a change of the header by the caller.
inline void set_ipv4_checksum(wire::MutableBytes packet) {
  auto* header = wire::overlay<wire::Ipv4Header>(packet);
  header->checksum = wire::Be16(0);
  header->checksum = wire::internet_checksum(packet.first(header->header_length()));
}

inline Frame ipv4_packet(const Ipv4Shape& shape) {
  wire::Ipv4Header header{};
  header.version_ihl.set(static_cast<uint8_t>(0x45 + shape.option_bytes / 4));
  header.total_length.set(static_cast<uint16_t>(sizeof header + shape.option_bytes + shape.payload.size()));
  header.flags_fragment.set(shape.flags_fragment);
  header.ttl.set(shape.ttl);
  header.protocol.set(static_cast<uint8_t>(shape.protocol));
  header.src = ip4(shape.src);
  header.dst = ip4(shape.dst);
  const Frame options(shape.option_bytes, 1);
  Frame packet = joined(joined(wire::bytes_of(header), options), shape.payload);
  set_ipv4_checksum(packet);
  return packet;
}

struct Ipv6Shape {
  std::string src = "fd00:1::2", dst = "fd10::1";
  uint8_t hop_limit = 64;
  uint8_t next_header = static_cast<uint8_t>(wire::IpProtocol::udp);
  Frame payload = Frame(26, 0x5a);
};

inline Frame ipv6_packet(const Ipv6Shape& shape) {
  wire::Ipv6Header header{};
  header.set_version_class_flow(0, 0);
  header.payload_length.set(static_cast<uint16_t>(shape.payload.size()));
  header.next_header.set(shape.next_header);
  header.hop_limit.set(shape.hop_limit);
  header.src = ip6(shape.src);
  header.dst = ip6(shape.dst);
  return joined(wire::bytes_of(header), shape.payload);
}

inline Frame icmp_echo(size_t data_bytes = 32) {
  wire::IcmpHeader header{};
  header.type.set(static_cast<uint8_t>(wire::IcmpType::echo_request));
  Frame message = joined(wire::bytes_of(header), Frame(data_bytes, 0x77));
  const auto checksum = wire::icmp_checksum(*wire::parse_icmp(message));
  wire::overlay<wire::IcmpHeader>(wire::MutableBytes(message))->checksum = checksum;
  return message;
}

// The checksum of an ICMPv6 message between these addresses put in.
inline Frame with_icmpv6_checksum(Frame message, const std::string& src, const std::string& dst) {
  const auto checksum = wire::icmpv6_checksum(ip6(src), ip6(dst), *wire::parse_icmpv6(message));
  wire::overlay<wire::Icmpv6Header>(wire::MutableBytes(message))->checksum = checksum;
  return message;
}

inline Frame icmpv6_echo(const std::string& src, const std::string& dst, size_t data_bytes = 32) {
  wire::Icmpv6Header header{};
  header.type.set(static_cast<uint8_t>(wire::Icmpv6Type::echo_request));
  return with_icmpv6_checksum(joined(wire::bytes_of(header), Frame(data_bytes, 0x77)), src, dst);
}

}  // namespace sluice::testing
