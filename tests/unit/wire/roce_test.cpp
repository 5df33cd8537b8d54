#include "dataplane/wire/roce.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/support/pcap.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using sluice::testing::emitted;
using sluice::testing::from_hex;
using sluice::testing::read_pcap;
using sluice::testing::to_vector;

constexpr size_t kEthernetIpv4Udp = 14 + 20 + 8;

Drop reason(std::string_view hex) {
  const auto packet = from_hex(hex);
  const auto view = parse_roce(packet);
  EXPECT_FALSE(view) << hex;
  return view ? Drop::no_route : view.error();
}

TEST(Psn, OrderGoesRoundTheCircle) {
  EXPECT_TRUE(Psn(5).precedes(Psn(6)));
  EXPECT_FALSE(Psn(6).precedes(Psn(5)));
  EXPECT_FALSE(Psn(6).precedes(Psn(6)));
  EXPECT_TRUE(Psn(0xffffff).precedes(Psn(0)));
  EXPECT_EQ(Psn(0).ahead_of(Psn(0xffffff)), 1);
  EXPECT_EQ(Psn(0xfffffe).ahead_of(Psn(1)), -3);
  EXPECT_EQ(Psn(0x7fffff).ahead_of(Psn(0)), 0x7fffff);
  EXPECT_EQ(Psn(0x800000).ahead_of(Psn(0)), -0x800000);
}

TEST(Psn, ArithmeticStaysIn24Bits) {
  EXPECT_EQ((Psn(0xffffff) + 1).value(), 0u);
  EXPECT_EQ((Psn(0) - 1).value(), 0xffffffu);
  EXPECT_EQ(Psn(0x1000005), Psn(5));
  Psn psn(0xffffff);
  EXPECT_EQ(++psn, Psn(0));
}

TEST(Roce, EveryFieldOfTheBaseHeader) {
  const auto packet = from_hex("04 e0 abcd c5 123456 85 fedcba 0102 0000 aabbccdd");
  const auto view = parse_roce(packet);
  ASSERT_TRUE(view);
  const Bth& bth = *view->bth;
  EXPECT_EQ(bth.operation(), RoceOpcode::send_only);
  EXPECT_TRUE(bth.solicited());
  EXPECT_TRUE(bth.migrated());
  EXPECT_EQ(bth.pad_count(), 2);
  EXPECT_EQ(bth.version(), 0);
  EXPECT_EQ(bth.partition_key.get(), 0xabcd);
  EXPECT_TRUE(bth.forward_congestion());
  EXPECT_TRUE(bth.backward_congestion());
  EXPECT_EQ(bth.destination(), QpNumber{0x123456});
  EXPECT_TRUE(bth.wants_ack());
  EXPECT_EQ(bth.sequence(), Psn(0xfedcba));
  EXPECT_EQ(to_vector(view->payload), from_hex("0102"));
  EXPECT_EQ(to_vector(view->pad), from_hex("0000"));
  EXPECT_EQ(view->icrc->octets, (std::array<uint8_t, 4>{0xaa, 0xbb, 0xcc, 0xdd}));
  EXPECT_EQ(emitted(*view), packet);
}

TEST(Roce, WriteWithImmediateCarriesItsAddressBeforeTheImmediate) {
  const auto packet = from_hex(
      "0b 00 ffff 00 000011 80 000001"
      "0102030405060708 11223344 00000002"
      "cafebabe aabb 00000000");
  const auto view = parse_roce(packet);
  ASSERT_TRUE(view);
  ASSERT_NE(view->reth, nullptr);
  EXPECT_EQ(view->reth->address.get(), 0x0102030405060708u);
  EXPECT_EQ(view->reth->key(), RemoteKey{0x11223344});
  EXPECT_EQ(view->reth->length.get(), 2u);
  ASSERT_NE(view->immediate, nullptr);
  EXPECT_EQ(view->immediate->value.get(), 0xcafebabe);
  EXPECT_EQ(to_vector(view->payload), from_hex("aabb"));
  EXPECT_EQ(view->aeth, nullptr);
  EXPECT_EQ(emitted(*view), packet);
}

