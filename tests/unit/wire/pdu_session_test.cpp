#include "dataplane/wire/pdu_session.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using sluice::testing::emitted;
using sluice::testing::from_hex;
using sluice::testing::to_vector;

TEST(PduSession, ShortestDownlink) {
  const auto content = from_hex("00 49");
  const auto session = parse_pdu_session(content);
  ASSERT_TRUE(session);
  const auto& dl = std::get<DlPduSession>(*session);
  EXPECT_EQ(dl.qfi, Qfi{9});
  EXPECT_TRUE(dl.reflective_qos);
  EXPECT_FALSE(dl.paging);
  EXPECT_FALSE(dl.sending_time);
  EXPECT_FALSE(dl.qfi_sequence);
  EXPECT_EQ(qfi_of(*session), Qfi{9});
}

TEST(PduSession, DownlinkWithEveryField) {
  const auto content = from_hex("0f bf a3 0102030405060708 0a0b0c ffffff");
  const auto session = parse_pdu_session(content);
  ASSERT_TRUE(session);
  const auto& dl = std::get<DlPduSession>(*session);
  EXPECT_EQ(dl.spare, 3);
  EXPECT_EQ(dl.qfi, Qfi{0x3f});
  EXPECT_FALSE(dl.reflective_qos);
  EXPECT_EQ(dl.paging, (PagingPolicy{5, 3}));
  EXPECT_EQ(dl.sending_time, 0x0102030405060708u);
  EXPECT_EQ(dl.qfi_sequence, 0x0a0b0cu);
  EXPECT_EQ(to_vector(dl.rest), from_hex("ffffff"));
  EXPECT_EQ(emitted(*session), content);
}

TEST(PduSession, UplinkWithEveryField) {
  const auto content = from_hex(
      "1f c5 0000000000000001 0000000000000002 0000000000000003 00000004 00000005 000006 00000007 00");
  const auto session = parse_pdu_session(content);
  ASSERT_TRUE(session);
  const auto& ul = std::get<UlPduSession>(*session);
  EXPECT_TRUE(ul.spare);
  EXPECT_EQ(ul.qfi, Qfi{5});
  EXPECT_EQ(ul.times, (UlTimes{1, 2, 3}));
  EXPECT_EQ(ul.dl_delay, 4u);
  EXPECT_EQ(ul.ul_delay, 5u);
  EXPECT_EQ(ul.qfi_sequence, 6u);
  EXPECT_EQ(ul.n3_n9_delay, 7u);
  EXPECT_EQ(ul.rest.size(), 1u);
  EXPECT_EQ(emitted(*session), content);
}

// Each flag of the first two octets adds its own fields and nothing else: with zeros behind them, all
// values are zero, and what is left over tells how much was taken.
TEST(PduSession, EachFlagTakesItsOwnLength) {
  const auto taken = [](uint8_t octet1, uint8_t octet2) {
    std::vector<uint8_t> content(64);
    content[0] = octet1;
    content[1] = octet2;
    const auto session = parse_pdu_session(content);
    return 62 - std::visit([](const auto& s) { return s.rest.size(); }, *session);
  };
  EXPECT_EQ(taken(0x00, 0x00), 0u);
  EXPECT_EQ(taken(0x08, 0x00), 8u) << "QMP";
  EXPECT_EQ(taken(0x04, 0x00), 3u) << "SNP";
  EXPECT_EQ(taken(0x03, 0x00), 0u) << "spare";
  EXPECT_EQ(taken(0x00, 0x80), 1u) << "PPP";
  EXPECT_EQ(taken(0x00, 0x40), 0u) << "RQI";
  EXPECT_EQ(taken(0x18, 0x00), 24u) << "QMP";
  EXPECT_EQ(taken(0x14, 0x00), 4u) << "DL delay";
  EXPECT_EQ(taken(0x12, 0x00), 4u) << "UL delay";
  EXPECT_EQ(taken(0x11, 0x00), 3u) << "SNP";
  EXPECT_EQ(taken(0x10, 0x80), 4u) << "N3/N9 delay";
  EXPECT_EQ(taken(0x10, 0x40), 0u) << "spare";
}

// Every pair of first octets and every length up to the longest: a value that emits the same bytes, or a
// reason, and a container that is long enough is never refused.
TEST(PduSession, EveryShapeIsLossless) {
  for (unsigned octet1 = 0; octet1 < 256; ++octet1)
    for (unsigned octet2 = 0; octet2 < 256; octet2 += 0x3f)
      for (size_t size = 0; size <= 48; ++size) {
        std::vector<uint8_t> content(size);
        for (size_t i = 0; i < size; ++i) content[i] = static_cast<uint8_t>(i * 37 + 11);
        if (size > 0) content[0] = static_cast<uint8_t>(octet1);
        if (size > 1) content[1] = static_cast<uint8_t>(octet2);
        const auto session = parse_pdu_session(content);
        if (session) {
          ASSERT_EQ(emitted(*session), content);
        } else if (size > 0 && octet1 >= 0x20) {
          ASSERT_EQ(session.error(), Drop::gtpu_unknown_pdu_type);
        } else {
          ASSERT_EQ(session.error(), Drop::gtpu_bad_container);
          ASSERT_LT(size, 2u + 24 + 4 + 4 + 3 + 4);
        }
      }
}

TEST(PduSession, EveryTruncationOfAFullUplinkIsNamed) {
  const std::vector<uint8_t> content =
      from_hex("1f 80 0000000000000001 0000000000000002 0000000000000003 00000004 00000005 000006 00000007");
  for (size_t size = 0; size < content.size(); ++size) {
    const auto session = parse_pdu_session(Bytes(content).first(size));
    ASSERT_FALSE(session) << size;
    EXPECT_EQ(session.error(), Drop::gtpu_bad_container);
  }
  EXPECT_TRUE(parse_pdu_session(content));
}

}  // namespace
}  // namespace sluice::wire
