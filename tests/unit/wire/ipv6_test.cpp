#include "dataplane/wire/ipv6.h"

#include <gtest/gtest.h>

#include "dataplane/wire/ipv6_extension.h"
#include "dataplane/wire/ipv6_option.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

std::vector<uint8_t> packet(uint8_t next, std::string_view payload_hex, size_t trailer = 0) {
  auto bytes =
      from_hex("6ab 12345 0000 00 40 20010db8000000000000000000000001 20010db8000000000000000000000002");
  const auto payload = from_hex(payload_hex);
  bytes[5] = static_cast<uint8_t>(payload.size());
  bytes[6] = next;
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  bytes.resize(bytes.size() + trailer);
  return bytes;
}

TEST(Ipv6, FixedHeaderIsReadFieldByField) {
  const auto bytes = packet(17, "aabb", 3);
  const auto view = parse_ipv6(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->header->traffic_class(), 0xab);
  EXPECT_EQ(view->header->flow_label(), 0x12345u);
  EXPECT_EQ(view->header->next_header, Be8(17));
  EXPECT_EQ(view->header->hop_limit, Be8(64));
  EXPECT_EQ(to_text(view->header->src), "2001:db8::1");
  EXPECT_EQ(to_text(view->header->dst), "2001:db8::2");
  EXPECT_EQ(view->payload.size(), 2u);
  EXPECT_EQ(view->trailer.size(), 3u);
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Ipv6, SetClassAndFlowKeepsTheVersion) {
  Ipv6Header header{};
  header.set_version_class_flow(0xab, 0xfff12345);
  EXPECT_EQ(header.version(), 6);
  EXPECT_EQ(header.traffic_class(), 0xab);
  EXPECT_EQ(header.flow_label(), 0x12345u);
}

TEST(Ipv6, EachBadHeaderHasItsOwnReason) {
  auto bytes = packet(17, "aabb");
  EXPECT_EQ(parse_ipv6(Bytes(bytes).first(39)).error(), Drop::ipv6_truncated);
  EXPECT_EQ(parse_ipv6(Bytes(bytes).first(41)).error(), Drop::ipv6_bad_payload_length);
  bytes[0] = 0x4a;
  EXPECT_EQ(parse_ipv6(bytes).error(), Drop::ipv6_bad_version);
}

TEST(Ipv6, QuoteMayBeCutShort) {
  const auto bytes = packet(17, "aabbccdd");
  const Bytes cut = Bytes(bytes).first(42);
  ASSERT_FALSE(parse_ipv6(cut));
  const auto view = parse_ipv6_quote(cut);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->payload.size(), 2u);
}

TEST(Ipv6Chain, PacketWithoutExtensionsGoesStraightToTheUpperLayer) {
  const auto bytes = packet(17, "aabb");
  const auto chain = parse_ipv6_chain(*parse_ipv6(bytes));
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->upper, IpProtocol::udp);
  EXPECT_TRUE(chain->extensions.empty());
  EXPECT_EQ(chain->payload.size(), 2u);
  EXPECT_TRUE(chain->upper_readable());
}

TEST(Ipv6Chain, EveryKindOfHeaderIsWalkedByItsOwnLengthRule) {
  // Hop-by-hop (16), routing type 0 (8), atomic fragment (8, its second byte is not a length), AH (24), UDP.
  const auto bytes = packet(0,
                            "2b01 0502000001080000000000000000 2c00 0000 00000000 33ff 0000 0000002a"
                            "1104 0000 00000007 00000008 000102030405060708090a0b aabb");
  const auto view = parse_ipv6(bytes);
  const auto chain = parse_ipv6_chain(*view);
  ASSERT_TRUE(chain);
  std::vector<IpProtocol> types;
  std::vector<size_t> sizes;
  for (const Ipv6Extension& extension : chain->range()) {
    types.push_back(extension.type);
    sizes.push_back(extension.bytes.size());
  }
  EXPECT_EQ(types,
            (std::vector{IpProtocol::hop_by_hop, IpProtocol::routing, IpProtocol::fragment, IpProtocol::ah}));
  EXPECT_EQ(sizes, (std::vector<size_t>{16, 8, 8, 24}));
  ASSERT_NE(chain->fragment, nullptr);
  EXPECT_EQ(chain->fragment->id, Be32(42));
  EXPECT_TRUE(chain->upper_readable());
  EXPECT_EQ(chain->upper, IpProtocol::udp);
  EXPECT_EQ(testing::to_vector(chain->payload), from_hex("aabb"));
  EXPECT_EQ(emitted(*chain), testing::to_vector(view->payload));
}

TEST(Ipv6Chain, NothingIsReadBehindALaterFragment) {
  // Offset 8, and a next header that would be a destination header, were this the first fragment.
  const auto bytes = packet(44, "3c00 0009 00000001 11ff");
  const auto chain = parse_ipv6_chain(*parse_ipv6(bytes));
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->upper, IpProtocol::destination);
  EXPECT_FALSE(chain->upper_readable());
  EXPECT_EQ(chain->fragment->fragment_offset(), 8u);
  EXPECT_TRUE(chain->fragment->more_fragments());
  EXPECT_EQ(chain->payload.size(), 2u);
}

TEST(Ipv6Chain, HeaderLongerThanThePacketIsTruncated) {
  for (const char* cut : {"", "11", "1101 000000000000", "1100 0000000000"}) {
    const auto bytes = packet(60, cut);
    const auto chain = parse_ipv6_chain(*parse_ipv6(bytes));
    ASSERT_FALSE(chain) << cut;
    EXPECT_EQ(chain.error(), Drop::ipv6_extension_truncated) << cut;
  }
}

TEST(Ipv6Chain, LengthIsBounded) {
  const auto headers = [](size_t count) {
    std::string hex;
    for (size_t i = 1; i <= count; ++i) hex += i < count ? "3c00 010400000000" : "1100 010400000000";
    return hex;
  };
  const auto most = packet(60, headers(kMaxIpv6Extensions)),
             more = packet(60, headers(kMaxIpv6Extensions + 1));
  EXPECT_TRUE(parse_ipv6_chain(*parse_ipv6(most)));
  ASSERT_FALSE(parse_ipv6_chain(*parse_ipv6(more)));
  EXPECT_EQ(parse_ipv6_chain(*parse_ipv6(more)).error(), Drop::ipv6_too_many_extensions);
}

TEST(Ipv6Options, Pad1IsOneByteAndOthersHaveALength) {
  const auto bytes = from_hex("00 0502 0007 01 00 00");
  const auto options = parse_ipv6_options(bytes);
  ASSERT_TRUE(options);
  std::vector<size_t> types;
  for (const Ipv6Option option : *options) types.push_back(option.type());
  EXPECT_EQ(types, (std::vector<size_t>{0, 5, 1, 0}));
  EXPECT_EQ(emitted(*options), bytes);
}

TEST(Ipv6Options, LengthBeyondTheHeaderIsABadOption) {
  for (const char* bad : {"05", "0503 0000"}) {
    const auto bytes = from_hex(bad);
    ASSERT_FALSE(parse_ipv6_options(bytes)) << bad;
    EXPECT_EQ(parse_ipv6_options(bytes).error(), Drop::ipv6_bad_option) << bad;
  }
}

}  // namespace
}  // namespace sluice::wire
