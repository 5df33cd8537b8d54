// ICMP for IPv4 (RFC 792, with RFC 1191's MTU and RFC 4884's extensions).
#pragma once

#include "dataplane/wire/address.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/checksum.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

enum class IcmpType : uint8_t {
  echo_reply = 0,
  destination_unreachable = 3,
  source_quench = 4,
  redirect = 5,
  echo_request = 8,
  time_exceeded = 11,
  parameter_problem = 12,
  timestamp_request = 13,
  timestamp_reply = 14,
};

// RFC 792, "Destination Unreachable Message"; 13 is RFC 1812, 5.2.7.1.
enum class IcmpUnreachable : uint8_t {
  network = 0,
  host = 1,
  protocol = 2,
  port = 3,
  fragmentation_needed = 4,
  administratively_prohibited = 13,
};

struct IcmpHeader {
  Be8 type, code;
  Be16 checksum;
  Be16 high, low;  // what they mean depends on the type: see the functions below

  IcmpType icmp_type() const { return IcmpType{type.get()}; }
  bool is_echo() const {
    return icmp_type() == IcmpType::echo_request || icmp_type() == IcmpType::echo_reply;
  }
  bool is_error() const {
    switch (icmp_type()) {
      case IcmpType::destination_unreachable:
      case IcmpType::source_quench:
      case IcmpType::redirect:
      case IcmpType::time_exceeded:
      case IcmpType::parameter_problem:
        return true;
      default:
        return false;
    }
  }

  // Echo and timestamp messages.
  uint16_t identifier() const { return high.get(); }
  uint16_t sequence() const { return low.get(); }
  // Destination unreachable, fragmentation needed (RFC 1191, 4).
  uint16_t next_hop_mtu() const { return low.get(); }
  // Redirect.
  Ipv4Address gateway() const {
    return Ipv4Address::from_integer(static_cast<uint32_t>(high.get()) << 16 | low.get());
  }
  // Parameter problem: the byte at fault.
  uint8_t pointer() const { return static_cast<uint8_t>(high.get() >> 8); }
  // RFC 4884, 3: bytes of the quoted datagram when extensions follow it; 0 where it says nothing.
  size_t quote_length() const {
    switch (icmp_type()) {
      case IcmpType::destination_unreachable:
      case IcmpType::time_exceeded:
      case IcmpType::parameter_problem:
        return (high.get() & 0xffu) * 4u;
      default:
        return 0;
    }
  }
};
static_assert(sizeof(IcmpHeader) == 8 && alignof(IcmpHeader) == 1 && offsetof(IcmpHeader, high) == 4);

struct IcmpView {
  const IcmpHeader* header;
  Bytes payload;  // echo data, or what is left of the packet that an error is about

  // The header with all that follows: what the checksum covers.
  Bytes message() const {
    return {reinterpret_cast<const uint8_t*>(header), sizeof(IcmpHeader) + payload.size()};
  }

  // Of an error message: the start of the packet that caused it; read it with parse_ipv4_quote().
  Bytes quote() const {
    if (!header->is_error()) return {};
    const size_t length = header->quote_length();
    return length && length <= payload.size() ? payload.first(length) : payload;
  }
  // Of an error message: RFC 4884 extensions behind the quote, if any.
  Bytes extensions() const { return header->is_error() ? payload.subspan(quote().size()) : Bytes{}; }
};

inline Parsed<IcmpView> parse_icmp(Bytes in) {
  const auto* header = overlay<IcmpHeader>(in);
  if (!header) return drop(Drop::icmp_truncated);
  return IcmpView{header, in.subspan(sizeof(IcmpHeader))};
}

inline void emit(const IcmpView& view, Writer& out) {
  out.put(*view.header);
  out.put(view.payload);
}

// The checksum that belongs into the header, whatever stands there now.
inline Be16 icmp_checksum(const IcmpView& view) {
  IcmpHeader header = *view.header;
  header.checksum = Be16(0);
  ChecksumSum sum;
  sum.add(header);
  sum.add(view.payload);
  return sum.finish();
}

inline bool icmp_checksum_ok(const IcmpView& view) { return internet_checksum(view.message()) == Be16(0); }

}  // namespace sluice::wire
