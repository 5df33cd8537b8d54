#include "dataplane/agent/neighbour_cache.h"

#include <gtest/gtest.h>

namespace sluice::agent {
namespace {

using namespace std::chrono_literals;

const NeighbourId kHost{1, 42};
const wire::MacAddress kMac{{2, 0, 0, 0, 0, 9}}, kOther{{2, 0, 0, 0, 0, 10}};

class NeighbourCacheTest : public ::testing::Test {
 protected:
  NeighbourActions needed(const NeighbourId& id, int packet) {
    NeighbourActions out;
    cache_.on_needed(id, &packets_[packet], now_, out);
    return out;
  }
  NeighbourActions seen(const NeighbourId& id, const wire::MacAddress& mac, bool asked = false) {
    NeighbourActions out;
    cache_.on_seen(id, mac, asked, now_, out);
    return out;
  }
  NeighbourActions after(std::chrono::milliseconds passed) {
    now_ += passed;
    NeighbourActions out;
    cache_.on_tick(now_, out);
    return out;
  }
  // Numbers of the packets in a list.
  std::vector<int> numbers(const std::vector<std::pair<NeighbourId, Waiting>>& list) const {
    std::vector<int> result;
    for (const auto& [id, packet] : list)
      result.push_back(static_cast<int>(static_cast<int*>(packet) - packets_));
    return result;
  }

  int packets_[16] = {};
  Time now_{};
  NeighbourCache cache_{
      {.refresh = 30s, .retransmit = 1000ms, .attempts = 3, .waiting_per_neighbour = 3, .max_neighbours = 2}};
};

TEST_F(NeighbourCacheTest, TheFirstPacketAsksEverybodyTheNextOnesOnlyWait) {
  const auto first = needed(kHost, 0);
  ASSERT_EQ(first.solicit.size(), 1u);
  EXPECT_EQ(first.solicit[0].unicast, nullptr);
  const auto second = needed(kHost, 1);
  EXPECT_TRUE(second.solicit.empty() && second.release.empty() && second.give_up.empty());
}

TEST_F(NeighbourCacheTest, AnAnswerReleasesWhatWaitsInOrder) {
  needed(kHost, 0);
  needed(kHost, 1);
  const auto out = seen(kHost, kMac);
  ASSERT_EQ(out.resolved.size(), 1u);
  EXPECT_EQ(out.resolved[0].mac, kMac);
  EXPECT_EQ(numbers(out.release), (std::vector{0, 1}));
  EXPECT_EQ(numbers(needed(kHost, 2).release), std::vector{2}) << "resolved by now";
}

TEST_F(NeighbourCacheTest, ThreeQuestionsASecondApartThenItIsGivenUp) {
  needed(kHost, 0);
  EXPECT_TRUE(after(999ms).solicit.empty());
  EXPECT_EQ(after(1ms).solicit.size(), 1u);
  EXPECT_EQ(after(1000ms).solicit.size(), 1u);
  const auto end = after(1000ms);
  EXPECT_TRUE(end.solicit.empty());
  EXPECT_EQ(numbers(end.give_up), std::vector{0});
  EXPECT_TRUE(end.lost.empty()) << "it was never there";
  EXPECT_EQ(cache_.size(), 0u);
  EXPECT_EQ(needed(kHost, 1).solicit.size(), 1u) << "and may be tried again";
}

TEST_F(NeighbourCacheTest, TheOldestPacketMakesRoom) {
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(needed(kHost, i).give_up.empty());
  EXPECT_EQ(numbers(needed(kHost, 3).give_up), std::vector{0});
  EXPECT_EQ(numbers(seen(kHost, kMac).release), (std::vector{1, 2, 3}));
}

TEST_F(NeighbourCacheTest, AKnownNeighbourIsAskedDirectlyWhenItIsTimeToRefresh) {
  needed(kHost, 0);
  seen(kHost, kMac);
  EXPECT_TRUE(after(29999ms).solicit.empty());
  const auto refresh = after(1ms);
  ASSERT_EQ(refresh.solicit.size(), 1u);
  ASSERT_NE(refresh.solicit[0].unicast, nullptr);
  EXPECT_EQ(*refresh.solicit[0].unicast, kMac);
  const auto answer = seen(kHost, kMac);
  EXPECT_TRUE(answer.resolved.empty()) << "nothing new";
  EXPECT_TRUE(after(29999ms).solicit.empty()) << "the clock starts anew";
}

TEST_F(NeighbourCacheTest, AKnownNeighbourThatAnswersNoMoreIsLost) {
  needed(kHost, 0);
  seen(kHost, kMac);
  EXPECT_EQ(after(30000ms).solicit.size(), 1u);
  EXPECT_EQ(after(1000ms).solicit.size(), 1u);
  EXPECT_EQ(after(1000ms).solicit.size(), 1u);
  const auto end = after(1000ms);
  ASSERT_EQ(end.lost.size(), 1u);
  EXPECT_EQ(end.lost[0], kHost);
  EXPECT_EQ(cache_.size(), 0u);
}

TEST_F(NeighbourCacheTest, AChangedMacIsNewsTheSameOneIsNot) {
  needed(kHost, 0);
  seen(kHost, kMac);
  EXPECT_TRUE(seen(kHost, kMac).resolved.empty());
  const auto moved = seen(kHost, kOther);
  ASSERT_EQ(moved.resolved.size(), 1u);
  EXPECT_EQ(moved.resolved[0].mac, kOther);
}

TEST_F(NeighbourCacheTest, AStrangerIsRememberedOnlyIfItAskedUs) {
  EXPECT_TRUE(seen(kHost, kMac, false).resolved.empty());
  EXPECT_EQ(cache_.size(), 0u);
  EXPECT_EQ(seen(kHost, kMac, true).resolved.size(), 1u);
  EXPECT_EQ(cache_.size(), 1u);
}

TEST_F(NeighbourCacheTest, AScanDoesNotTakeAllMemory) {
  needed({1, 1}, 0);
  needed({1, 2}, 1);
  const auto third = needed({1, 3}, 2);
  EXPECT_EQ(numbers(third.give_up), std::vector{2});
  EXPECT_TRUE(third.solicit.empty());
  EXPECT_TRUE(seen({1, 3}, kMac, true).resolved.empty());
  EXPECT_EQ(cache_.size(), 2u);
}

TEST_F(NeighbourCacheTest, ShutdownGivesUpWhatWaitsOnce) {
  needed(kHost, 0);
  needed(kHost, 1);
  NeighbourActions out;
  cache_.on_shutdown(out);
  EXPECT_EQ(numbers(out.give_up), (std::vector{0, 1}));
  cache_.on_shutdown(out);
  EXPECT_EQ(out.give_up.size(), 2u);
}

}  // namespace
}  // namespace sluice::agent
