#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/ipv6_option.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

// RFC 3692's protocol number for experiments: no dissector takes the payload for something.
constexpr wire::IpProtocol kExperimental{253};

struct Ipv4Shape {
  Buffer options;             // padded to a multiple of 4
  uint16_t flags_offset = 0;  // as in the header, reserved bit 0
};

Buffer make_ipv4(Random& random, const IpContext& ip, wire::IpProtocol protocol, const Ipv4Shape& shape,
                 const Buffer& payload, const Buffer& trailer, Fields& fields) {
  const size_t header_length = sizeof(wire::Ipv4Header) + shape.options.size();
  const size_t total_length = header_length + payload.size();
  wire::Ipv4Header header{.version_ihl = wire::Be8(static_cast<uint8_t>(4u << 4 | header_length / 4)),
                          .tos = wire::Be8(random.any<uint8_t>()),
                          .total_length = wire::Be16(static_cast<uint16_t>(total_length)),
                          .id = wire::Be16(random.any<uint16_t>()),
                          .flags_fragment = wire::Be16(shape.flags_offset),
                          .ttl = wire::Be8(random.any<uint8_t>()),
                          .protocol = wire::Be8(static_cast<uint8_t>(protocol)),
                          .checksum = {},
                          .src = ip.src4,
                          .dst = ip.dst4};
  const wire::Ipv4View view{&header, shape.options, payload, trailer};
  header.checksum = ipv4_checksum(view);
  fields.set("ipv4.header_length", header_length);
  fields.set("ipv4.tos", header.tos.get());
  fields.set("ipv4.total_length", total_length);
  fields.set("ipv4.id", header.id.get());
  fields.set("ipv4.dont_fragment", shape.flags_offset >> 14 & 1);
  fields.set("ipv4.more_fragments", shape.flags_offset >> 13 & 1);
  fields.set("ipv4.fragment_offset", (shape.flags_offset & 0x1fff) * 8);
  fields.set("ipv4.ttl", header.ttl.get());
  fields.set("ipv4.protocol", static_cast<uint8_t>(protocol));
  fields.set("ipv4.checksum", header.checksum.get());
  fields.set("ipv4.checksum_ok", true);
  fields.set("ipv4.src", to_text(ip.src4));
  fields.set("ipv4.dst", to_text(ip.dst4));
  fields.set("ipv4.payload_length", payload.size());
  return emitted(view);
}

// Record route, router alert, timestamp, no operation: kinds of which dissectors know the length.
Buffer ipv4_options(Random& random, Fields& fields) {
  Buffer options;
  const auto add = [&](uint8_t kind, const Buffer& data) {
    if (options.size() + 2 + data.size() > 36) return;
    options.push_back(kind);
    options.push_back(static_cast<uint8_t>(2 + data.size()));
    append(options, data);
    fields.append("ipv4.options", kind);
    fields.append("ipv4.option_lengths", 2 + data.size());
  };
  for (size_t count = 1 + random.below(4); count > 0; --count) {
    switch (random.below(4)) {
      case 0: {
        Buffer route{4};  // RFC 791: pointer to the first free slot
        append(route, Buffer(4 * (1 + random.below(4))));
        add(7, route);
        break;
      }
      case 1:
        add(148, {0, 0});
        break;  // RFC 2113
      case 2:
        add(68, {5, 0, 0, 0, 0, 0});
        break;  // one timestamp: scapy 2.5 reads no more than that
      default:
        if (options.size() < 36) {
          options.push_back(wire::Option::kNoOperation);
          fields.append("ipv4.options", wire::Option::kNoOperation);
        }
    }
  }
  if (options.size() % 4) fields.append("ipv4.options", wire::Option::kEnd);
  while (options.size() % 4) options.push_back(wire::Option::kEnd);
  return options;
}

Buffer make_ipv6(Random& random, const IpContext& ip, wire::IpProtocol next, const Buffer& payload,
                 const Buffer& trailer, Fields& fields) {
  const auto traffic_class = random.any<uint8_t>(), hop_limit = random.any<uint8_t>();
  const uint32_t flow_label = random.any<uint32_t>() & 0xfffff;
  wire::Ipv6Header header{.version_class_flow = {},
                          .payload_length = wire::Be16(static_cast<uint16_t>(payload.size())),
                          .next_header = wire::Be8(static_cast<uint8_t>(next)),
                          .hop_limit = wire::Be8(hop_limit),
                          .src = ip.src6,
                          .dst = ip.dst6};
  header.set_version_class_flow(traffic_class, flow_label);
  fields.set("ipv6.traffic_class", traffic_class);
  fields.set("ipv6.flow_label", flow_label);
  fields.set("ipv6.payload_length", payload.size());
  fields.set("ipv6.next_header", static_cast<uint8_t>(next));
  fields.set("ipv6.hop_limit", hop_limit);
  fields.set("ipv6.src", to_text(ip.src6));
  fields.set("ipv6.dst", to_text(ip.dst6));
  return emitted(wire::Ipv6View{&header, payload, trailer});
}

