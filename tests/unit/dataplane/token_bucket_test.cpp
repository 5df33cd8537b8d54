#include "dataplane/graph/token_bucket.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

constexpr uint64_t kHz = 1'000'000;

unsigned taken(TokenBucket& bucket, uint32_t rate, uint64_t now, unsigned tries) {
  unsigned count = 0;
  for (unsigned i = 0; i < tries; ++i) count += bucket.take(rate, now, kHz);
  return count;
}

TEST(TokenBucket, RateZeroGivesNothing) {
  TokenBucket bucket;
  EXPECT_EQ(taken(bucket, 0, 0, 10), 0u);
}

TEST(TokenBucket, ATenthOfTheRateAtOnceFromTheFirstMoment) {
  TokenBucket bucket;
  EXPECT_EQ(taken(bucket, 1000, 12345, 1000), 100u);
}

TEST(TokenBucket, TheLongRunIsTheRateHoweverOftenOneAsks) {
  TokenBucket bucket;
  unsigned count = 0;
  for (uint64_t now = 0; now < 10 * kHz; now += 10) count += bucket.take(1000, now, kHz);
  EXPECT_GE(count, 10'000u);
  EXPECT_LE(count, 10'100u);
}

TEST(TokenBucket, IdleTimeIsNotSavedUp) {
  TokenBucket bucket;
  taken(bucket, 1000, 0, 1000);
  EXPECT_EQ(taken(bucket, 1000, 1000 * kHz, 1000), 100u);
}

TEST(TokenBucket, ARateBelowTenStillGivesOneAtATime) {
  TokenBucket bucket;
  EXPECT_EQ(taken(bucket, 2, 0, 10), 1u);
  EXPECT_EQ(taken(bucket, 2, kHz / 4, 10), 0u);
  EXPECT_EQ(taken(bucket, 2, kHz / 2, 10), 1u);
}

}  // namespace
}  // namespace sluice
