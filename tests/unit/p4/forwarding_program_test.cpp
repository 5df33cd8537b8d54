// The compiled P4 program `forwarding` on the engine `swx`, with the tables as `native` describes them.
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>

#include "dataplane/forwarding/state.h"
#include "dataplane/p4/swx_engine.h"
#include "dataplane/wire/ipv4.h"
#include "tests/support/eal_environment.h"
#include "tests/support/engine_on_rings.h"
#include "tests/support/frames.h"

namespace sluice::testing {
namespace {

using wire::EtherType;

constexpr char kConfig[] = R"(
  ports { name: "left" }
  ports { name: "right" }
  ports { name: "b0" mode: BRIDGED bridge: 1 }
  ports { name: "b1" mode: BRIDGED bridge: 1 }
  lcores { id: 0 }
  eal { buffers: 8000 }
  entries { table: "my_station" match { field: "port" value: "left" } match { field: "dst_mac" value: "02:00:00:00:00:01" }
            priority: 1 action: "route" }
  entries { table: "my_station" match { field: "port" value: "b0" } match { field: "dst_mac" value: "*" }
            priority: 1 action: "bridge" params { name: "bridge" value: "1" } }
  entries { table: "ipv4_lpm" match { field: "dst" value: "10.10.0.0/16" } action: "via"
            params { name: "port" value: "right" } params { name: "next_hop" value: "10.0.2.2" } }
  entries { table: "ipv4_neighbour" match { field: "port" value: "right" } match { field: "next_hop" value: "10.0.2.2" }
            action: "rewrite" params { name: "src_mac" value: "02:00:00:00:00:01" }
            params { name: "dst_mac" value: "02:00:00:00:02:02" } params { name: "mtu" value: "1280" } }
  entries { table: "ipv6_lpm" match { field: "dst" value: "fd10::/16" } action: "via"
            params { name: "port" value: "right" } params { name: "next_hop" value: "fd00:2::2" } }
  entries { table: "ipv6_neighbour" match { field: "port" value: "right" } match { field: "next_hop" value: "fd00:2::2" }
            action: "rewrite" params { name: "src_mac" value: "02:00:00:00:00:01" }
            params { name: "dst_mac" value: "02:00:00:00:02:02" } params { name: "mtu" value: "1280" } }
  entries { table: "punt" match { field: "cause" value: "ttl_expired" } action: "to_agent" params { name: "rate" value: "1000" } }
  entries { table: "punt" match { field: "cause" value: "unknown_source" } action: "to_agent" params { name: "rate" value: "1000" } }
)";
constexpr PortNumber kLeft = 0, kRight = 1, kB0 = 2, kB1 = 3;

p4::SwxProgram forwarding_program() {
  const std::string file = SLUICE_SOURCE_DIR "/p4/compiled/forwarding.spec";
  std::ifstream in(file);
  p4::SwxProgram program{"forwarding", file, {std::istreambuf_iterator<char>(in), {}}, {}};
  for (const auto& schema : forwarding::schemas({})) program.tables.push_back(tables::describe(schema));
  return program;
}

const auto kRouter = mac("02:00:00:00:00:01"), kHost = mac("02:00:00:00:01:02"),
           kNextHop = mac("02:00:00:00:02:02");

class ForwardingProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    network_ =
        std::make_unique<EngineOnRings<p4::SwxEngine>>(config_from_text(kConfig), forwarding_program());
    network_->engine().on_packet_in([this](const engine::PacketIn& packet) {
      const std::lock_guard lock(mutex_);
      packets_in_.push_back(packet);
    });
    network_->engine().start();
  }
  void TearDown() override { network_->engine().stop(); }

  void send(PortNumber port, const Frame& frame) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(network_->pool());
    ASSERT_NE(mbuf, nullptr);
    std::memcpy(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size())), frame.data(), frame.size());
    ASSERT_TRUE(network_->feed(port, 0, mbuf));
  }
  static bool eventually(const std::function<bool()>& holds) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < give_up) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return false;
  }
  Frame receive(PortNumber port) {
    Frame frame;
    eventually([&] {
      rte_mbuf* mbuf = nullptr;
      if (network_->collect(port, &mbuf, 1) == 0) return false;
      const auto* data = rte_pktmbuf_mtod(mbuf, const uint8_t*);
      frame.assign(data, data + mbuf->data_len);
      rte_pktmbuf_free(mbuf);
      return true;
    });
    return frame;
  }
  uint64_t drops(wire::Drop reason) {
    return network_->engine().counter("drops", static_cast<size_t>(reason)).value().packets;
  }
  std::vector<engine::PacketIn> packets_in() {
    const std::lock_guard lock(mutex_);
    return packets_in_;
  }

  std::unique_ptr<EngineOnRings<p4::SwxEngine>> network_;
  std::mutex mutex_;
  std::vector<engine::PacketIn> packets_in_;
};

