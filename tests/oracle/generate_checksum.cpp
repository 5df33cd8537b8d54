// Packets of which fields were changed after the checksums were made, as a NAT or a router changes them:
// the checksums come from the incremental update, and others must find them right.
#include "dataplane/wire/l4_checksum.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

// Gives `field` a new value and keeps `checksum`, which covers it, right.
template <class Field, class Update>
void change(Field& field, const Field& value, wire::Be16& checksum, Update update) {
  checksum = update(checksum, field, value);
  field = value;
}

const auto kUpdate = [](wire::Be16 checksum, const auto& before, const auto& after) {
  return wire::update_checksum(checksum, before, after);
};
const auto kUpdateUdp = [](wire::Be16 checksum, const auto& before, const auto& after) {
  return wire::update_udp_checksum(checksum, before, after);
};

template <class Header, class Update>
void translate(Random& random, Buffer& packet, bool v6, Update update, Fields& fields,
               const std::string& layer) {
  const wire::MutableBytes bytes(packet);
  Header& upper =
      *wire::overlay<Header>(bytes.subspan(v6 ? sizeof(wire::Ipv6Header) : sizeof(wire::Ipv4Header)));
  if (v6) {
    auto& ip = *wire::overlay<wire::Ipv6Header>(bytes);
    change(ip.src, random.ipv6(), upper.checksum, update);
    fields.set("ipv6.src", to_text(ip.src));
  } else {
    auto& ip = *wire::overlay<wire::Ipv4Header>(bytes);
    const auto src = random.ipv4();
    upper.checksum = update(upper.checksum, ip.src, src);
    change(ip.src, src, ip.checksum, kUpdate);
    if (ip.ttl.get() > 1) wire::decrement_ttl(ip);
    fields.set("ipv4.src", to_text(src));
    fields.set("ipv4.ttl", ip.ttl.get());
    fields.set("ipv4.checksum", ip.checksum.get());
  }
  change(upper.src_port, wire::Be16(random.any<uint16_t>()), upper.checksum, update);
  fields.set(layer + ".src_port", upper.src_port.get());
  fields.set(layer + ".checksum", upper.checksum.get());
  fields.set(layer + ".checksum_ok", true);
}

Buffer checksum(Random& random, Fields& fields) {
  const IpContext ip = any_ip(random);
  const Buffer payload = random.bytes(random.below(60));
  Buffer packet;
  if (random.one_in(2)) {
    wire::UdpHeader header{wire::Be16(random.any<uint16_t>()),
                           wire::Be16(random.any<uint16_t>()),
                           wire::Be16(static_cast<uint16_t>(sizeof(wire::UdpHeader) + payload.size())),
                           {}};
    const Buffer blank = emitted(wire::UdpView{&header, payload, {}});
    const auto view = *wire::parse_udp(blank);
    header.checksum = ip.v6 ? udp_checksum(ip.src6, ip.dst6, view) : udp_checksum(ip.src4, ip.dst4, view);
    packet =
        plain_ip(random, ip, wire::IpProtocol::udp, emitted(wire::UdpView{&header, payload, {}}), fields);
    translate<wire::UdpHeader>(random, packet, ip.v6, kUpdateUdp, fields, "udp");
  } else {
    wire::TcpHeader header{};
    header.src_port.set(random.any<uint16_t>());
    header.sequence.set(random.any<uint32_t>());
    header.offset_reserved.set(5 << 4);
    const Buffer blank = emitted(wire::TcpView{&header, {}, payload});
    const auto view = *wire::parse_tcp(blank);
    header.checksum = ip.v6 ? tcp_checksum(ip.src6, ip.dst6, view) : tcp_checksum(ip.src4, ip.dst4, view);
    packet =
        plain_ip(random, ip, wire::IpProtocol::tcp, emitted(wire::TcpView{&header, {}, payload}), fields);
    translate<wire::TcpHeader>(random, packet, ip.v6, kUpdate, fields, "tcp");
  }
  return in_ethernet(random, ip.v6 ? wire::EtherType::ipv6 : wire::EtherType::ipv4, packet, fields);
}

}  // namespace

std::map<std::string, Generator> checksum_generators() { return {{"checksum", checksum}}; }

}  // namespace sluice::oracle
