// The engine as a whole: frames in at one port, frames out at another, the agent's answers, and trace.
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <thread>

#include "dataplane/engine/trace.h"
#include "dataplane/wire/arp.h"
#include "tests/support/eal_environment.h"
#include "tests/support/frames.h"
#include "tests/support/ring_network.h"

namespace sluice::testing {
namespace {

using wire::EtherType;
using wire::IpProtocol;

constexpr char kConfig[] = R"(
  ports { name: "left" addresses: "10.0.1.1/24" addresses: "fd00:1::1/64" }
  ports { name: "right" addresses: "10.0.2.1/24" addresses: "fd00:2::1/64" mtu: 1280 }
  ports { name: "b0" mode: BRIDGED bridge: 1 }
  ports { name: "b1" mode: BRIDGED bridge: 1 }
  ports { name: "b2" mode: BRIDGED bridge: 1 }
  lcores { id: 0 }
  eal { buffers: 8000 }
  tables { ipv4_routes: 1024 ipv6_routes: 1024 neighbours: 256 fdb: 256 }
  entries { table: "ipv4_lpm" match { field: "dst" value: "10.10.0.0/16" } action: "via"
            params { name: "port" value: "right" } params { name: "next_hop" value: "10.0.2.2" } }
  entries { table: "ipv4_lpm" match { field: "dst" value: "10.66.0.0/16" } action: "discard" }
  entries { table: "ipv6_lpm" match { field: "dst" value: "fd10::/16" } action: "via"
            params { name: "port" value: "right" } params { name: "next_hop" value: "fd00:2::2" } }
  entries { table: "ipv6_lpm" match { field: "dst" value: "::ffff:0:0/96" } action: "connected"
            params { name: "port" value: "right" } }
  entries { table: "ipv4_neighbour" match { field: "port" value: "right" } match { field: "next_hop" value: "10.0.2.2" }
            action: "rewrite" params { name: "src_mac" value: "02:00:00:00:00:01" }
            params { name: "dst_mac" value: "02:00:00:00:02:02" } params { name: "mtu" value: "1280" } }
  entries { table: "ipv6_neighbour" match { field: "port" value: "right" } match { field: "next_hop" value: "fd00:2::2" }
            action: "rewrite" params { name: "src_mac" value: "02:00:00:00:00:01" }
            params { name: "dst_mac" value: "02:00:00:00:02:02" } params { name: "mtu" value: "1280" } }
)";
constexpr PortNumber kLeft = 0, kRight = 1, kB0 = 2, kB1 = 3, kB2 = 4;

const wire::MacAddress kRouter{};  // ring ports have the MAC of all zeros
const auto kHost = mac("02:00:00:00:01:02"), kNextHop = mac("02:00:00:00:02:02");

Frame v4(const Ipv4Shape& shape = {}) {
  return ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet(shape));
}
Frame v6(const Ipv6Shape& shape = {}) {
  return ethernet_frame(kRouter, kHost, EtherType::ipv6, ipv6_packet(shape));
}

class EngineTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    network_ = std::make_unique<RingNetwork>(config_from_text(kConfig));
    network_->engine().start();
  }
  static void TearDownTestSuite() {
    network_->engine().stop();
    const auto totals = network_->engine().totals();
    EXPECT_EQ(totals.received + totals.injected + totals.copied,
              totals.transmitted + totals.punted + totals.dropped);
    auto* pool = network_->pool();
    for (PortNumber port = 0; port < network_->port_count(); ++port) drain(port);
    EXPECT_EQ(rte_mempool_in_use_count(pool), 0u) << "buffers leaked";
    network_.reset();
  }
  void SetUp() override {
    for (PortNumber port = 0; port < network_->port_count(); ++port) drain(port);
  }

  static engine::NativeEngine& engine() { return network_->engine(); }

  static void send(PortNumber port, const Frame& frame) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(network_->pool());
    ASSERT_NE(mbuf, nullptr);
    std::memcpy(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size())), frame.data(), frame.size());
    ASSERT_TRUE(network_->feed(port, 0, mbuf));
  }

  static Frame take(rte_mbuf* mbuf) {
    Frame frame;
    for (const rte_mbuf* segment = mbuf; segment; segment = segment->next) {
      const auto* data = rte_pktmbuf_mtod(segment, const uint8_t*);
      frame.insert(frame.end(), data, data + segment->data_len);
    }
    rte_pktmbuf_free(mbuf);
    return frame;
  }
  static void drain(PortNumber port) {
    for (rte_mbuf* mbuf = nullptr; network_->collect(port, &mbuf, 1) == 1;) rte_pktmbuf_free(mbuf);
  }

  // The next frame that the port sends and `wanted` likes; empty if none comes for a long while.
  static Frame receive(
      PortNumber port, const std::function<bool(wire::Bytes)>& wanted = [](wire::Bytes) { return true; }) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < give_up) {
      rte_mbuf* mbuf = nullptr;
      if (network_->collect(port, &mbuf, 1) == 0) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
        continue;
      }
      const auto frame = take(mbuf);
      if (wanted(frame)) return frame;
    }
    return {};
  }
  static bool is_arp(wire::Bytes frame) { return frame.size() >= 42 && frame[12] == 8 && frame[13] == 6; }

  static wire::Ipv4View ipv4_of(const Frame& frame) {
    return wire::parse_ipv4(wire::Bytes(frame).subspan(14)).value();
  }
  static wire::Ipv6View ipv6_of(const Frame& frame) {
    return wire::parse_ipv6(wire::Bytes(frame).subspan(14)).value();
  }

  static void wait_until(const std::function<bool()>& done) {
    for (int i = 0; i < 20000 && !done(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(done());
  }

  inline static std::unique_ptr<RingNetwork> network_;
};

TEST_F(EngineTest, ForwardsBothFamilies) {
  send(kLeft, v4({.ttl = 9}));
  const auto four = receive(kRight);
  ASSERT_EQ(four.size(), v4().size());
  EXPECT_EQ(wire::overlay<wire::EthernetHeader>(wire::Bytes(four))->dst, kNextHop);
  EXPECT_EQ(ipv4_of(four).header->ttl.get(), 8);
  EXPECT_TRUE(wire::ipv4_checksum_ok(ipv4_of(four)));
  send(kLeft, v6({.hop_limit = 9}));
  const auto six = receive(kRight);
  ASSERT_EQ(six.size(), v6().size());
  EXPECT_EQ(ipv6_of(six).header->hop_limit.get(), 8);
}

TEST_F(EngineTest, AnswersArp) {
  const auto request =
      wire::make_arp(wire::ArpOperation::request, kHost, ip4("10.0.1.2"), {}, ip4("10.0.1.1"));
  send(kLeft, ethernet_frame(mac("ff:ff:ff:ff:ff:ff"), kHost, EtherType::arp, wire::bytes_of(request)));
  const auto reply = receive(kLeft, is_arp);
  ASSERT_FALSE(reply.empty());
  const auto* arp = wire::overlay<wire::ArpHeader>(wire::Bytes(reply).subspan(14));
  EXPECT_EQ(arp->op(), wire::ArpOperation::reply);
  EXPECT_EQ(arp->target_mac, kHost);
}

TEST_F(EngineTest, AnswersPing) {
  send(kLeft, v4({.dst = "10.0.1.1", .protocol = IpProtocol::icmp, .payload = icmp_echo()}));
  const auto four = receive(kLeft);
  ASSERT_FALSE(four.empty());
  EXPECT_EQ(ipv4_of(four).payload[0], 0) << "echo reply";
  send(kLeft, v6({.dst = "fd00:1::1", .next_header = 58, .payload = icmpv6_echo("fd00:1::2", "fd00:1::1")}));
  const auto six = receive(kLeft);
  ASSERT_FALSE(six.empty());
  EXPECT_EQ(ipv6_of(six).payload[0], 129);
}

TEST_F(EngineTest, TellsTheSenderOfAnExpiredTtl) {
  const auto before = engine().dropped(NodeId::ipv4_forward, wire::Drop::ttl_expired);
  send(kLeft, v4({.ttl = 1}));
  const auto error = receive(kLeft);
  ASSERT_FALSE(error.empty());
  EXPECT_EQ(ipv4_of(error).payload[0], 11) << "time exceeded";
  EXPECT_EQ(ipv4_of(error).header->src, ip4("10.0.1.1"));
  EXPECT_EQ(engine().dropped(NodeId::ipv4_forward, wire::Drop::ttl_expired), before + 1);
}

TEST_F(EngineTest, PacketsWaitForTheirNeighbourAndLeaveInOrder) {
  for (uint8_t i = 0; i < 3; ++i) send(kLeft, v4({.dst = "10.0.2.50", .ttl = 9, .payload = Frame(26, i)}));
  const auto question = receive(kRight, is_arp);
  ASSERT_FALSE(question.empty());
  EXPECT_EQ(wire::overlay<wire::ArpHeader>(wire::Bytes(question).subspan(14))->target_ip, ip4("10.0.2.50"));
  const auto host = mac("02:00:00:00:02:50");
  const auto answer =
      wire::make_arp(wire::ArpOperation::reply, host, ip4("10.0.2.50"), kRouter, ip4("10.0.2.1"));
  send(kRight, ethernet_frame(kRouter, host, EtherType::arp, wire::bytes_of(answer)));
  for (uint8_t i = 0; i < 3; ++i) {
    const auto frame = receive(kRight, [](wire::Bytes bytes) { return !is_arp(bytes); });
    ASSERT_FALSE(frame.empty());
    EXPECT_EQ(wire::overlay<wire::EthernetHeader>(wire::Bytes(frame))->dst, host);
    EXPECT_EQ(ipv4_of(frame).payload[0], i);
    EXPECT_EQ(ipv4_of(frame).header->ttl.get(), 8);
  }
}

TEST_F(EngineTest, FragmentsWhatIsTooBigForTheWayOut) {
  Frame payload(1400);
  for (size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<uint8_t>(i * 7);
  send(kLeft, v4({.payload = payload}));
  Frame whole;
  for (bool more = true; more;) {
    const auto frame = receive(kRight);
    ASSERT_FALSE(frame.empty());
    const auto piece = ipv4_of(frame);
    EXPECT_TRUE(wire::ipv4_checksum_ok(piece));
    EXPECT_LE(piece.header->total_length.get(), 1280);
    EXPECT_EQ(piece.header->fragment_offset(), whole.size());
    EXPECT_EQ(piece.header->ttl.get(), 63);
    whole.insert(whole.end(), piece.payload.begin(), piece.payload.end());
    more = piece.header->more_fragments();
  }
  EXPECT_EQ(whole, payload);
}

TEST_F(EngineTest, TellsTheSenderWhatIsTooBigAndMayNotBeFragmented) {
  send(kLeft, v4({.flags_fragment = 0x4000, .payload = Frame(1400)}));
  const auto four = receive(kLeft);
  ASSERT_FALSE(four.empty());
  EXPECT_EQ(ipv4_of(four).payload[0], 3);
  EXPECT_EQ(ipv4_of(four).payload[1], 4);
  EXPECT_EQ(ipv4_of(four).payload[6] << 8 | ipv4_of(four).payload[7], 1280);
  send(kLeft, v6({.payload = Frame(1400)}));
  const auto six = receive(kLeft);
  ASSERT_FALSE(six.empty());
  EXPECT_EQ(ipv6_of(six).payload[0], 2) << "packet too big";
}

// An IPv6 packet whose next hop is an IPv4 address in IPv6's clothes, and whose first bytes would do for
// IPv4.
TEST_F(EngineTest, AnIpv6PacketIsIpv6WhateverItsNextHopLooksLike) {
  const auto neighbours = engine().tables().table_by_name("ipv6_neighbour").value();
  tables::Entry entry;
  entry.table = neighbours;
  entry.key.match[0] = {kRight, tables::low_mask(32)};
  entry.key.match[1] = {tables::mapped(ip4("10.0.2.77")), tables::low_mask(128)};
  entry.params = {0x020000000001, 0x020000000277, 1280};
  ASSERT_TRUE(engine().tables().apply({tables::Operation::insert, entry}).ok());
  auto frame = v6({.dst = "::ffff:10.0.2.77", .hop_limit = 9, .next_header = 0, .payload = Frame(1400)});
  frame[14] = 0x65;                 // the traffic class reads as a header length
  frame[16] = 5, frame[17] = 0xa0;  // the flow label reads as a total length of 1440
  send(kLeft, frame);
  const auto error = receive(kLeft);
  ASSERT_FALSE(error.empty());
  EXPECT_EQ(ipv6_of(error).payload[0], 2) << "packet too big";
}

TEST_F(EngineTest, ABridgeFloodsUntilItHasLearnt) {
  const auto a = mac("02:00:00:00:0b:01"), b = mac("02:00:00:00:0b:02");
  send(kB0, ethernet_frame(b, a, EtherType::ipv4, Frame(46)));
  EXPECT_FALSE(receive(kB1).empty());
  EXPECT_FALSE(receive(kB2).empty());
  const auto fdb = engine().tables().table_by_name("fdb").value();
  wait_until([&] { return engine().tables().size(fdb) == 1; });
  send(kB1, ethernet_frame(a, b, EtherType::ipv4, Frame(46, 1)));
  EXPECT_FALSE(receive(kB0).empty());
  rte_mbuf* none = nullptr;
  EXPECT_EQ(network_->collect(kB2, &none, 1), 0u) << "not flooded any more";
}

std::vector<std::string> nodes_of(const engine::Trace& trace) {
  std::vector<std::string> names;
  for (const auto& step : trace.steps) names.push_back(step.node);
  return names;
}

using Names = std::vector<std::string>;

TEST_F(EngineTest, ABridgeFloodsToTheMembersThatItHasNow) {
  const auto before = engine().groups();
  EXPECT_EQ(before, (engine::Engine::Groups{{2, {kB0, kB1, kB2}}}));
  auto after = before;
  after[2] = {kB0, kB2};
  engine().set_groups(after);
  const auto frame = ethernet_frame(mac("ff:ff:ff:ff:ff:ff"), mac("02:00:00:00:09:01"), wire::EtherType::ipv4, ipv4_packet({}));
  send(kB0, frame);
  EXPECT_EQ(receive(kB2), frame);
  engine().set_groups(before);
  send(kB0, frame);
  EXPECT_EQ(receive(kB1), frame) << "and nothing came before this one";
  EXPECT_EQ(receive(kB2), frame);
}

TEST_F(EngineTest, TraceShowsEachDecisionAndTheFrameAsItWouldLeave) {
  const auto trace = engine::trace(engine(), kLeft, v4({.ttl = 9})).value();
  EXPECT_EQ(nodes_of(trace), (Names{"ether_input", "ipv4_route", "ipv4_forward"}));
  EXPECT_EQ(trace.outcome, "transmit");
  EXPECT_EQ(trace.detail, "right");
  ASSERT_EQ(trace.steps[1].lookups.size(), 1u);
  EXPECT_EQ(trace.steps[1].lookups[0].table, "ipv4_lpm");
  EXPECT_EQ(trace.steps[1].lookups[0].key, "10.10.0.1");
  EXPECT_EQ(trace.steps[1].lookups[0].result, "rewrite port 1 to 02:00:00:00:02:02");
  EXPECT_EQ(ipv4_of(trace.frame).header->ttl.get(), 8);
}

TEST_F(EngineTest, TraceNamesTheNodeAndTheReasonOfADrop) {
  const auto trace = engine::trace(engine(), kLeft, v4({.dst = "10.66.0.1"})).value();
  EXPECT_EQ(nodes_of(trace), (Names{"ether_input", "ipv4_route"}));
  EXPECT_EQ(trace.steps.back().decision, "drop");
  EXPECT_EQ(trace.outcome, "drop");
  EXPECT_EQ(trace.detail, "route_discard (the route says discard)");
  EXPECT_EQ(engine::trace(engine(), kLeft, Frame(5)).value().detail,
            "ethernet_truncated (frame shorter than an Ethernet header)");
}

TEST_F(EngineTest, TraceEndsAtTheAgentAndAtAFlood) {
  const auto punted = engine::trace(engine(), kLeft, v6({.dst = "fd99::1"})).value();
  EXPECT_EQ(nodes_of(punted), (Names{"ether_input", "ipv6_route", "punt"}));
  EXPECT_EQ(punted.outcome, "punt");
  EXPECT_TRUE(punted.detail.starts_with("no_route")) << punted.detail;
  const auto flooded =
      engine::trace(engine(), kB0,
                    ethernet_frame(mac("ff:ff:ff:ff:ff:ff"), kHost, EtherType::ipv4, Frame(46)))
          .value();
  EXPECT_EQ(flooded.outcome, "flood");
  EXPECT_EQ(flooded.detail, "b1, b2");
}

TEST_F(EngineTest, TraceRefusesWhatCannotBe) {
  EXPECT_EQ(engine::trace(engine(), 9, Frame(60)).status().message(), "port: 9 does not exist");
  EXPECT_EQ(engine::trace(engine(), 0, {}).status().message(), "packet: 0 bytes are not between 1 and 16384");
}

TEST_F(EngineTest, TraceChangesNoCounterTableOrBuffer) {
  const auto counts = [] {
    std::vector<uint64_t> all;
    const auto totals = engine().totals();
    all = {totals.received, totals.transmitted, totals.injected,
           totals.copied,   totals.punted,      totals.dropped};
    for (size_t id = 0; id < engine().tables().table_count(); ++id)
      all.push_back(engine().tables().size(static_cast<tables::TableId>(id)));
    for (size_t node = 0; node < kNodeCount; ++node)
      for (size_t reason = 0; reason < wire::kDropCount; ++reason)
        all.push_back(engine().dropped(static_cast<NodeId>(node), static_cast<wire::Drop>(reason)));
    for (size_t cause = 0; cause < kPuntCauseCount; ++cause)
      all.push_back(engine().punted(static_cast<PuntCause>(cause)));
    return all;
  };
  // Neighbours that earlier tests made the agent ask for may still be asked for.
  std::this_thread::sleep_for(std::chrono::seconds(4));
  const auto before = counts();
  for (const auto& frame : {v4(), v4({.dst = "10.66.0.1"}), v4({.ttl = 1}), v4({.dst = "10.0.2.99"}),
                            v6({.dst = "fd99::1"}), Frame(5)})
    ASSERT_TRUE(engine::trace(engine(), kLeft, frame).ok());
  ASSERT_TRUE(engine::trace(engine(), kB0,
                            ethernet_frame(kHost, mac("02:00:00:00:99:99"), EtherType::ipv4, Frame(46)))
                  .ok());
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(counts(), before);
}

}  // namespace
}  // namespace sluice::testing
