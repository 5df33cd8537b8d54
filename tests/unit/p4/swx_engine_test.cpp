// The engine `swx` as a whole: a program of ours on DPDK's pipeline, frames in at one port, frames out at
// another.
#include "dataplane/p4/swx_engine.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <functional>
#include <iterator>
#include <mutex>
#include <thread>

#include "tests/support/eal_environment.h"
#include "tests/support/engine_on_rings.h"
#include "tests/support/frames.h"

namespace sluice::testing {
namespace {

using p4::SwxEngine;
using p4::SwxProgram;
using tables::Format;
using tables::MatchKind;
using wire::Drop;
using wire::EtherType;

constexpr char kConfig[] = R"(
  ports { name: "p0" mode: BRIDGED bridge: 1 }
  ports { name: "p1" mode: BRIDGED bridge: 1 }
  ports { name: "p2" mode: BRIDGED bridge: 1 }
  lcores { id: 0 }
  eal { buffers: 8000 }
)";

std::string text_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

SwxProgram switch_program() {
  const std::string file = SLUICE_SOURCE_DIR "/tests/unit/p4/switch.spec";
  SwxProgram program{"switch", file, text_of(file), {}};
  program.tables = {
      {"station",
       {{"port", 32, MatchKind::exact, Format::port}, {"mac", 48, MatchKind::ternary, Format::mac}},
       {{"route", {}}, {"bridge", {}}},
       64},
      {"fdb", {{"mac", 48, MatchKind::exact, Format::mac}}, {{"forward", {{"port", 32, Format::port}}}}, 64},
      {"ipv4_lpm",
       {{"dst", 32, MatchKind::lpm, Format::ipv4}},
       {{"via", {{"port", 32, Format::port}}}, {"local", {}}, {"nowhere", {}}},
       64},
      {"ipv6_lpm",
       {{"dst", 128, MatchKind::lpm, Format::ipv6}},
       {{"via", {{"port", 32, Format::port}, {"next_hop", 128, Format::ipv6}}}},
       64},
      {"neighbour",
       {{"next_hop", 128, MatchKind::exact, Format::ipv6}},
       {{"rewrite", {{"dst_mac", 48, Format::mac}}}},
       64},
  };
  return program;
}

const auto kRouter = mac("02:00:00:00:00:01"), kHost = mac("02:00:00:00:01:02"),
           kOther = mac("02:00:00:00:02:02");

class SwxEngineTest : public ::testing::Test {
 protected:
  using Network = EngineOnRings<SwxEngine>;
  using NamedTexts = std::vector<tables::NamedText>;

  void SetUp() override {
    network_ = std::make_unique<Network>(config_from_text(kConfig), switch_program());
    engine().on_packet_in([this](const engine::PacketIn& packet) {
      const std::lock_guard lock(mutex_);
      packets_in_.push_back(packet);
    });
    engine().start();
  }
  void TearDown() override {
    engine().stop();
    for (PortNumber port = 0; port < network_->port_count(); ++port)
      for (rte_mbuf* mbuf = nullptr; network_->collect(port, &mbuf, 1) == 1;) rte_pktmbuf_free(mbuf);
    EXPECT_EQ(rte_mempool_in_use_count(network_->pool()), 0u) << "buffers leaked";
  }

  SwxEngine& engine() { return network_->engine(); }

  absl::Status write(tables::Operation operation, const tables::EntryText& text) {
    static const tables::Names names{{"p0", "p1", "p2"}, {}};
    auto& service = engine().tables();
    const auto table = service.table_by_name(text.table);
    if (!table.ok()) return table.status();
    const auto entry = tables::entry_from_text(*table, service.schema(*table), text, names);
    return entry.ok() ? service.apply({operation, *entry}) : entry.status();
  }
  void insert(const tables::EntryText& text) {
    EXPECT_EQ(write(tables::Operation::insert, text), absl::OkStatus());
  }
  void remove(const tables::EntryText& text) {
    EXPECT_EQ(write(tables::Operation::remove, text), absl::OkStatus());
  }
  void route_everything() { insert({"station", {{"port", "p0"}, {"mac", "*"}}, 1, "route", {}}); }

  static tables::EntryText fdb(const std::string& mac, const std::string& port) {
    return {"fdb", {{"mac", mac}}, 0, "forward", {{"port", port}}};
  }
  static tables::EntryText via(const std::string& dst, const std::string& port) {
    return {"ipv4_lpm", {{"dst", dst}}, 0, "via", {{"port", port}}};
  }

