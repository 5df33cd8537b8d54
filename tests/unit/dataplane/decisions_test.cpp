// Every edge of every decision, asked without rte_graph.
#include "dataplane/forwarding/bridge.h"
#include "dataplane/forwarding/ether_input.h"
#include "dataplane/forwarding/ipv4_forward.h"
#include "dataplane/forwarding/ipv4_route.h"
#include "dataplane/forwarding/ipv6_forward.h"
#include "dataplane/forwarding/ipv6_route.h"
#include "dataplane/forwarding/punt.h"
#include "tests/support/forwarding_fixture.h"

namespace sluice::forwarding {
namespace {

using namespace testing;
using wire::Drop;
using wire::EtherType;

const auto kRouter = mac("02:00:00:00:00:01"), kHost = mac("02:00:00:00:00:02");
const auto kGroup = mac("33:33:00:00:00:01"), kAll = mac("ff:ff:ff:ff:ff:ff");

Frame v4(const Ipv4Shape& shape = {}) {
  return ethernet_frame(kRouter, kHost, EtherType::ipv4, ipv4_packet(shape));
}
Frame v6(const Ipv6Shape& shape = {}) {
  return ethernet_frame(kRouter, kHost, EtherType::ipv6, ipv6_packet(shape));
}

class Decisions : public ForwardingFixture {
 protected:
  void TearDown() override {
    state().members.set({}, [] {});
    ForwardingFixture::TearDown();
  }

