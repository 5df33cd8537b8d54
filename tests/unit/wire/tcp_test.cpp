#include "dataplane/wire/tcp.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

const auto kSyn = from_hex("c001 0050 00000001 00000002 70 12 ffff 1234 0007  0204 05b4 0103 0307  aa");

TEST(Tcp, HeaderOptionsAndPayloadAreToldApart) {
  const auto view = parse_tcp(kSyn);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->header->src_port, Be16(0xc001));
  EXPECT_EQ(view->header->dst_port, Be16(80));
  EXPECT_EQ(view->header->sequence, Be32(1));
  EXPECT_EQ(view->header->acknowledgement, Be32(2));
  EXPECT_TRUE(view->header->syn());
  EXPECT_TRUE(view->header->ack());
  EXPECT_FALSE(view->header->fin());
  EXPECT_FALSE(view->header->rst());
  EXPECT_EQ(view->header->window, Be16(0xffff));
  EXPECT_EQ(view->header->urgent_pointer, Be16(7));
  EXPECT_EQ(view->options.size(), 8u);
  EXPECT_EQ(testing::to_vector(view->payload), from_hex("aa"));
  EXPECT_EQ(testing::to_vector(view->segment()), kSyn);
  EXPECT_EQ(emitted(*view), kSyn);
}

TEST(Tcp, OptionsAreWalkedOnDemand) {
  const auto options = parse_tcp_options(*parse_tcp(kSyn));
  ASSERT_TRUE(options);
  std::vector<TcpOption> kinds;
  for (const Option option : *options) kinds.push_back(TcpOption{option.kind()});
  EXPECT_EQ(kinds,
            (std::vector{TcpOption::maximum_segment_size, TcpOption::no_operation, TcpOption::window_scale}));
}

TEST(Tcp, BadOptionDoesNotStopForwarding) {
  auto bytes = kSyn;
  bytes[21] = 0;
  const auto view = parse_tcp(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(parse_tcp_options(*view).error(), Drop::tcp_bad_option);
}

TEST(Tcp, EachBadLengthHasItsOwnReason) {
  EXPECT_EQ(parse_tcp(Bytes(kSyn).first(19)).error(), Drop::tcp_truncated);
  EXPECT_EQ(parse_tcp(Bytes(kSyn).first(27)).error(), Drop::tcp_bad_data_offset);
  auto bytes = kSyn;
  bytes[12] = 0x40;
  EXPECT_EQ(parse_tcp(bytes).error(), Drop::tcp_bad_data_offset);
}

}  // namespace
}  // namespace sluice::wire
