// The route tables against a list that is searched from end to end.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "tests/support/forwarding_fixture.h"

namespace sluice::forwarding {
namespace {

using namespace testing;
using tables::Operation;
using tables::Value;

// A change of a route; addresses come from so few bits that prefixes nest and meet often.
struct Change {
  Operation operation;
  uint8_t bits;    // which prefix
  uint8_t length;  // how much of it
  uint8_t port;
};

void showValue(const Change& change, std::ostream& out) {
  out << "{" << static_cast<int>(change.operation) << " " << int{change.bits} << "/" << int{change.length}
      << " port " << int{change.port} << "}";
}

rc::Gen<Change> any_change(unsigned longest) {
  return rc::gen::construct<Change>(
      rc::gen::element(Operation::insert, Operation::insert, Operation::modify, Operation::remove),
      rc::gen::arbitrary<uint8_t>(), rc::gen::inRange<uint8_t>(0, static_cast<uint8_t>(longest + 1)),
      rc::gen::inRange<uint8_t>(0, 3));
}

class RouteTableTest : public ForwardingFixture {
 protected:
  // Eight bits spread over the whole address, the last one in the last place.
  static Value spread(uint8_t bits, unsigned width) {
    Value address = 0;
    for (unsigned i = 0; i < 8; ++i)
      if (bits >> i & 1) address |= Value{1} << (width - 1 - i * (width - 1) / 7);
    return address;
  }

  static tables::Entry entry(const Change& change, bool is_ipv4) {
    const unsigned width = is_ipv4 ? 32 : 128;
    tables::Entry result;
    result.table = is_ipv4 ? ids().ipv4_lpm : ids().ipv6_lpm;
    const Value mask = tables::prefix_mask(width, change.length);
    result.key.match[0] = {spread(change.bits, width) & mask, mask};
    result.action = static_cast<tables::ActionId>(RouteAction::connected);
    result.params = {change.port};
    return result;
  }

  static const Adjacency& lookup(Value address, bool is_ipv4) {
    uint64_t next_hop = 0;
    if (is_ipv4) {
      auto key = static_cast<uint32_t>(address);
      state().ipv4->fib().lookup(&key, &next_hop, 1);
    } else {
      FibV6::LookupKey key;
      const auto bytes = tables::to_ipv6(address);
      std::memcpy(key, bytes.octets.data(), sizeof key);
      state().ipv6->fib().lookup(&key, &next_hop, 1);
    }
    return is_ipv4 ? *state().ipv4_next_hops.at(next_hop) : *state().ipv6_next_hops.at(next_hop);
  }

