#include "dataplane/wire/udp.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

TEST(Udp, LengthFieldBoundsThePayloadAndTheRestIsTrailer) {
  const auto bytes = from_hex("0868 0035 000a 1234 aabb ccdd");
  const auto view = parse_udp(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->header->src_port, Be16(2152));
  EXPECT_EQ(view->header->dst_port, Be16(53));
  EXPECT_EQ(view->header->checksum, Be16(0x1234));
  EXPECT_EQ(testing::to_vector(view->payload), from_hex("aabb"));
  EXPECT_EQ(testing::to_vector(view->trailer), from_hex("ccdd"));
  EXPECT_EQ(view->datagram().size(), 10u);
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Udp, EachBadLengthHasItsOwnReason) {
  EXPECT_EQ(parse_udp(from_hex("0868 0035 0008 00")).error(), Drop::udp_truncated);
  for (const char* bad : {"0868 0035 0000 0000", "0868 0035 0007 0000", "0868 0035 0009 0000"})
    EXPECT_EQ(parse_udp(from_hex(bad)).error(), Drop::udp_bad_length) << bad;
}

TEST(Udp, EmptyDatagramIsGood) {
  const auto bytes = from_hex("0868 0035 0008 0000");
  ASSERT_TRUE(parse_udp(bytes));
  EXPECT_TRUE(parse_udp(bytes)->payload.empty());
}

}  // namespace
}  // namespace sluice::wire