  void send(PortNumber port, const Frame& frame, uint8_t rubbish = 0xff) {
    rte_mbuf* mbuf = rte_pktmbuf_alloc(network_->pool());
    ASSERT_NE(mbuf, nullptr);
    // What an earlier packet left in the buffer must not matter.
    std::memset(mbuf->buf_addr, rubbish, mbuf->buf_len);
    std::memcpy(rte_pktmbuf_append(mbuf, static_cast<uint16_t>(frame.size())), frame.data(), frame.size());
    ASSERT_TRUE(network_->feed(port, 0, mbuf));
  }
  // The next frame of the port; empty if none comes for a long while.
  Frame receive(PortNumber port) {
    Frame frame;
    eventually([&] {
      rte_mbuf* mbuf = nullptr;
      if (network_->collect(port, &mbuf, 1) == 0) return false;
      for (const rte_mbuf* segment = mbuf; segment; segment = segment->next) {
        const auto* data = rte_pktmbuf_mtod(segment, const uint8_t*);
        frame.insert(frame.end(), data, data + segment->data_len);
      }
      rte_pktmbuf_free(mbuf);
      return true;
    });
    return frame;
  }
  static bool eventually(const std::function<bool()>& holds) {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (std::chrono::steady_clock::now() < give_up) {
      if (holds()) return true;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return false;
  }
  uint64_t drops(Drop reason) {
    return engine().counter("drops", static_cast<size_t>(reason)).value().packets;
  }
  ::testing::AssertionResult drops_reach(Drop reason, uint64_t count) {
    return eventually([&] { return drops(reason) == count; }) ? ::testing::AssertionSuccess()
                                                              : ::testing::AssertionFailure()
                                                                    << wire::name_of(reason) << " is "
                                                                    << drops(reason) << ", not " << count;
  }
  std::vector<engine::PacketIn> packets_in() {
    const std::lock_guard lock(mutex_);
    return packets_in_;
  }

  static Frame v4(const Ipv4Shape& shape = {}) {
    return ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet(shape));
  }
  static Frame v6(const Ipv6Shape& shape = {}) {
    return ethernet_frame(kRouter, kHost, EtherType::ipv6, ipv6_packet(shape));
  }

