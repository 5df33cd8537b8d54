#include "dataplane/tables/text.h"

#include <gtest/gtest.h>

namespace sluice::tables {
namespace {

const Names kNames{{"left", "right"}, {"arp", "local"}};

constexpr FieldSchema kFields[] = {{"port", 32, MatchKind::exact, Format::port},
                                   {"dst", 32, MatchKind::lpm, Format::ipv4},
                                   {"mac", 48, MatchKind::ternary, Format::mac}};
constexpr ParamSchema kVia[] = {{"port", 32, Format::port}, {"next_hop", 128, Format::any_ip}};
constexpr ActionSchema kActions[] = {{"via", kVia}, {"drop", {}}};
constexpr TableSchema kSchema{"t", kFields, kActions, 8, ""};

TEST(TableText, ValuesOfEveryFormatComeBack) {
  const std::pair<Format, const char*> cases[] = {
      {Format::integer, "0"},       {Format::integer, "18446744073709551615"},
      {Format::port, "right"},      {Format::mac, "02:00:00:00:00:0a"},
      {Format::ipv4, "10.1.2.3"},   {Format::ipv6, "fd00:1::2"},
      {Format::any_ip, "10.1.2.3"}, {Format::any_ip, "fd00:1::2"},
      {Format::cause, "local"}};
  for (const auto& [format, text] : cases) {
    const auto value = value_from_text(text, format, kNames);
    ASSERT_TRUE(value.ok()) << text << ": " << value.status();
    EXPECT_EQ(value_text(*value, format, kNames), text);
  }
}

TEST(TableText, IntegersAreDecimalOrHexadecimalUpTo128Bits) {
  EXPECT_EQ(value_from_text("0x1f", Format::integer, {}).value(), Value{31});
  EXPECT_EQ(value_from_text("0x10000000000000002", Format::integer, {}).value(), make_value(1, 2));
  EXPECT_EQ(value_text(make_value(1, 2), Format::integer), "0x10000000000000002");
  for (const char* bad :
       {"", "0x", "-1", "1 ", "0x1g", "18446744073709551616", "0x100000000000000000000000000000000"})
    EXPECT_FALSE(value_from_text(bad, Format::integer, {}).ok()) << bad;
}

TEST(TableText, PortsAreNamesOrNumbersAndUnknownNumbersStayNumbers) {
  EXPECT_EQ(value_from_text("1", Format::port, kNames).value(), Value{1});
  EXPECT_EQ(value_text(7, Format::port, kNames), "7");
}

TEST(TableText, AWrongValueIsQuotedWithWhatWasExpected) {
  const auto complaint = [](const char* text, Format format) {
    return std::string(value_from_text(text, format, kNames).status().message());
  };
  EXPECT_EQ(complaint("middle", Format::port), "'middle' is not the name or number of a port");
  EXPECT_EQ(complaint("02:00", Format::mac), "'02:00' is not a MAC address like 02:00:00:00:00:01");
  EXPECT_EQ(complaint("10.0.0", Format::ipv4), "'10.0.0' is not an IPv4 address");
  EXPECT_EQ(complaint("10.0.0.1", Format::ipv6), "'10.0.0.1' is not an IPv6 address");
  EXPECT_EQ(complaint("x", Format::any_ip), "'x' is not an IPv4 or IPv6 address");
  EXPECT_EQ(complaint("x", Format::cause), "'x' is not a punt cause");
}

TEST(TableText, MatchesOfEveryKindComeBack) {
  for (const auto& [field, text] : {std::pair{0, "left"},
                                    {1, "10.0.0.0/8"},
                                    {1, "0.0.0.0/0"},
                                    {1, "10.0.0.1/32"},
                                    {2, "*"},
                                    {2, "02:00:00:00:00:01"},
                                    {2, "33:33:00:00:00:00&ff:ff:00:00:00:00"}}) {
    const auto match = match_from_text(kFields[field], text, kNames);
    ASSERT_TRUE(match.ok()) << text << ": " << match.status();
    EXPECT_EQ(match_text(kFields[field], *match, kNames), text);
  }
}

TEST(TableText, AnAddressWithoutLengthIsAHost) {
  EXPECT_EQ(match_from_text(kFields[1], "10.0.0.1", {})->mask, low_mask(32));
}

TEST(TableText, WrongPrefixesAndMasksAreNamed) {
  const auto complaint = [](int field, const char* text) {
    return std::string(match_from_text(kFields[field], text, kNames).status().message());
  };
  EXPECT_EQ(complaint(1, "10.0.0.1/8"), "'10.0.0.1/8' has bits set outside its prefix");
  EXPECT_EQ(complaint(1, "10.0.0.0/33"), "'10.0.0.0/33': prefix length is not a number up to 32");
  EXPECT_EQ(complaint(1, "10.0.0.0/"), "'10.0.0.0/': prefix length is not a number up to 32");
  EXPECT_EQ(complaint(2, "02:00:00:00:00:01&0xff00"),
            "'02:00:00:00:00:01&0xff00' has bits set outside its mask");
  EXPECT_EQ(complaint(0, "*"), "'*' is not the name or number of a port");
}

TEST(TableText, AnEntryComesFromNamedParts) {
  const auto entry = entry_from_text(static_cast<TableId>(3), kSchema,
                                     {"t",
                                      {{"dst", "10.0.0.0/8"}, {"port", "right"}},
                                      9,
                                      "via",
                                      {{"next_hop", "10.0.0.2"}, {"port", "left"}}},
                                     kNames);
  ASSERT_TRUE(entry.ok()) << entry.status();
  EXPECT_EQ(key_text(kSchema, entry->key, kNames), "port=right dst=10.0.0.0/8 mac=*");
  EXPECT_EQ(entry->key.priority, 9u);
  EXPECT_EQ(entry->params[0], Value{0});
  EXPECT_EQ(entry->params[1], mapped(wire::Ipv4Address::from_integer(0x0a000002)));
}

TEST(TableText, WhatIsMissingDoubleOrUnknownIsNamed) {
  const auto complaint = [](const EntryText& text) {
    return std::string(entry_from_text(TableId{}, kSchema, text, kNames).status().message());
  };
  const std::vector<NamedText> match{{"dst", "10.0.0.0/8"}, {"port", "right"}};
  EXPECT_EQ(complaint({"t", {{"dst", "10.0.0.0/8"}}, 1, "drop", {}}), "match: 'port' is missing");
  EXPECT_EQ(complaint({"t", {{"dts", "10.0.0.0/8"}}, 1, "drop", {}}),
            "match: 'dts' does not exist (there are: port, dst, mac)");
  EXPECT_EQ(complaint({"t", {{"dst", "1.0.0.0/8"}, {"dst", "2.0.0.0/8"}}, 1, "drop", {}}),
            "match: 'dst' is given twice");
  EXPECT_EQ(complaint({"t", {{"dst", "10/8"}, {"port", "right"}}, 1, "drop", {}}),
            "dst: '10' is not an IPv4 address");
  EXPECT_EQ(complaint({"t", match, 1, "send", {}}), "action: 'send' does not exist (there are: via, drop)");
  EXPECT_EQ(complaint({"t", match, 1, "via", {{"port", "left"}}}),
            "params: 'next_hop' is missing for action 'via'");
  EXPECT_EQ(complaint({"t", match, 1, "drop", {{"port", "left"}}}),
            "params: 'port' does not exist (there are: )");
  EXPECT_EQ(complaint({"t", match, 1, "via", {{"port", "up"}, {"next_hop", "::1"}}}),
            "port: 'up' is not the name or number of a port");
}

}  // namespace
}  // namespace sluice::tables