TEST(Roce, CompareSwapAndItsAnswer) {
  const auto request = from_hex(
      "13 00 ffff 00 000011 80 000001"
      "0000000000001000 00000007 1111111111111111 2222222222222222 00000000");
  const auto asked = parse_roce(request);
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->atomic_eth->address.get(), 0x1000u);
  EXPECT_EQ(asked->atomic_eth->key(), RemoteKey{7});
  EXPECT_EQ(asked->atomic_eth->swap_or_add.get(), 0x1111111111111111u);
  EXPECT_EQ(asked->atomic_eth->compare.get(), 0x2222222222222222u);

  const auto response = from_hex("12 00 ffff 00 000022 00 000001 1f 000003 2222222222222222 00000000");
  const auto answered = parse_roce(response);
  ASSERT_TRUE(answered);
  EXPECT_EQ(answered->aeth->kind(), AethKind::ack);
  EXPECT_EQ(answered->aeth->msn.get(), 3u);
  EXPECT_EQ(answered->atomic_ack_eth->original.get(), 0x2222222222222222u);
}

TEST(Roce, SyndromeTellsItsKindAndValue) {
  const auto of = [](uint8_t syndrome) { return Aeth{Be8(syndrome), Be24(0)}; };
  EXPECT_EQ(of(0x1f).kind(), AethKind::ack);
  EXPECT_EQ(of(0x1f).value(), 31);
  EXPECT_EQ(of(0x2e).kind(), AethKind::rnr_nak);
  EXPECT_EQ(of(0x2e).value(), 14);
  EXPECT_EQ(of(0x60).kind(), AethKind::nak);
  EXPECT_EQ(of(0x60).nak_code(), NakCode::psn_sequence_error);
  EXPECT_EQ(of(0x62).nak_code(), NakCode::remote_access_error);
  EXPECT_EQ(of(0x40).kind(), AethKind::reserved);
  EXPECT_EQ(Aeth::make_syndrome(NakCode::invalid_request), 0x61);
  EXPECT_EQ(Aeth::make_syndrome(AethKind::rnr_nak, 14), 0x2e);
}

TEST(Roce, CongestionNotificationHasSixteenReservedOctets) {
  const auto packet = from_hex("81 00 ffff 40 000011 00 000000 00000000000000000000000000000000 01020304");
  const auto view = parse_roce(packet);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->bth->backward_congestion());
  ASSERT_NE(view->notification, nullptr);
  EXPECT_TRUE(view->payload.empty());
  EXPECT_EQ(emitted(*view), packet);
}

TEST(Roce, EachFaultHasItsReason) {
  EXPECT_EQ(reason("04 00 ffff 00 000011 00 0000"), Drop::roce_truncated);
  EXPECT_EQ(reason("04 00 ffff 00 000011 00 000000 000000"), Drop::roce_truncated) << "no room for the ICRC";
  EXPECT_EQ(reason("0c 00 ffff 00 000011 00 000000 00000000 00000000 00000000 000000 00000000"),
            Drop::roce_truncated);
  EXPECT_EQ(reason("04 01 ffff 00 000011 00 000000 00000000"), Drop::roce_bad_version);
  EXPECT_EQ(reason("15 00 ffff 00 000011 00 000000 00000000"), Drop::roce_unknown_opcode);
  EXPECT_EQ(reason("04 30 ffff 00 000011 00 000000 0000 00000000"), Drop::roce_bad_pad);
}

// IBTA vol. 1, table 38, as lengths: what follows the BTH before the payload.
const std::map<unsigned, size_t> kHeaderLengths{
    {0x00, 0}, {0x01, 0}, {0x02, 0},  {0x03, 4},  {0x04, 0},  {0x05, 4}, {0x06, 16}, {0x07, 0},
    {0x08, 0}, {0x09, 4}, {0x0a, 16}, {0x0b, 20}, {0x0c, 16}, {0x0d, 4}, {0x0e, 0},  {0x0f, 4},
    {0x10, 4}, {0x11, 4}, {0x12, 12}, {0x13, 28}, {0x14, 28}, {0x81, 16}};

TEST(Roce, EveryOpcodeNeedsItsHeadersAndNoMore) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const auto known = kHeaderLengths.find(opcode);
    const bool supported = known != kHeaderLengths.end();
    const size_t least = 12 + 4 + (supported ? known->second : 0);
    for (size_t size = 12; size < 64; ++size) {
      std::vector<uint8_t> packet(size);
      for (size_t i = 2; i < size; ++i) packet[i] = static_cast<uint8_t>(i);
      packet[0] = static_cast<uint8_t>(opcode);
      const auto view = parse_roce(packet);
      ASSERT_EQ(view.has_value(), supported && size >= least) << opcode << " " << size;
      if (!view) {
        ASSERT_EQ(view.error(), supported ? Drop::roce_truncated : Drop::roce_unknown_opcode);
        continue;
      }
      ASSERT_EQ(view->payload.size(), size - least);
      ASSERT_EQ(emitted(*view), packet);
    }
  }
}

