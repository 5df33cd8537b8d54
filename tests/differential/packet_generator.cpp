#include <algorithm>
#include <cstring>

#include "dataplane/wire/vlan.h"
#include "tests/differential/generator.h"

namespace sluice::testing {
namespace {

using wire::EtherType;
using wire::MacAddress;

constexpr std::array<uint8_t, 10> kTtls{0, 1, 2, 64, 64, 64, 64, 64, 64, 255};

const std::string* field(const tables::EntryText& entry, std::string_view name) {
  for (const auto& match : entry.match)
    if (match.name == name) return &match.value;
  return nullptr;
}

class PacketGenerator {
 public:
  PacketGenerator(const std::vector<tables::EntryText>& entries, const Pools& pools, Random& random)
      : entries_(entries), pools_(pools), random_(random) {}

  PacketAtPort next() {
    PacketAtPort packet;
    packet.port = static_cast<PortNumber>(random_.below(kScenarioPorts));
    MacAddress dst = random_.pick(pools_.macs);
    if (!random_.one_in(8)) aim_at_station(packet.port, dst);
    const MacAddress src = random_.one_in(20) ? random_.pick(pools_.macs) : unicast_mac();
    packet.frame = frame(dst, src);
    if (random_.one_in(5)) spoil(packet.frame);
    if (random_.one_in(24)) packet.frame.resize(random_.below(packet.frame.size() + 1));
    if (packet.frame.empty()) packet.frame.push_back(0);
    return packet;
  }

 private:
  const tables::EntryText* random_entry(std::string_view table) {
    std::vector<const tables::EntryText*> found;
    for (const auto& entry : entries_)
      if (entry.table == table) found.push_back(&entry);
    return found.empty() ? nullptr : random_.pick(found);
  }

  MacAddress unicast_mac() { return pools_.macs[random_.below(5)]; }

  // A port and a destination MAC that some station takes.
  void aim_at_station(PortNumber& port, MacAddress& dst) {
    const auto* station = random_entry("my_station");
    if (!station) return;
    port = static_cast<PortNumber>(std::stoul(field(*station, "port")->substr(1)));
    if (const auto mac = wire::mac_from_text(*field(*station, "dst_mac"))) dst = *mac;
  }

  Frame frame(const MacAddress& dst, const MacAddress& src) {
    switch (random_.below(24)) {
      case 0: return ethernet_frame(dst, src, EtherType::arp, Frame(28, 1));
      case 1: return ethernet_frame(dst, src, static_cast<EtherType>(0x88b5), Frame(46, 2));
      case 2:
      case 3: return tagged(dst, src);
      case 4: return ethernet_frame(dst, src, EtherType::ipv6, discovery());
      case 5: return ethernet_frame(dst, src, EtherType::ipv4, cut_options());
      default:
        return random_.one_in(3) ? ethernet_frame(dst, src, EtherType::ipv6, ipv6())
                                 : ethernet_frame(dst, src, EtherType::ipv4, ipv4());
    }
  }

  Frame tagged(const MacAddress& dst, const MacAddress& src) {
    const Frame tag{static_cast<uint8_t>(random_.below(256) & 0xf0), static_cast<uint8_t>(random_.below(3)), 0x08, 0x00};
    const Frame whole = joined(tag, ipv4());
    return ethernet_frame(dst, src, random_.one_in(2) ? EtherType::vlan : EtherType::qinq, random_.one_in(8) ? Frame(random_.below(4), 0) : whole);
  }

  std::string ipv4_destination() {
    if (const auto* route = random_entry("ipv4_lpm"); route && !random_.one_in(6)) {
      const std::string& prefix = *field(*route, "dst");
      const auto slash = prefix.find('/');
      const auto base = wire::ipv4_from_text(prefix.substr(0, slash))->to_integer();
      const unsigned length = static_cast<unsigned>(std::stoul(prefix.substr(slash + 1)));
      const auto host = static_cast<uint32_t>(random_.next()) & static_cast<uint32_t>(tables::low_mask(32 - length));
      // The edges of a prefix are where an off-by-one shows.
      const uint32_t bits = random_.one_in(4) ? 0 : random_.one_in(3) ? static_cast<uint32_t>(tables::low_mask(32 - length)) : host;
      const uint32_t beyond = random_.one_in(8) && length > 0 ? 1u << (32 - length) : 0;
      return to_text(wire::Ipv4Address::from_integer((base | bits) ^ beyond));
    }
    if (random_.one_in(3)) return random_.pick(std::array<std::string, 6>{"0.0.0.1", "127.0.0.1", "169.254.1.1", "224.0.0.5", "255.255.255.255", "240.0.0.1"});
    return to_text(random_.pick(pools_.ipv4_next_hops));
  }

  std::string ipv6_destination() {
    if (const auto* route = random_entry("ipv6_lpm"); route && !random_.one_in(6)) {
      const std::string& prefix = *field(*route, "dst");
      const auto slash = prefix.find('/');
      const auto base = tables::value_of(*wire::ipv6_from_text(prefix.substr(0, slash)));
      const unsigned length = static_cast<unsigned>(std::stoul(prefix.substr(slash + 1)));
      const auto host = tables::make_value(random_.next(), random_.next()) & tables::low_mask(128 - length);
      const auto bits = random_.one_in(4) ? tables::Value{0} : random_.one_in(3) ? tables::low_mask(128 - length) : host;
      const auto beyond = random_.one_in(8) && length > 0 ? tables::Value{1} << (128 - length) : tables::Value{0};
      return to_text(tables::to_ipv6((base | bits) ^ beyond));
    }
    if (random_.one_in(3)) return random_.pick(std::array<std::string, 6>{"::", "::1", "ff02::1", "fe80::1", "ff05::2", "::ffff:10.0.0.1"});
    return to_text(random_.pick(pools_.ipv6_next_hops));
  }

