// The guard against short packets: what it says of each length, on each way through a parser.
#include "dataplane/p4/guard.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "dataplane/p4/checks.h"
#include "dataplane/p4/spec/reader.h"

namespace sluice::p4 {
namespace {

using wire::Drop;
using Verdict = Guard::Verdict;

std::string program(const std::string& parser) {
  return R"(
struct ethernet_t {
  bit<48> dst
  bit<48> src
  bit<16> type
}
struct ipv4_t {
  bit<8> version_ihl
  bit<152> rest
}
struct options_t {
  varbit<320> bytes
}
struct metadata_t {
  bit<32> port
  bit<32> length
  bit<8> direction
}
header ethernet instanceof ethernet_t
header ipv4 instanceof ipv4_t
header ipv4_options instanceof options_t
header mystery instanceof ipv4_t
metadata instanceof metadata_t
regarray direction size 4 initval 0
apply {
  rx m.port
  extract h.ethernet
)" + parser +
         R"(
  ON : emit h.ethernet
  tx m.port
}
)";
}

absl::StatusOr<Guard> guard_of(const std::string& parser) {
  const auto read = spec::read(program(parser), "x.spec");
  EXPECT_TRUE(read) << read.error().text;
  const auto layout = Layout::of(*read);
  EXPECT_EQ(check(*layout), absl::OkStatus());
  return Guard::of(*layout);
}

constexpr char kOptions[] = R"(
  jmpneq ON h.ethernet.type 0x800
  extract h.ipv4
  mov m.length h.ipv4.version_ihl
  and m.length 0xf
  shl m.length 2
  sub m.length 20
  extract h.ipv4_options m.length)";

std::vector<uint8_t> packet(size_t length, uint8_t version_ihl) {
  std::vector<uint8_t> bytes(std::max<size_t>(length, 15), 0);
  bytes[12] = 8;
  bytes[14] = version_ihl;
  bytes.resize(length);
  return bytes;
}

TEST(Guard, NamesTheHeaderInWhichAPacketEnds) {
  const auto guard = guard_of(kOptions);
  ASSERT_TRUE(guard.ok()) << guard.status();
  EXPECT_EQ(guard->longest_path(), 14u + 20 + 40);
  const auto verdict = [&](size_t length, uint8_t ihl) { return guard->walk(packet(length, ihl), 0); };
  for (size_t length = 0; length < 14; ++length)
    EXPECT_EQ(verdict(length, 0x45).reason, Drop::ethernet_truncated) << length;
  for (size_t length = 14; length < 34; ++length) {
    // With only zeros behind its end the length of the options is below zero: it must not enter.
    EXPECT_NE(verdict(length, 0x45).verdict, Verdict::whole) << length;
    EXPECT_EQ(verdict(length, 0x45).reason, Drop::ipv4_truncated) << length;
  }
  EXPECT_EQ(verdict(34, 0x45).verdict, Verdict::whole);
  EXPECT_EQ(verdict(37, 0x46).verdict, Verdict::cut);
  EXPECT_EQ(verdict(38, 0x46).verdict, Verdict::whole);
  EXPECT_EQ(verdict(73, 0x4f).verdict, Verdict::cut);
  EXPECT_EQ(verdict(74, 0x4f).verdict, Verdict::whole);
}

TEST(Guard, RefusesALengthThatTheFieldCannotHold) {
  const auto guard = guard_of(kOptions);
  ASSERT_TRUE(guard.ok());
  EXPECT_TRUE(guard->must_walk(1500)) << "a length inside the packet decides";
  EXPECT_EQ(guard->walk(packet(1500, 0x44), 0).verdict, Verdict::oversized) << "4 * 4 - 20 is below zero";
}

TEST(Guard, LooksOnlyAtShortPacketsWhereNoLengthDecides) {
  const auto guard = guard_of("jmpneq ON h.ethernet.type 0x800\nextract h.ipv4");
  ASSERT_TRUE(guard.ok());
  EXPECT_FALSE(guard->must_walk(34));
  EXPECT_TRUE(guard->must_walk(33));
}

TEST(Guard, RefusesParsersThatItCannotFollow) {
  EXPECT_NE(guard_of("extract h.mystery").status().message().find("mystery_truncated"), std::string::npos);
  EXPECT_FALSE(guard_of("regrd m.direction direction m.port\njmpeq ON m.direction 1\nextract h.ipv4").ok());
  EXPECT_TRUE(guard_of("regrd m.direction direction m.port\nextract h.ipv4").ok()) << "nothing depends on it";
  EXPECT_FALSE(guard_of("validate h.mystery\nextract h.ipv4").ok());
}

TEST(Guard, FindsTheReasonOfAHeaderByItsName) {
  EXPECT_EQ(truncation_of("ipv4"), Drop::ipv4_truncated);
  EXPECT_EQ(truncation_of("ipv4_option3"), Drop::ipv4_truncated);
  EXPECT_EQ(truncation_of("ipv6_extension_0"), Drop::ipv6_extension_truncated);
  EXPECT_EQ(truncation_of("ipv4x"), std::nullopt);
}

}  // namespace
}  // namespace sluice::p4
