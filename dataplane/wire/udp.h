// UDP (RFC 768). Its checksum is in l4_checksum.h, because it covers the IP addresses.
#pragma once

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

struct UdpHeader {
  Be16 src_port, dst_port, length, checksum;
};
static_assert(sizeof(UdpHeader) == 8 && alignof(UdpHeader) == 1 && offsetof(UdpHeader, checksum) == 6);

struct UdpView {
  const UdpHeader* header;
  Bytes payload;  // as long as the length field says
  Bytes trailer;  // what the IP payload holds beyond it (RFC 9868's surplus area)

  // What the checksum covers: header and payload.
  Bytes datagram() const {
    return {reinterpret_cast<const uint8_t*>(header), sizeof(UdpHeader) + payload.size()};
  }
};

// `in` is the payload of an unfragmented IP packet. The length 0 of a jumbogram (RFC 2675) is refused.
inline Parsed<UdpView> parse_udp(Bytes in) {
  const auto* header = overlay<UdpHeader>(in);
  if (!header) return drop(Drop::udp_truncated);
  const size_t length = header->length.get();
  if (length < sizeof(UdpHeader) || length > in.size()) return drop(Drop::udp_bad_length);
  return UdpView{header, in.subspan(sizeof(UdpHeader), length - sizeof(UdpHeader)), in.subspan(length)};
}

inline void emit(const UdpView& view, Writer& out) {
  out.put(*view.header);
  out.put(view.payload);
  out.put(view.trailer);
}

}  // namespace sluice::wire
