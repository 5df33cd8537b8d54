#include "dataplane/wire/option_list.h"

#include <gtest/gtest.h>

#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::emitted;
using testing::from_hex;

TEST(OptionList, SingleByteKindsAndLengthsAreWalked) {
  const auto bytes = from_hex("02 04 05b4  01  03 03 07  04 02");
  const auto list = parse_option_list(bytes, Drop::tcp_bad_option);
  ASSERT_TRUE(list);
  std::vector<uint8_t> kinds;
  std::vector<size_t> sizes;
  for (const Option option : *list) {
    kinds.push_back(option.kind());
    sizes.push_back(option.data().size());
  }
  EXPECT_EQ(kinds, (std::vector<uint8_t>{2, 1, 3, 4}));
  EXPECT_EQ(sizes, (std::vector<size_t>{2, 0, 1, 0}));
  EXPECT_EQ(emitted(*list), bytes);
}

TEST(OptionList, WhatStandsBehindTheEndIsPaddingWhateverItHolds) {
  const auto bytes = from_hex("01 00 ff 00 ff");
  const auto list = parse_option_list(bytes, Drop::tcp_bad_option);
  ASSERT_TRUE(list);
  EXPECT_EQ(list->options.size(), 2u);
  EXPECT_EQ(list->padding.size(), 3u);
  EXPECT_EQ(emitted(*list), bytes);
}

TEST(OptionList, LengthThatDoesNotFitIsTheGivenReason) {
  for (const char* bad : {"08", "08 00", "08 01", "08 03", "01 01 08 0a 00"}) {
    const auto bytes = from_hex(bad);
    ASSERT_FALSE(parse_option_list(bytes, Drop::ipv4_bad_option)) << bad;
    EXPECT_EQ(parse_option_list(bytes, Drop::ipv4_bad_option).error(), Drop::ipv4_bad_option) << bad;
  }
}

TEST(OptionList, NoOptionsAreAnEmptyList) {
  const auto list = parse_option_list({}, Drop::tcp_bad_option);
  ASSERT_TRUE(list);
  EXPECT_TRUE(list->begin() == list->end());
}

}  // namespace
}  // namespace sluice::wire
