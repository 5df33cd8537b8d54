#include "dataplane/wire/gtpu.h"

#include <gtest/gtest.h>

#include "dataplane/wire/gtpu_elements.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using sluice::testing::emitted;
using sluice::testing::from_hex;
using sluice::testing::to_vector;

Drop reason(std::string_view hex) {
  const auto packet = from_hex(hex);
  const auto view = parse_gtpu(packet);
  EXPECT_FALSE(view) << hex;
  return view ? Drop::no_route : view.error();
}

TEST(Gtpu, PlainUserPacketHasNoOptionalFields) {
  const auto packet = from_hex("30 ff 0002 00000101 abcd");
  const auto view = parse_gtpu(packet);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->header->message_type(), GtpuMessage::g_pdu);
  EXPECT_EQ(view->header->tunnel(), Teid{0x101});
  EXPECT_EQ(view->optional, nullptr);
  EXPECT_TRUE(view->extensions.empty());
  EXPECT_EQ(to_vector(view->payload), from_hex("abcd"));
}

TEST(Gtpu, EachFlagAloneBringsAllFourOptionalOctets) {
  for (const char* hex : {"31 ff 0005 00000001 1234 56 00 aa", "32 ff 0005 00000001 1234 56 00 aa",
                          "34 ff 0005 00000001 1234 56 00 aa"}) {
    const auto packet = from_hex(hex);
    const auto view = parse_gtpu(packet);
    ASSERT_TRUE(view) << hex;
    ASSERT_NE(view->optional, nullptr);
    EXPECT_EQ(view->optional->sequence.get(), 0x1234);
    EXPECT_EQ(view->optional->n_pdu.get(), 0x56);
    EXPECT_EQ(to_vector(view->payload), from_hex("aa"));
    EXPECT_EQ(emitted(*view), packet);
  }
}

TEST(Gtpu, NextExtensionTypeIsIgnoredWithoutItsFlag) {
  const auto packet = from_hex("32 ff 0008 00000001 0000 00 85 01 00 00 00");
  const auto view = parse_gtpu(packet);
  ASSERT_TRUE(view);
  EXPECT_TRUE(view->extensions.empty());
  EXPECT_EQ(view->payload.size(), 4u);
}

TEST(Gtpu, ExtensionChainIsWalkedInOrder) {
  const auto packet = from_hex(
      "34 ff 0016 00000001 0000 00 40"
      "01 0868 c0"
      "02 000102030405 85"
      "01 0009 00"
      "4500");
  const auto view = parse_gtpu(packet);
  ASSERT_TRUE(view);
  std::vector<std::pair<GtpuExtensionType, std::vector<uint8_t>>> seen;
  for (const auto extension : view->extensions)
    seen.emplace_back(extension.type, to_vector(extension.content));
  const decltype(seen) expected{{GtpuExtensionType::udp_port, from_hex("0868")},
                                {GtpuExtensionType::pdcp_pdu_number, from_hex("000102030405")},
                                {GtpuExtensionType::pdu_session_container, from_hex("0009")}};
  EXPECT_EQ(seen, expected);
  EXPECT_EQ(to_vector(*view->extensions.find(GtpuExtensionType::pdu_session_container)), from_hex("0009"));
  EXPECT_FALSE(view->extensions.find(GtpuExtensionType::ran_container));
  EXPECT_EQ(to_vector(view->payload), from_hex("4500"));
  EXPECT_EQ(emitted(*view), packet);
}

TEST(Gtpu, WhatLiesBeyondTheLengthIsKeptApart) {
  const auto packet = from_hex("30 ff 0001 00000001 aa bbcc");
  const auto view = parse_gtpu(packet);
  ASSERT_TRUE(view);
  EXPECT_EQ(to_vector(view->payload), from_hex("aa"));
  EXPECT_EQ(to_vector(view->trailer), from_hex("bbcc"));
  EXPECT_EQ(emitted(*view), packet);
}

