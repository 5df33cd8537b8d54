#include "dataplane/wire/gtpu.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/roce.h"
#include "tests/oracle/describe.h"

namespace sluice::oracle {

void describe_udp(Bytes in, const IpContext& ip, Fields& out) {
  const auto udp = wire::parse_udp(in);
  if (!udp) return out.drop(udp.error());
  out.set("udp.src_port", udp->header->src_port.get());
  out.set("udp.dst_port", udp->header->dst_port.get());
  out.set("udp.length", udp->header->length.get());
  out.set("udp.checksum", udp->header->checksum.get());
  out.set("udp.checksum_ok",
          ip.v6 ? udp_checksum_ok(ip.src6, ip.dst6, *udp) : udp_checksum_ok(ip.src4, ip.dst4, *udp));
  out.set("udp.payload", hex(udp->payload));
  if (udp->header->dst_port.get() == wire::kGtpuPort) describe_gtpu(udp->payload, out);
  if (udp->header->dst_port.get() == wire::kRocePort) describe_roce(udp->payload, ip.packet, out);
}

namespace {

// The value of an option that is 1, 2 or 4 bytes long.
template <class Be>
uint64_t value_at(Bytes data, size_t offset) {
  return wire::overlay<Be>(data.subspan(offset))->get();
}

void describe_tcp_option(const wire::Option& option, Fields& out) {
  const Bytes data = option.data();
  switch (wire::TcpOption{option.kind()}) {
    case wire::TcpOption::maximum_segment_size:
      if (data.size() == 2) out.set("tcp.option.mss", value_at<wire::Be16>(data, 0));
      return;
    case wire::TcpOption::window_scale:
      if (data.size() == 1) out.set("tcp.option.window_scale", value_at<wire::Be8>(data, 0));
      return;
    case wire::TcpOption::timestamps:
      if (data.size() != 8) return;
      out.set("tcp.option.timestamp", value_at<wire::Be32>(data, 0));
      out.set("tcp.option.timestamp_echo", value_at<wire::Be32>(data, 4));
      return;
    case wire::TcpOption::sack:
      for (size_t at = 0; at + 8 <= data.size(); at += 8) {
        out.append("tcp.option.sack_left", value_at<wire::Be32>(data, at));
        out.append("tcp.option.sack_right", value_at<wire::Be32>(data, at + 4));
      }
      return;
    default:
      return;
  }
}

}  // namespace

void describe_tcp(Bytes in, const IpContext& ip, Fields& out) {
  const auto tcp = wire::parse_tcp(in);
  if (!tcp) return out.drop(tcp.error());
  const wire::TcpHeader& header = *tcp->header;
  out.set("tcp.src_port", header.src_port.get());
  out.set("tcp.dst_port", header.dst_port.get());
  out.set("tcp.sequence", header.sequence.get());
  out.set("tcp.acknowledgement", header.acknowledgement.get());
  out.set("tcp.header_length", header.header_length());
  out.set("tcp.flags", (header.offset_reserved.get() & 0xfu) << 8 | header.flags.get());
  out.set("tcp.syn", static_cast<int>(header.syn()));
  out.set("tcp.ack", static_cast<int>(header.ack()));
  out.set("tcp.fin", static_cast<int>(header.fin()));
  out.set("tcp.rst", static_cast<int>(header.rst()));
  out.set("tcp.window", header.window.get());
  out.set("tcp.checksum", header.checksum.get());
  out.set("tcp.checksum_ok",
          ip.v6 ? tcp_checksum_ok(ip.src6, ip.dst6, *tcp) : tcp_checksum_ok(ip.src4, ip.dst4, *tcp));
  out.set("tcp.urgent_pointer", header.urgent_pointer.get());
  out.set("tcp.payload", hex(tcp->payload));
  const auto options = parse_tcp_options(*tcp);
  if (!options) return out.drop(options.error());
  for (const wire::Option option : *options) {
    out.append("tcp.options", option.kind());
    describe_tcp_option(option, out);
  }
}

}  // namespace sluice::oracle
