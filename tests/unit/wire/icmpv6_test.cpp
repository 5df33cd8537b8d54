#include "dataplane/wire/icmpv6.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

TEST(Icmpv6, EchoHasIdentifierAndSequence) {
  const auto bytes = from_hex("80 00 1234 0001 0002 aabb");
  const auto view = parse_icmpv6(bytes);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->header->is_echo());
  EXPECT_FALSE(view->header->is_error());
  EXPECT_EQ(view->header->identifier(), 1);
  EXPECT_EQ(view->header->sequence(), 2);
  EXPECT_EQ(testing::to_vector(view->message()), bytes);
  EXPECT_EQ(emitted(*view), bytes);
}

TEST(Icmpv6, PacketTooBigCarriesTheMtuAndTheWholeQuote) {
  const auto bytes = from_hex("02 00 0000 00000500 60000000");
  const auto view = parse_icmpv6(bytes);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->header->is_error());
  EXPECT_EQ(view->header->word(), 1280u);
  EXPECT_EQ(view->quote().size(), 4u);
  Icmpv6Header header{};
  header.set_word(0x12345678);
  EXPECT_EQ(header.word(), 0x12345678u);
}

TEST(Icmpv6, LengthFieldCountsUnitsOfEightBytes) {
  const auto bytes = from_hex("01 00 0000 01000000 0011223344556677 8899");
  const auto view = parse_icmpv6(bytes);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->quote().size(), 8u);
  EXPECT_EQ(view->extensions().size(), 2u);
}

TEST(Icmpv6, ShortMessageIsTruncated) {
  EXPECT_EQ(parse_icmpv6(from_hex("80 00 0000 0001 00")).error(), Drop::icmpv6_truncated);
}

}  // namespace
}  // namespace sluice::wire
