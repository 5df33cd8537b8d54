// my_station, the neighbour and fdb tables and punt, written through the table service.
#include "tests/support/forwarding_fixture.h"

namespace sluice::forwarding {
namespace {

using namespace testing;

class SmallTables : public ForwardingFixture {
 protected:
  static tables::EntryText station(const std::string& port, const std::string& dst_mac, uint32_t priority,
                                   const std::string& bridge = "") {
    tables::EntryText text{"my_station", {{"port", port}, {"dst_mac", dst_mac}}, priority, "route", {}};
    if (!bridge.empty()) text.action = "bridge", text.params = {{"bridge", bridge}};
    return text;
  }
  static const Station* find(PortNumber port, const char* dst) {
    return state().my_station->find(port, mac(dst));
  }

  static tables::EntryText fdb(const std::string& bridge, const std::string& vlan, const std::string& address,
                               const std::string& port) {
    return {"fdb", {{"bridge", bridge}, {"vlan", vlan}, {"mac", address}}, 0, "forward", {{"port", port}}};
  }
  static PortNumber port_of(uint16_t bridge, uint16_t vlan, const char* address) {
    return state().fdb->port_at(state().fdb->find(bridge, vlan, mac(address)));
  }
};

TEST_F(SmallTables, StationsMatchByPortAndMaskedMac) {
  insert(station("p1", "33:33:00:00:00:00&ff:ff:00:00:00:00", 5));
  EXPECT_NE(find(1, "33:33:12:34:56:78"), nullptr);
  EXPECT_EQ(find(1, "33:34:12:34:56:78"), nullptr);
  EXPECT_EQ(find(0, "33:33:12:34:56:78"), nullptr) << "another port";
}

TEST_F(SmallTables, TheStationOfHigherPriorityWinsWhicheverCameFirst) {
  insert(station("p1", "*", 1, "7"));
  insert(station("p1", "02:00:00:00:00:01", 9));
  insert(station("p1", "02:00:00:00:00:00&ff:00:00:00:00:00", 5, "8"));
  EXPECT_EQ(find(1, "02:00:00:00:00:01")->action, StationAction::route);
  EXPECT_EQ(find(1, "02:00:00:00:00:02")->bridge_domain, 8);
  EXPECT_EQ(find(1, "04:00:00:00:00:02")->bridge_domain, 7);
}

TEST_F(SmallTables, AmongStationsOfOnePriorityTheFirstWinsAndAModifiedOneIsFound) {
  insert(station("p1", "02:00:00:00:00:01", 5, "7"));
  insert(station("p1", "*", 5, "8"));
  EXPECT_EQ(find(1, "02:00:00:00:00:01")->bridge_domain, 7);
  modify(station("p1", "*", 5, "9"));
  EXPECT_EQ(find(1, "04:00:00:00:00:01")->bridge_domain, 9);
}

TEST_F(SmallTables, ARemovedStationUncoversTheOneBelow) {
  insert(station("p1", "*", 1, "7"));
  insert(station("p1", "02:00:00:00:00:01", 9));
  remove(station("p1", "02:00:00:00:00:01", 9));
  EXPECT_EQ(find(1, "02:00:00:00:00:01")->action, StationAction::bridge);
  remove(station("p1", "*", 1, "7"));
  EXPECT_EQ(find(1, "02:00:00:00:00:01"), nullptr);
}

TEST_F(SmallTables, NeighboursAreFoundByPortAndAddressOfEitherFamily) {
  insert(neighbour("p1", "10.0.1.2", "02:00:00:00:00:02", "1400"));
  insert(neighbour("p2", "fd00::2", "02:00:00:00:00:03"));
  const auto* v4 = state().ipv4_neighbour->find(1, tables::mapped(ip4("10.0.1.2")));
  ASSERT_NE(v4, nullptr);
  EXPECT_EQ(v4->kind, Adjacency::Kind::rewrite);
  EXPECT_EQ(v4->port, 1);
  EXPECT_EQ(v4->mtu, 1400);
  EXPECT_EQ(to_text(v4->dst_mac), "02:00:00:00:00:02");
  EXPECT_EQ(to_text(v4->src_mac), "02:00:00:00:00:01");
  EXPECT_NE(state().ipv6_neighbour->find(2, tables::value_of(ip6("fd00::2"))), nullptr);
  EXPECT_EQ(state().ipv4_neighbour->find(2, tables::mapped(ip4("10.0.1.2"))), nullptr) << "another port";
}

TEST_F(SmallTables, AChangedNeighbourIsChangedAndARemovedOneGone) {
  insert(neighbour("p1", "10.0.1.2", "02:00:00:00:00:02"));
  modify(neighbour("p1", "10.0.1.2", "02:00:00:00:00:07"));
  EXPECT_EQ(to_text(state().ipv4_neighbour->find(1, tables::mapped(ip4("10.0.1.2")))->dst_mac),
            "02:00:00:00:00:07");
  remove(neighbour("p1", "10.0.1.2", "02:00:00:00:00:07"));
  EXPECT_EQ(state().ipv4_neighbour->find(1, tables::mapped(ip4("10.0.1.2"))), nullptr);
}

TEST_F(SmallTables, TheNeighbourTableHoldsWhatItPromisesAgainAndAgain) {
  for (int round = 0; round < 20 && !HasFailure(); ++round) {
    for (int i = 0; i < 64; ++i)
      insert(neighbour("p1", "10.0.1." + std::to_string(i + 1), "02:00:00:00:00:02"));
    EXPECT_TRUE(absl::IsResourceExhausted(
        write(tables::Operation::insert, neighbour("p1", "10.0.2.1", "02:00:00:00:00:02"))));
    for (int i = 0; i < 64; ++i)
      remove(neighbour("p1", "10.0.1." + std::to_string(i + 1), "02:00:00:00:00:02"));
  }
}

TEST_F(SmallTables, RemovingAndInsertingOneNeighbourInABatchLeavesTheNewOne) {
  insert(neighbour("p1", "10.0.1.2", "02:00:00:00:00:02"));
  insert(via("10.4.0.0/16", "p1", "10.0.1.2"));
  const auto there = *service().find(ids().ipv4_neighbour, [] {
    tables::Key key;
    key.match[0] = {1, tables::low_mask(32)};
    key.match[1] = {tables::value_of(ip4("10.0.1.2")), tables::low_mask(32)};
    return key;
  }());
  auto after = there;
  after.params[1] = 0x020000000055;
  const tables::Update batch[] = {{tables::Operation::remove, there}, {tables::Operation::insert, after}};
  for (const auto& status : service().apply(batch)) EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(to_text(state().ipv4_neighbour->find(1, tables::mapped(ip4("10.0.1.2")))->dst_mac),
            "02:00:00:00:00:55");
}

TEST_F(SmallTables, FdbKeysAreBridgeVlanAndMac) {
  insert(fdb("1", "10", "02:00:00:00:00:05", "p2"));
  EXPECT_EQ(port_of(1, 10, "02:00:00:00:00:05"), 2);
  EXPECT_EQ(port_of(1, 11, "02:00:00:00:00:05"), kNoPort);
  EXPECT_EQ(port_of(2, 10, "02:00:00:00:00:05"), kNoPort);
  EXPECT_EQ(port_of(1, 10, "02:00:00:00:00:06"), kNoPort);
  modify(fdb("1", "10", "02:00:00:00:00:05", "p3"));
  EXPECT_EQ(port_of(1, 10, "02:00:00:00:00:05"), 3);
  remove(fdb("1", "10", "02:00:00:00:00:05", "p3"));
  EXPECT_EQ(port_of(1, 10, "02:00:00:00:00:05"), kNoPort);
}

TEST_F(SmallTables, FdbKeepsTheSecondInWhichASourceWasSeen) {
  insert(fdb("1", "0", "02:00:00:00:00:05", "p2"));
  const auto position = state().fdb->find(1, 0, mac("02:00:00:00:00:05"));
  ASSERT_GE(position, 0);
  state().fdb->touch(position, 42);
  tables::Key key;
  key.match = {
      {{1, tables::low_mask(16)}, {0, tables::low_mask(16)}, {0x020000000005, tables::low_mask(48)}}};
  EXPECT_EQ(state().fdb->last_seen(*service().find(ids().fdb, key)), 42u);
}

TEST_F(SmallTables, PuntHasARateForEachCauseAndNoneWithoutAnEntry) {
  EXPECT_EQ(state().punt->rate(PuntCause::arp), 0u);
  insert({"punt", {{"cause", "arp"}}, 0, "to_agent", {{"rate", "500"}}});
  EXPECT_EQ(state().punt->rate(PuntCause::arp), 500u);
  EXPECT_EQ(state().punt->rate(PuntCause::local), 0u);
  modify({"punt", {{"cause", "arp"}}, 0, "drop", {}});
  EXPECT_EQ(state().punt->rate(PuntCause::arp), 0u);
}

TEST_F(SmallTables, PuntKnowsItsCauses) {
  tables::Entry entry;
  entry.table = ids().punt;
  entry.key.match[0] = {kPuntCauseCount, tables::low_mask(8)};
  EXPECT_EQ(service().apply({tables::Operation::insert, entry}).ToString(),
            "INVALID_ARGUMENT: punt.cause: 8 is not a cause (0 to 7)");
}

}  // namespace
}  // namespace sluice::forwarding
