#include "dataplane/wire/ipv4.h"

#include <gtest/gtest.h>

#include <vector>

namespace sluice::wire {
namespace {

// RFC 1071 worked by hand in many textbooks: 45 00 00 73 ... has checksum b861.
std::vector<uint8_t> textbook_header() {
  std::vector<uint8_t> packet{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                              0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  packet.resize(0x73);
  return packet;
}

Drop reason(const std::vector<uint8_t>& packet) {
  const auto view = parse_ipv4(packet);
  EXPECT_FALSE(view);
  return view ? Drop::no_route : view.error();
}

TEST(Ipv4, TextbookHeaderHasItsChecksum) {
  const auto packet = textbook_header();
  const auto view = parse_ipv4(packet);
  ASSERT_TRUE(view);
  EXPECT_TRUE(ipv4_checksum_ok(*view));
  EXPECT_EQ(ipv4_checksum(*view), Be16(0xb861));
  EXPECT_EQ(to_text(view->header->dst), "192.168.0.199");
  EXPECT_TRUE(view->header->dont_fragment());
  EXPECT_FALSE(view->header->is_fragment());
  EXPECT_EQ(view->payload.size(), 0x73u - 20);
}

TEST(Ipv4, EachBadLengthHasItsOwnReason) {
  auto packet = textbook_header();
  EXPECT_EQ(reason(std::vector<uint8_t>(packet.begin(), packet.begin() + 19)), Drop::ipv4_truncated);
  EXPECT_EQ(reason(std::vector<uint8_t>(packet.begin(), packet.end() - 1)), Drop::ipv4_bad_total_length);
  packet[0] = 0x44;
  EXPECT_EQ(reason(packet), Drop::ipv4_bad_header_length);
  packet[0] = 0x65;
  EXPECT_EQ(reason(packet), Drop::ipv4_bad_version);
}

TEST(Ipv4, OptionsPayloadAndTrailerAreToldApart) {
  std::vector<uint8_t> packet{0x46, 0, 0, 26, 0, 0, 0x20, 0x01, 64, 17, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2,
                              7, 3, 4, 0, 0xaa, 0xbb, 0xee};
  const auto view = parse_ipv4(packet);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->options.size(), 4u);
  EXPECT_EQ(view->payload.size(), 2u);
  EXPECT_EQ(view->trailer.size(), 1u);
  EXPECT_TRUE(view->header->more_fragments());
  EXPECT_EQ(view->header->fragment_offset(), 8u);
  std::vector<uint8_t> again(packet.size());
  Writer out(again);
  emit(*view, out);
  EXPECT_TRUE(out.ok());
  EXPECT_EQ(again, packet);
}

TEST(Ipv4, OptionsAreWalkedOnDemand) {
  std::vector<uint8_t> packet{0x46, 0, 0, 24, 0, 0, 0, 0, 64, 17, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 148, 4, 0, 0};
  const auto options = parse_ipv4_options(*parse_ipv4(packet));
  ASSERT_TRUE(options);
  EXPECT_EQ((*options->begin()).kind(), 148);
  packet[21] = 5;
  ASSERT_TRUE(parse_ipv4(packet));
  EXPECT_EQ(parse_ipv4_options(*parse_ipv4(packet)).error(), Drop::ipv4_bad_option);
}

TEST(Ipv4, DecrementKeepsTheChecksumRightForEveryTtl) {
  for (unsigned ttl = 2; ttl < 256; ++ttl) {
    for (unsigned id = 0; id < 65536; id += 257) {
      auto packet = textbook_header();
      auto* header = overlay<Ipv4Header>(MutableBytes(packet));
      header->ttl.set(static_cast<uint8_t>(ttl));
      header->id.set(static_cast<uint16_t>(id));
      header->checksum = ipv4_checksum(*parse_ipv4(packet));
      decrement_ttl(*header);
      ASSERT_EQ(header->ttl.get(), ttl - 1);
      ASSERT_TRUE(ipv4_checksum_ok(*parse_ipv4(packet))) << ttl << " " << id;
    }
  }
}

}  // namespace
}  // namespace sluice::wire
