#include "controlplane/cli/quantity.h"

#include <gtest/gtest.h>

#include <limits>

namespace sluice::cli {
namespace {

TEST(Quantity, ThousandsAreSeparated) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(123456), "123,456");
  EXPECT_EQ(with_separators(std::numeric_limits<uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Quantity, BytesHaveAUnitOfPowersOfThousand) {
  EXPECT_EQ(bytes_text(0), "0 B");
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(1000), "1.00 kB");
  EXPECT_EQ(bytes_text(999'999), "1.00 MB");
  EXPECT_EQ(bytes_text(1'234'567'890), "1.23 GB");
  EXPECT_EQ(bytes_text(std::numeric_limits<uint64_t>::max()), "18.45 EB");
}

TEST(Quantity, DurationsShowTheirTwoLargestUnits) {
  EXPECT_EQ(duration_text(0), "0.0 s");
  EXPECT_EQ(duration_text(59.99), "59.9 s");
  EXPECT_EQ(duration_text(60), "1 min 0 s");
  EXPECT_EQ(duration_text(3 * 3600 + 4 * 60 + 5), "3 h 4 min");
  EXPECT_EQ(duration_text(2 * 86400 + 5 * 3600), "2 d 5 h");
}

TEST(Quantity, NothingIsDividedByNothing) {
  EXPECT_EQ(ratio_text(10, 4), "2.5");
  EXPECT_EQ(ratio_text(10, 0), "-");
}

TEST(Quantity, NounsAgreeWithTheirNumber) {
  EXPECT_EQ(plural(1, "port"), "1 port");
  EXPECT_EQ(plural(0, "port"), "0 ports");
  EXPECT_EQ(plural(65536, "entry"), "65,536 entries");
}

}  // namespace
}  // namespace sluice::cli
