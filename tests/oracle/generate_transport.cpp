#include "dataplane/wire/gtpu.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/roce.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

// Not the port of GTP-U or RoCEv2, behind which stands a format of its own.
uint16_t any_port(Random& random) {
  const auto port = random.any<uint16_t>();
  return port == wire::kGtpuPort || port == wire::kRocePort ? 1 : port;
}

Buffer udp(Random& random, Fields& fields) {
  const IpContext ip = any_ip(random);
  const auto src_port = random.any<uint16_t>(), dst_port = any_port(random);
  const Buffer payload = random.bytes(random.below(120));
  wire::UdpHeader header{wire::Be16(src_port),
                         wire::Be16(dst_port),
                         wire::Be16(static_cast<uint16_t>(sizeof(wire::UdpHeader) + payload.size())),
                         {}};
  Buffer datagram = emitted(wire::UdpView{&header, payload, {}});
  const bool none = !ip.v6 && random.one_in(8);  // RFC 768: the sender made no checksum
  if (!none) {
    const auto view = *wire::parse_udp(datagram);
    header.checksum = ip.v6 ? udp_checksum(ip.src6, ip.dst6, view) : udp_checksum(ip.src4, ip.dst4, view);
    datagram = emitted(wire::UdpView{&header, payload, {}});
  }
  fields.set("udp.src_port", src_port);
  fields.set("udp.dst_port", dst_port);
  fields.set("udp.length", datagram.size());
  fields.set("udp.checksum", header.checksum.get());
  fields.set("udp.checksum_ok", true);
  fields.set("udp.payload", hex(payload));
  return in_ip(random, ip, wire::IpProtocol::udp, datagram, fields);
}

Buffer tcp_options(Random& random, Fields& fields) {
  Buffer options;
  const auto add = [&](wire::TcpOption kind, const Buffer& data) {
    if (options.size() + 2 + data.size() > 36) return false;
    options.push_back(static_cast<uint8_t>(kind));
    options.push_back(static_cast<uint8_t>(2 + data.size()));
    append(options, data);
    fields.append("tcp.options", static_cast<uint8_t>(kind));
    return true;
  };
  const auto word = [](uint32_t value) {
    Buffer bytes;
    append(bytes, wire::Be32(value));
    return bytes;
  };
  if (random.one_in(2)) {
    const auto mss = random.any<uint16_t>();
    Buffer data;
    append(data, wire::Be16(mss));
    if (add(wire::TcpOption::maximum_segment_size, data)) fields.set("tcp.option.mss", mss);
  }
  if (random.one_in(2)) add(wire::TcpOption::sack_permitted, {});
  if (random.one_in(2)) {
    const auto value = random.any<uint32_t>(), echo = random.any<uint32_t>();
    Buffer data = word(value);
    append(data, word(echo));
    if (add(wire::TcpOption::timestamps, data)) {
      fields.set("tcp.option.timestamp", value);
      fields.set("tcp.option.timestamp_echo", echo);
    }
  }
  for (size_t count = random.below(3); count > 0; --count) {
    options.push_back(wire::Option::kNoOperation);
    fields.append("tcp.options", wire::Option::kNoOperation);
  }
  if (random.one_in(2)) {
    const auto scale = static_cast<uint8_t>(random.below(15));
    if (add(wire::TcpOption::window_scale, {scale})) fields.set("tcp.option.window_scale", scale);
  }
  if (random.one_in(3)) {
    const auto left = random.any<uint32_t>(), right = random.any<uint32_t>();
    Buffer data = word(left);
    append(data, word(right));
    if (add(wire::TcpOption::sack, data)) {
      fields.append("tcp.option.sack_left", left);
      fields.append("tcp.option.sack_right", right);
    }
  }
  if (options.size() % 4) fields.append("tcp.options", wire::Option::kEnd);
  while (options.size() % 4) options.push_back(wire::Option::kEnd);
  return options;
}

Buffer tcp(Random& random, Fields& fields) {
  const IpContext ip = any_ip(random);
  const Buffer options = random.one_in(4) ? Buffer{} : tcp_options(random, fields);
  const auto flags = random.any<uint8_t>();
  // Nothing behind a reset: tshark shows that as text, the cause of the reset.
  const Buffer payload = flags & 4 ? Buffer{} : random.bytes(random.below(100));
  const size_t header_length = sizeof(wire::TcpHeader) + options.size();
  const size_t reserved = random.below(16);
  wire::TcpHeader header{
      .src_port = wire::Be16(random.any<uint16_t>()),
      .dst_port = wire::Be16(random.any<uint16_t>()),
      .sequence = wire::Be32(random.any<uint32_t>()),
      .acknowledgement = wire::Be32(random.any<uint32_t>()),
      .offset_reserved = wire::Be8(static_cast<uint8_t>(header_length / 4 << 4 | reserved)),
      .flags = wire::Be8(flags),
      .window = wire::Be16(random.any<uint16_t>()),
      .checksum = {},
      .urgent_pointer = wire::Be16(random.any<uint16_t>())};
  Buffer segment = emitted(wire::TcpView{&header, options, payload});
  const auto view = *wire::parse_tcp(segment);
  header.checksum = ip.v6 ? tcp_checksum(ip.src6, ip.dst6, view) : tcp_checksum(ip.src4, ip.dst4, view);
  segment = emitted(wire::TcpView{&header, options, payload});
  fields.set("tcp.src_port", header.src_port.get());
  fields.set("tcp.dst_port", header.dst_port.get());
  fields.set("tcp.sequence", header.sequence.get());
  fields.set("tcp.acknowledgement", header.acknowledgement.get());
  fields.set("tcp.header_length", header_length);
  fields.set("tcp.flags", reserved << 8 | flags);
  fields.set("tcp.fin", flags & 1);
  fields.set("tcp.syn", flags >> 1 & 1);
  fields.set("tcp.rst", flags >> 2 & 1);
  fields.set("tcp.ack", flags >> 4 & 1);
  fields.set("tcp.window", header.window.get());
  fields.set("tcp.checksum", header.checksum.get());
  fields.set("tcp.checksum_ok", true);
  fields.set("tcp.urgent_pointer", header.urgent_pointer.get());
  fields.set("tcp.payload", hex(payload));
  return in_ip(random, ip, wire::IpProtocol::tcp, segment, fields);
}

}  // namespace

std::map<std::string, Generator> transport_generators() { return {{"udp", udp}, {"tcp", tcp}}; }

}  // namespace sluice::oracle