  std::unique_ptr<Network> network_;
  std::mutex mutex_;
  std::vector<engine::PacketIn> packets_in_;
};

TEST_F(SwxEngineTest, AFrameLeavesByThePortOfItsEntryUnchanged) {
  insert(fdb("02:00:00:00:00:01", "p2"));
  const auto frame = v4();
  send(0, frame);
  EXPECT_EQ(receive(2), frame);
}

TEST_F(SwxEngineTest, AnUnknownDestinationIsFloodedToAllMembersButTheSender) {
  const auto frame = v4();
  send(1, frame);
  EXPECT_EQ(receive(0), frame);
  EXPECT_EQ(receive(2), frame);
  rte_mbuf* mbuf = nullptr;
  EXPECT_EQ(network_->collect(1, &mbuf, 1), 0u);
}

TEST_F(SwxEngineTest, AFloodWithNobodyToHearItIsADropWithItsReason) {
  engine().set_groups({{2, {1}}});
  send(1, v4());
  EXPECT_TRUE(drops_reach(Drop::bridge_no_member, 1));
  engine().set_groups({});
  send(1, v4());
  EXPECT_TRUE(drops_reach(Drop::bridge_no_member, 2));
}

TEST_F(SwxEngineTest, TheLongestPrefixWins) {
  route_everything();
  insert(via("10.0.0.0/8", "p1"));
  insert(via("10.10.0.0/16", "p2"));
  insert(via("0.0.0.0/0", "p0"));
  const auto in_16 = v4({.dst = "10.10.0.1"}), in_8 = v4({.dst = "10.11.0.1"}),
             elsewhere = v4({.dst = "192.0.2.1"});
  send(0, in_16);
  send(0, in_8);
  send(0, elsewhere);
  EXPECT_EQ(receive(2), in_16);
  EXPECT_EQ(receive(1), in_8);
  EXPECT_EQ(receive(0), elsewhere);
  remove(via("10.10.0.0/16", "p2"));
  send(0, in_16);
  EXPECT_EQ(receive(1), in_16);
}

TEST_F(SwxEngineTest, KeysAndParametersOf128BitsKeepTheirByteOrder) {
  route_everything();
  insert({"ipv6_lpm", {{"dst", "fd10:1:2::/48"}}, 0, "via", {{"port", "p1"}, {"next_hop", "fd00::1:2:3"}}});
  insert({"neighbour", {{"next_hop", "fd00::1:2:3"}}, 0, "rewrite", {{"dst_mac", "02:00:00:00:02:02"}}});
  send(0, v6({.dst = "fd10:1:2:3::4"}));
  EXPECT_EQ(receive(1),
            ethernet_frame(kOther, kHost, EtherType::ipv6, ipv6_packet({.dst = "fd10:1:2:3::4"})));
  send(0, v6({.dst = "fd10:1:3::4"}));
  EXPECT_TRUE(drops_reach(Drop::no_route, 1));
}

TEST_F(SwxEngineTest, TheLargerPriorityWinsAlsoBetweenEqualMatches) {
  insert(via("0.0.0.0/0", "p1"));
  insert(fdb("02:00:00:00:00:01", "p2"));
  const tables::EntryText route{"station", {{"port", "p0"}, {"mac", "*"}}, 5, "route", {}};
  tables::EntryText bridge = route;
  bridge.action = "bridge";
  insert(route);
  bridge.priority = 4;
  insert(bridge);
  send(0, v4());
  EXPECT_EQ(receive(1), v4()) << "the entry of priority 5 routes";
  bridge.priority = 6;
  insert(bridge);
  send(0, v4());
  EXPECT_EQ(receive(2), v4()) << "the entry of priority 6 bridges";
  remove(bridge);
  send(0, v4());
  EXPECT_EQ(receive(1), v4()) << "what it hid is back";
  remove(route);
  send(0, v4());
  EXPECT_EQ(receive(2), v4()) << "only priority 4 is left";
  EXPECT_FALSE(
      write(tables::Operation::insert, {"station", {{"port", "p0"}, {"mac", "*"}}, 0x7fffffff, "route", {}})
          .ok());
}

TEST_F(SwxEngineTest, AFrameThatEndsInsideAHeaderIsCountedByThatHeader) {
  insert(fdb("02:00:00:00:00:01", "p2"));
  const auto whole4 = v4(), whole6 = v6();
  for (size_t length = 1; length < 14; ++length)
    send(0, Frame(whole4.begin(), whole4.begin() + static_cast<long>(length)));
  EXPECT_TRUE(drops_reach(Drop::ethernet_truncated, 13));
  for (size_t length = 14; length < 34; ++length)
    send(0, Frame(whole4.begin(), whole4.begin() + static_cast<long>(length)));
  EXPECT_TRUE(drops_reach(Drop::ipv4_truncated, 20));
  for (size_t length = 14; length < 54; ++length)
    send(0, Frame(whole6.begin(), whole6.begin() + static_cast<long>(length)));
  EXPECT_TRUE(drops_reach(Drop::ipv6_truncated, 40));
  const Frame just_enough(whole6.begin(), whole6.begin() + 54);
  send(0, just_enough);
  EXPECT_EQ(receive(2), just_enough);
  const Frame unknown_type = ethernet_frame(kRouter, kHost, EtherType{0x9999}, Frame{});
  send(0, unknown_type);
  EXPECT_EQ(receive(2), unknown_type);
}

TEST_F(SwxEngineTest, MetadataOfOnePacketIsNotSeenByTheNext) {
  insert({"station", {{"port", "p1"}, {"mac", "*"}}, 1, "route", {}});
  insert(via("0.0.0.0/0", "p2"));
  insert(fdb("02:00:00:00:00:01", "p0"));
  // More than DPDK's pipeline has threads, each with metadata of its own.
  for (int i = 0; i < 64; ++i) send(1, v4());
  for (int i = 0; i < 64; ++i) ASSERT_EQ(receive(2), v4());
  for (int i = 0; i < 64; ++i) send(0, v4());
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(receive(0), v4()) << "the mark of an earlier packet routes frame " << i;
}

TEST_F(SwxEngineTest, AWayOutThatDoesNotExistIsADropAndNoCrash) {
  route_everything();
  insert({"ipv4_lpm", {{"dst", "0.0.0.0/0"}}, 0, "nowhere", {}});
  send(0, v4());
  EXPECT_TRUE(drops_reach(Drop::port_invalid, 1));
  EXPECT_FALSE(write(tables::Operation::insert, via("10.0.0.0/8", "17")).ok())
      << "refused before it reaches the pipeline";
}

TEST_F(SwxEngineTest, AFrameForTheControllerArrivesWithWhatTheProgramSaysOfIt) {
  route_everything();
  insert({"ipv4_lpm", {{"dst", "0.0.0.0/0"}}, 0, "local", {}});
  send(0, v4());
  ASSERT_TRUE(eventually([&] { return packets_in().size() == 1; }));
  const auto packet = packets_in()[0];
  EXPECT_EQ(packet.ingress_port, 0);
  EXPECT_EQ(packet.egress_port, kNoPort);
  EXPECT_EQ(packet.mtu, 1500);
  EXPECT_EQ(packet.cause, PuntCause::local);
  EXPECT_EQ(packet.frame, v4());
}

TEST_F(SwxEngineTest, AMirroredFrameIsShownToTheControllerAsItCame) {
  insert(fdb("02:00:00:00:00:01", "p2"));
  const auto frame = ethernet_frame(kRouter, mac("02:00:00:00:00:ee"), EtherType{0x9999}, Frame(20, 0x33));
  send(1, frame);
  EXPECT_EQ(receive(2), frame);
  ASSERT_TRUE(eventually([&] { return packets_in().size() == 1; }));
  EXPECT_EQ(packets_in()[0].cause, PuntCause::unknown_source);
  EXPECT_EQ(packets_in()[0].ingress_port, 1);
  EXPECT_EQ(packets_in()[0].frame, frame);
}

TEST_F(SwxEngineTest, AFrameOfTheControllerLeavesByItsPort) {
  ASSERT_EQ(engine().send(1, v6()), absl::OkStatus());
  EXPECT_EQ(receive(1), v6());
  EXPECT_FALSE(engine().send(3, v6()).ok());
  EXPECT_FALSE(engine().send(1, Frame(70000)).ok());
}

TEST_F(SwxEngineTest, AChainOfBuffersIsForwardedWhole) {
  insert(fdb("02:00:00:00:00:01", "p2"));
  const auto frame = v4({.payload = Frame(500, 0x42)});
  rte_mbuf* head = nullptr;
  for (size_t at = 0; at < frame.size(); at += 10) {
    rte_mbuf* piece = rte_pktmbuf_alloc(network_->pool());
    const auto bytes = static_cast<uint16_t>(std::min<size_t>(10, frame.size() - at));
    std::memcpy(rte_pktmbuf_append(piece, bytes), frame.data() + at, bytes);
    if (!head)
      head = piece;
    else
      ASSERT_EQ(rte_pktmbuf_chain(head, piece), 0);
  }
  ASSERT_TRUE(network_->feed(0, 0, head));
  EXPECT_EQ(receive(2), frame);
}

TEST_F(SwxEngineTest, AnotherProgramTakesOverWhileThePortsStayOpen) {
  insert(fdb("02:00:00:00:00:01", "p2"));
  const SwxProgram swap{"swap",
                        "swap.spec",
                        R"(
    struct ethernet_t {
      bit<48> dst
      bit<48> src
      bit<16> type
    }
    struct metadata_t {
      bit<32> port
    }
    header ethernet instanceof ethernet_t
    metadata instanceof metadata_t
    apply {
      rx m.port
      extract h.ethernet
      xor m.port 1
      emit h.ethernet
      tx m.port
    }
  )",
                        {}};
  ASSERT_EQ(engine().load(swap), absl::OkStatus());
  EXPECT_EQ(engine().program(), "swap");
  send(0, v4());
  EXPECT_EQ(receive(1), v4());
  // Without an arrival header the guard itself drops what is too short.
  send(0, Frame(13, 0));
  send(0, v4());
  EXPECT_EQ(receive(1), v4());
  EXPECT_EQ(engine().port_counters().dropped[static_cast<size_t>(Drop::ethernet_truncated)].get(), 1u);

