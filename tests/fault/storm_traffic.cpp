#include "tests/fault/storm_traffic.h"

#include <algorithm>
#include <cstring>

#include "dataplane/agent/frames.h"
#include "dataplane/wire/arp.h"
#include "dataplane/wire/vlan.h"

namespace sluice::testing {
namespace {

using wire::EtherType;
using wire::IpProtocol;

constexpr std::array<uint8_t, 8> kMagic{0x53, 0x6c, 0x75, 0x69, 0x63, 0x65, 0xc1, 0xea};
constexpr size_t kCleanHead = kMagic.size() + sizeof(uint64_t);

Frame to_router(EtherType type, wire::Bytes packet) {
  return ethernet_frame(kRouterMac, kLeftNeighbour, type, packet);
}

Frame v4(const Ipv4Shape& shape) { return to_router(EtherType::ipv4, ipv4_packet(shape)); }
Frame v6(const Ipv6Shape& shape) { return to_router(EtherType::ipv6, ipv6_packet(shape)); }

Frame v6_with_extension(IpProtocol extension) {
  Frame payload{static_cast<uint8_t>(IpProtocol::udp), 0, 1, 4, 0, 0, 0, 0};
  payload.resize(60, 0x33);
  return v6({.next_header = static_cast<uint8_t>(extension), .payload = payload});
}

agent::Interface neighbour_interface() { return {0, "", kLeftNeighbour, 1500, true, 0, {}}; }

void add_link_templates(std::vector<Frame>& out) {
  const auto arp = [](wire::ArpOperation operation, const char* sender, const char* target) {
    return wire::make_arp(operation, kLeftNeighbour, ip4(sender), {}, ip4(target));
  };
  const auto host = neighbour_interface();
  for (const char* sender : {"10.0.1.2", "10.0.1.77", "10.0.2.50"}) {
    out.push_back(agent::arp_request(host, ip4(sender), ip4("10.0.1.1"), nullptr));
    out.push_back(
        to_router(EtherType::arp, wire::bytes_of(arp(wire::ArpOperation::reply, sender, "10.0.1.1"))));
  }
  out.push_back(agent::neighbour_solicitation(host, ip6("fd00:1::2"), ip6("fd00:1::1"), nullptr));
  out.push_back(agent::neighbour_solicitation(host, ip6("::"), ip6("fd00:1::1"), nullptr));
  out.push_back(agent::neighbour_advertisement(host, kRouterMac, ip6("fd00:1::1"), ip6("fd00:1::77")));
}

void add_bridge_templates(std::vector<Frame>& out) {
  const Frame inside = ipv4_packet({});
  for (uint8_t station = 0; station < 8; ++station) {
    const wire::MacAddress src{{2, 0, 0, 0, 9, station}},
        dst{{2, 0, 0, 0, 9, static_cast<uint8_t>(station ^ 3)}};
    out.push_back(ethernet_frame(dst, src, EtherType::ipv4, inside));
    out.push_back(ethernet_frame({{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}}, src, EtherType::ipv4, inside));
    const Frame tagged = joined(Frame{0x00, station, 0x08, 0x00}, inside);
    out.push_back(ethernet_frame(dst, src, EtherType::vlan, tagged));
    out.push_back(ethernet_frame(dst, src, EtherType::vlan, Frame{0x00, station}));
  }
}

std::vector<Frame> make_templates() {
  std::vector<Frame> out;
  for (const char* dst : {"10.10.3.4", "10.20.0.9", "10.30.1.1", "10.66.0.1", "10.99.0.1", "10.0.2.200",
                          "10.0.1.1", "10.10.255.255", "127.0.0.1", "224.0.0.5", "255.255.255.255"}) {
    out.push_back(v4({.dst = dst}));
    out.push_back(v4({.dst = dst, .ttl = 1}));
    out.push_back(v4({.dst = dst, .payload = Frame(1400, 1)}));
    out.push_back(v4({.dst = dst, .flags_fragment = 0x4000, .payload = Frame(1400, 1)}));
    out.push_back(v4({.dst = dst, .option_bytes = 12}));
    out.push_back(v4({.dst = dst, .option_bytes = 40, .payload = Frame(1300, 2)}));
    out.push_back(v4({.dst = dst, .flags_fragment = 0x2000}));
    out.push_back(v4({.dst = dst, .flags_fragment = 0x20b9, .payload = Frame(1480, 3)}));
    out.push_back(v4({.dst = dst, .protocol = IpProtocol::icmp, .payload = icmp_echo()}));
  }
  out.push_back(v4({.dst = "10.10.0.1", .payload = Frame(8000, 4)}));
  for (const char* dst : {"fd10::9", "fd20::1", "fd30::1", "fd66::1", "fd99::1", "fd00:2::200", "fd00:1::1",
                          "ff02::1", "fe80::1", "::ffff:10.0.0.1", "::1"}) {
    out.push_back(v6({.dst = dst}));
    out.push_back(v6({.dst = dst, .hop_limit = 1}));
    out.push_back(v6({.dst = dst, .payload = Frame(1400, 1)}));
    out.push_back(v6({.dst = dst,
                      .next_header = static_cast<uint8_t>(IpProtocol::icmpv6),
                      .payload = icmpv6_echo("fd00:1::2", dst)}));
  }
  for (const auto extension :
       {IpProtocol::hop_by_hop, IpProtocol::routing, IpProtocol::fragment, IpProtocol::destination})
    out.push_back(v6_with_extension(extension));
  add_link_templates(out);
  add_bridge_templates(out);
  return out;
}

bool is_ipv4(wire::Bytes frame) { return frame.size() >= 34 && frame[12] == 0x08 && frame[13] == 0x00; }

// Half of the mutated IPv4 packets get a good checksum again, or none would come further than that check.
void repair_checksum(wire::MutableBytes frame) {
  if (!is_ipv4(frame)) return;
  const auto packet = frame.subspan(sizeof(wire::EthernetHeader));
  if (wire::overlay<wire::Ipv4Header>(packet)->header_length() <= packet.size()) set_ipv4_checksum(packet);
}

constexpr std::array<uint8_t, 4> kFirstBytes{0x45, 0x46, 0x4f, 0x60};
constexpr std::array<uint16_t, 6> kEtherTypes{0x0800, 0x0800, 0x86dd, 0x86dd, 0x0806, 0x8100};

}  // namespace

Frame clean_frame(uint64_t seed) {
  Random random(seed);
  Frame payload(8 + kCleanHead + random.below(seed % 16 == 0 ? 1100 : 64));
  uint8_t* content = payload.data() + 8;
  std::memcpy(content, kMagic.data(), kMagic.size());
  std::memcpy(content + kMagic.size(), &seed, sizeof seed);
  for (size_t i = 8 + kCleanHead; i < payload.size(); ++i)
    payload[i] = static_cast<uint8_t>(random.next() >> 56);
  const auto ttl = static_cast<uint8_t>(2 + random.below(254));
  const auto low = random.below(65536);
  if (seed % 2 == 0) {
    const auto dst = wire::Ipv4Address::from_integer(static_cast<uint32_t>(0x0a0a0000 + low));
    const size_t options = random.one_in(8) ? 4 * random.below(11) : 0;
    return v4({.dst = to_text(dst), .ttl = ttl, .option_bytes = options, .payload = payload});
  }
  auto dst = ip6("fd10::");
  dst.octets[15] = static_cast<uint8_t>(low), dst.octets[9] = static_cast<uint8_t>(low >> 8);
  return v6({.dst = to_text(dst), .hop_limit = ttl, .payload = payload});
}

std::optional<uint64_t> seed_of(wire::Bytes frame) {
  if (frame.size() < sizeof(wire::EthernetHeader)) return std::nullopt;
  const auto packet = frame.subspan(sizeof(wire::EthernetHeader));
  const auto v4 = wire::parse_ipv4(packet);
  const auto v6 = wire::parse_ipv6(packet);
  const auto payload = v4 ? v4->payload : v6 ? v6->payload : wire::Bytes();
  if (payload.size() < 8 + kCleanHead || !std::equal(kMagic.begin(), kMagic.end(), payload.begin() + 8))
    return std::nullopt;
  uint64_t seed;
  std::memcpy(&seed, payload.data() + 8 + kMagic.size(), sizeof seed);
  return seed;
}

Frame routed_clean_frame(uint64_t seed) {
  Frame frame = clean_frame(seed);
  auto* ethernet = wire::overlay<wire::EthernetHeader>(wire::MutableBytes(frame));
  ethernet->dst = kRightNeighbour;
  ethernet->src = kRouterMac;
  const auto packet = wire::MutableBytes(frame).subspan(sizeof *ethernet);
  if (seed % 2 == 0) {
    auto& ttl = wire::overlay<wire::Ipv4Header>(packet)->ttl;
    ttl.set(static_cast<uint8_t>(ttl.get() - 1));
    set_ipv4_checksum(packet);
  } else {
    auto& hop_limit = wire::overlay<wire::Ipv6Header>(packet)->hop_limit;
    hop_limit.set(static_cast<uint8_t>(hop_limit.get() - 1));
  }
  return frame;
}

StormTraffic::StormTraffic(uint64_t seed) : random_(seed), templates_(make_templates()) {}

StormTraffic::Made StormTraffic::next() {
  if (random_.one_in(2)) return {random_bytes(), false};
  if (!random_.one_in(8)) return {mutated(), false};
  clean_scratch_ = clean_frame(clean_++);
  return {clean_scratch_, true};
}

void StormTraffic::fill(size_t begin, size_t end) {
  for (size_t i = begin; i < end; i += sizeof(uint64_t)) {
    const uint64_t word = random_.next();
    std::memcpy(scratch_.data() + i, &word, sizeof word);
  }
}

// Some with enough in front of them to come past the first checks.
wire::Bytes StormTraffic::random_bytes() {
  const size_t length = random_.one_in(64) ? random_.below(1600) : random_.below(160);
  fill(0, length);
  const size_t depth = random_.below(4);
  if (depth >= 1) std::memcpy(scratch_.data(), kRouterMac.octets.data(), 6);
  if (depth >= 1) scratch_[6] = 2;
  if (depth >= 2) {
    const uint16_t type = kEtherTypes[random_.below(kEtherTypes.size())];
    scratch_[12] = static_cast<uint8_t>(type >> 8), scratch_[13] = static_cast<uint8_t>(type);
  }
  if (depth >= 3) scratch_[14] = kFirstBytes[random_.below(kFirstBytes.size())];
  return {scratch_.data(), length};
}

wire::Bytes StormTraffic::mutated() {
  const Frame& original = templates_[random_.below(templates_.size())];
  std::memcpy(scratch_.data(), original.data(), original.size());
  size_t length = original.size();
  const size_t changes = 1 + random_.below(4);
  for (size_t i = 0; i < changes; ++i) {
    // Headers are where it hurts.
    const size_t at = random_.below(random_.one_in(4) ? length : std::min<size_t>(length, 60));
    if (length == 0) break;
    switch (random_.below(4)) {
      case 0:
        scratch_[at] ^= static_cast<uint8_t>(1u << random_.below(8));
        break;
      case 1:
        scratch_[at] = static_cast<uint8_t>(random_.next() >> 56);
        break;
      case 2:
        scratch_[at] = random_.one_in(2) ? 0x00 : 0xff;
        break;
      case 3:
        if (random_.one_in(2)) length = random_.below(length + 1);
        break;
    }
  }
  if (random_.one_in(2)) repair_checksum({scratch_.data(), length});
  return {scratch_.data(), length};
}

}  // namespace sluice::testing