  template <class Node>
  auto decide(Packet packet) {
    return Node::decide(packet, state(), Silent{});
  }
  // The packet was dropped by this node for this reason.
  template <class Node>
  void expect_drop(const Frame& frame, auto edge, Drop reason, PortNumber port = 0) {
    const auto packet = this->packet(frame, port);
    EXPECT_EQ(decide<Node>(packet), edge);
    EXPECT_EQ(wire::name_of(packet.meta().drop_reason), wire::name_of(reason));
    EXPECT_EQ(packet.meta().dropped_by, Node::kId);
  }
  template <class Node>
  Packet expect_punt(const Frame& frame, auto edge, PuntCause cause) {
    const auto packet = this->packet(frame);
    EXPECT_EQ(decide<Node>(packet), edge);
    EXPECT_EQ(sluice::name_of(packet.meta().punt_cause), sluice::name_of(cause));
    EXPECT_EQ(packet.meta().dropped_by, Node::kId);
    return packet;
  }
};

class EtherInputDecision : public Decisions {
 protected:
  void SetUp() override {
    const auto route = [](const std::string& dst) -> tables::EntryText {
      return {"my_station", {{"port", "p0"}, {"dst_mac", dst}}, 9, "route", {}};
    };
    insert(route("02:00:00:00:00:01"));
    insert(route("ff:ff:ff:ff:ff:ff"));
    insert(route("33:33:00:00:00:00&ff:ff:00:00:00:00"));
    insert({"my_station", {{"port", "p1"}, {"dst_mac", "*"}}, 1, "bridge", {{"bridge", "7"}}});
  }
};

TEST_F(EtherInputDecision, SendsEachFamilyItsWayAndSetsWhereItStarts) {
  const auto four = packet(v4()), six = packet(v6());
  EXPECT_EQ(decide<EtherInput>(four), EtherInput::ipv4);
  EXPECT_EQ(decide<EtherInput>(six), EtherInput::ipv6);
  EXPECT_EQ(four.meta().l3_offset, 14);
}

TEST_F(EtherInputDecision, PuntsArp) {
  expect_punt<EtherInput>(ethernet_frame(kAll, kHost, EtherType::arp, Frame(46)), EtherInput::punt,
                          PuntCause::arp);
}

TEST_F(EtherInputDecision, BridgesWithTheTagsVlan) {
  const auto plain = packet(v4(), 1);
  EXPECT_EQ(decide<EtherInput>(plain), EtherInput::bridge);
  EXPECT_EQ(plain.meta().bridge_domain, 7);
  EXPECT_EQ(plain.meta().vlan, 0);
  const auto tagged = packet(ethernet_frame(kRouter, kHost, EtherType::vlan, Frame{0xe1, 0x23, 8, 0, 1}), 1);
  EXPECT_EQ(decide<EtherInput>(tagged), EtherInput::bridge);
  EXPECT_EQ(tagged.meta().vlan, 0x123) << "without the priority bits";
}

TEST_F(EtherInputDecision, DropsWhatIsNotSound) {
  expect_drop<EtherInput>(Frame(13), EtherInput::drop, Drop::ethernet_truncated);
  expect_drop<EtherInput>(Frame{}, EtherInput::drop, Drop::ethernet_truncated);
  expect_drop<EtherInput>(ethernet_frame(kRouter, kGroup, EtherType::ipv4, ipv4_packet({})), EtherInput::drop,
                          Drop::source_mac_group);
  expect_drop<EtherInput>(ethernet_frame(kHost, kHost, EtherType::ipv4, ipv4_packet({})), EtherInput::drop,
                          Drop::not_for_us);
  expect_drop<EtherInput>(ethernet_frame(kRouter, kHost, EtherType{0x88cc}, Frame(46)), EtherInput::drop,
                          Drop::unknown_ether_type);
  expect_drop<EtherInput>(ethernet_frame(kRouter, kHost, EtherType::vlan, Frame{0, 1, 8}), EtherInput::drop,
                          Drop::vlan_truncated, 1);
}

TEST_F(EtherInputDecision, DoesNotRouteUnicastPacketsInGroupFrames) {
  expect_drop<EtherInput>(ethernet_frame(kAll, kHost, EtherType::ipv4, ipv4_packet({})), EtherInput::drop,
                          Drop::l2_group_routed);
  expect_drop<EtherInput>(ethernet_frame(kGroup, kHost, EtherType::ipv6, ipv6_packet({})), EtherInput::drop,
                          Drop::l2_group_routed);
  EXPECT_EQ(decide<EtherInput>(
                packet(ethernet_frame(kGroup, kHost, EtherType::ipv6, ipv6_packet({.dst = "ff02::1"})))),
            EtherInput::ipv6);
}

TEST_F(EtherInputDecision, DropsAChainWhoseHeadersDoNotComeTogether) {
  const auto first = packet(Frame(v4())), rest = packet(Frame(40));
  forget(rest);
  first.mbuf()->next = rest.mbuf();
  first.mbuf()->nb_segs = 2;
  first.mbuf()->pkt_len += 40;
  first.mbuf()->data_off = static_cast<uint16_t>(first.mbuf()->buf_len - first.mbuf()->data_len);
  EXPECT_EQ(decide<EtherInput>(first), EtherInput::drop);
  EXPECT_EQ(first.meta().drop_reason, Drop::header_split);
}

class Ipv4RouteDecision : public Decisions {
 protected:
  void SetUp() override {
    insert(via("10.10.0.0/16", "p1", "10.0.1.2"));
    insert(neighbour("p1", "10.0.1.2", "02:00:00:00:00:09"));
  }
  // A packet with one thing changed, and a good checksum again.
  static Frame bent(auto bend, const Ipv4Shape& shape = {}) {
    auto packet = ipv4_packet(shape);
    bend(*wire::overlay<wire::Ipv4Header>(wire::MutableBytes(packet)));
    if (packet.size() >= (packet[0] & 15u) * 4u) set_ipv4_checksum(packet);
    return ethernet_frame(kRouter, kHost, EtherType::ipv4, packet);
  }
  void expect_reason(const Frame& frame, Drop reason) { expect_drop<Ipv4Route>(frame, route_drop, reason); }
};

TEST_F(Ipv4RouteDecision, ForwardsToAResolvedNextHop) {
  for (const size_t options : {0u, 4u, 40u}) {
    const auto packet = this->packet(v4({.option_bytes = options}));
    EXPECT_EQ(decide<Ipv4Route>(packet), route_forward);
    EXPECT_EQ(to_text(packet.meta().adjacency->dst_mac), "02:00:00:00:00:09");
  }
}

TEST_F(Ipv4RouteDecision, DropsHeadersThatAreNotSound) {
  expect_reason(ethernet_frame(kRouter, kHost, EtherType::ipv4, Frame(19, 0x45)), Drop::ipv4_truncated);
  expect_reason(bent([](auto& h) { h.version_ihl.set(0x65); }), Drop::ipv4_bad_version);
  expect_reason(bent([](auto& h) { h.version_ihl.set(0x44); }), Drop::ipv4_bad_header_length);
  expect_reason(bent([](auto& h) { h.version_ihl.set(0x4f); }), Drop::ipv4_bad_header_length);
  expect_reason(bent([](auto& h) { h.total_length.set(19); }), Drop::ipv4_bad_total_length);
  expect_reason(bent([](auto& h) { h.total_length.set(47); }), Drop::ipv4_bad_total_length);
  auto broken = v4();
  broken[14 + 8] ^= 1;
  expect_reason(broken, Drop::ipv4_bad_checksum);
  auto options_broken = v4({.option_bytes = 8});
  options_broken[14 + 22] ^= 1;
  expect_reason(options_broken, Drop::ipv4_bad_checksum);
}

TEST_F(Ipv4RouteDecision, AFrameMayBeLongerThanItsPacket) {
  auto padded = v4({.payload = Frame(4)});
  padded.resize(60);
  EXPECT_EQ(decide<Ipv4Route>(packet(padded)), route_forward);
}

TEST_F(Ipv4RouteDecision, DropsAddressesThatAreNeverForwarded) {
  for (const char* src : {"0.1.2.3", "127.0.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"})
    expect_reason(v4({.src = src}), Drop::ipv4_bad_source);
  for (const char* dst : {"0.0.0.0", "127.0.0.1", "224.0.0.1", "255.255.255.255", "169.254.1.1"})
    expect_reason(v4({.dst = dst}), Drop::martian_destination);
}

TEST_F(Ipv4RouteDecision, PuntsOrDropsByTheKindOfRoute) {
  insert(route("10.1.0.0/16", "local"));
  insert(route("10.2.0.0/16", "discard"));
  insert(via("10.3.0.0/16", "p2", "10.0.2.9"));
  insert(route("10.4.0.0/16", "connected", {{"port", "p3"}}));
  insert(neighbour("p3", "10.4.0.1", "02:00:00:00:00:44"));

  expect_punt<Ipv4Route>(v4({.dst = "10.99.0.1"}), route_punt, PuntCause::no_route);
  expect_punt<Ipv4Route>(v4({.dst = "10.1.0.1"}), route_punt, PuntCause::local);
  expect_reason(v4({.dst = "10.2.0.1"}), Drop::route_discard);
  const auto unresolved =
      expect_punt<Ipv4Route>(v4({.dst = "10.3.0.1"}), route_punt, PuntCause::neighbour_unresolved);
  EXPECT_EQ(unresolved.meta().out_port, 2);
  EXPECT_EQ(unresolved.meta().next_hop, tables::mapped(ip4("10.0.2.9")));
  const auto unknown =
      expect_punt<Ipv4Route>(v4({.dst = "10.4.0.2"}), route_punt, PuntCause::neighbour_unresolved);
  EXPECT_EQ(unknown.meta().out_port, 3);
  EXPECT_EQ(unknown.meta().next_hop, tables::mapped(ip4("10.4.0.2")));
  const auto known = packet(v4({.dst = "10.4.0.1"}));
  EXPECT_EQ(decide<Ipv4Route>(known), route_forward);
  EXPECT_EQ(to_text(known.meta().adjacency->dst_mac), "02:00:00:00:00:44");
}

class Ipv6RouteDecision : public Decisions {
 protected:
  void SetUp() override {
    insert(via("fd10::/16", "p1", "fd00:1::2"));
    insert(neighbour("p1", "fd00:1::2", "02:00:00:00:00:09"));
  }
  void expect_reason(const Frame& frame, Drop reason) { expect_drop<Ipv6Route>(frame, route_drop, reason); }
  static Frame nd(const std::string& dst, uint8_t type, uint8_t hop_limit = 255) {
    Frame message(24);
    message[0] = type;
    return v6({.dst = dst, .hop_limit = hop_limit, .next_header = 58, .payload = message});
  }
};

TEST_F(Ipv6RouteDecision, ForwardsToAResolvedNextHop) {
  const auto packet = this->packet(v6());
  EXPECT_EQ(decide<Ipv6Route>(packet), route_forward);
  EXPECT_EQ(to_text(packet.meta().adjacency->dst_mac), "02:00:00:00:00:09");
}

TEST_F(Ipv6RouteDecision, DropsHeadersThatAreNotSound) {
  expect_reason(ethernet_frame(kRouter, kHost, EtherType::ipv6, Frame(39, 0x60)), Drop::ipv6_truncated);
  auto version = v6();
  version[14] = 0x40;
  expect_reason(version, Drop::ipv6_bad_version);
  auto length = v6();
  length[14 + 5]++;
  expect_reason(length, Drop::ipv6_bad_payload_length);
  for (const char* src : {"::1", "ff02::1"}) expect_reason(v6({.src = src}), Drop::ipv6_bad_source);
  expect_reason(v6({.src = "::"}), Drop::ipv6_bad_source);
}

TEST_F(Ipv6RouteDecision, KeepsLinkScopeOnTheLink) {
  for (const char* dst : {"ff02::1", "ff0e::1", "::1", "::"})
    expect_reason(v6({.dst = dst}), Drop::martian_destination);
  expect_punt<Ipv6Route>(v6({.dst = "fe80::1"}), route_punt, PuntCause::local);
  for (uint8_t type = 133; type <= 137; ++type)
    expect_punt<Ipv6Route>(nd("ff02::1", type), route_punt, PuntCause::neighbour_discovery);
  expect_punt<Ipv6Route>(nd("fe80::1", 135), route_punt, PuntCause::neighbour_discovery);
  expect_reason(nd("ff02::1", 128), Drop::martian_destination);
  expect_reason(nd("ff02::1", 135, 254), Drop::martian_destination);
}

TEST_F(Ipv6RouteDecision, PuntsOrDropsByTheKindOfRoute) {
  insert(route("fd01::/16", "local"));
  insert(route("fd02::/16", "discard"));
  insert(via("fd03::/16", "p2", "fd00:2::9"));
  insert(route("fd04::/16", "connected", {{"port", "p3"}}));
  expect_punt<Ipv6Route>(v6({.dst = "fd99::1"}), route_punt, PuntCause::no_route);
  expect_punt<Ipv6Route>(v6({.dst = "fd01::1"}), route_punt, PuntCause::local);
  expect_reason(v6({.dst = "fd02::1"}), Drop::route_discard);
  EXPECT_EQ(expect_punt<Ipv6Route>(v6({.dst = "fd03::1"}), route_punt, PuntCause::neighbour_unresolved)
                .meta()
                .next_hop,
            tables::value_of(ip6("fd00:2::9")));
  EXPECT_EQ(expect_punt<Ipv6Route>(v6({.dst = "fd04::1"}), route_punt, PuntCause::neighbour_unresolved)
                .meta()
                .next_hop,
            tables::value_of(ip6("fd04::1")));
}

class ForwardDecision : public Decisions {
 protected:
  ForwardDecision() {
    way_.kind = Adjacency::Kind::rewrite;
    way_.port = 2;
    way_.mtu = 100;
    way_.dst_mac = mac("02:00:00:00:00:09");
    way_.src_mac = kRouter;
    way_.next_hop = 7;
  }
  Packet on_way(const Frame& frame) {
    const auto packet = this->packet(frame);
    packet.meta().adjacency = &way_;
    return packet;
  }
  Adjacency way_;
};

TEST_F(ForwardDecision, Ipv4LosesOneHopAndItsChecksumStaysGoodForEveryTtl) {
  for (int ttl = 2; ttl < 256; ++ttl) {
    const auto packet = on_way(v4({.ttl = static_cast<uint8_t>(ttl), .option_bytes = 4}));
    ASSERT_EQ(decide<Ipv4Forward>(packet), forward_tx);
    const auto view = wire::parse_ipv4(packet.l3()).value();
    EXPECT_EQ(view.header->ttl.get(), ttl - 1);
    EXPECT_TRUE(wire::ipv4_checksum_ok(view));
    EXPECT_EQ(packet.meta().out_port, 2);
    const auto* ethernet = wire::overlay<wire::EthernetHeader>(packet.bytes());
    EXPECT_EQ(ethernet->dst, way_.dst_mac);
    EXPECT_EQ(ethernet->src, way_.src_mac);
  }
}

TEST_F(ForwardDecision, Ipv6LosesOneHop) {
  const auto packet = on_way(v6({.hop_limit = 2}));
  ASSERT_EQ(decide<Ipv6Forward>(packet), forward_tx);
  EXPECT_EQ(wire::parse_ipv6(packet.l3())->header->hop_limit.get(), 1);
  EXPECT_EQ(wire::overlay<wire::EthernetHeader>(packet.bytes())->dst, way_.dst_mac);
}

TEST_F(ForwardDecision, TheLastHopIsPuntedUnchanged) {
  for (uint8_t ttl = 0; ttl <= 1; ++ttl) {
    const auto frame = v4({.ttl = ttl}), frame6 = v6({.hop_limit = ttl});
    for (const auto& [edge, packet, before] :
         {std::tuple{&Ipv4Forward::decide<Silent>, on_way(frame), &frame},
          {&Ipv6Forward::decide<Silent>, on_way(frame6), &frame6}}) {
      EXPECT_EQ(edge(packet, state(), Silent{}), forward_punt);
      EXPECT_EQ(packet.meta().punt_cause, PuntCause::ttl_expired);
      EXPECT_TRUE(std::ranges::equal(packet.bytes(), *before));
    }
  }
}

TEST_F(ForwardDecision, TheMtuIsOfThePacketAndOneByteMoreIsPunted) {
  EXPECT_EQ(decide<Ipv4Forward>(on_way(v4({.payload = Frame(80)}))), forward_tx);
  EXPECT_EQ(decide<Ipv6Forward>(on_way(v6({.payload = Frame(60)}))), forward_tx);
  for (const auto& packet : {on_way(v4({.payload = Frame(81)})), on_way(v6({.payload = Frame(61)}))}) {
    const bool is_ipv4 = wire::parse_ipv4(packet.l3()).has_value();
    EXPECT_EQ(is_ipv4 ? decide<Ipv4Forward>(packet) : decide<Ipv6Forward>(packet), forward_punt);
    EXPECT_EQ(packet.meta().punt_cause, PuntCause::mtu_exceeded);
    EXPECT_EQ(packet.meta().mtu, 100);
    EXPECT_EQ(packet.meta().out_port, 2);
    EXPECT_EQ(packet.meta().next_hop, tables::Value{7});
  }
}

class BridgeDecision : public Decisions {
 protected:
  void SetUp() override {
    state().members.set({{1, {0, 1, 2}}, {2, {3}}}, [] {});
    const std::vector<tables::NamedText> host = {{"bridge", "1"}, {"vlan", "0"}, {"mac", to_text(kHost)}};
    insert({"fdb", host, 0, "forward", {{"port", "p0"}}});
    insert({"fdb_source", host, 0, "known", {{"port", "p0"}}});
  }
  Packet bridged(const wire::MacAddress& dst, PortNumber port, uint16_t domain = 1,
                 const wire::MacAddress& src = kHost) {
    const auto packet = this->packet(ethernet_frame(dst, src, EtherType::ipv4, Frame(46)), port);
    packet.meta().bridge_domain = domain;
    return packet;
  }
};

TEST_F(BridgeDecision, AKnownDestinationHasOnePort) {
  const auto packet = bridged(kHost, 1, 1, kRouter);
  const auto decision = decide<Bridge>(packet);
  EXPECT_EQ(decision.way, Bridge::Way::one_port);
  EXPECT_EQ(packet.meta().out_port, 0);
  EXPECT_TRUE(decision.learn) << "the sender is new";
}

TEST_F(BridgeDecision, AKnownSenderIsLearntOnlyWhenItHasMoved) {
  EXPECT_FALSE(decide<Bridge>(bridged(kRouter, 0)).learn);
  EXPECT_TRUE(decide<Bridge>(bridged(kRouter, 1)).learn);
}

TEST_F(BridgeDecision, UnknownAndGroupDestinationsAreFlooded) {
  EXPECT_EQ(decide<Bridge>(bridged(kRouter, 0)).way, Bridge::Way::flood);
  EXPECT_EQ(decide<Bridge>(bridged(kAll, 0)).way, Bridge::Way::flood);
}

TEST_F(BridgeDecision, AFrameDoesNotGoBackWhereItCameFrom) {
  const auto packet = bridged(kHost, 0, 1, kRouter);
  EXPECT_EQ(decide<Bridge>(packet).way, Bridge::Way::drop);
  EXPECT_EQ(packet.meta().drop_reason, Drop::bridge_same_port);
}

TEST_F(BridgeDecision, ALonelyPortHasNobodyToFloodTo) {
  const auto packet = bridged(kAll, 3, 2);
  EXPECT_EQ(decide<Bridge>(packet).way, Bridge::Way::drop);
  EXPECT_EQ(packet.meta().drop_reason, Drop::bridge_no_member);
}

TEST_F(Decisions, PuntAsksItsTableAndNamesThePacketsOwnFault) {
  insert({"punt", {{"cause", "local"}}, 0, "to_agent", {{"rate", "9"}}});
  const auto packet = this->packet(v4());
  packet.meta().punt_cause = PuntCause::local;
  EXPECT_EQ(decide<Punt>(packet), 9u);
  packet.meta().punt_cause = PuntCause::arp;
  EXPECT_EQ(decide<Punt>(packet), 0u);
  EXPECT_EQ(Punt::drop_reason(PuntCause::no_route, Drop::punt_filtered), Drop::no_route);
  EXPECT_EQ(Punt::drop_reason(PuntCause::ttl_expired, Drop::punt_filtered), Drop::ttl_expired);
  EXPECT_EQ(Punt::drop_reason(PuntCause::mtu_exceeded, Drop::punt_filtered), Drop::mtu_exceeded);
  EXPECT_EQ(Punt::drop_reason(PuntCause::neighbour_unresolved, Drop::punt_filtered),
            Drop::neighbour_unresolved);
  EXPECT_EQ(Punt::drop_reason(PuntCause::arp, Drop::punt_filtered), Drop::punt_filtered);
}

}  // namespace
}  // namespace sluice::forwarding