TEST(Gtpu, EachFaultHasItsReason) {
  EXPECT_EQ(reason(""), Drop::gtpu_truncated);
  EXPECT_EQ(reason("30 ff 0000 000000"), Drop::gtpu_truncated);
  EXPECT_EQ(reason("50 ff 0000 00000001"), Drop::gtpu_bad_version);
  EXPECT_EQ(reason("20 ff 0000 00000001"), Drop::gtpu_bad_version) << "GTP prime";
  EXPECT_EQ(reason("30 ff 0003 00000001 aabb"), Drop::gtpu_bad_length);
  EXPECT_EQ(reason("32 ff 0003 00000001 0000 00 00"), Drop::gtpu_bad_length);
  EXPECT_EQ(reason("34 ff 0004 00000001 0000 00 85"), Drop::gtpu_bad_extension) << "announced but absent";
  EXPECT_EQ(reason("34 ff 0008 00000001 0000 00 85 00000000"), Drop::gtpu_bad_extension) << "length zero";
  EXPECT_EQ(reason("34 ff 0008 00000001 0000 00 85 02000000"), Drop::gtpu_bad_extension) << "too long";
  EXPECT_EQ(reason("34 ff 0008 00000001 0000 00 85 01000085"), Drop::gtpu_bad_extension)
      << "second is absent";
}

TEST(Gtpu, ChainOfEightPassesAndOfNineDoesNot) {
  for (size_t count : {8u, 9u}) {
    std::vector<uint8_t> packet = from_hex("34 ff 0000 00000001 0000 00 40");
    for (size_t i = 0; i < count; ++i) {
      const auto one = from_hex(i + 1 == count ? "01000000" : "01000040");
      packet.insert(packet.end(), one.begin(), one.end());
    }
    packet[3] = static_cast<uint8_t>(packet.size() - 8);
    const auto view = parse_gtpu(packet);
    ASSERT_EQ(view.has_value(), count == 8);
    if (count == 9) {
      EXPECT_EQ(view.error(), Drop::gtpu_too_many_extensions);
    }
  }
}

TEST(Gtpu, EmittedExtensionIsPaddedToWholeUnits) {
  std::vector<uint8_t> buffer(16);
  Writer out(buffer);
  emit_extension(from_hex("010203"), GtpuExtensionType::udp_port, out);
  ASSERT_TRUE(out.ok());
  EXPECT_EQ(to_vector(out.written()), from_hex("02 010203 000000 40"));
}

TEST(Gtpu, ExtensionBeyondItsLengthOctetIsRefused) {
  std::vector<uint8_t> buffer(2048), content(255 * 4 - 2);
  Writer longest(buffer);
  emit_extension(content, GtpuExtensionType::none, longest);
  EXPECT_TRUE(longest.ok());
  content.push_back(0);
  Writer out(buffer);
  emit_extension(content, GtpuExtensionType::none, out);
  EXPECT_FALSE(out.ok());
}

TEST(Gtpu, TypeTellsWhetherAnEndpointMustUnderstand) {
  EXPECT_TRUE(endpoint_must_understand(GtpuExtensionType::pdu_session_container));
  EXPECT_TRUE(endpoint_must_understand(GtpuExtensionType::pdcp_pdu_number));
  EXPECT_FALSE(endpoint_must_understand(GtpuExtensionType::udp_port));
  EXPECT_FALSE(endpoint_must_understand(GtpuExtensionType::service_class_indicator));
}

TEST(GtpuElements, EchoResponseCarriesItsRestartCounter) {
  const auto packet = from_hex("32 02 0006 00000000 0007 00 00 0e 2a");
  const auto view = parse_gtpu(packet);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->header->message_type(), GtpuMessage::echo_response);
  const auto elements = parse_gtpu_elements(view->payload);
  ASSERT_TRUE(elements);
  EXPECT_EQ(restart_counter_of(*elements), 0x2a);
  EXPECT_FALSE(private_extension_of(*elements));
}

