// Millions of bad packets through the real graph, workers and agent: nothing crashes, every packet is
// accounted for, every buffer comes back, and the good packets among them leave as they must.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "tests/fault/buffer_layout.h"
#include "tests/fault/storm_traffic.h"
#include "tests/support/eal_environment.h"
#include "tests/support/ring_network.h"

namespace sluice::testing {
namespace {

using std::chrono::steady_clock;

constexpr char kConfig[] = R"(
  ports { name: "left" addresses: "10.0.1.1/24" addresses: "fd00:1::1/64" }
  ports { name: "right" addresses: "10.0.2.1/24" addresses: "fd00:2::1/64" mtu: 1280 }
  ports { name: "b0" mode: BRIDGED bridge: 1 }
  ports { name: "b1" mode: BRIDGED bridge: 1 }
  ports { name: "b2" mode: BRIDGED bridge: 1 }
  ports { name: "alone" mode: BRIDGED bridge: 2 }
  eal { buffers: 40000 }
)";
constexpr PortNumber kRouted = 2;
constexpr PortNumber kRight = 1;

void add_entry(config::Config& config, const std::string& text) {
  *config.add_entries() = config_from_text("entries {" + text + "}").entries(0);
}

config::Config storm_config() {
  auto config = config_from_text(kConfig);
  for (unsigned i = 0; i < worker_count(); ++i) config.add_lcores()->set_id(i);
  for (const char* port : {"left", "right"})
    add_entry(config,
              R"(table: "my_station" priority: 10 action: "route" match { field: "dst_mac" value: ")" +
                  to_text(kRouterMac) + R"(" } match { field: "port" value: ")" + port + "\" }");
  const auto neighbour = [&](const std::string& port, const std::string& address, const wire::MacAddress& to,
                             int mtu) {
    const std::string family = address.find(':') == address.npos ? "ipv4" : "ipv6";
    add_entry(config, "table: \"" + family + R"(_neighbour" action: "rewrite" match { field: "port" value: ")" + port +
                          R"(" } match { field: "next_hop" value: ")" + address +
                          R"(" } params { name: "src_mac" value: ")" + to_text(kRouterMac) +
                          R"(" } params { name: "dst_mac" value: ")" + to_text(to) +
                          R"(" } params { name: "mtu" value: ")" + std::to_string(mtu) + "\" }");
  };
  neighbour("left", "10.0.1.2", kLeftNeighbour, 1500);
  neighbour("left", "fd00:1::2", kLeftNeighbour, 1500);
  neighbour("right", "10.0.2.2", kRightNeighbour, 1280);
  neighbour("right", "fd00:2::2", kRightNeighbour, 1280);
  const auto route = [&](const char* table, const char* dst, const std::string& action) {
    add_entry(config, std::string("table: \"") + table + R"(" match { field: "dst" value: ")" + dst +
                          "\" } " + action);
  };
  const auto via = [](const std::string& port, const std::string& next_hop) {
    return R"(action: "via" params { name: "port" value: ")" + port +
           R"(" } params { name: "next_hop" value: ")" + next_hop + "\" }";
  };
  route("ipv4_lpm", "10.10.0.0/16", via("right", "10.0.2.2"));
  route("ipv4_lpm", "10.20.0.0/16", via("left", "10.0.1.2"));
  route("ipv4_lpm", "10.30.0.0/16", via("right", "10.0.2.99"));
  route("ipv4_lpm", "10.66.0.0/16", R"(action: "discard")");
  route("ipv6_lpm", "fd10::/16", via("right", "fd00:2::2"));
  route("ipv6_lpm", "fd20::/16", via("left", "fd00:1::2"));
  route("ipv6_lpm", "fd30::/16", via("right", "fd00:2::99"));
  route("ipv6_lpm", "fd66::/16", R"(action: "discard")");
  // IPv6 addresses that hold an IPv4 address (RFC 4291, 2.5.5.2): their packets are IPv6 all the same.
  neighbour("right", "10.0.0.1", kRightNeighbour, 1280);
  route("ipv6_lpm", "::ffff:0:0/96", R"(action: "connected" params { name: "port" value: "right" })");
  return config;
}

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr uint64_t kPackets = 200'000;
#else
constexpr uint64_t kPackets = 1'000'000;
#endif

uint64_t packets_to_send() {
  if (const char* wanted = std::getenv("SLUICE_STORM_PACKETS")) return std::strtoull(wanted, nullptr, 10);
  return std::getenv("SLUICE_LONG") ? 10 * kPackets : kPackets;
}

class PacketStorm : public ::testing::Test {
 protected:
  PacketStorm() : network_(storm_config()), traffic_(1), layout_(network_.pool(), traffic_.random()) {}

