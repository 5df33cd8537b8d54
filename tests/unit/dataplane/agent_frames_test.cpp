// The agent's frames, read back by the codecs.
#include "dataplane/agent/frames.h"

#include <gtest/gtest.h>

#include "dataplane/wire/nd.h"
#include "tests/support/frames.h"

namespace sluice::agent {
namespace {

using namespace testing;
using wire::EtherType;
using wire::IcmpType;
using wire::Icmpv6Type;
using wire::IpProtocol;

const auto kOwnMac = mac("02:00:00:00:00:01"), kPeerMac = mac("02:00:00:00:00:02");

Interface interface() {
  Interface at{0, "left", kOwnMac, 1500, true, 0, {}};
  for (const char* address : {"10.0.1.1/24", "10.0.9.1/24", "fd00:1::1/64"})
    at.addresses.push_back(*config::parse_interface_address(address));
  return at;
}

Frame v4(const Ipv4Shape& shape) {
  return ethernet_frame(kOwnMac, kPeerMac, EtherType::ipv4, ipv4_packet(shape));
}
Frame v6(const Ipv6Shape& shape) {
  return ethernet_frame(kOwnMac, kPeerMac, EtherType::ipv6, ipv6_packet(shape));
}

struct Icmp4 {
  Frame frame;  // that the views look at
  wire::EthernetView ethernet;
  wire::Ipv4View ip;
  wire::IcmpView icmp;
};
// All headers and checksums must be good.
Icmp4 read_icmp4(Frame frame) {
  const auto ethernet = wire::parse_ethernet(frame).value();
  EXPECT_EQ(ethernet.header->ether_type(), EtherType::ipv4);
  const auto ip = wire::parse_ipv4(ethernet.payload).value();
  EXPECT_TRUE(wire::ipv4_checksum_ok(ip));
  const auto icmp = wire::parse_icmp(ip.payload).value();
  EXPECT_TRUE(wire::icmp_checksum_ok(icmp));
  return {std::move(frame), ethernet, ip, icmp};
}

struct Icmp6 {
  Frame frame;  // that the views look at
  wire::EthernetView ethernet;
  wire::Ipv6View ip;
  wire::Icmpv6View icmp;
};
Icmp6 read_icmp6(Frame frame) {
  const auto ethernet = wire::parse_ethernet(frame).value();
  EXPECT_EQ(ethernet.header->ether_type(), EtherType::ipv6);
  const auto ip = wire::parse_ipv6(ethernet.payload).value();
  const auto icmp = wire::parse_icmpv6(ip.payload).value();
  EXPECT_TRUE(wire::icmpv6_checksum_ok(ip.header->src, ip.header->dst, icmp));
  return {std::move(frame), ethernet, ip, icmp};
}

TEST(ArpFrames, ARequestGoesToAllOrToTheOneThatIsRefreshed) {
  for (const wire::MacAddress* unicast : {static_cast<const wire::MacAddress*>(nullptr), &kPeerMac}) {
    const auto frame = arp_request(interface(), ip4("10.0.1.1"), ip4("10.0.1.2"), unicast);
    EXPECT_EQ(frame.size(), 60u);
    const auto ethernet = wire::parse_ethernet(frame).value();
    EXPECT_EQ(ethernet.header->dst, unicast ? kPeerMac : mac("ff:ff:ff:ff:ff:ff"));
    const auto arp = wire::parse_arp(ethernet.payload).value();
    EXPECT_EQ(arp.header->op(), wire::ArpOperation::request);
    EXPECT_EQ(arp.header->sender_mac, kOwnMac);
    EXPECT_EQ(arp.header->sender_ip, ip4("10.0.1.1"));
    EXPECT_EQ(arp.header->target_ip, ip4("10.0.1.2"));
  }
}

TEST(ArpFrames, AReplyTurnsTheRequestRound) {
  const auto request =
      wire::make_arp(wire::ArpOperation::request, kPeerMac, ip4("10.0.1.2"), {}, ip4("10.0.1.1"));
  const auto frame = arp_reply(interface(), request);
  const auto ethernet = wire::parse_ethernet(frame).value();
  EXPECT_EQ(ethernet.header->dst, kPeerMac);
  const auto arp = wire::parse_arp(ethernet.payload).value();
  EXPECT_EQ(arp.header->op(), wire::ArpOperation::reply);
  EXPECT_EQ(arp.header->sender_mac, kOwnMac);
  EXPECT_EQ(arp.header->sender_ip, ip4("10.0.1.1"));
  EXPECT_EQ(arp.header->target_mac, kPeerMac);
  EXPECT_EQ(arp.header->target_ip, ip4("10.0.1.2"));
}

TEST(NdFrames, ASolicitationGoesToTheSolicitedNodeGroup) {
  const auto frame = neighbour_solicitation(interface(), ip6("fd00:1::1"), ip6("fd00:1::abcd:1234"), nullptr);
  const auto read = read_icmp6(frame);
  EXPECT_EQ(to_text(read.ethernet.header->dst), "33:33:ff:cd:12:34");
  EXPECT_EQ(to_text(read.ip.header->dst), "ff02::1:ffcd:1234");
  EXPECT_EQ(read.ip.header->hop_limit.get(), 255);
  const auto nd = wire::parse_nd(read.ip.payload).value();
  ASSERT_NE(nd.solicitation(), nullptr);
  EXPECT_EQ(nd.solicitation()->target, ip6("fd00:1::abcd:1234"));
  ASSERT_NE(nd.link_address(wire::NdOptionType::source_link_address), nullptr);
  EXPECT_EQ(*nd.link_address(wire::NdOptionType::source_link_address), kOwnMac);
}

TEST(NdFrames, ARefreshGoesToTheNeighbourItself) {
  const auto read =
      read_icmp6(neighbour_solicitation(interface(), ip6("fd00:1::1"), ip6("fd00:1::2"), &kPeerMac));
  EXPECT_EQ(read.ethernet.header->dst, kPeerMac);
  EXPECT_EQ(read.ip.header->dst, ip6("fd00:1::2"));
}

TEST(NdFrames, AnAdvertisementAnswersWhoAskedAndAllWhenNobodySaidWho) {
  const auto answer =
      read_icmp6(neighbour_advertisement(interface(), kPeerMac, ip6("fd00:1::2"), ip6("fd00:1::1")));
  EXPECT_EQ(answer.ethernet.header->dst, kPeerMac);
  EXPECT_EQ(answer.ip.header->dst, ip6("fd00:1::2"));
  const auto nd = wire::parse_nd(answer.ip.payload).value();
  ASSERT_NE(nd.advertisement(), nullptr);
  EXPECT_EQ(*nd.link_address(wire::NdOptionType::target_link_address), kOwnMac);
  EXPECT_TRUE(answer.ip.payload[4] & 0x40) << "solicited";

  const auto probe = read_icmp6(neighbour_advertisement(interface(), kPeerMac, ip6("::"), ip6("fd00:1::1")));
  EXPECT_EQ(to_text(probe.ethernet.header->dst), "33:33:00:00:00:01");
  EXPECT_EQ(probe.ip.header->dst, ip6("ff02::1"));
  EXPECT_FALSE(probe.ip.payload[4] & 0x40) << "RFC 4861, 7.2.4: not solicited";
}

TEST(EchoReply, V4TurnsAddressesRoundAndKeepsTheData) {
  for (const size_t options : {0u, 8u})
    for (const size_t bytes : {0u, 1u, 32u, 1001u}) {
      const auto request = icmp_echo(bytes);
      const auto reply = echo_reply(v4({.dst = "10.0.1.1",
                                        .ttl = 3,
                                        .protocol = IpProtocol::icmp,
                                        .option_bytes = options,
                                        .payload = request}));
      ASSERT_TRUE(reply);
      const auto read = read_icmp4(*reply);
      EXPECT_EQ(read.ethernet.header->dst, kPeerMac);
      EXPECT_EQ(read.ethernet.header->src, kOwnMac);
      EXPECT_EQ(read.ip.header->src, ip4("10.0.1.1"));
      EXPECT_EQ(read.ip.header->dst, ip4("10.0.1.2"));
      EXPECT_EQ(read.ip.header->ttl.get(), 64);
      EXPECT_EQ(read.icmp.header->icmp_type(), IcmpType::echo_reply);
      EXPECT_TRUE(
          std::equal(request.begin() + 4, request.end(), read.ip.payload.begin() + 4, read.ip.payload.end()));
    }
}

TEST(EchoReply, V6TurnsAddressesRoundAndKeepsTheData) {
  const auto request = icmpv6_echo("fd00:1::2", "fd00:1::1", 57);
  const auto reply = echo_reply(v6({.dst = "fd00:1::1", .next_header = 58, .payload = request}));
  ASSERT_TRUE(reply);
  const auto read = read_icmp6(*reply);
  EXPECT_EQ(read.ip.header->src, ip6("fd00:1::1"));
  EXPECT_EQ(read.ip.header->dst, ip6("fd00:1::2"));
  EXPECT_EQ(read.icmp.header->icmp_type(), Icmpv6Type::echo_reply);
  EXPECT_TRUE(
      std::equal(request.begin() + 4, request.end(), read.ip.payload.begin() + 4, read.ip.payload.end()));
}

TEST(EchoReply, NothingElseIsAnswered) {
  auto broken = icmp_echo();
  broken[9] ^= 1;
  EXPECT_FALSE(echo_reply(v4({.protocol = IpProtocol::icmp, .payload = broken}))) << "checksum";
  EXPECT_FALSE(
      echo_reply(v4({.protocol = IpProtocol::icmp, .flags_fragment = 0x2000, .payload = icmp_echo()})))
      << "fragment";
  EXPECT_FALSE(echo_reply(v4({.payload = icmp_echo()}))) << "UDP";
  auto answer = icmp_echo();
  answer[0] = 0;
  EXPECT_FALSE(echo_reply(v4({.protocol = IpProtocol::icmp, .payload = answer}))) << "a reply";
  EXPECT_FALSE(
      echo_reply(v6({.dst = "ff02::1", .next_header = 58, .payload = icmpv6_echo("fd00:1::2", "ff02::1")})))
      << "multicast";
  EXPECT_FALSE(echo_reply(Frame(13))) << "short";
}

TEST(IcmpErrors, V4SaysWhatIsWrongAndQuotesThePacket) {
  const struct {
    IcmpFault fault;
    IcmpType type;
    uint8_t code;
  } cases[] = {{IcmpFault::ttl_expired, IcmpType::time_exceeded, 0},
               {IcmpFault::no_route, IcmpType::destination_unreachable, 0},
               {IcmpFault::host_unreachable, IcmpType::destination_unreachable, 1},
               {IcmpFault::too_big, IcmpType::destination_unreachable, 4}};
  const auto packet = ipv4_packet({.src = "10.0.9.77", .dst = "192.0.2.1"});
  for (const auto& [fault, type, code] : cases) {
    const auto error =
        icmp_error(interface(), ethernet_frame(kOwnMac, kPeerMac, EtherType::ipv4, packet), fault, 1280);
    ASSERT_TRUE(error);
    const auto read = read_icmp4(*error);
    EXPECT_EQ(read.ethernet.header->dst, kPeerMac);
    EXPECT_EQ(read.ip.header->src, ip4("10.0.9.1")) << "the own address on the sender's link";
    EXPECT_EQ(read.ip.header->dst, ip4("10.0.9.77"));
    EXPECT_EQ(read.icmp.header->icmp_type(), type);
    EXPECT_EQ(read.icmp.header->code.get(), code);
    EXPECT_EQ(read.icmp.header->low.get(), fault == IcmpFault::too_big ? 1280 : 0);
    EXPECT_TRUE(std::ranges::equal(read.ip.payload.subspan(8), packet));
  }
}

TEST(IcmpErrors, AQuoteHasAnEnd) {
  const auto v4_error = icmp_error(interface(), v4({.payload = Frame(1400, 7)}), IcmpFault::ttl_expired, 0);
  EXPECT_EQ(read_icmp4(*v4_error).ip.header->total_length.get(), 576) << "RFC 1812, 4.3.2.3";
  const auto v6_error = icmp_error(interface(), v6({.payload = Frame(1400, 7)}), IcmpFault::ttl_expired, 0);
  EXPECT_EQ(v6_error->size(), 14u + 1280u) << "RFC 4443, 2.4 (c)";
}

TEST(IcmpErrors, PaddingOfTheFrameIsNotQuoted) {
  auto frame = v4({.payload = Frame(4, 1)});
  frame.resize(60);
  EXPECT_EQ(read_icmp4(*icmp_error(interface(), frame, IcmpFault::no_route, 0)).ip.header->total_length.get(),
            20 + 8 + 24);
}

TEST(IcmpErrors, V6SaysWhatIsWrong) {
  const struct {
    IcmpFault fault;
    Icmpv6Type type;
    uint8_t code;
  } cases[] = {{IcmpFault::ttl_expired, Icmpv6Type::time_exceeded, 0},
               {IcmpFault::no_route, Icmpv6Type::destination_unreachable, 0},
               {IcmpFault::host_unreachable, Icmpv6Type::destination_unreachable, 3},
               {IcmpFault::too_big, Icmpv6Type::packet_too_big, 0}};
  const auto packet = ipv6_packet({});
  for (const auto& [fault, type, code] : cases) {
    const auto error =
        icmp_error(interface(), ethernet_frame(kOwnMac, kPeerMac, EtherType::ipv6, packet), fault, 1280);
    ASSERT_TRUE(error);
    const auto read = read_icmp6(*error);
    EXPECT_EQ(read.ip.header->src, ip6("fd00:1::1"));
    EXPECT_EQ(read.ip.header->dst, ip6("fd00:1::2"));
    EXPECT_EQ(read.icmp.header->icmp_type(), type);
    EXPECT_EQ(read.icmp.header->code.get(), code);
    if (fault == IcmpFault::too_big) {
      EXPECT_TRUE(std::ranges::equal(read.ip.payload.subspan(4, 4), Frame{0, 0, 5, 0}));
    }
    EXPECT_TRUE(std::ranges::equal(read.ip.payload.subspan(8), packet));
  }
}

// RFC 1122, 3.2.2: never about an error, a later fragment, a group address or nobody.
TEST(IcmpErrors, V4IsSilentWhereItMust) {
  const auto error = [](const Ipv4Shape& shape) {
    return icmp_error(interface(), v4(shape), IcmpFault::ttl_expired, 0);
  };
  auto unreachable = icmp_echo();
  unreachable[0] = 3;
  EXPECT_FALSE(error({.protocol = IpProtocol::icmp, .payload = unreachable})) << "about an error";
  EXPECT_FALSE(error({.flags_fragment = 0x0001})) << "later fragment";
  EXPECT_TRUE(error({.flags_fragment = 0x2000})) << "first fragment";
  EXPECT_TRUE(error({.protocol = IpProtocol::icmp, .payload = icmp_echo()})) << "about a question";
  for (const char* src : {"224.0.0.1", "255.255.255.255", "0.0.0.0", "127.0.0.1"})
    EXPECT_FALSE(error({.src = src})) << src;
  for (const char* dst : {"224.0.0.1", "255.255.255.255"}) EXPECT_FALSE(error({.dst = dst})) << dst;
  auto group_frame = v4({});
  group_frame[6] |= 1;
  EXPECT_FALSE(icmp_error(interface(), group_frame, IcmpFault::ttl_expired, 0)) << "from a group MAC";
}

// RFC 4443, 2.4 (e).
TEST(IcmpErrors, V6IsSilentWhereItMust) {
  const auto error = [](const Ipv6Shape& shape, IcmpFault fault) {
    return icmp_error(interface(), v6(shape), fault, 1280);
  };
  auto unreachable = icmpv6_echo("fd00:1::2", "fd10::1");
  unreachable[0] = 1;
  EXPECT_FALSE(error({.next_header = 58, .payload = unreachable}, IcmpFault::ttl_expired))
      << "about an error";
  EXPECT_FALSE(error({.src = "ff02::1"}, IcmpFault::ttl_expired));
  EXPECT_FALSE(error({.src = "::"}, IcmpFault::ttl_expired));
  EXPECT_FALSE(error({.dst = "ff0e::1"}, IcmpFault::ttl_expired));
  EXPECT_TRUE(error({.dst = "ff0e::1"}, IcmpFault::too_big)) << "path MTU discovery is the exception";
}

TEST(IcmpErrors, WithoutAnOwnAddressThereIsNobodyToSpeak) {
  Interface mute = interface();
  mute.addresses.clear();
  EXPECT_FALSE(icmp_error(mute, v4({}), IcmpFault::no_route, 0));
  EXPECT_FALSE(icmp_error(mute, v6({}), IcmpFault::no_route, 0));
}

}  // namespace
}  // namespace sluice::agent