TEST_F(ForwardingProgramTest, RoutesIpv4) {
  send(kLeft, ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet({})));
  EXPECT_EQ(receive(kRight), ethernet_frame(kNextHop, kRouter, EtherType::ipv4, ipv4_packet({.ttl = 63})));
}

TEST_F(ForwardingProgramTest, RoutesIpv4WithOptions) {
  send(kLeft, ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet({.option_bytes = 40})));
  EXPECT_EQ(receive(kRight),
            ethernet_frame(kNextHop, kRouter, EtherType::ipv4, ipv4_packet({.ttl = 63, .option_bytes = 40})));
}

TEST_F(ForwardingProgramTest, RoutesIpv6) {
  send(kLeft, ethernet_frame(kRouter, kHost, EtherType::ipv6, ipv6_packet({})));
  EXPECT_EQ(receive(kRight),
            ethernet_frame(kNextHop, kRouter, EtherType::ipv6, ipv6_packet({.hop_limit = 63})));
}

TEST_F(ForwardingProgramTest, FloodsABridgedFrameAndShowsItsSource) {
  const auto frame = ethernet_frame(kNextHop, kHost, EtherType::ipv4, ipv4_packet({}));
  send(kB0, frame);
  EXPECT_EQ(receive(kB1), frame);
  ASSERT_TRUE(eventually([&] { return packets_in().size() == 1; }));
  EXPECT_EQ(packets_in()[0].cause, PuntCause::unknown_source);
  EXPECT_EQ(packets_in()[0].ingress_port, kB0);
  EXPECT_EQ(packets_in()[0].frame, Frame(frame.begin(), frame.begin() + 60));
}

TEST_F(ForwardingProgramTest, GivesAnExpiredPacketToTheController) {
  const auto frame = ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet({.ttl = 1}));
  send(kLeft, frame);
  ASSERT_TRUE(eventually([&] { return packets_in().size() == 1; }));
  EXPECT_EQ(packets_in()[0].cause, PuntCause::ttl_expired);
  EXPECT_EQ(packets_in()[0].ingress_port, kLeft);
  EXPECT_EQ(packets_in()[0].frame, frame);
}

TEST_F(ForwardingProgramTest, KeepsToTheRateOfThePuntTable) {
  auto& service = network_->engine().tables();
  const auto punt = service.table_by_name("punt").value();
  tables::Entry slow;
  slow.table = punt;
  slow.params = {1};
  slow.key.match[0] = {static_cast<tables::Value>(PuntCause::ttl_expired), 0xff};
  ASSERT_EQ(service.upsert(slow), absl::OkStatus());
  for (int i = 0; i < 20; ++i)
    send(kLeft, ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet({.ttl = 1})));
  EXPECT_TRUE(eventually([&] { return packets_in().size() + drops(wire::Drop::ttl_expired) == 20; }));
  EXPECT_GE(packets_in().size(), 1u);
  EXPECT_GE(drops(wire::Drop::ttl_expired), 1u);
}

TEST_F(ForwardingProgramTest, CountsDropsByTheirReason) {
  send(kLeft, ethernet_frame(kNextHop, kHost, EtherType::ipv4, ipv4_packet({})));
  EXPECT_TRUE(eventually([&] { return drops(wire::Drop::not_for_us) == 1; }));
  auto bad = ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet({}));
  bad[24] ^= 1;
  send(kLeft, bad);
  EXPECT_TRUE(eventually([&] { return drops(wire::Drop::ipv4_bad_checksum) == 1; }));
  const auto whole = ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet({}));
  send(kLeft, Frame(whole.begin(), whole.begin() + 20));
  EXPECT_TRUE(eventually([&] { return drops(wire::Drop::ipv4_truncated) == 1; }));
}

}  // namespace
}  // namespace sluice::testing
