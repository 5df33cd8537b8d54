#include "dataplane/forwarding/tables/next_hops.h"

#include <gtest/gtest.h>

namespace sluice::forwarding {
namespace {

using Kind = Adjacency::Kind;

constexpr NextHopKey kVia{Kind::unresolved, 1, 77};

Adjacency resolved(uint8_t last) {
  Adjacency adjacency;
  adjacency.kind = Kind::rewrite;
  adjacency.port = 1;
  adjacency.next_hop = 77;
  adjacency.dst_mac = {{2, 0, 0, 0, 0, last}};
  return adjacency;
}

TEST(NextHops, NumberZeroIsNoRoute) {
  const NextHops hops;
  EXPECT_EQ(hops.at(0)->kind, Kind::none);
}

TEST(NextHops, RoutesWithTheSameNextHopShareOneSlot) {
  NextHops hops;
  const auto first = hops.acquire(kVia), second = hops.acquire(kVia);
  EXPECT_EQ(*first, *second);
  EXPECT_NE(*hops.acquire({Kind::unresolved, 2, 77}), *first) << "another port";
  EXPECT_NE(*hops.acquire({Kind::connected, 1, 0}), *first);
}

TEST(NextHops, ASlotIsReusedOnlyAfterItsLastRouteAndAGracePeriod) {
  NextHops hops;
  const auto first = *hops.acquire(kVia);
  hops.acquire(kVia).value();
  hops.release(kVia);
  hops.reclaim();
  EXPECT_NE(*hops.acquire({Kind::local, kNoPort, 0}), first) << "still in use";
  hops.release(kVia);
  EXPECT_NE(*hops.acquire({Kind::discard, kNoPort, 0}), first) << "a reader may still be there";
  hops.reclaim();
  EXPECT_EQ(*hops.acquire({Kind::connected, 3, 0}), first);
}

TEST(NextHops, ANeighbourResolvesTheSlotWhetherItComesBeforeOrAfterTheRoute) {
  NextHops hops;
  const auto early = static_cast<uint64_t>(*hops.acquire(kVia));
  EXPECT_EQ(hops.at(early)->kind, Kind::unresolved);
  EXPECT_EQ(hops.at(early)->port, 1);
  EXPECT_EQ(hops.at(early)->next_hop, tables::Value{77});
  auto neighbour = resolved(5);
  hops.resolve(1, 77, &neighbour);
  EXPECT_EQ(hops.at(early)->kind, Kind::rewrite);
  EXPECT_EQ(hops.at(early)->dst_mac.octets[5], 5);

  hops.release(kVia);
  hops.reclaim();
  const auto late = static_cast<uint64_t>(*hops.acquire(kVia));
  EXPECT_EQ(hops.at(late)->kind, Kind::rewrite);
}

TEST(NextHops, AChangedNeighbourChangesTheSlotAndTheOldAdjacencyLivesUntilTheGracePeriodEnds) {
  NextHops hops;
  const auto index = static_cast<uint64_t>(*hops.acquire(kVia));
  auto before = resolved(5), after = resolved(6);
  hops.resolve(1, 77, &before);
  const Adjacency* held_by_a_reader = hops.at(index);
  hops.resolve(1, 77, &after);
  EXPECT_EQ(held_by_a_reader->dst_mac.octets[5], 5);
  EXPECT_EQ(hops.at(index)->dst_mac.octets[5], 6);
  hops.reclaim();
  EXPECT_EQ(hops.at(index)->dst_mac.octets[5], 6);
}

TEST(NextHops, ALostNeighbourLeavesTheSlotUnresolved) {
  NextHops hops;
  const auto index = static_cast<uint64_t>(*hops.acquire(kVia));
  auto neighbour = resolved(5);
  hops.resolve(1, 77, &neighbour);
  hops.resolve(1, 77, nullptr);
  EXPECT_EQ(hops.at(index)->kind, Kind::unresolved);
  EXPECT_EQ(hops.at(index)->next_hop, tables::Value{77});
}

TEST(NextHops, ThereAreAsManyAsTheFibCanNumber) {
  NextHops hops;
  for (size_t i = 1; i < NextHops::kCapacity; ++i)
    ASSERT_TRUE(hops.acquire({Kind::unresolved, 1, i}).ok()) << i;
  const auto status = hops.acquire({Kind::unresolved, 2, 1}).status();
  EXPECT_EQ(status.ToString(), "RESOURCE_EXHAUSTED: more than 32766 different next hops");
  hops.release({Kind::unresolved, 1, 5});
  hops.reclaim();
  EXPECT_TRUE(hops.acquire({Kind::unresolved, 2, 1}).ok());
}

}  // namespace
}  // namespace sluice::forwarding
