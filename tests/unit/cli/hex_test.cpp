#include "controlplane/cli/hex.h"

#include <gtest/gtest.h>

#include <array>

namespace sluice::cli {
namespace {

std::string refusal_of(std::string_view text) {
  const auto result = hex_digits(text);
  return result ? "accepted" : result.error();
}

TEST(Hex, WhatPeoplePutBetweenDigitsIsLeftOut) {
  for (const char* text : {"0a0bff", "0A 0B FF", "0a:0b:ff", "0a-0b-ff", "0a0b\n\tff\r\n", "0x0a0bff"})
    EXPECT_EQ(hex_digits(text).value_or("refused"), "0a0bff") << text;
}

TEST(Hex, HalfAByteAndOtherLettersAreRefused) {
  EXPECT_EQ(refusal_of("0a0"), "3 hexadecimal digits are half a byte too many");
  EXPECT_EQ(refusal_of("0a 0g"), "'g' is not a hexadecimal digit");
  EXPECT_EQ(refusal_of(" \n"), "no hexadecimal digits");
  EXPECT_EQ(refusal_of(""), "no hexadecimal digits");
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
