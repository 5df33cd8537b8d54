#include "dataplane/wire/vlan.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

TEST(Vlan, UntaggedFramePassesWithNoTags) {
  const auto bytes = from_hex("4500");
  const auto view = parse_vlan(EtherType::ipv4, bytes);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->tags.empty());
  EXPECT_EQ(view->type, EtherType::ipv4);
  EXPECT_EQ(view->payload.size(), 2u);
}

TEST(Vlan, ServiceAndCustomerTagAreReadOutermostFirst) {
  const auto bytes = from_hex("bffe 8100  0005 0800  4500");
  const auto view = parse_vlan(EtherType::qinq, bytes);
  ASSERT_TRUE(view);
  ASSERT_EQ(view->tags.size(), 2u);
  EXPECT_EQ(view->tags[0].priority(), 5);
  EXPECT_TRUE(view->tags[0].drop_eligible());
  EXPECT_EQ(view->tags[0].vlan_id(), 0xffe);
  EXPECT_EQ(view->tags[1].priority(), 0);
  EXPECT_FALSE(view->tags[1].drop_eligible());
  EXPECT_EQ(view->tags[1].vlan_id(), 5);
  EXPECT_EQ(view->type, EtherType::ipv4);
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Vlan, FrameThatEndsInsideATagIsTruncated) {
  for (size_t size = 0; size < 8; ++size) {
    auto bytes = from_hex("0001 8100 0002 0800");
    bytes.resize(size);
    const auto view = parse_vlan(EtherType::vlan, bytes);
    ASSERT_FALSE(view) << size;
    EXPECT_EQ(view.error(), Drop::vlan_truncated) << size;
  }
}

TEST(Vlan, StackIsFollowedToItsBoundAndNoFurther) {
  std::vector<uint8_t> bytes;
  for (size_t i = 0; i < kMaxVlanTags; ++i) bytes.insert(bytes.end(), {0, 1, 0x81, 0});
  bytes[bytes.size() - 2] = 0x08;
  ASSERT_TRUE(parse_vlan(EtherType::vlan, bytes));
  EXPECT_EQ(parse_vlan(EtherType::vlan, bytes)->tags.size(), kMaxVlanTags);
  bytes[bytes.size() - 2] = 0x81;
  bytes.insert(bytes.end(), {0, 1, 0x08, 0});
  ASSERT_FALSE(parse_vlan(EtherType::vlan, bytes));
  EXPECT_EQ(parse_vlan(EtherType::vlan, bytes).error(), Drop::vlan_too_deep);
}

}  // namespace
}  // namespace sluice::wire
