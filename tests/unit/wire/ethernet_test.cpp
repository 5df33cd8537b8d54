#include "dataplane/wire/ethernet.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::wire {
namespace {

TEST(Ethernet, ShortFrameIsNamedTruncated) {
  const std::vector<uint8_t> frame(13);
  const auto view = parse_ethernet(frame);
  ASSERT_FALSE(view);
  EXPECT_EQ(view.error(), Drop::ethernet_truncated);
}

TEST(Ethernet, FieldsComeInWireOrder) {
  const std::vector<uint8_t> frame{1, 2, 3, 4, 5, 6, 0xaa, 0xbb, 0xcc, 0xdd, 0xee, 0xff, 0x86, 0xdd, 42};
  const auto view = parse_ethernet(frame);
  ASSERT_TRUE(view);
  EXPECT_EQ(to_text(view->header->dst), "01:02:03:04:05:06");
  EXPECT_TRUE(view->header->dst.is_group());
  EXPECT_EQ(to_text(view->header->src), "aa:bb:cc:dd:ee:ff");
  EXPECT_EQ(view->header->ether_type(), EtherType::ipv6);
  ASSERT_EQ(view->payload.size(), 1u);
  EXPECT_EQ(view->payload[0], 42);
}

TEST(MacAddress, TextIsStrict) {
  EXPECT_EQ(mac_from_text("02:00:00:00:00:0A"), (MacAddress{{2, 0, 0, 0, 0, 10}}));
  for (const char* bad : {"", "02:00:00:00:00", "02:00:00:00:00:0g", "02-00-00-00-00-0a", "02:00:00:00:00:0a "})
    EXPECT_FALSE(mac_from_text(bad)) << bad;
}

TEST(MacAddress, IntegerAndBack) {
  const MacAddress mac{{1, 2, 3, 4, 5, 6}};
  EXPECT_EQ(mac.to_integer(), 0x010203040506u);
  EXPECT_EQ(MacAddress::from_integer(mac.to_integer()), mac);
}

}  // namespace
}  // namespace sluice::wire
