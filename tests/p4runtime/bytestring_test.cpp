#include "dataplane/p4runtime/bytestring.h"

#include <gtest/gtest.h>

namespace sluice::p4runtime {
namespace {

using namespace std::string_literals;

TEST(Bytestring, AValueIsReadBigEndian) {
  EXPECT_EQ(*decode("\x30\x64"s, 16), 12388u);
  EXPECT_EQ(*decode("\x63"s, 8), 99u);
}

TEST(Bytestring, LeadingZerosDoNotMatterHoweverMany) {
  EXPECT_EQ(*decode("\x00\x63"s, 12), 99u);
  EXPECT_EQ(*decode(std::string(40, '\0') + "\x63", 7), 99u);
}

TEST(Bytestring, AValueThatNeedsMoreBitsIsOutOfRange) {
  EXPECT_TRUE(absl::IsOutOfRange(decode("\x01\x63"s, 8).status()));
  EXPECT_TRUE(absl::IsOutOfRange(decode("\x10\x63"s, 12).status()));
  EXPECT_TRUE(absl::IsOutOfRange(decode("\x00\x40\x63"s, 12).status()));
  EXPECT_TRUE(absl::IsOutOfRange(decode("\x01"s + std::string(16, '\0'), 128).status()));
}

TEST(Bytestring, AnEmptyStringIsOutOfRange) { EXPECT_TRUE(absl::IsOutOfRange(decode("", 8).status())); }

TEST(Bytestring, TheCanonicalFormIsTheShortest) {
  EXPECT_EQ(encode(0), "\x00"s);
  EXPECT_EQ(encode(0x63), "\x63"s);
  EXPECT_EQ(encode(0x100), "\x01\x00"s);
  EXPECT_EQ(encode(~tables::Value{0}), std::string(16, '\xff'));
}

TEST(Bytestring, WhatIsWrittenIsReadBackAtEveryWidth) {
  for (unsigned bits = 1; bits <= 128; ++bits) {
    const auto largest = tables::low_mask(bits);
    EXPECT_EQ(*decode(encode(largest), bits), largest) << bits;
    if (bits > 1) {
      EXPECT_TRUE(absl::IsOutOfRange(decode(encode(largest), bits - 1).status())) << bits;
    }
  }
}

}  // namespace
}  // namespace sluice::p4runtime
