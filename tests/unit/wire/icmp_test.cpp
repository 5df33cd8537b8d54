#include "dataplane/wire/icmp.h"

#include <gtest/gtest.h>

#include "dataplane/wire/ipv4.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;
using testing::to_vector;

// A host that answers no more: code 1, quoting an IPv4 header and eight bytes of UDP.
const auto kQuote = from_hex("4500 0024 0001 0000 4011 0000 c0000201 c0000202  0868 0868 0010 0000");

std::vector<uint8_t> unreachable(uint8_t code, std::string_view rest) {
  auto bytes = from_hex("03 00 0000");
  bytes[1] = code;
  const auto word = from_hex(rest);
  bytes.insert(bytes.end(), word.begin(), word.end());
  bytes.insert(bytes.end(), kQuote.begin(), kQuote.end());
  return bytes;
}

TEST(Icmp, EchoHasIdentifierSequenceAndGoodChecksum) {
  const auto bytes = from_hex("08 00 f7fa 0001 0002 0002");
  const auto view = parse_icmp(bytes);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->header->is_echo());
  EXPECT_FALSE(view->header->is_error());
  EXPECT_EQ(view->header->identifier(), 1);
  EXPECT_EQ(view->header->sequence(), 2);
  EXPECT_TRUE(icmp_checksum_ok(*view));
  EXPECT_EQ(icmp_checksum(*view), view->header->checksum);
  EXPECT_TRUE(view->quote().empty());
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Icmp, OddPayloadIsSummedWithAZeroBehindIt) {
  auto bytes = from_hex("08 00 0000 0001 0002 ab");
  const auto view = parse_icmp(bytes);
  EXPECT_EQ(icmp_checksum(*view), Be16(static_cast<uint16_t>(~(0x0800 + 1 + 2 + 0xab00))));
}

TEST(Icmp, EveryFlippedBitIsSeenByTheChecksum) {
  auto bytes = from_hex("08 00 f7fa 0001 0002 0002");
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
    EXPECT_FALSE(icmp_checksum_ok(*parse_icmp(bytes))) << bit;
    bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
  }
}

TEST(Icmp, ErrorQuotesThePacketEvenWhereItIsCut) {
  const auto bytes = unreachable(4, "0000 05dc");
  const auto view = parse_icmp(bytes);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->header->is_error());
  EXPECT_EQ(view->header->next_hop_mtu(), 1500);
  EXPECT_EQ(to_vector(view->quote()), kQuote);
  const auto quote = parse_ipv4_quote(view->quote());
  ASSERT_TRUE(quote);
  EXPECT_EQ(quote->payload.size(), 8u);
  EXPECT_EQ(quote->header->total_length, Be16(0x24));
  EXPECT_FALSE(parse_ipv4(view->quote()));
}

TEST(Icmp, LengthFieldSplitsQuoteFromExtensions) {
  const auto bytes = unreachable(1, "0005 0000");  // five words of quote
  const auto view = parse_icmp(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->quote().size(), 20u);
  EXPECT_EQ(view->extensions().size(), 8u);
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Icmp, LengthFieldBeyondTheMessageIsNotBelieved) {
  const auto bytes = unreachable(1, "00ff 0000");
  EXPECT_EQ(parse_icmp(bytes)->quote().size(), kQuote.size());
  EXPECT_TRUE(parse_icmp(bytes)->extensions().empty());
}

TEST(Icmp, GatewayAndPointerAreWhereTheirTypesPutThem) {
  EXPECT_EQ(to_text(parse_icmp(from_hex("05 01 0000 c0000207"))->header->gateway()), "192.0.2.7");
  EXPECT_EQ(parse_icmp(from_hex("0c 00 0000 14000000"))->header->pointer(), 20);
}

TEST(Icmp, ShortMessageIsTruncated) {
  EXPECT_EQ(parse_icmp(from_hex("08 00 0000 0001 00")).error(), Drop::icmp_truncated);
}

TEST(Ipv4Quote, HeaderMustBeWholeAndSound) {
  EXPECT_EQ(parse_ipv4_quote(Bytes(kQuote).first(19)).error(), Drop::ipv4_truncated);
  auto bad = kQuote;
  bad[0] = 0x4f;
  EXPECT_EQ(parse_ipv4_quote(bad).error(), Drop::ipv4_bad_header_length);
  bad[0] = 0x65;
  EXPECT_EQ(parse_ipv4_quote(bad).error(), Drop::ipv4_bad_version);
  bad[0] = 0x45;
  bad[3] = 19;
  EXPECT_EQ(parse_ipv4_quote(bad).error(), Drop::ipv4_bad_total_length);
}

}  // namespace
}  // namespace sluice::wire
