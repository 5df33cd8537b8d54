// ns a packet and GB/s of every parser, and of the ICRC beside zlib's CRC over the same bytes.
//   wire_bench [--json] [--rounds N]
// Rounds go through all cases in turn, so that a busy moment of the machine does not fall on one of them;
// the best round counts, and the median is shown beside it as the spread. A parsed view is forced into
// memory, which a graph node that inlines the parser does not pay.
#include <fmt/format.h>
#include <zlib.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>

#include "dataplane/wire/arp.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/gtpu.h"
#include "dataplane/wire/icmp.h"
#include "dataplane/wire/icmpv6.h"
#include "dataplane/wire/icrc.h"
#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/ipv6.h"
#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/nd.h"
#include "dataplane/wire/pdu_session.h"
#include "dataplane/wire/roce.h"
#include "dataplane/wire/tcp.h"
#include "dataplane/wire/udp.h"
#include "dataplane/wire/vlan.h"
#include "tests/support/wire.h"

namespace sluice::bench {
namespace {

using wire::Bytes;
using Packet = std::vector<uint8_t>;
using Packets = std::vector<Packet>;

constexpr size_t kPackets = 64;  // of a case; with 4 KiB each they stay in the second cache
constexpr size_t kParsedSize = 128;
constexpr auto kShortRound = std::chrono::milliseconds(2);

// The compiler has to make the value, and may not move the making of it out of a loop.
template <class T>
void keep(const T& value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

struct Case {
  std::string group, name;
  size_t bytes;                     // of a packet, for GB/s
  std::function<void()> once;       // all packets, one after the other
  std::vector<double> nanoseconds;  // a packet, one a round

  double best() const { return *std::min_element(nanoseconds.begin(), nanoseconds.end()); }
  double median() const {
    auto sorted = nanoseconds;
    std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2),
                     sorted.end());
    return sorted[sorted.size() / 2];
  }
  double gigabytes() const { return static_cast<double>(bytes) / best(); }
};

void run_round(Case& measured) {
  using Clock = std::chrono::steady_clock;
  size_t passes = 0;
  const auto start = Clock::now();
  auto now = start;
  for (; now - start < kShortRound; now = Clock::now())
    for (int i = 0; i < 16; ++i, ++passes) measured.once();
  const std::chrono::duration<double, std::nano> elapsed = now - start;
  measured.nanoseconds.push_back(elapsed.count() / static_cast<double>(passes * kPackets));
}

// Packets that start with `headers` (hexadecimal) and go on with random bytes up to `size`.
Packets packets_of(std::string_view headers, size_t size = kParsedSize) {
  std::mt19937_64 random(1);
  Packets packets(kPackets, testing::from_hex(headers));
  for (Packet& packet : packets)
    while (packet.size() < size) packet.push_back(static_cast<uint8_t>(random()));
  return packets;
}

// `parse` gives an expected value: a benchmark of packets that are dropped would measure something else.
template <class Parse>
Case parser(std::string name, Packets packets, Parse parse) {
  for (const Packet& packet : packets)
    if (const auto view = parse(Bytes(packet)); !view)
      throw std::runtime_error(name + ": " + std::string(wire::name_of(view.error())));
  const size_t bytes = packets[0].size();
  return {"parse",
          std::move(name),
          bytes,
          [packets = std::move(packets), parse] {
            for (const Packet& packet : packets) {
              const auto view = parse(Bytes(packet));
              keep(view.has_value());
              keep(*view);
            }
          },
          {}};
}

constexpr const char* kEthernet4 = "020000000001 020000000002 0800";
constexpr const char* kIpv4Udp = "45000072 00004000 40110000 0a000001 0a000002";
constexpr const char* kIpv4Inner = "45000036 00004000 40110000 c0a80001 c0a80002";
constexpr const char* kIpv6Udp =
    "60000000 0058 11 40 20010db8000000000000000000000001 20010db8000000000000000000000002";
constexpr const char* kUdpGtpu = "0868 0868 005e 0000";
constexpr const char* kGtpuContainer = "34ff 004e 00000101 0000 00 85 01 0009 00";

// Ethernet, IPv4, UDP, GTP-U with a PDU session container, and the user's IPv4 packet, as on N3.
tl::expected<wire::Ipv4View, wire::Drop> parse_n3(Bytes in) {
  const auto frame = wire::parse_ethernet(in);
  if (!frame) return wire::drop(frame.error());
  const auto ip = wire::parse_ipv4(frame->payload);
  if (!ip) return wire::drop(ip.error());
  const auto udp = wire::parse_udp(ip->payload);
  if (!udp) return wire::drop(udp.error());
  const auto tunnel = wire::parse_gtpu(udp->payload);
  if (!tunnel) return wire::drop(tunnel.error());
  const auto container = tunnel->extensions.find(wire::GtpuExtensionType::pdu_session_container);
  if (!container) return wire::drop(wire::Drop::gtpu_bad_container);
  const auto session = wire::parse_pdu_session(*container);
  if (!session) return wire::drop(session.error());
  keep(qfi_of(*session));
  return wire::parse_ipv4(tunnel->payload);
}

// A READ's request and answers, a WRITE, an atomic operation and an acknowledgement, in turn.
Packets roce_payloads() {
  Packets packets = packets_of("00 00 ffff 00 000011 80 000000");
  constexpr wire::RoceOpcode kMix[] = {wire::RoceOpcode::read_request, wire::RoceOpcode::read_response_only,
                                       wire::RoceOpcode::write_only, wire::RoceOpcode::fetch_add,
                                       wire::RoceOpcode::acknowledge};
  for (size_t i = 0; i < packets.size(); ++i) packets[i][0] = static_cast<uint8_t>(kMix[i % std::size(kMix)]);
  return packets;
}

void add_parsers(std::vector<Case>& cases) {
  const auto headers = [](auto... parts) { return (std::string() + ... + parts); };
  cases.push_back(
      parser("ethernet", packets_of(kEthernet4), [](Bytes in) { return wire::parse_ethernet(in); }));
  cases.push_back(parser("vlan", packets_of("0005 0800"),
                         [](Bytes in) { return wire::parse_vlan(wire::EtherType::vlan, in); }));
  cases.push_back(
      parser("arp", packets_of("0001 0800 06 04 0001"), [](Bytes in) { return wire::parse_arp(in); }));
  cases.push_back(parser("ipv4", packets_of(kIpv4Udp), [](Bytes in) { return wire::parse_ipv4(in); }));
  cases.push_back(parser("ipv6", packets_of(kIpv6Udp), [](Bytes in) { return wire::parse_ipv6(in); }));
  cases.push_back(parser("ipv6_chain", packets_of("3c00 0104 00000000 1100 0104 00000000"),
                         [](Bytes in) { return wire::parse_ipv6_chain(wire::IpProtocol::hop_by_hop, in); }));
  cases.push_back(
      parser("udp", packets_of("0001 0002 0080 0000"), [](Bytes in) { return wire::parse_udp(in); }));
  cases.push_back(
      parser("tcp", packets_of("0001 0002 00000001 00000002 8010 ffff 0000 0000 0101080a 00000001 00000002"),
             [](Bytes in) { return wire::parse_tcp(in); }));
  cases.push_back(
      parser("icmp", packets_of("08 00 0000 0001 0001"), [](Bytes in) { return wire::parse_icmp(in); }));
  cases.push_back(
      parser("icmpv6", packets_of("80 00 0000 0001 0001"), [](Bytes in) { return wire::parse_icmpv6(in); }));
  cases.push_back(
      parser("nd", packets_of("87 00 0000 00000000 20010db8000000000000000000000001 0101 020000000001", 0),
             [](Bytes in) { return wire::parse_nd(in); }));
  cases.push_back(parser("gtpu", packets_of(headers("34ff 0078 00000101 0000 00 85 01 0009 00", kIpv4Inner)),
                         [](Bytes in) { return wire::parse_gtpu(in); }));
  cases.push_back(
      parser("pdu_session", packets_of("00 89 a0", 6), [](Bytes in) { return wire::parse_pdu_session(in); }));
  cases.push_back(parser("roce", roce_payloads(), [](Bytes in) { return wire::parse_roce(in); }));
  cases.push_back(parser("n3_packet",
                         packets_of(headers(kEthernet4, kIpv4Udp, kUdpGtpu, kGtpuContainer, kIpv4Inner)),
                         parse_n3));
}

// READ responses over IPv4: IP, UDP, BTH, AETH, `payload` bytes, ICRC.
Packets read_responses(size_t payload) {
  const size_t size = 20 + 8 + 12 + 4 + payload + 4;
  Packets packets = packets_of(fmt::format("4500{:04x} 00004000 40110000 0a000001 0a000002"
                                           "c000 12b7 {:04x} 0000 10 00 ffff 00 000011 00 000001 1f 000001",
                                           size, size - 20),
                               size);
  for (Packet& packet : packets)
    if (const auto why = wire::store_icrc(packet)) throw std::runtime_error(std::string(wire::name_of(*why)));
  return packets;
}

// What the ICRC covers, masked and in one piece: the peers pay for neither. Wrong where the CRC of it is not
// the packet's ICRC, so that all three compute the same.
Packets masked(const Packets& packets) {
  Packets all;
  for (const Packet& packet : packets) {
    Packet covered(8 + packet.size() - 4, 0xff);
    std::copy(packet.begin(), packet.end() - 4, covered.begin() + 8);
    for (size_t offset : {1, 8, 10, 11, 26, 27, 32}) covered[8 + offset] = 0xff;
    uint32_t icrc;
    std::memcpy(&icrc, packet.data() + packet.size() - 4, sizeof icrc);
    if (crc32(0, covered.data(), static_cast<uInt>(covered.size())) != icrc)
      throw std::runtime_error("the ICRC is not zlib's CRC of the masked packet");
    all.push_back(std::move(covered));
  }
  return all;
}

void add_icrc(size_t payload, std::vector<Case>& cases) {
  const Packets packets = read_responses(payload), covered = masked(packets);
  const auto each = [](const Packets& all, auto compute) {
    return [all, compute] {
      for (const Packet& packet : all) keep(compute(packet));
    };
  };
  const std::string size = std::to_string(payload);
  cases.push_back({"icrc",
                   "icrc_" + size,
                   payload,
                   each(packets, [](const Packet& p) { return wire::compute_icrc(p)->octets; }),
                   {}});
  cases.push_back({"icrc",
                   "isal_" + size,
                   payload,
                   each(covered, [](const Packet& p) { return crc32_gzip_refl(0, p.data(), p.size()); }),
                   {}});
  cases.push_back(
      {"icrc",
       "zlib_" + size,
       payload,
       each(covered, [](const Packet& p) { return crc32(0, p.data(), static_cast<uInt>(p.size())); }),
       {}});
}

void print_table(const std::vector<Case>& cases, size_t rounds) {
  fmt::print("Best of {} rounds of {} ms in turn; the median shows the spread.\n", rounds,
             kShortRound.count());
  std::string group;
  for (const Case& c : cases) {
    if (c.group != group) {
      group = c.group;
      fmt::print(
          "\n{:<14} {:>9} {:>9} {:>11} {:>8}   {}\n", group, "bytes", "ns/packet", "median ns", "GB/s",
          group == "icrc" ? "bytes of payload; isal, zlib: the bare CRC of the same bytes in one piece" : "");
    }
    fmt::print("{:<14} {:>9} {:>9.2f} {:>11.2f} {:>8.1f}\n", c.name, c.bytes, c.best(), c.median(),
               c.gigabytes());
  }
  fmt::print("\n");
}

nlohmann::ordered_json figures_of(const std::vector<Case>& cases) {
  nlohmann::ordered_json figures;
  const auto rounded = [](double value) { return std::round(value * 100) / 100; };
  const auto find = [&](std::string_view name) {
    return std::find_if(cases.begin(), cases.end(), [&](const Case& c) { return c.name == name; })->best();
  };
  figures["icrc_gbps_256"] = rounded(256 * 8 / find("icrc_256"));
  figures["icrc_ratio_zlib_256"] = rounded(find("zlib_256") / find("icrc_256"));
  figures["icrc_share_of_isal_256"] = rounded(find("isal_256") / find("icrc_256"));
  for (const Case& c : cases) {
    figures[c.name + "_ns"] = rounded(c.best());
    figures[c.name + "_gbytes_per_s"] = rounded(c.gigabytes());
  }
  return figures;
}

}  // namespace
}  // namespace sluice::bench

int main(int argc, char** argv) try {
  CLI::App app{"Measures the wire codecs and the ICRC. The last line is one JSON object with the figures.",
               "wire_bench"};
  bool json = false;
  size_t rounds = 25;
  app.add_flag("--json", json, "print the JSON line alone");
  app.add_option("--rounds", rounds, "rounds of each case")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  std::vector<sluice::bench::Case> cases;
  sluice::bench::add_parsers(cases);
  for (size_t payload : {64, 256, 1024, 4096}) sluice::bench::add_icrc(payload, cases);
  for (size_t i = 0; i < rounds; ++i)
    for (auto& c : cases) run_round(c);
  if (!json) sluice::bench::print_table(cases, rounds);
  fmt::print("{}\n", nlohmann::ordered_json{{"figures", sluice::bench::figures_of(cases)}}.dump());
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "wire_bench: {}\n", error.what());
  return 1;
}