TEST(GtpuElements, ErrorIndicationNamesTunnelAndPeer) {
  const auto payload = from_hex("10 00000abc 85 0004 0a000001 ff 0005 1234 010203");
  const auto elements = parse_gtpu_elements(payload);
  ASSERT_TRUE(elements);
  const auto indication = error_indication_of(*elements);
  ASSERT_TRUE(indication);
  EXPECT_EQ(indication->teid, Teid{0xabc});
  EXPECT_EQ(std::get<Ipv4Address>(indication->peer), *ipv4_from_text("10.0.0.1"));
  const auto extra = private_extension_of(*elements);
  ASSERT_TRUE(extra);
  EXPECT_EQ(extra->identifier, 0x1234);
  EXPECT_EQ(to_vector(extra->value), from_hex("010203"));
}

TEST(GtpuElements, ErrorIndicationIsEmittedAsItIsParsed) {
  const GtpuErrorIndication sent{Teid{0xfeedbeef}, *ipv6_from_text("2001:db8::1")};
  const auto bytes = emitted(sent);
  const auto elements = parse_gtpu_elements(bytes);
  ASSERT_TRUE(elements);
  const auto received = error_indication_of(*elements);
  ASSERT_TRUE(received);
  EXPECT_EQ(received->teid, sent.teid);
  EXPECT_EQ(received->peer, sent.peer);
}

TEST(GtpuElements, ErrorIndicationNeedsBothElementsAndARealAddress) {
  for (const char* hex : {"", "10 00000001", "85 0004 0a000001", "10 00000001 85 0005 0a00000102"}) {
    const auto payload = from_hex(hex);
    const auto elements = parse_gtpu_elements(payload);
    ASSERT_TRUE(elements) << hex;
    const auto indication = error_indication_of(*elements);
    ASSERT_FALSE(indication) << hex;
    EXPECT_EQ(indication.error(), Drop::gtpu_bad_element);
  }
}

TEST(GtpuElements, ExtensionHeaderTypeListHasALengthOfOneOctet) {
  const auto payload = from_hex("8d 02 85 c0 0e 00");
  const auto elements = parse_gtpu_elements(payload);
  ASSERT_TRUE(elements);
  EXPECT_EQ(to_vector(*elements->find(GtpuElementType::extension_header_types)), from_hex("85c0"));
  EXPECT_EQ(restart_counter_of(*elements), 0);
}

TEST(GtpuElements, ListIsTheSumOfItsElements) {
  const auto payload = from_hex("0e 07 8d 01 85 e7 0004 01020304 ff 0002 0001");
  const auto elements = parse_gtpu_elements(payload);
  ASSERT_TRUE(elements);
  std::vector<uint8_t> again;
  for (const auto element : *elements) {
    const auto bytes = emitted(element);
    again.insert(again.end(), bytes.begin(), bytes.end());
  }
  EXPECT_EQ(again, payload);
}

TEST(GtpuElements, WhatDoesNotFitHasAReason) {
  for (const char* hex : {"0e", "10 000000", "85", "85 00", "85 0005 0a000001", "8d", "8d 02 85", "63 00"}) {
    const auto payload = from_hex(hex);
    const auto elements = parse_gtpu_elements(payload);
    ASSERT_FALSE(elements) << hex;
    EXPECT_EQ(elements.error(), Drop::gtpu_bad_element);
  }
}

TEST(GtpuElements, EmitRefusesWhatItsLengthFieldCannotSay) {
  const std::vector<uint8_t> zeros(65536);
  std::vector<uint8_t> buffer(70000);
  const auto accepts = [&](GtpuElementType type, size_t size) {
    Writer out(buffer);
    emit(GtpuElement{type, Bytes(zeros).first(size)}, out);
    return out.ok();
  };
  EXPECT_TRUE(accepts(GtpuElementType::recovery, 1));
  EXPECT_FALSE(accepts(GtpuElementType::recovery, 2));
  EXPECT_TRUE(accepts(GtpuElementType::extension_header_types, 255));
  EXPECT_FALSE(accepts(GtpuElementType::extension_header_types, 256));
  EXPECT_TRUE(accepts(GtpuElementType::private_extension, 65535));
  EXPECT_FALSE(accepts(GtpuElementType::private_extension, 65536));
  EXPECT_FALSE(accepts(GtpuElementType{99}, 1));
}

}  // namespace
}  // namespace sluice::wire