// Options that fill 8 * units - 2 bytes: a router alert or an unknown one, then padding.
Buffer ipv6_options(Random& random, size_t units, Fields& fields) {
  Buffer options;
  const size_t size = units * 8 - 2;
  const auto add = [&](uint8_t type, const Buffer& data) {
    if (options.size() + 2 + data.size() > size) return;
    options.push_back(type);
    options.push_back(static_cast<uint8_t>(data.size()));
    append(options, data);
    fields.append("ipv6.options", type);
    fields.append("ipv6.option_lengths", data.size());
  };
  if (random.one_in(2)) add(wire::Ipv6Option::kRouterAlert, random.bytes(2));
  if (random.one_in(2)) add(0x1e, random.bytes(random.below(9)));  // RFC 4727: for experiments
  if (random.one_in(2)) {
    while (options.size() < size) {
      options.push_back(wire::Ipv6Option::kPad1);
      fields.append("ipv6.options", wire::Ipv6Option::kPad1);
      if (random.one_in(2)) break;
    }
  }
  if (size - options.size() >= 2) add(wire::Ipv6Option::kPadN, Buffer(size - options.size() - 2));
  while (options.size() < size) {
    options.push_back(wire::Ipv6Option::kPad1);
    fields.append("ipv6.options", wire::Ipv6Option::kPad1);
  }
  return options;
}

struct Chain {
  std::vector<wire::IpProtocol> types;
  std::vector<Buffer> headers;  // their first byte, the next header, is filled in at the end
};

void add_extension(Chain& chain, wire::IpProtocol type, Buffer header, Fields& fields) {
  fields.append("ipv6.extensions", static_cast<uint8_t>(type));
  fields.append("ipv6.extension_lengths", header.size());
  chain.types.push_back(type);
  chain.headers.push_back(std::move(header));
}

void add_options_header(Random& random, Chain& chain, wire::IpProtocol type, Fields& fields) {
  const size_t units = 1 + random.below(4);
  Buffer header{0, static_cast<uint8_t>(units - 1)};
  append(header, ipv6_options(random, units, fields));
  add_extension(chain, type, header, fields);
}

void add_routing(Random& random, Chain& chain, Fields& fields) {
  const size_t addresses = 1 + random.below(3);
  // Segments left 0: a header that has done its work, so that the pseudo header keeps the destination.
  const wire::Ipv6RoutingHeader fixed{.next_header = {},
                                      .length = wire::Be8(static_cast<uint8_t>(addresses * 2)),
                                      .routing_type = {},
                                      .segments_left = {},
                                      .type_specific = {}};
  Buffer header;
  append(header, fixed);
  for (size_t i = 0; i < addresses; ++i) append(header, random.ipv6());
  fields.set("ipv6.routing.type", 0);
  fields.set("ipv6.routing.segments_left", 0);
  add_extension(chain, wire::IpProtocol::routing, header, fields);
}

void add_fragment(Random& random, Chain& chain, bool atomic, Fields& fields) {
  const size_t offset = atomic ? 0 : random.below(8192) * 8;
  const bool more = !atomic && random.one_in(2);
  const uint32_t id = random.any<uint32_t>();
  const wire::Ipv6FragmentHeader fixed{
      .next_header = {},
      .reserved = {},
      .offset_flags = wire::Be16(static_cast<uint16_t>(offset | static_cast<size_t>(more))),
      .id = wire::Be32(id)};
  Buffer header;
  append(header, fixed);
  fields.set("ipv6.fragment.offset", offset);
  fields.set("ipv6.fragment.more", static_cast<int>(more));
  fields.set("ipv6.fragment.id", id);
  add_extension(chain, wire::IpProtocol::fragment, header, fields);
}

