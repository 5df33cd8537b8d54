// IPv6 (RFC 8200): the fixed header. Its extension headers are in ipv6_extension.h.
#pragma once

#include "dataplane/wire/address.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/ip_protocol.h"

namespace sluice::wire {

struct Ipv6Header {
  Be32 version_class_flow;
  Be16 payload_length;
  Be8 next_header, hop_limit;
  Ipv6Address src, dst;

  uint8_t version() const { return static_cast<uint8_t>(version_class_flow.get() >> 28); }
  uint8_t traffic_class() const { return static_cast<uint8_t>(version_class_flow.get() >> 20); }
  uint32_t flow_label() const { return version_class_flow.get() & 0xfffff; }
  void set_version_class_flow(uint8_t traffic_class, uint32_t flow_label) {
    version_class_flow.set(6u << 28 | static_cast<uint32_t>(traffic_class) << 20 | (flow_label & 0xfffff));
  }
};
static_assert(sizeof(Ipv6Header) == 40 && alignof(Ipv6Header) == 1 && offsetof(Ipv6Header, hop_limit) == 7 &&
              offsetof(Ipv6Header, dst) == 24);

struct Ipv6View {
  const Ipv6Header* header;
  Bytes payload;  // extension headers and upper layer, as long as payload_length says
  Bytes trailer;  // what the frame holds beyond it: Ethernet padding, as a rule
};

// A payload length of 0 is taken as written: jumbograms (RFC 2675) do not fit our links.
inline Parsed<Ipv6View> parse_ipv6(Bytes in) {
  const auto* header = overlay<Ipv6Header>(in);
  if (!header) return drop(Drop::ipv6_truncated);
  if (header->version() != 6) return drop(Drop::ipv6_bad_version);
  const Bytes rest = in.subspan(sizeof(Ipv6Header));
  const size_t payload_length = header->payload_length.get();
  if (payload_length > rest.size()) return drop(Drop::ipv6_bad_payload_length);
  return Ipv6View{header, rest.first(payload_length), rest.subspan(payload_length)};
}

// The start of a packet quoted by an ICMPv6 error, which is cut short as a rule (RFC 4443, 3): the
// payload is what is there of it.
inline Parsed<Ipv6View> parse_ipv6_quote(Bytes in) {
  const auto* header = overlay<Ipv6Header>(in);
  if (!header) return drop(Drop::ipv6_truncated);
  if (header->version() != 6) return drop(Drop::ipv6_bad_version);
  const Bytes rest = in.subspan(sizeof(Ipv6Header));
  const size_t here = std::min<size_t>(header->payload_length.get(), rest.size());
  return Ipv6View{header, rest.first(here), rest.subspan(here)};
}

inline void emit(const Ipv6View& view, Writer& out) {
  out.put(*view.header);
  out.put(view.payload);
  out.put(view.trailer);
}

}  // namespace sluice::wire
