#include "dataplane/wire/nd.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

const std::string kTarget = "20010db8000000000000000000000002";
const std::string kSourceOption = "0101 020000000001";

TEST(Nd, SolicitationGivesTargetAndSourceAddress) {
  const auto bytes = from_hex("87 00 0000 00000000" + kTarget + kSourceOption);
  const auto view = parse_nd(bytes);
  ASSERT_TRUE(view);
  ASSERT_NE(view->solicitation(), nullptr);
  EXPECT_EQ(view->advertisement(), nullptr);
  EXPECT_EQ(to_text(view->solicitation()->target), "2001:db8::2");
  ASSERT_NE(view->link_address(NdOptionType::source_link_address), nullptr);
  EXPECT_EQ(to_text(*view->link_address(NdOptionType::source_link_address)), "02:00:00:00:00:01");
  EXPECT_EQ(view->link_address(NdOptionType::target_link_address), nullptr);
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Nd, AdvertisementHasThreeFlags) {
  const auto flags = [](const char* word) { return from_hex("88 00 0000" + std::string(word) + kTarget); };
  const auto router = flags("80000000"), solicited = flags("40000000"), override_cache = flags("20000000");
  EXPECT_TRUE(parse_nd(router)->advertisement()->router());
  EXPECT_FALSE(parse_nd(router)->advertisement()->solicited());
  EXPECT_TRUE(parse_nd(solicited)->advertisement()->solicited());
  EXPECT_FALSE(parse_nd(solicited)->advertisement()->override_cache());
  EXPECT_TRUE(parse_nd(override_cache)->advertisement()->override_cache());
  EXPECT_FALSE(parse_nd(override_cache)->advertisement()->router());
}

TEST(Nd, RouterAdvertisementAndItsOptionsAreRead) {
  const auto bytes = from_hex("86 00 0000 40 80 0708 00000005 00000006" + kSourceOption +
                              "0501 0000 00000578"
                              "0304 40 c0 00000064 00000032 00000000 20010db8000000000000000000000000");
  const auto view = parse_nd(bytes);
  ASSERT_TRUE(view);
  const auto* ra = view->router_advertisement();
  ASSERT_NE(ra, nullptr);
  EXPECT_EQ(ra->hop_limit, Be8(64));
  EXPECT_TRUE(ra->managed());
  EXPECT_FALSE(ra->other());
  EXPECT_EQ(ra->router_lifetime, Be16(1800));
  EXPECT_EQ(ra->reachable_time, Be32(5));
  EXPECT_EQ(ra->retrans_timer, Be32(6));
  std::vector<NdOption> options;
  for (const NdOption option : view->option_range()) options.push_back(option);
  ASSERT_EQ(options.size(), 3u);
  EXPECT_NE(options[0].link_address(), nullptr);
  ASSERT_NE(options[1].mtu(), nullptr);
  EXPECT_EQ(options[1].mtu()->mtu, Be32(1400));
  ASSERT_NE(options[2].prefix(), nullptr);
  EXPECT_EQ(options[2].prefix()->prefix_length, Be8(64));
  EXPECT_TRUE(options[2].prefix()->on_link());
  EXPECT_TRUE(options[2].prefix()->autonomous());
  EXPECT_EQ(options[2].prefix()->valid_lifetime, Be32(100));
  EXPECT_EQ(to_text(options[2].prefix()->prefix), "2001:db8::");
}

TEST(Nd, RedirectHasTargetAndDestination) {
  const auto bytes = from_hex("89 00 0000 00000000" + kTarget + "20010db8000000000000000000000009");
  const auto view = parse_nd(bytes);
  ASSERT_TRUE(view);
  ASSERT_NE(view->redirect(), nullptr);
  EXPECT_EQ(to_text(view->redirect()->target), "2001:db8::2");
  EXPECT_EQ(to_text(view->redirect()->destination), "2001:db8::9");
}

TEST(Nd, MessageShorterThanItsTypeIsTruncated) {
  for (const char* type : {"85", "86", "87", "88", "89"}) {
    auto bytes = from_hex(std::string(type) + "00 0000 00000000");
    const size_t whole = nd_fixed_length(Icmpv6Type{bytes[0]});
    bytes.resize(whole - 1);
    EXPECT_EQ(parse_nd(bytes).error(), Drop::nd_truncated) << type;
    bytes.resize(whole);
    EXPECT_TRUE(parse_nd(bytes)) << type;
  }
}

TEST(Nd, OtherMessagesAreNotNeighbourDiscovery) {
  EXPECT_EQ(parse_nd(from_hex("80 00 0000 00000000")).error(), Drop::nd_unknown_type);
}

TEST(Nd, OptionOfLengthZeroOrBeyondTheMessageDropsThePacket) {
  for (const char* bad : {"01", "0100 000000000000", "0102 000000000000"}) {
    const auto bytes = from_hex("85 00 0000 00000000" + std::string(bad));
    ASSERT_FALSE(parse_nd(bytes)) << bad;
    EXPECT_EQ(parse_nd(bytes).error(), Drop::nd_bad_option) << bad;
  }
}

TEST(Nd, OptionOfAnotherSizeThanItsTypeIsNotReadAsThatType) {
  const auto bytes = from_hex("85 00 0000 00000000 0102 0000000000000000000000000000");
  const auto view = parse_nd(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->link_address(NdOptionType::source_link_address), nullptr);
}

}  // namespace
}  // namespace sluice::wire
