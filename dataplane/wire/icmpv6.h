// ICMPv6 (RFC 4443). Its checksum is in l4_checksum.h, because it covers the IPv6 addresses.
#pragma once

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

enum class Icmpv6Type : uint8_t {
  destination_unreachable = 1,
  packet_too_big = 2,
  time_exceeded = 3,
  parameter_problem = 4,
  echo_request = 128,
  echo_reply = 129,
  mld_query = 130,
  mld_report = 131,
  mld_done = 132,
  router_solicitation = 133,
  router_advertisement = 134,
  neighbour_solicitation = 135,
  neighbour_advertisement = 136,
  redirect = 137,
  mldv2_report = 143,
};

// RFC 4443, 3.1.
enum class Icmpv6Unreachable : uint8_t {
  no_route = 0,
  administratively_prohibited = 1,
  beyond_scope = 2,
  address = 3,
  port = 4,
};

struct Icmpv6Header {
  Be8 type, code;
  Be16 checksum;
  Be16 high, low;  // what they mean depends on the type: see the functions below

  Icmpv6Type icmp_type() const { return Icmpv6Type{type.get()}; }
  bool is_error() const { return type.get() < 128; }  // RFC 4443, 2.1
  bool is_echo() const {
    return icmp_type() == Icmpv6Type::echo_request || icmp_type() == Icmpv6Type::echo_reply;
  }

  // Echo messages.
  uint16_t identifier() const { return high.get(); }
  uint16_t sequence() const { return low.get(); }
  // The MTU of packet too big, the pointer of parameter problem.
  uint32_t word() const { return static_cast<uint32_t>(high.get()) << 16 | low.get(); }
  void set_word(uint32_t value) {
    high.set(static_cast<uint16_t>(value >> 16));
    low.set(static_cast<uint16_t>(value));
  }
  // RFC 4884, 3: bytes of the quoted datagram when extensions follow it; 0 where it says nothing.
  size_t quote_length() const {
    switch (icmp_type()) {
      case Icmpv6Type::destination_unreachable:
      case Icmpv6Type::time_exceeded:
        return (high.get() >> 8) * 8u;
      default:
        return 0;
    }
  }
};
static_assert(sizeof(Icmpv6Header) == 8 && alignof(Icmpv6Header) == 1 && offsetof(Icmpv6Header, high) == 4);

struct Icmpv6View {
  const Icmpv6Header* header;
  Bytes payload;

  // The header with all that follows: what the checksum covers, and what parse_nd() reads.
  Bytes message() const {
    return {reinterpret_cast<const uint8_t*>(header), sizeof(Icmpv6Header) + payload.size()};
  }

  // Of an error message: the start of the packet that caused it; read it with parse_ipv6_quote().
  Bytes quote() const {
    if (!header->is_error()) return {};
    const size_t length = header->quote_length();
    return length && length <= payload.size() ? payload.first(length) : payload;
  }
  // Of an error message: RFC 4884 extensions behind the quote, if any.
  Bytes extensions() const { return header->is_error() ? payload.subspan(quote().size()) : Bytes{}; }
};

inline Parsed<Icmpv6View> parse_icmpv6(Bytes in) {
  const auto* header = overlay<Icmpv6Header>(in);
  if (!header) return drop(Drop::icmpv6_truncated);
  return Icmpv6View{header, in.subspan(sizeof(Icmpv6Header))};
}

inline void emit(const Icmpv6View& view, Writer& out) {
  out.put(*view.header);
  out.put(view.payload);
}

}  // namespace sluice::wire