  Frame ipv4() {
    Ipv4Shape shape;
    shape.src = random_.one_in(24) ? random_.pick(std::array<std::string, 5>{"0.0.0.0", "127.0.0.1", "224.0.0.1", "239.1.1.1", "255.255.255.255"})
                                   : to_text(random_.pick(pools_.ipv4_hosts));
    shape.dst = ipv4_destination();
    shape.ttl = random_.pick(kTtls);
    shape.option_bytes = random_.one_in(6) ? 4 * (1 + random_.below(10)) : 0;
    shape.payload = Frame(random_.below(80), static_cast<uint8_t>(random_.next()));
    shape.flags_fragment = static_cast<uint16_t>(random_.next());
    Frame packet = ipv4_packet(shape);
    if (random_.one_in(16)) set_corner_checksum(packet);
    return packet;
  }

  // 0xfeff: one less in the TTL makes it 0, which is also 0xffff in one's complement (RFC 1624, 3).
  static void set_corner_checksum(Frame& packet) {
    auto* header = wire::overlay<wire::Ipv4Header>(wire::MutableBytes(packet));
    header->id.set(0);
    set_ipv4_checksum(packet);
    const uint32_t sum = 0x0100u + header->checksum.get();
    header->id.set(static_cast<uint16_t>((sum & 0xffff) + (sum >> 16)));
    set_ipv4_checksum(packet);
  }

  // A frame that ends somewhere among the options of its packet.
  Frame cut_options() {
    Frame packet = ipv4_packet({.dst = ipv4_destination(), .option_bytes = 40});
    packet.resize(sizeof(wire::Ipv4Header) + random_.below(41));
    return packet;
  }

  std::string ipv6_source() {
    return random_.one_in(16) ? random_.pick(std::array<std::string, 3>{"::", "::1", "ff02::5"}) : to_text(random_.pick(pools_.ipv6_hosts));
  }

  Frame ipv6() {
    Ipv6Shape shape;
    shape.src = ipv6_source();
    shape.dst = ipv6_destination();
    shape.hop_limit = random_.pick(kTtls);
    shape.next_header = random_.one_in(6) ? 58 : 17;
    shape.payload = Frame(random_.below(80), static_cast<uint8_t>(random_.next()));
    return ipv6_packet(shape);
  }

  // Neighbour discovery, and what only looks like it.
  Frame discovery() {
    Frame message(24, 0);
    message[0] = static_cast<uint8_t>(131 + random_.below(9));
    message.resize(random_.one_in(4) ? random_.below(24) : 24);
    return ipv6_packet({.src = ipv6_source(),
                        .dst = random_.one_in(4) ? ipv6_destination() : random_.pick(std::array<std::string, 3>{"ff02::1:ff00:1", "fe80::5", "ff02::1"}),
                        .hop_limit = random_.one_in(4) ? uint8_t{64} : uint8_t{255},
                        .next_header = random_.one_in(8) ? uint8_t{17} : uint8_t{58},
                        .payload = message});
  }

  // One field of the IP header made wrong; half of the IPv4 ones get a good checksum again.
  void spoil(Frame& frame) {
    constexpr size_t kIp = sizeof(wire::EthernetHeader);
    if (frame.size() < kIp + 20) return;
    const bool is_ipv4 = frame[12] == 0x08 && frame[13] == 0x00, is_ipv6 = frame[12] == 0x86 && frame[13] == 0xdd;
    if (!is_ipv4 && !is_ipv6) return;
    static constexpr std::array<size_t, 4> kIpv4Fields{0, 2, 3, 10}, kIpv6Fields{0, 4, 5, 0};
    const size_t at = kIp + random_.pick(is_ipv4 ? kIpv4Fields : kIpv6Fields);
    if (random_.one_in(3))
      frame[at] = static_cast<uint8_t>(random_.next());
    else
      frame[at] ^= static_cast<uint8_t>(1 << random_.below(8));
    if (!is_ipv4 || random_.one_in(2) || at == kIp + 10) return;
    const auto packet = wire::MutableBytes(frame).subspan(kIp);
    if (const auto length = wire::overlay<wire::Ipv4Header>(packet)->header_length(); length >= 20 && length <= packet.size()) set_ipv4_checksum(packet);
  }

  const std::vector<tables::EntryText>& entries_;
  const Pools& pools_;
  Random& random_;
};

}  // namespace

Scenario random_scenario(std::span<const tables::TableSchema> schemas, uint64_t seed, size_t packets) {
  Random random(seed);
  const Pools pools(random);
  Scenario scenario;
  scenario.name = "seed " + std::to_string(seed);
  scenario.entries = random_entries(schemas, pools, random);
  PacketGenerator generator(scenario.entries, pools, random);
  for (size_t i = 0; i < packets; ++i) scenario.packets.push_back(generator.next());
  return scenario;
}

}  // namespace sluice::testing
