#include "controlplane/cli/hex.h"

#include <gtest/gtest.h>

#include <array>

namespace sluice::cli {
namespace {

TEST(Hex, WhatPeoplePutBetweenDigitsIsLeftOut) {
  for (const char* text : {"0a0bff", "0A 0B FF", "0a:0b:ff", "0a-0b-ff", "0a0b\n\tff\r\n", "0x0a0bff"})
    EXPECT_EQ(hex_digits(text).value_or("refused"), "0a0bff") << text;
}

TEST(Hex, HalfABytesAndOtherLettersAreRefusedByName) {
  EXPECT_EQ(hex_digits("0a0").error(), "3 hexadecimal digits are half a byte too many");
  EXPECT_EQ(hex_digits("0a 0g").error(), "'g' is not a hexadecimal digit");
  EXPECT_EQ(hex_digits(" \n").error(), "no hexadecimal digits");
  EXPECT_EQ(hex_digits("").error(), "no hexadecimal digits");
}

TEST(Hex, AFileNameDoesNotLookLikeHex) {
  EXPECT_TRUE(looks_like_hex("00 11:22"));
  EXPECT_TRUE(looks_like_hex("abc"));
  for (const char* text : {"abc.pcap", "./abc", "not hex", "", "-", "::"})
    EXPECT_FALSE(looks_like_hex(text)) << text;
}

TEST(Hex, BytesBecomeTwoDigitsEach) {
  EXPECT_EQ(to_hex(std::array<unsigned char, 4>{0x00, 0x0f, 0xf0, 0xff}), "000ff0ff");
  EXPECT_EQ(to_hex({}), "");
}

}  // namespace
}  // namespace sluice::cli
