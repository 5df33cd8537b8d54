// The invariant CRC of RoCEv2 (IBTA vol. 1, annex A17.3.3): CRC-32 with Ethernet's polynomial over the
// packet from the IP header on, with everything that a router may change set to ones.
#pragma once

#include <isa-l/crc.h>

#include <array>
#include <initializer_list>
#include <optional>

#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/roce.h"

namespace sluice::wire {

namespace detail {

// Ones where the ICRC does not look. The ICRC of InfiniBand starts with a local route header; RoCE has none,
// and eight octets of ones stand for it, so that the packet's first octet is the mask's ninth.
template <size_t N>
constexpr std::array<uint8_t, 8 + N> icrc_mask(std::initializer_list<size_t> octets) {
  std::array<uint8_t, 8 + N> mask{};
  for (size_t i = 0; i < 8; ++i) mask[i] = 0xff;
  for (size_t octet : octets) mask[8 + octet] = 0xff;
  return mask;
}

inline constexpr size_t kUdpChecksum = 6, kBthInUdp = 8;

// TOS, TTL, header checksum; UDP checksum; BTH's congestion octet.
inline constexpr auto kIcrcMaskIpv4 = icrc_mask<40>(
    {1, 8, 10, 11, 20 + kUdpChecksum, 21 + kUdpChecksum, 20 + kBthInUdp + offsetof(Bth, congestion)});

// Traffic class and flow label, but not the version in the same octet; hop limit; then as above.
inline constexpr auto kIcrcMaskIpv6 = [] {
  auto mask = icrc_mask<56>(
      {1, 2, 3, 7, 40 + kUdpChecksum, 41 + kUdpChecksum, 40 + kBthInUdp + offsetof(Bth, congestion)});
  mask[8] = 0x0f;
  return mask;
}();

// The masked octets are written in the blocks of 16 in which the CRC reads them: single octets would have to
// reach memory before they could be read as a block, which takes longer than the CRC of all of them.
template <size_t Size>
uint32_t crc_of_masked(const uint8_t* headers, const std::array<uint8_t, Size>& mask) {
  using Block = uint64_t __attribute__((vector_size(16)));
  static_assert(Size % sizeof(Block) == 0);
  const auto load = [](const uint8_t* from) {
    Block block;
    std::memcpy(&block, from, sizeof block);
    return block;
  };
  uint64_t first;
  std::memcpy(&first, headers, sizeof first);
  alignas(Block) uint8_t bytes[Size];
  const Block front = Block{0, first} | load(mask.data());
  std::memcpy(bytes, &front, sizeof front);
  for (size_t i = sizeof(Block); i < Size; i += sizeof(Block)) {
    const Block block = load(headers + i - 8) | load(mask.data() + i);
    std::memcpy(bytes + i, &block, sizeof block);
  }
  return crc32_gzip_refl(0, bytes, Size);
}

}  // namespace detail

// A running ICRC: first the headers up to the last octet that is masked or beyond, then the rest of the
// packet in as many parts as it lies in. The payload is read once, where it is.
class IcrcSum {
 public:
  // From an IP header without options or extension headers: all of the BTH over IPv4; over IPv6 without its
  // last four octets, which belong to the rest.
  using Ipv4Headers = std::span<const uint8_t, 40>;
  using Ipv6Headers = std::span<const uint8_t, 56>;

  explicit IcrcSum(Ipv4Headers headers)
      : crc_(detail::crc_of_masked(headers.data(), detail::kIcrcMaskIpv4)) {}
  explicit IcrcSum(Ipv6Headers headers)
      : crc_(detail::crc_of_masked(headers.data(), detail::kIcrcMaskIpv6)) {}

  void add(Bytes bytes) { crc_ = crc32_gzip_refl(crc_, bytes.data(), bytes.size()); }

  Icrc finish() const { return std::bit_cast<Icrc>(crc_); }  // the machine is little-endian, as the field

 private:
  uint32_t crc_;
};

// The functions below take a whole packet from its IP header to its ICRC, without what an Ethernet frame
// may carry behind, and say why where there is no room for a RoCEv2 packet in it.

// The ICRC that belongs at the end of `packet`, whatever stands there now.
inline Parsed<Icrc> compute_icrc(Bytes packet) {
  const auto finish = [&](auto headers) -> Parsed<Icrc> {
    IcrcSum sum(headers);
    sum.add(packet.subspan(headers.size(), packet.size() - headers.size() - sizeof(Icrc)));
    return sum.finish();
  };
  constexpr size_t kIpv4Least = 20 + 8 + sizeof(Bth) + sizeof(Icrc), kIpv6Least = kIpv4Least + 20;
  if (packet.size() < kIpv4Least) return drop(Drop::roce_truncated);
  if (packet[0] >> 4 == 4) {
    if (packet[0] != 0x45 || packet[9] != static_cast<uint8_t>(IpProtocol::udp))
      return drop(Drop::roce_bad_ip_header);
    return finish(packet.first<IcrcSum::Ipv4Headers::extent>());
  }
  if (packet[0] >> 4 != 6) return drop(Drop::roce_bad_ip_header);
  if (packet.size() < kIpv6Least) return drop(Drop::roce_truncated);
  if (packet[6] != static_cast<uint8_t>(IpProtocol::udp)) return drop(Drop::roce_bad_ip_header);
  return finish(packet.first<IcrcSum::Ipv6Headers::extent>());
}

// nullopt where the packet's ICRC is right, or why it is not.
inline std::optional<Drop> check_icrc(Bytes packet) {
  const auto expected = compute_icrc(packet);
  if (!expected) return expected.error();
  const bool right = *expected == *overlay<Icrc>(packet.last(sizeof(Icrc)));
  return right ? std::nullopt : std::optional(Drop::roce_bad_icrc);
}

// Computes the ICRC and stores it in the last four octets of `packet`, which are there for it.
inline std::optional<Drop> store_icrc(MutableBytes packet) {
  const auto icrc = compute_icrc(packet);
  if (!icrc) return icrc.error();
  *overlay<Icrc>(packet.last(sizeof(Icrc))) = *icrc;
  return std::nullopt;
}

}  // namespace sluice::wire