  void compare(const std::vector<Change>& changes, bool is_ipv4) {
    const unsigned width = is_ipv4 ? 32 : 128;
    std::map<std::pair<Value, Value>, PortNumber> reference;  // mask and value, so that the longest is last
    for (const auto& change : changes) {
      const auto wanted = entry(change, is_ipv4);
      const auto key = std::pair(wanted.key.match[0].mask, wanted.key.match[0].value);
      const bool there = reference.contains(key);
      const auto status = service().apply({change.operation, wanted});
      RC_ASSERT(status.ok() == (there != (change.operation == Operation::insert)));
      if (!status.ok()) continue;
      if (change.operation == Operation::remove)
        reference.erase(key);
      else
        reference[key] = change.port;
    }
    for (unsigned bits = 0; bits < 256; ++bits) {
      const Value address = spread(static_cast<uint8_t>(bits), width);
      PortNumber expected = kNoPort;
      for (const auto& [prefix, port] : reference)
        if ((address & prefix.first) == prefix.second) expected = port;
      const auto& found = lookup(address, is_ipv4);
      RC_ASSERT(found.port == expected);
      RC_ASSERT(found.kind == (expected == kNoPort ? Adjacency::Kind::none : Adjacency::Kind::connected));
    }
    for (const auto& [prefix, port] : reference) {
      tables::Entry gone;
      gone.table = is_ipv4 ? ids().ipv4_lpm : ids().ipv6_lpm;
      gone.key.match[0] = {prefix.second, prefix.first};
      RC_ASSERT(service().apply({Operation::remove, gone}).ok());
    }
  }
};

TEST_F(RouteTableTest, Ipv4FindsTheLongestPrefixAfterAnyChanges) {
  EXPECT_TRUE(rc::check([this] { compare(*rc::gen::container<std::vector<Change>>(any_change(32)), true); }));
}

TEST_F(RouteTableTest, Ipv6FindsTheLongestPrefixAfterAnyChanges) {
  EXPECT_TRUE(
      rc::check([this] { compare(*rc::gen::container<std::vector<Change>>(any_change(128)), false); }));
}

TEST_F(RouteTableTest, PrefixesThatReachTheEndOfTheAddressSpaceKeepToTheirGaps) {
  const auto port = [](uint32_t address) { return lookup(address, true).port; };
  insert(via("0.0.0.0/1", "p1", "10.0.1.2"));
  insert(via("128.0.0.0/2", "p2", "10.0.1.2"));
  insert(via("192.0.0.0/2", "p3", "10.0.1.2"));
  insert(via("128.0.0.0/1", "p1", "10.0.1.3"));
  insert(via("0.0.0.0/0", "p2", "10.0.1.3"));
  EXPECT_EQ(port(0x01000000), 1);
  EXPECT_EQ(port(0x81000000), 2);
  EXPECT_EQ(port(0xc1000000), 3);
  remove(via("192.0.0.0/2", "p3", "10.0.1.2"));
  EXPECT_EQ(port(0xc1000000), 1);
  remove(via("128.0.0.0/1", "p1", "10.0.1.3"));
  EXPECT_EQ(port(0xc1000000), 2);
  EXPECT_EQ(port(0x01000000), 1);
  remove(via("0.0.0.0/0", "p2", "10.0.1.3"));
  EXPECT_EQ(port(0xc1000000), kNoPort);
  EXPECT_EQ(port(0x81000000), 2);
}

TEST_F(RouteTableTest, LongPrefixesComeAndGoWithoutUsingTheTableUp) {
  insert(via("10.0.0.0/8", "p1", "10.0.1.2"));
  for (int i = 0; i < 2000; ++i) {
    insert(via("10.0.0.1/32", "p1", "10.0.1.2"));
    remove(via("10.0.0.1/32", "p1", "10.0.1.2"));
    insert(via("fd00::1/128", "p1", "fd00::2"));
    remove(via("fd00::1/128", "p1", "fd00::2"));
    if (HasFailure()) break;
  }
}

TEST_F(RouteTableTest, RoutesStayAsTheyAreWhenATableIsMadeAnew) {
  insert(via("::/0", "p3", "fd00::3"));
  insert(via("fd00:5::/32", "p2", "fd00::2"));
  insert(via("fd00:5::5/128", "p1", "fd00::1"));
  for (int i = 0; i < 2000 && !HasFailure(); ++i) {
    insert(via("fd00:6::1/128", "p1", "fd00::1"));
    remove(via("fd00:6::1/128", "p1", "fd00::1"));
    const auto port = [](const char* address) { return lookup(tables::value_of(ip6(address)), false).port; };
    EXPECT_EQ(port("fd00:5::5"), 1);
    EXPECT_EQ(port("fd00:5::6"), 2);
    EXPECT_EQ(port("fd00:6::1"), 3);
  }
}

TEST_F(RouteTableTest, EachActionGivesItsKindOfAdjacency) {
  insert(route("10.1.0.0/16", "connected", {{"port", "p2"}}));
  insert(route("10.2.0.0/16", "local"));
  insert(route("10.3.0.0/16", "discard"));
  insert(via("10.4.0.0/16", "p1", "10.0.1.2"));
  insert(via("fd04::/16", "p1", "fd00::2"));
  using Kind = Adjacency::Kind;
  EXPECT_EQ(lookup(0x0a010001, true).kind, Kind::connected);
  EXPECT_EQ(lookup(0x0a010001, true).port, 2);
  EXPECT_EQ(lookup(0x0a020001, true).kind, Kind::local);
  EXPECT_EQ(lookup(0x0a030001, true).kind, Kind::discard);
  EXPECT_EQ(lookup(0x0a040001, true).kind, Kind::unresolved);
  EXPECT_EQ(lookup(0x0a040001, true).next_hop, tables::mapped(ip4("10.0.1.2")));
  EXPECT_EQ(lookup(tables::value_of(ip6("fd04::1")), false).next_hop, tables::value_of(ip6("fd00::2")));
}

TEST_F(RouteTableTest, ARouteFollowsItsNeighbour) {
  insert(via("10.4.0.0/16", "p1", "10.0.1.2"));
  insert(neighbour("p1", "10.0.1.2", "02:00:00:00:00:09"));
  EXPECT_EQ(to_text(lookup(0x0a040001, true).dst_mac), "02:00:00:00:00:09");
  modify(neighbour("p1", "10.0.1.2", "02:00:00:00:00:0a"));
  EXPECT_EQ(to_text(lookup(0x0a040001, true).dst_mac), "02:00:00:00:00:0a");
  remove(neighbour("p1", "10.0.1.2", "02:00:00:00:00:0a"));
  EXPECT_EQ(lookup(0x0a040001, true).kind, Adjacency::Kind::unresolved);
}

TEST_F(RouteTableTest, AFullTableRefusesAndKeepsWhatItHas) {
  for (int i = 0; i < 2048; ++i)
    insert(via("10." + std::to_string(i / 256) + "." + std::to_string(i % 256) + ".0/24", "p1", "10.0.1.2"));
  EXPECT_TRUE(absl::IsResourceExhausted(write(Operation::insert, via("11.0.0.0/8", "p1", "10.0.1.2"))));
  EXPECT_EQ(lookup(0x0b000001, true).kind, Adjacency::Kind::none);
  EXPECT_EQ(lookup(0x0a07ff01, true).kind, Adjacency::Kind::unresolved);
}

TEST_F(RouteTableTest, PrefixesBeyondTheGroupsThereAreAreRefusedAndTheRestStays) {
  int taken = 0;
  for (int i = 0; i < 300; ++i)
    taken += write(Operation::insert,
                   via("10." + std::to_string(i / 256) + "." + std::to_string(i % 256) + ".1/32", "p1",
                       "10.0.1.2"))
                 .ok();
  EXPECT_GE(taken, 200);
  EXPECT_LT(taken, 300);
  EXPECT_EQ(lookup(0x0a000001, true).kind, Adjacency::Kind::unresolved);
  EXPECT_EQ(lookup(0x0a000002, true).kind, Adjacency::Kind::none);
}

}  // namespace
}  // namespace sluice::forwarding
