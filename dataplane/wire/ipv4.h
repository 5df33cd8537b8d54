// IPv4 (RFC 791): header with options and fragments.
#pragma once

#include "dataplane/wire/address.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/checksum.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/ip_protocol.h"
#include "dataplane/wire/option_list.h"

namespace sluice::wire {

struct Ipv4Header {
  Be8 version_ihl, tos;
  Be16 total_length, id, flags_fragment;
  Be8 ttl, protocol;
  Be16 checksum;
  Ipv4Address src, dst;

  uint8_t version() const { return version_ihl.get() >> 4; }
  size_t header_length() const { return (version_ihl.get() & 0xfu) * 4u; }
  bool dont_fragment() const { return flags_fragment.get() & 0x4000; }
  bool more_fragments() const { return flags_fragment.get() & 0x2000; }
  size_t fragment_offset() const { return (flags_fragment.get() & 0x1fffu) * 8u; }
  bool is_fragment() const { return flags_fragment.get() & 0x3fff; }
};
static_assert(sizeof(Ipv4Header) == 20 && alignof(Ipv4Header) == 1 && offsetof(Ipv4Header, checksum) == 10 &&
              offsetof(Ipv4Header, dst) == 16);

struct Ipv4View {
  const Ipv4Header* header;
  Bytes options;  // between the fixed header and the payload, with padding
  Bytes payload;  // as long as total_length says
  Bytes trailer;  // what the frame holds beyond total_length: Ethernet padding, as a rule
};

inline Parsed<Ipv4View> parse_ipv4(Bytes in) {
  const auto* header = overlay<Ipv4Header>(in);
  if (!header) return drop(Drop::ipv4_truncated);
  if (header->version() != 4) return drop(Drop::ipv4_bad_version);
  const size_t header_length = header->header_length(), total_length = header->total_length.get();
  if (header_length < sizeof(Ipv4Header) || header_length > in.size())
    return drop(Drop::ipv4_bad_header_length);
  if (total_length < header_length || total_length > in.size()) return drop(Drop::ipv4_bad_total_length);
  return Ipv4View{header, in.subspan(sizeof(Ipv4Header), header_length - sizeof(Ipv4Header)),
                  in.subspan(header_length, total_length - header_length), in.subspan(total_length)};
}

// The start of a packet quoted by an ICMP error, which is cut short as a rule (RFC 792: the header and
// 64 bits): the payload is what is there of it.
inline Parsed<Ipv4View> parse_ipv4_quote(Bytes in) {
  const auto* header = overlay<Ipv4Header>(in);
  if (!header) return drop(Drop::ipv4_truncated);
  if (header->version() != 4) return drop(Drop::ipv4_bad_version);
  const size_t header_length = header->header_length(), total_length = header->total_length.get();
  if (header_length < sizeof(Ipv4Header) || header_length > in.size())
    return drop(Drop::ipv4_bad_header_length);
  if (total_length < header_length) return drop(Drop::ipv4_bad_total_length);
  const size_t here = std::min(total_length, in.size());
  return Ipv4View{header, in.subspan(sizeof(Ipv4Header), header_length - sizeof(Ipv4Header)),
                  in.subspan(header_length, here - header_length), in.subspan(here)};
}

inline void emit(const Ipv4View& view, Writer& out) {
  out.put(*view.header);
  out.put(view.options);
  out.put(view.payload);
  out.put(view.trailer);
}

// Apart from parse_ipv4(), because most packets have none and a forwarder need not understand them.
inline Parsed<OptionListView> parse_ipv4_options(const Ipv4View& view) {
  return parse_option_list(view.options, Drop::ipv4_bad_option);
}

// The checksum that belongs into the header, whatever stands there now.
inline Be16 ipv4_checksum(const Ipv4View& view) {
  Ipv4Header header = *view.header;
  header.checksum = Be16(0);
  ChecksumSum sum;
  sum.add(header);
  sum.add(view.options);
  return sum.finish();
}

inline bool ipv4_checksum_ok(const Ipv4View& view) {
  ChecksumSum sum;
  sum.add(*view.header);
  sum.add(view.options);
  return sum.verifies();
}

// TTL minus one with the checksum kept right (RFC 1624, equation 3: HC' = ~(~HC + ~m + m')). The caller has checked
// that TTL > 1, so that ~m + m' is the same for every packet: TTL is the upper byte of its word.
inline void decrement_ttl(Ipv4Header& header) {
  constexpr uint32_t kChange = 0xffff - 0x0100;
  const uint32_t sum = static_cast<uint16_t>(~header.checksum.get()) + kChange;
  header.checksum = Be16(static_cast<uint16_t>(~((sum & 0xffff) + (sum >> 16))));
  header.ttl.set(static_cast<uint8_t>(header.ttl.get() - 1));
}

}  // namespace sluice::wire
