#include "dataplane/wire/icmp.h"
#include "dataplane/wire/l4_checksum.h"
#include "dataplane/wire/nd.h"
#include "tests/oracle/generate.h"

namespace sluice::oracle {
namespace {

constexpr wire::IpProtocol kExperimental{253};

// A packet as an error message quotes it: whole, or cut behind the header and `keep` bytes.
Buffer quoted_packet(Random& random, bool v6, Fields& fields) {
  IpContext ip = any_ip(random);
  ip.v6 = v6;
  Fields inner;
  Buffer packet = plain_ip(random, ip, kExperimental, random.bytes(8 + random.below(60)), inner);
  if (random.one_in(2)) packet.resize(packet.size() - random.below(packet.size() - (v6 ? 48 : 28) + 1));
  for (const auto& [name, value] : inner.json().items()) fields.set("quote." + name, value);
  if (!v6) fields.set("quote.ipv4.payload_length", packet.size() - 20);
  return packet;
}

Buffer icmp_frame(Random& random, wire::IcmpHeader header, const Buffer& payload, Fields& fields) {
  IpContext ip = any_ip(random);
  ip.v6 = false;
  header.checksum = icmp_checksum(wire::IcmpView{&header, payload});
  fields.set("icmp.type", header.type.get());
  fields.set("icmp.code", header.code.get());
  fields.set("icmp.checksum", header.checksum.get());
  fields.set("icmp.checksum_ok", true);
  return in_ip(random, ip, wire::IpProtocol::icmp, emitted(wire::IcmpView{&header, payload}), fields);
}

Buffer icmp(Random& random, Fields& fields) {
  using enum wire::IcmpType;
  const auto type = random.pick(
      {echo_request, echo_reply, destination_unreachable, redirect, time_exceeded, parameter_problem});
  wire::IcmpHeader header{};
  header.type.set(static_cast<uint8_t>(type));
  if (header.is_echo()) {
    header.high.set(random.any<uint16_t>());
    header.low.set(random.any<uint16_t>());
    const Buffer data = random.bytes(random.below(80));
    fields.set("icmp.identifier", header.high.get());
    fields.set("icmp.sequence", header.low.get());
    fields.set("icmp.data", hex(data));
    return icmp_frame(random, header, data, fields);
  }
  if (type == destination_unreachable) header.code.set(static_cast<uint8_t>(random.below(16)));
  if (type == destination_unreachable && header.code.get() == 4) {
    header.low.set(random.any<uint16_t>());
    fields.set("icmp.mtu", header.low.get());
  }
  if (type == redirect) {
    const auto gateway = random.ipv4();
    header.high.set(static_cast<uint16_t>(gateway.to_integer() >> 16));
    header.low.set(static_cast<uint16_t>(gateway.to_integer()));
    fields.set("icmp.gateway", to_text(gateway));
  }
  if (type == parameter_problem) {
    const auto pointer = random.any<uint8_t>();
    header.high.set(static_cast<uint16_t>(pointer << 8));
    fields.set("icmp.pointer", pointer);
  }
  return icmp_frame(random, header, quoted_packet(random, false, fields), fields);
}

// `message` has its type, code and body; the checksum is filled in here.
Buffer icmpv6_frame(Random& random, Buffer message, Fields& fields) {
  IpContext ip = any_ip(random);
  ip.v6 = true;
  auto* header = wire::overlay<wire::Icmpv6Header>(wire::MutableBytes(message));
  header->checksum = icmpv6_checksum(ip.src6, ip.dst6, *wire::parse_icmpv6(message));
  fields.set("icmpv6.type", message[0]);
  fields.set("icmpv6.code", message[1]);
  fields.set("icmpv6.checksum", header->checksum.get());
  fields.set("icmpv6.checksum_ok", true);
  return in_ip(random, ip, wire::IpProtocol::icmpv6, emitted(*wire::parse_icmpv6(message)), fields);
}

Buffer icmpv6(Random& random, Fields& fields) {
  using enum wire::Icmpv6Type;
  const auto type = random.pick(
      {echo_request, echo_reply, destination_unreachable, packet_too_big, time_exceeded, parameter_problem});
  wire::Icmpv6Header header{};
  header.type.set(static_cast<uint8_t>(type));
  Buffer payload;
  if (header.is_echo()) {
    header.high.set(random.any<uint16_t>());
    header.low.set(random.any<uint16_t>());
    payload = random.bytes(random.below(80));
    fields.set("icmpv6.identifier", header.high.get());
    fields.set("icmpv6.sequence", header.low.get());
    fields.set("icmpv6.data", hex(payload));
  } else {
    header.code.set(static_cast<uint8_t>(random.below(3)));
    if (type == packet_too_big || type == parameter_problem) {
      const auto word = random.any<uint32_t>();
      header.set_word(word);
      fields.set(type == packet_too_big ? "icmpv6.mtu" : "icmpv6.pointer", word);
    }
    payload = quoted_packet(random, true, fields);
  }
  return icmpv6_frame(random, emitted(wire::Icmpv6View{&header, payload}), fields);
}

void add_nd_option(Random& random, wire::NdOptionType type, Buffer& message, Fields& fields) {
  const auto code = wire::Be8(static_cast<uint8_t>(type));
  const size_t before = message.size();
  switch (type) {
    case wire::NdOptionType::source_link_address:
    case wire::NdOptionType::target_link_address: {
      const auto mac = random.mac();
      append(message, wire::NdLinkAddressOption{code, wire::Be8(1), mac});
      fields.set(type == wire::NdOptionType::source_link_address ? "nd.source_mac" : "nd.target_mac",
                 to_text(mac));
      break;
    }
    case wire::NdOptionType::prefix_information: {
      const auto on_link = random.below(2), autonomous = random.below(2);
      const wire::NdPrefixOption option{
          .type = code,
          .length = wire::Be8(4),
          .prefix_length = wire::Be8(static_cast<uint8_t>(random.below(129))),
          .flags = wire::Be8(static_cast<uint8_t>(on_link << 7 | autonomous << 6)),
          .valid_lifetime = wire::Be32(random.any<uint32_t>()),
          .preferred_lifetime = wire::Be32(random.any<uint32_t>()),
          .reserved = {},
          .prefix = random.ipv6()};
      append(message, option);
      fields.set("nd.prefix", to_text(option.prefix));
      fields.set("nd.prefix_length", option.prefix_length.get());
      fields.set("nd.on_link", on_link);
      fields.set("nd.autonomous", autonomous);
      fields.set("nd.valid_lifetime", option.valid_lifetime.get());
      fields.set("nd.preferred_lifetime", option.preferred_lifetime.get());
      break;
    }
    default: {
      const auto mtu = random.any<uint32_t>();
      append(
          message,
          wire::NdMtuOption{
              wire::Be8(static_cast<uint8_t>(wire::NdOptionType::mtu)), wire::Be8(1), {}, wire::Be32(mtu)});
      fields.set("nd.mtu", mtu);
    }
  }
  fields.append("nd.options", static_cast<uint8_t>(type));
  fields.append("nd.option_lengths", message.size() - before);
}

Buffer neighbour(Random& random, wire::Icmpv6Type type, Fields& fields) {
  wire::NeighbourHeader header{};
  header.type.set(static_cast<uint8_t>(type));
  header.target = random.ipv6();
  fields.set("nd.target", to_text(header.target));
  if (type == wire::Icmpv6Type::neighbour_advertisement) {
    const auto router = random.below(2), solicited = random.below(2), override_cache = random.below(2);
    header.flags.set((router ? wire::kNdRouterFlag : 0) | (solicited ? wire::kNdSolicitedFlag : 0) |
                     (override_cache ? wire::kNdOverrideFlag : 0));
    fields.set("nd.router", router);
    fields.set("nd.solicited", solicited);
    fields.set("nd.override", override_cache);
  }
  Buffer message;
  append(message, header);
  return message;
}

Buffer advertise_router(Random& random, Fields& fields) {
  const auto managed = random.below(2), other = random.below(2);
  const wire::RouterAdvertisementHeader header{
      .type = wire::Be8(static_cast<uint8_t>(wire::Icmpv6Type::router_advertisement)),
      .code = {},
      .checksum = {},
      .hop_limit = wire::Be8(random.any<uint8_t>()),
      .flags = wire::Be8(static_cast<uint8_t>(managed << 7 | other << 6)),
      .router_lifetime = wire::Be16(random.any<uint16_t>()),
      .reachable_time = wire::Be32(random.any<uint32_t>()),
      .retrans_timer = wire::Be32(random.any<uint32_t>())};
  fields.set("nd.hop_limit", header.hop_limit.get());
  fields.set("nd.managed", managed);
  fields.set("nd.other", other);
  fields.set("nd.router_lifetime", header.router_lifetime.get());
  fields.set("nd.reachable_time", header.reachable_time.get());
  fields.set("nd.retrans_timer", header.retrans_timer.get());
  Buffer message;
  append(message, header);
  return message;
}

Buffer nd(Random& random, Fields& fields) {
  using enum wire::Icmpv6Type;
  const auto type = random.pick(
      {router_solicitation, router_advertisement, neighbour_solicitation, neighbour_advertisement, redirect});
  Buffer message;
  if (type == router_solicitation) {
    append(message, wire::RouterSolicitationHeader{wire::Be8(static_cast<uint8_t>(type)), {}, {}, {}});
  } else if (type == router_advertisement) {
    message = advertise_router(random, fields);
  } else if (type == redirect) {
    const wire::RedirectHeader header{
        wire::Be8(static_cast<uint8_t>(type)), {}, {}, {}, random.ipv6(), random.ipv6()};
    append(message, header);
    fields.set("nd.target", to_text(header.target));
    fields.set("nd.destination", to_text(header.destination));
  } else {
    message = neighbour(random, type, fields);
  }
  using enum wire::NdOptionType;
  for (const auto option : {source_link_address, target_link_address, prefix_information, mtu})
    if (random.one_in(3)) add_nd_option(random, option, message, fields);
  // Through the codec that is under test here, not only through its parts.
  return icmpv6_frame(random, emitted(*wire::parse_nd(message)), fields);
}

}  // namespace

std::map<std::string, Generator> control_generators() {
  return {{"icmp", icmp}, {"icmpv6", icmpv6}, {"nd", nd}};
}

}  // namespace sluice::oracle