  void send(uint64_t count) {
    while (fed_ < count) {
      for (int i = 0; i < 64 && fed_ < count && fed_ - received() < kBacklog; ++i) feed_one();
      collect_all();
    }
  }

  void feed_one() {
    const auto made = traffic_.next();
    rte_mbuf* mbuf = layout_.lay(made.frame, made.is_clean);
    if (!mbuf) return;  // the pool is empty for the moment: not sent, not counted
    auto& random = traffic_.random();
    const auto port = static_cast<PortNumber>(random.below(made.is_clean ? kRouted : network_.port_count()));
    const auto queue = static_cast<unsigned>(random.below(network_.queue_count()));
    const bool taken = network_.feed(port, queue, mbuf);
    ASSERT_TRUE(taken) << "the backlog is bounded, so that a ring cannot be full";
    ++fed_;
    clean_fed_ += made.is_clean;
  }

  uint64_t received() {
    uint64_t sum = 0;
    for (const auto& worker : network_.engine().workers()) sum += worker->context().counters.received.get();
    return sum;
  }

  unsigned collect_all() {
    rte_mbuf* burst[64];
    unsigned total = 0;
    for (PortNumber port = 0; port < network_.port_count(); ++port)
      while (const unsigned count = network_.collect(port, burst, std::size(burst))) {
        for (unsigned i = 0; i < count; ++i) judge(port, burst[i]);
        rte_pktmbuf_free_bulk(burst, count);
        total += count;
      }
    collected_ += total;
    return total;
  }

  // Bytes of a chain, in one piece.
  wire::Bytes contents(rte_mbuf* mbuf) {
    whole_.resize(mbuf->pkt_len);
    size_t at = 0;
    for (const rte_mbuf* segment = mbuf; segment; segment = segment->next) {
      if (at + segment->data_len > whole_.size()) return {};
      std::memcpy(whole_.data() + at, rte_pktmbuf_mtod(segment, uint8_t*), segment->data_len);
      at += segment->data_len;
    }
    return at == whole_.size() ? wire::Bytes(whole_) : wire::Bytes();
  }

  void judge(PortNumber port, rte_mbuf* mbuf) {
    const auto frame = contents(mbuf);
    if (frame.empty()) {
      ++broken_chains_;
      return;
    }
    const auto* ethernet = wire::overlay<wire::EthernetHeader>(frame);
    const bool routed = ethernet && ethernet->src == kRouterMac && port < kRouted;
    if (routed && ethernet->ether_type() == wire::EtherType::ipv4) {
      const auto ip = wire::parse_ipv4(frame.subspan(sizeof *ethernet));
      bad_checksums_ += !ip || !wire::ipv4_checksum_ok(*ip) || ip->header->ttl.get() == 0;
    }
    if (const auto seed = seed_of(frame)) {
      ++clean_collected_;
      clean_wrong_ += port != kRight || !std::ranges::equal(frame, routed_clean_frame(*seed));
    }
  }

