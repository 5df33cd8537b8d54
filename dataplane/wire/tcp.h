// TCP (RFC 9293): header and options. Its checksum is in l4_checksum.h.
#pragma once

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/option_list.h"

namespace sluice::wire {

struct TcpHeader {
  Be16 src_port, dst_port;
  Be32 sequence, acknowledgement;
  Be8 offset_reserved, flags;
  Be16 window, checksum, urgent_pointer;

  size_t header_length() const { return (offset_reserved.get() >> 4) * 4u; }
  bool fin() const { return flags.get() & 0x01; }
  bool syn() const { return flags.get() & 0x02; }
  bool rst() const { return flags.get() & 0x04; }
  bool ack() const { return flags.get() & 0x10; }
};
static_assert(sizeof(TcpHeader) == 20 && alignof(TcpHeader) == 1 && offsetof(TcpHeader, flags) == 13 &&
              offsetof(TcpHeader, checksum) == 16);

enum class TcpOption : uint8_t {
  end = 0,
  no_operation = 1,
  maximum_segment_size = 2,
  window_scale = 3,
  sack_permitted = 4,
  sack = 5,
  timestamps = 8,
};

struct TcpView {
  const TcpHeader* header;
  Bytes options;  // between the fixed header and the payload, with padding; see parse_tcp_options()
  Bytes payload;

  // What the checksum covers.
  Bytes segment() const {
    return {reinterpret_cast<const uint8_t*>(header), sizeof(TcpHeader) + options.size() + payload.size()};
  }
};

inline Parsed<TcpView> parse_tcp(Bytes in) {
  const auto* header = overlay<TcpHeader>(in);
  if (!header) return drop(Drop::tcp_truncated);
  const size_t header_length = header->header_length();
  if (header_length < sizeof(TcpHeader) || header_length > in.size()) return drop(Drop::tcp_bad_data_offset);
  return TcpView{header, in.subspan(sizeof(TcpHeader), header_length - sizeof(TcpHeader)),
                 in.subspan(header_length)};
}

inline void emit(const TcpView& view, Writer& out) {
  out.put(*view.header);
  out.put(view.options);
  out.put(view.payload);
}

// Apart from parse_tcp(), because a forwarder never needs the options.
inline Parsed<OptionListView> parse_tcp_options(const TcpView& view) {
  return parse_option_list(view.options, Drop::tcp_bad_option);
}

}  // namespace sluice::wire
