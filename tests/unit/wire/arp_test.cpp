#include "dataplane/wire/arp.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

const auto kRequest = from_hex("0001 0800 06 04 0001 020000000001 c0000201 000000000000 c0000202");

TEST(Arp, RequestIsReadFieldByField) {
  const auto view = parse_arp(kRequest);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->header->op(), ArpOperation::request);
  EXPECT_EQ(to_text(view->header->sender_mac), "02:00:00:00:00:01");
  EXPECT_EQ(to_text(view->header->sender_ip), "192.0.2.1");
  EXPECT_EQ(view->header->target_mac, MacAddress{});
  EXPECT_EQ(to_text(view->header->target_ip), "192.0.2.2");
}

TEST(Arp, MadeHeaderIsTheOneOnTheWire) {
  const auto header = make_arp(ArpOperation::request, *mac_from_text("02:00:00:00:00:01"),
                               *ipv4_from_text("192.0.2.1"), MacAddress{}, *ipv4_from_text("192.0.2.2"));
  EXPECT_EQ(emitted(ArpView{&header, {}}), kRequest);
}

TEST(Arp, EthernetPaddingIsKept) {
  auto padded = kRequest;
  padded.resize(46);
  const auto view = parse_arp(padded);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->trailer.size(), 18u);
  EXPECT_EQ(emitted(*view), padded);
}

TEST(Arp, ShortPacketIsTruncated) {
  auto cut = kRequest;
  cut.pop_back();
  ASSERT_FALSE(parse_arp(cut));
  EXPECT_EQ(parse_arp(cut).error(), Drop::arp_truncated);
}

TEST(Arp, AnythingButIpv4OverEthernetIsUnsupported) {
  for (size_t offset : {1u, 2u, 4u, 5u}) {
    auto other = kRequest;
    other[offset] ^= 0x20;
    ASSERT_FALSE(parse_arp(other)) << offset;
    EXPECT_EQ(parse_arp(other).error(), Drop::arp_unsupported) << offset;
  }
}

}  // namespace
}  // namespace sluice::wire