TEST(RoceCapture, EveryPacketOfTheKernelIsParsedAndEmittedAgain) {
  const auto frames = read_pcap(SLUICE_SOURCE_DIR "/tests/data/rxe-exchange.pcap");
  ASSERT_EQ(frames.size(), 43u);
  std::map<RoceOpcode, int> opcodes;
  for (const auto& frame : frames) {
    const Bytes payload = Bytes(frame).subspan(kEthernetIpv4Udp);
    const auto view = parse_roce(payload);
    ASSERT_TRUE(view);
    ++opcodes[view->bth->operation()];
    EXPECT_EQ(emitted(*view), to_vector(payload));
    EXPECT_TRUE(info_of(view->bth->operation()).payload || view->payload.empty());
  }
  // Counted with tshark: infiniband.bth.opcode of the same file.
  const std::map<RoceOpcode, int> expected{
      {RoceOpcode::read_request, 10},       {RoceOpcode::read_response_only, 7},
      {RoceOpcode::read_response_first, 1}, {RoceOpcode::read_response_middle, 2},
      {RoceOpcode::read_response_last, 1},  {RoceOpcode::write_only, 5},
      {RoceOpcode::write_first, 1},         {RoceOpcode::write_last, 1},
      {RoceOpcode::acknowledge, 7},         {RoceOpcode::fetch_add, 3},
      {RoceOpcode::compare_swap, 1},        {RoceOpcode::atomic_acknowledge, 4}};
  EXPECT_EQ(opcodes, expected);
}

TEST(RoceCapture, ReadOfSeveralPacketsConsumesAsManySequenceNumbers) {
  const auto frames = read_pcap(SLUICE_SOURCE_DIR "/tests/data/rxe-exchange.pcap");
  const auto psn = [&](size_t number) {
    return parse_roce(Bytes(frames.at(number - 1)).subspan(kEthernetIpv4Udp))->bth->sequence();
  };
  EXPECT_EQ(psn(6), psn(5)) << "the first response answers with the request's PSN";
  EXPECT_EQ(psn(7).ahead_of(psn(5)), 1);
  EXPECT_EQ(psn(9).ahead_of(psn(5)), 3);
  EXPECT_EQ(psn(10).ahead_of(psn(5)), 4) << "the next request comes behind all responses";
}

TEST(RoceCapture, NegativeAcknowledgementsSayWhy) {
  const auto frames = read_pcap(SLUICE_SOURCE_DIR "/tests/data/rxe-exchange.pcap");
  const auto aeth = [&](size_t number) {
    return *parse_roce(Bytes(frames.at(number - 1)).subspan(kEthernetIpv4Udp))->aeth;
  };
  EXPECT_EQ(aeth(41).syndrome.get(), 0x60);
  EXPECT_EQ(aeth(41).nak_code(), NakCode::psn_sequence_error);
  EXPECT_EQ(aeth(43).syndrome.get(), 0x62);
  EXPECT_EQ(aeth(43).nak_code(), NakCode::remote_access_error);
  EXPECT_EQ(aeth(11).kind(), AethKind::ack);
}

TEST(RoceCapture, PaddedReadCarriesItsOddLength) {
  const auto frames = read_pcap(SLUICE_SOURCE_DIR "/tests/data/rxe-exchange.pcap");
  int padded = 0;
  for (size_t i = 0; i + 1 < frames.size(); ++i) {
    const auto request = parse_roce(Bytes(frames[i]).subspan(kEthernetIpv4Udp));
    const auto response = parse_roce(Bytes(frames[i + 1]).subspan(kEthernetIpv4Udp));
    if (request->bth->operation() != RoceOpcode::read_request ||
        response->bth->operation() != RoceOpcode::read_response_only)
      continue;
    EXPECT_EQ(response->payload.size(), request->reth->length.get()) << "frame " << i + 1;
    padded += !response->pad.empty();
  }
  EXPECT_GT(padded, 0);
}

}  // namespace
}  // namespace sluice::wire
