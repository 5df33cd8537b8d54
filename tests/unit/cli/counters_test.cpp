#include "controlplane/cli/counters.h"

#include <gtest/gtest.h>

namespace sluice::cli {
namespace {

Json reading(double uptime, uint64_t received, uint64_t packets) {
  return {{"uptime_s", uptime},
          {"totals", {{"received", received}}},
          {"nodes", Json::array({Json{{"node", "port_rx"}, {"packets", packets}}})}};
}

TEST(Counters, BetweenTwoReadingsIsTheirDifference) {
  EXPECT_EQ(counted_between(reading(2.5, 100, 40), reading(4.0, 350, 45)), reading(1.5, 250, 5));
}

TEST(Counters, ADaemonStartedAnewHasCountedFromZero) {
  EXPECT_EQ(counted_between(reading(200, 100, 40), reading(0.5, 30, 3)), reading(0.5, 30, 3));
}

}  // namespace
}  // namespace sluice::cli