  void drain() {
    const auto give_up = steady_clock::now() + std::chrono::seconds(60);
    auto quiet_since = steady_clock::now();
    // What waits for a neighbour is given up after three seconds; the rest is quicker.
    while (steady_clock::now() < give_up &&
           steady_clock::now() - quiet_since < std::chrono::milliseconds(300)) {
      if (collect_all() > 0 || !network_.inputs_empty()) quiet_since = steady_clock::now();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  static constexpr uint64_t kBacklog = 4096;

  RingNetwork network_;
  StormTraffic traffic_;
  BufferLayout layout_;
  Frame whole_;
  uint64_t fed_ = 0, clean_fed_ = 0, collected_ = 0;
  uint64_t clean_collected_ = 0, clean_wrong_ = 0, broken_chains_ = 0, bad_checksums_ = 0;
};

void report(const engine::NativeEngine& engine, const engine::Totals& totals, uint64_t packets,
            double seconds) {
  std::cout << packets << " packets in " << seconds << " s: received " << totals.received << " + injected "
            << totals.injected << " + copied " << totals.copied << " = transmitted " << totals.transmitted
            << " + punted " << totals.punted << " + dropped " << totals.dropped << '\n';
  for (size_t reason = 0; reason < wire::kDropCount; ++reason) {
    uint64_t sum = 0;
    for (size_t node = 0; node < kNodeCount; ++node)
      sum += engine.dropped(static_cast<NodeId>(node), static_cast<wire::Drop>(reason));
    if (sum > 0) std::cout << "  " << wire::kDropInfo[reason].name << ' ' << sum << '\n';
  }
}

uint64_t drops_of(const engine::NativeEngine& engine, wire::Drop reason) {
  uint64_t sum = 0;
  for (size_t node = 0; node < kNodeCount; ++node) sum += engine.dropped(static_cast<NodeId>(node), reason);
  return sum;
}

TEST_F(PacketStorm, EveryPacketIsAccountedForAndEveryBufferComesBack) {
  auto& engine = network_.engine();
  engine.start();
  const auto begin = steady_clock::now();
  send(packets_to_send());
  drain();
  const std::chrono::duration<double> took = steady_clock::now() - begin;
  engine.stop();
  collect_all();

  const auto totals = engine.totals();
  report(engine, totals, fed_, took.count());
  EXPECT_EQ(totals.received, fed_);
  EXPECT_EQ(totals.transmitted, collected_);
  EXPECT_EQ(totals.received + totals.injected + totals.copied,
            totals.transmitted + totals.punted + totals.dropped);
  EXPECT_EQ(rte_mempool_in_use_count(network_.pool()), 0u);

  EXPECT_EQ(broken_chains_, 0u);
  EXPECT_EQ(bad_checksums_, 0u);
  EXPECT_EQ(clean_wrong_, 0u);
  EXPECT_GT(clean_fed_, 0u);
  // A clean packet may be lost only to a full queue.
  EXPECT_LE(clean_collected_, clean_fed_);
  EXPECT_LE(clean_fed_, clean_collected_ + drops_of(engine, wire::Drop::tx_full));

  // The storm reached what it is meant to reach.
  using enum wire::Drop;
  for (const auto reason : {ethernet_truncated,
                            vlan_truncated,
                            arp_truncated,
                            arp_unsupported,
                            ipv4_truncated,
                            ipv4_bad_version,
                            ipv4_bad_header_length,
                            ipv4_bad_total_length,
                            ipv4_bad_checksum,
                            ipv4_bad_source,
                            ipv6_truncated,
                            ipv6_bad_version,
                            ipv6_bad_payload_length,
                            ipv6_bad_source,
                            header_split,
                            not_for_us,
                            unknown_ether_type,
                            l2_group_routed,
                            source_mac_group,
                            martian_destination,
                            no_route,
                            route_discard,
                            ttl_expired,
                            mtu_exceeded,
                            neighbour_unresolved,
                            bridge_same_port,
                            bridge_no_member,
                            icmpv6_bad_checksum})
    EXPECT_GT(drops_of(engine, reason), 0u) << wire::name_of(reason);
}

}  // namespace
}  // namespace sluice::testing
