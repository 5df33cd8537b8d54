#include "dataplane/wire/icrc.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>

#include "tests/support/pcap.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using sluice::testing::Frame;
using sluice::testing::from_hex;
using sluice::testing::read_pcap;

constexpr size_t kEthernet = 14;

std::vector<Frame> capture() { return read_pcap(SLUICE_SOURCE_DIR "/tests/data/rxe-exchange.pcap"); }

Bytes ip_packet(const Frame& frame) { return Bytes(frame).subspan(kEthernet); }

// The definition, word for word, with zlib's CRC and a copy of the whole packet. Written from the text of
// annex A17 and apart from icrc.h, because no tool at hand computes the ICRC over IPv6.
uint32_t icrc_by_definition(std::vector<uint8_t> packet, size_t ip_length) {
  packet.erase(packet.end() - 4, packet.end());
  if (ip_length == 20) {
    for (size_t masked : {1, 8, 10, 11}) packet[masked] = 0xff;
  } else {
    packet[0] = 0x6f;
    for (size_t masked : {1, 2, 3, 7}) packet[masked] = 0xff;
  }
  for (size_t masked : {6, 7, 8 + 4}) packet[ip_length + masked] = 0xff;
  packet.insert(packet.begin(), 8, 0xff);
  return static_cast<uint32_t>(crc32(0, packet.data(), static_cast<uInt>(packet.size())));
}

uint32_t as_integer(Icrc icrc) {
  return static_cast<uint32_t>(icrc.octets[0] | icrc.octets[1] << 8 | icrc.octets[2] << 16) |
         static_cast<uint32_t>(icrc.octets[3]) << 24;
}

TEST(Icrc, KnownReadRequest) {
  const auto frame = from_hex(
      "52540077000202000000776408004500003c00004000401125b20a4d00640a4d0002c00012b7002800000c00ffff00000036"
      "8000012c00005613d90c100000000f27000000403d2ffb6a");
  EXPECT_EQ(check_icrc(ip_packet(frame)), std::nullopt);
  EXPECT_EQ(compute_icrc(ip_packet(frame))->octets, (std::array<uint8_t, 4>{0x3d, 0x2f, 0xfb, 0x6a}));
}

TEST(Icrc, EveryPacketOfTheKernelVerifiesAndIsRecomputed) {
  for (const Frame& frame : capture()) {
    EXPECT_EQ(check_icrc(ip_packet(frame)), std::nullopt);
    Frame again = frame;
    std::fill(again.end() - 4, again.end(), uint8_t{0});
    EXPECT_EQ(check_icrc(ip_packet(again)), Drop::roce_bad_icrc);
    EXPECT_EQ(store_icrc(MutableBytes(again).subspan(kEthernet)), std::nullopt);
    EXPECT_EQ(again, frame);
  }
}

// What a router may change, by its offset in the IP packet: TOS, TTL, header checksum, UDP checksum, and
// the octet of the BTH with FECN and BECN.
bool masked_in_ipv4(size_t octet) {
  return octet == 1 || octet == 8 || octet == 10 || octet == 11 || octet == 26 || octet == 27 || octet == 32;
}

