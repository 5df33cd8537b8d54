// Properties of the checksums over any packet: what is computed verifies, an incremental update equals a
// new computation, and the parts may be summed one by one.
#include "dataplane/wire/checksum.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/l4_checksum.h"
#include "tests/support/wire.h"

namespace sluice::wire {
namespace {

using testing::from_hex;

// Ones' complement addition as RFC 1071 words it, one 16-bit word after the other.
uint16_t textbook_sum(Bytes bytes) {
  uint32_t sum = 0;
  for (size_t i = 0; i < bytes.size(); i += 2) {
    sum += static_cast<uint32_t>(bytes[i] << 8 | (i + 1 < bytes.size() ? bytes[i + 1] : 0));
    if (sum > 0xffff) sum -= 0xffff;
  }
  return static_cast<uint16_t>(~sum);
}

RC_GTEST_PROP(Checksum, EqualsTheTextbookSumOfWords, (const std::vector<uint8_t>& bytes)) {
  RC_ASSERT(internet_checksum(bytes) == Be16(textbook_sum(bytes)));
}

RC_GTEST_PROP(Checksum, PartsOfEvenLengthSumToTheWhole, (const std::vector<uint8_t>& bytes)) {
  const size_t cut = *rc::gen::inRange<size_t>(0, bytes.size() / 2 + 1) * 2;
  ChecksumSum sum;
  sum.add(Bytes(bytes).first(cut));
  sum.add(Bytes(bytes).subspan(cut));
  RC_ASSERT(sum.finish() == internet_checksum(bytes));
}

TEST(Checksum, OfAllZerosIsAllOnes) { EXPECT_EQ(internet_checksum(std::vector<uint8_t>(20)), Be16(0xffff)); }

template <class T>
T put_at(std::vector<uint8_t>& bytes, size_t offset, T value) {
  T before;
  std::memcpy(&before, bytes.data() + offset, sizeof before);
  std::memcpy(bytes.data() + offset, &value, sizeof value);
  return before;
}

// Any field at an even offset of any data that is not all zero, changed to any value.
template <class Field>
void update_equals_recomputation(const Field& value) {
  auto bytes = *rc::gen::container<std::vector<uint8_t>>(64, rc::gen::arbitrary<uint8_t>());
  bytes[62] |= 1;  // outside every field below: all zeros alone have two checksums
  const size_t offset = *rc::gen::inRange<size_t>(0, (62 - sizeof(Field)) / 2 + 1) * 2;
  const Be16 checksum = internet_checksum(bytes);
  const Field before = put_at(bytes, offset, value);
  RC_ASSERT(update_checksum(checksum, before, value) == internet_checksum(bytes));
}

RC_GTEST_PROP(Checksum, UpdateOf16BitsEqualsRecomputation, (uint16_t value)) {
  update_equals_recomputation(Be16(value));
}
RC_GTEST_PROP(Checksum, UpdateOf32BitsEqualsRecomputation, (uint32_t value)) {
  update_equals_recomputation(Be32(value));
}
RC_GTEST_PROP(Checksum, UpdateOfAnAddressEqualsRecomputation, (const std::array<uint8_t, 16>& octets)) {
  update_equals_recomputation(Ipv6Address{octets});
}

// Every pair of old and new words, for the checksums at both ends where a wrong -0 would show.
TEST(Checksum, UpdateNeverYieldsTheOtherZero) {
  for (unsigned before = 0; before < 0x10000; before += 13) {
    for (unsigned after : {0u, 1u, 0x7fffu, 0xfffeu, 0xffffu}) {
      std::vector<uint8_t> bytes{static_cast<uint8_t>(before >> 8), static_cast<uint8_t>(before), 0x12, 0x34};
      const Be16 checksum = internet_checksum(bytes);
      const Be16 old_word = put_at(bytes, 0, Be16(static_cast<uint16_t>(after)));
      ASSERT_EQ(update_checksum(checksum, old_word, Be16(static_cast<uint16_t>(after))),
                internet_checksum(bytes));
    }
  }
}

Ipv4Address any_ipv4() { return Ipv4Address::from_integer(*rc::gen::nonZero<uint32_t>()); }
Ipv6Address any_ipv6() {
  Ipv6Address address{*rc::gen::arbitrary<std::array<uint8_t, 16>>()};
  address.octets[0] |= 1;
  return address;
}

std::vector<uint8_t> any_udp() {
  auto bytes = from_hex("0000 0000 0000 0000");
  const auto payload = *rc::gen::arbitrary<std::vector<uint8_t>>();
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  auto* header = overlay<UdpHeader>(MutableBytes(bytes));
  header->src_port.set(*rc::gen::arbitrary<uint16_t>());
  header->length.set(static_cast<uint16_t>(bytes.size()));
  return bytes;
}

template <class Address>
void udp_survives_translation(const Address& src, const Address& dst, const Address& new_src) {
  auto bytes = any_udp();
  auto* header = overlay<UdpHeader>(MutableBytes(bytes));
  const auto view = *parse_udp(bytes);
  header->checksum = udp_checksum(src, dst, view);
  RC_ASSERT(header->checksum != Be16(0));
  RC_ASSERT(udp_checksum_ok(src, dst, view));
  header->checksum = update_udp_checksum(header->checksum, src, new_src);
  const Be16 new_port(*rc::gen::arbitrary<uint16_t>());
  header->checksum = update_udp_checksum(header->checksum, header->src_port, new_port);
  header->src_port = new_port;
  RC_ASSERT(udp_checksum_ok(new_src, dst, view));
  RC_ASSERT(header->checksum == udp_checksum(new_src, dst, view));
}

RC_GTEST_PROP(UdpChecksum, OverIpv4SurvivesAddressTranslation, ()) {
  udp_survives_translation(any_ipv4(), any_ipv4(), any_ipv4());
}
RC_GTEST_PROP(UdpChecksum, OverIpv6SurvivesAddressTranslation, ()) {
  udp_survives_translation(any_ipv6(), any_ipv6(), any_ipv6());
}

TEST(UdpChecksum, ComputedZeroIsSentAsAllOnes) {
  // Ports chosen so that the sum is all ones: 0 + 0 + 17 + 8 + port + 8 = 0xffff.
  const auto bytes = from_hex("ffde 0000 0008 0000");
  const auto view = *parse_udp(bytes);
  EXPECT_EQ(l4_checksum(Ipv4Address{}, Ipv4Address{}, IpProtocol::udp, view.datagram()), Be16(0));
  EXPECT_EQ(udp_checksum(Ipv4Address{}, Ipv4Address{}, view), Be16(0xffff));
}

TEST(UdpChecksum, NoneIsGoodOverIpv4AndBadOverIpv6) {
  const auto bytes = from_hex("1234 0000 0008 0000");
  const auto view = *parse_udp(bytes);
  EXPECT_TRUE(udp_checksum_ok(Ipv4Address{}, Ipv4Address{}, view));
  EXPECT_FALSE(udp_checksum_ok(Ipv6Address{}, Ipv6Address{}, view));
  EXPECT_EQ(update_udp_checksum(Be16(0), Be16(1), Be16(2)), Be16(0));
}

TEST(UdpChecksum, TrailerIsNotCovered) {
  auto bytes = from_hex("1234 0000 0008 0000 ff");
  const auto view = *parse_udp(bytes);
  const Be16 with = udp_checksum(Ipv4Address{}, Ipv4Address{}, view);
  bytes[8] = 0;
  EXPECT_EQ(udp_checksum(Ipv4Address{}, Ipv4Address{}, view), with);
}

RC_GTEST_PROP(TcpChecksum, EveryFlippedBitIsSeen, (const std::vector<uint8_t>& payload)) {
  auto bytes = from_hex("c001 0050 00000001 00000002 50 10 ffff 0000 0000");
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  const auto src = any_ipv6(), dst = any_ipv6();
  const auto view = *parse_tcp(bytes);
  overlay<TcpHeader>(MutableBytes(bytes))->checksum = tcp_checksum(src, dst, view);
  RC_ASSERT(tcp_checksum_ok(src, dst, view));
  const size_t bit = *rc::gen::inRange<size_t>(0, bytes.size() * 8);
  bytes[bit / 8] = static_cast<uint8_t>(bytes[bit / 8] ^ 1u << bit % 8);
  RC_ASSERT(!tcp_checksum_ok(src, dst, view));
}

RC_GTEST_PROP(Icmpv6Checksum, CoversTheAddresses, ()) {
  auto bytes = from_hex("80 00 0000 0001 0002 aabb");
  const auto src = any_ipv6(), dst = any_ipv6();
  const auto view = *parse_icmpv6(bytes);
  overlay<Icmpv6Header>(MutableBytes(bytes))->checksum = icmpv6_checksum(src, dst, view);
  RC_ASSERT(icmpv6_checksum_ok(src, dst, view));
  auto other = src;
  other.octets[*rc::gen::inRange<size_t>(0, 16)] ^= 0x10;
  RC_ASSERT(!icmpv6_checksum_ok(other, dst, view));
}

// RFC 8200, 8.1: behind a routing header with segments left, the pseudo header has the last address.
TEST(FinalDestination, IsWhereTheRoutingHeaderLeads) {
  const auto chain_of = [](const char* head) {
    return from_hex(std::string(head) + "00000000" + "11111111111111111111111111111111" +
                    "22222222222222222222222222222222");
  };
  Ipv6Header header{};
  const auto destination = [&](const char* head) {
    const auto bytes = chain_of(head);
    return final_destination(header, *parse_ipv6_chain(IpProtocol::routing, bytes));
  };
  Ipv6Address first, last;
  first.octets.fill(0x11);
  last.octets.fill(0x22);
  EXPECT_EQ(destination("11 04 00 02"), last);        // type 0
  EXPECT_EQ(destination("11 04 00 00"), header.dst);  // no segment left
  EXPECT_EQ(destination("11 04 04 01"), first);       // segment routing: the list is in reverse
  EXPECT_EQ(destination("11 04 fd 02"), header.dst);  // a type that nobody knows
}

}  // namespace
}  // namespace sluice::wire