  auto broken = swap;
  broken.spec = "apply {\n}";
  EXPECT_FALSE(engine().load(broken).ok());
  send(0, v4());
  EXPECT_EQ(receive(1), v4()) << "the program before it runs on";
  ASSERT_EQ(engine().load(switch_program()), absl::OkStatus());
  insert(fdb("02:00:00:00:00:01", "p2"));
  send(0, v4());
  EXPECT_EQ(receive(2), v4());
}

TEST_F(SwxEngineTest, TablesChangeUnderTrafficAndNoPacketIsLost) {
  insert(fdb("02:00:00:00:00:01", "p2"));
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (int i = 0; !stop; i = (i + 1) % 200) {
      const auto entry = fdb(fmt::format("02:00:00:00:aa:{:02x}", i), "p1");
      insert(entry);
      remove(entry);
    }
  });
  constexpr uint64_t kFrames = 20000;
  uint64_t fed = 0, received = 0;
  const auto collect = [&] {
    rte_mbuf* mbufs[32];
    const unsigned count = network_->collect(2, mbufs, 32);
    rte_pktmbuf_free_bulk(mbufs, count);
    received += count;
  };
  while (fed < kFrames) {
    if (fed - received < 4000) {
      send(0, v4());
      ++fed;
    }
    collect();
  }
  EXPECT_TRUE(eventually([&] {
    collect();
    return received + drops(Drop::tx_full) == kFrames;
  })) << received
      << " of " << kFrames;
  stop = true;
  writer.join();
}

}  // namespace
}  // namespace sluice::testing