void add_ah(Random& random, Chain& chain, Fields& fields) {
  const uint32_t spi = random.any<uint32_t>(), sequence = random.any<uint32_t>();
  const size_t icv = random.pick<size_t>({12, 20});  // RFC 4302, 2.6: the whole is a multiple of 8 bytes
  const wire::AuthenticationHeader fixed{
      .next_header = {},
      .length = wire::Be8(static_cast<uint8_t>((sizeof(wire::AuthenticationHeader) + icv) / 4 - 2)),
      .reserved = {},
      .spi = wire::Be32(spi),
      .sequence = wire::Be32(sequence)};
  Buffer header;
  append(header, fixed);
  append(header, random.bytes(icv));
  fields.set("ipv6.ah.spi", spi);
  fields.set("ipv6.ah.sequence", sequence);
  add_extension(chain, wire::IpProtocol::ah, header, fields);
}

// Extension headers in RFC 8200's order, 4.1. A fragment that is not whole only with an opaque payload.
Buffer chained_ipv6(Random& random, const IpContext& ip, wire::IpProtocol upper, const Buffer& payload,
                    const Buffer& trailer, Fields& fields) {
  Chain chain;
  if (random.one_in(2)) add_options_header(random, chain, wire::IpProtocol::hop_by_hop, fields);
  if (random.one_in(3)) add_options_header(random, chain, wire::IpProtocol::destination, fields);
  if (random.one_in(3)) add_routing(random, chain, fields);
  if (random.one_in(3)) add_fragment(random, chain, upper != kExperimental, fields);
  const bool whole =
      !fields.json().contains("ipv6.fragment.offset") || fields.json()["ipv6.fragment.offset"] == 0;
  if (whole && random.one_in(4)) add_ah(random, chain, fields);
  chain.types.push_back(upper);
  Buffer all;
  for (size_t i = 0; i < chain.headers.size(); ++i) {
    chain.headers[i][0] = static_cast<uint8_t>(chain.types[i + 1]);
    append(all, chain.headers[i]);
  }
  fields.set("ipv6.upper", static_cast<uint8_t>(upper));
  const wire::Ipv6ChainView view{chain.types[0], all, upper, nullptr, nullptr, payload};
  return make_ipv6(random, ip, chain.types[0], emitted(view), trailer, fields);
}

Buffer ipv4(Random& random, Fields& fields) {
  IpContext ip = any_ip(random);
  ip.v6 = false;
  Ipv4Shape shape;
  if (random.one_in(2)) shape.options = ipv4_options(random, fields);
  if (random.one_in(2)) shape.flags_offset = static_cast<uint16_t>(random.any<uint16_t>() & 0x7fff);
  const Buffer packet = make_ipv4(random, ip, kExperimental, shape, random.bytes(random.below(100)),
                                  Buffer(random.one_in(2) ? random.below(20) : 0), fields);
  return in_ethernet(random, wire::EtherType::ipv4, packet, fields);
}

Buffer ipv6(Random& random, Fields& fields) {
  const IpContext ip = any_ip(random);
  // Never empty: tshark 4.0 does not show a Pad1 that is the packet's last byte.
  const Buffer packet = chained_ipv6(random, ip, kExperimental, random.bytes(1 + random.below(100)),
                                     Buffer(random.one_in(2) ? random.below(20) : 0), fields);
  return in_ethernet(random, wire::EtherType::ipv6, packet, fields);
}

}  // namespace

IpContext any_ip(Random& random) {
  return {.v6 = random.one_in(2),
          .src4 = random.ipv4(),
          .dst4 = random.ipv4(),
          .src6 = random.ipv6(),
          .dst6 = random.ipv6()};
}

Buffer plain_ip(Random& random, const IpContext& ip, wire::IpProtocol protocol, const Buffer& payload,
                Fields& fields) {
  if (!ip.v6) return make_ipv4(random, ip, protocol, {}, payload, {}, fields);
  fields.set("ipv6.upper", static_cast<uint8_t>(protocol));
  return make_ipv6(random, ip, protocol, payload, {}, fields);
}

Buffer in_ip(Random& random, const IpContext& ip, wire::IpProtocol protocol, const Buffer& payload,
             Fields& fields) {
  if (random.one_in(2))
    return in_ethernet(random, ip.v6 ? wire::EtherType::ipv6 : wire::EtherType::ipv4,
                       plain_ip(random, ip, protocol, payload, fields), fields);
  if (ip.v6)
    return in_ethernet(random, wire::EtherType::ipv6, chained_ipv6(random, ip, protocol, payload, {}, fields),
                       fields);
  Ipv4Shape shape{.options = ipv4_options(random, fields), .flags_offset = 0};
  return in_ethernet(random, wire::EtherType::ipv4,
                     make_ipv4(random, ip, protocol, shape, payload, {}, fields), fields);
}

std::map<std::string, Generator> ip_generators() { return {{"ipv4", ipv4}, {"ipv6", ipv6}}; }

}  // namespace sluice::oracle