TEST(Icrc, EachBitOfACapturedPacketIsCoveredUnlessMasked) {
  const auto frames = capture();
  for (size_t number : {1, 2, 10, 24, 41}) {  // READ, its response, WRITE, FETCH_ADD, NAK
    Frame frame = frames.at(number - 1);
    for (size_t bit = 0; bit < frame.size() * 8; ++bit) {
      frame[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
      const bool accepted = !check_icrc(ip_packet(frame));
      const bool outside = bit / 8 < kEthernet;
      ASSERT_EQ(accepted, outside || masked_in_ipv4(bit / 8 - kEthernet))
          << "frame " << number << " octet " << bit / 8 << " bit " << bit % 8;
      frame[bit / 8] ^= static_cast<uint8_t>(1u << bit % 8);
    }
  }
}

std::vector<uint8_t> ipv6_packet(std::mt19937& random, size_t payload) {
  std::vector<uint8_t> packet(40 + 8 + 12 + payload + 4);
  for (auto& octet : packet) octet = static_cast<uint8_t>(random());
  packet[0] = static_cast<uint8_t>(0x60 | (packet[0] & 0x0f));
  packet[6] = 17;
  return packet;
}

TEST(Icrc, Ipv6AgreesWithTheDefinitionAtEveryLength) {
  std::mt19937 random(1);
  for (size_t payload = 0; payload <= 4200; payload += payload < 300 ? 1 : 97) {
    auto packet = ipv6_packet(random, payload);
    ASSERT_EQ(as_integer(*compute_icrc(packet)), icrc_by_definition(packet, 40)) << payload;
    ASSERT_EQ(store_icrc(packet), std::nullopt);
    ASSERT_EQ(check_icrc(packet), std::nullopt);
  }
}

TEST(Icrc, Ipv4AgreesWithTheDefinitionAtEveryLength) {
  std::mt19937 random(2);
  for (size_t payload = 0; payload <= 4200; payload += payload < 300 ? 1 : 97) {
    std::vector<uint8_t> packet(20 + 8 + 12 + payload + 4);
    for (auto& octet : packet) octet = static_cast<uint8_t>(random());
    packet[0] = 0x45;
    packet[9] = 17;
    ASSERT_EQ(as_integer(*compute_icrc(packet)), icrc_by_definition(packet, 20)) << payload;
  }
}

TEST(Icrc, EachBitOfAnIpv6PacketIsCoveredUnlessMasked) {
  std::mt19937 random(3);
  auto packet = ipv6_packet(random, 24);
  ASSERT_EQ(store_icrc(packet), std::nullopt);
  for (size_t bit = 0; bit < packet.size() * 8; ++bit) {
    const size_t octet = bit / 8;
    packet[octet] ^= static_cast<uint8_t>(1u << bit % 8);
    // Traffic class and flow label (28 bits), hop limit, UDP checksum, BTH octet 4.
    const bool masked = (octet == 0 && bit % 8 < 4) || (octet >= 1 && octet <= 3) || octet == 7 ||
                        octet == 46 || octet == 47 || octet == 52;
    ASSERT_EQ(!check_icrc(packet), masked) << "octet " << octet << " bit " << bit % 8;
    packet[octet] ^= static_cast<uint8_t>(1u << bit % 8);
  }
}

TEST(Icrc, PayloadInPiecesGivesTheSameSum) {
  for (const Frame& frame : capture()) {
    const Bytes packet = ip_packet(frame);
    const auto headers = packet.first<40>();
    const Bytes rest = packet.subspan(40, packet.size() - 44);
    for (size_t cut = 0; cut <= rest.size(); cut += 7) {
      IcrcSum sum(headers);
      sum.add(rest.first(cut));
      sum.add(rest.subspan(cut));
      ASSERT_EQ(sum.finish(), *compute_icrc(packet));
    }
  }
}

TEST(Icrc, WhatCannotBeRoceHasAReason) {
  auto packet = std::vector<uint8_t>(44);
  packet[0] = 0x45;
  packet[9] = 17;
  EXPECT_EQ(store_icrc(packet), std::nullopt);
  EXPECT_EQ(check_icrc(Bytes(packet).first(43)), Drop::roce_truncated);
  EXPECT_EQ(check_icrc({}), Drop::roce_truncated);
  packet[0] = 0x46;
  EXPECT_EQ(check_icrc(packet), Drop::roce_bad_ip_header) << "options";
  packet[0] = 0x45;
  packet[9] = 6;
  EXPECT_EQ(check_icrc(packet), Drop::roce_bad_ip_header) << "TCP";
  packet[0] = 0x60;
  packet[6] = 17;
  EXPECT_EQ(check_icrc(packet), Drop::roce_truncated) << "IPv6 takes 20 octets more";
  packet.resize(64);
  EXPECT_EQ(store_icrc(packet), std::nullopt);
  packet[6] = 0;
  EXPECT_EQ(check_icrc(packet), Drop::roce_bad_ip_header) << "hop-by-hop options";
  packet[0] = 0x70;
  EXPECT_EQ(check_icrc(packet), Drop::roce_bad_ip_header);
}

}  // namespace
}  // namespace sluice::wire
