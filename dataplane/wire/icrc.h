// The invariant CRC of RoCEv2 (IBTA vol. 1, annex A17.3.3): CRC-32 with Ethernet's polynomial over the
// packet from the IP header on, with everything that a router may change set to ones.
#pragma once

#include <isa-l/crc.h>

#include "dataplane/wire/ipv4.h"
#include "dataplane/wire/roce.h"

namespace sluice::wire {

// A running ICRC: the masked headers first, then the rest of the packet in as many parts as it lies in.
// The payload is read once, where it is.
class IcrcSum {
 public:
  static constexpr size_t kIpv4 = 20, kIpv6 = 40, kUdp = 8;

  // From the IP header, which has no options (A17.3.1), to the end of the BTH.
  using Ipv4Headers = std::span<const uint8_t, kIpv4 + kUdp + sizeof(Bth)>;
  using Ipv6Headers = std::span<const uint8_t, kIpv6 + kUdp + sizeof(Bth)>;

  explicit IcrcSum(Ipv4Headers headers) {
    Masked<headers.extent> masked(headers);
    masked.ones(1);      // TOS
    masked.ones(8);      // TTL
    masked.ones(10, 2);  // header checksum
    crc_ = masked.crc(kIpv4);
  }

  explicit IcrcSum(Ipv6Headers headers) {
    Masked<headers.extent> masked(headers);
    masked.bytes[kPrefix] |= 0x0f;  // traffic class and flow label; the version stays
    masked.ones(1, 3);
    masked.ones(7);  // hop limit
    crc_ = masked.crc(kIpv6);
  }

  void add(Bytes bytes) { crc_ = crc32_gzip_refl(crc_, bytes.data(), bytes.size()); }

  Icrc finish() const { return std::bit_cast<Icrc>(crc_); }  // the machine is little-endian, as the field

 private:
  // The ICRC of InfiniBand starts with a local route header. RoCE has none: eight octets of ones stand for
  // it.
  static constexpr size_t kPrefix = 8;

  template <size_t N>
  struct Masked {
    explicit Masked(std::span<const uint8_t, N> headers) {
      std::memset(bytes, 0xff, kPrefix);
      std::memcpy(bytes + kPrefix, headers.data(), N);
    }
    void ones(size_t offset, size_t count = 1) { std::memset(bytes + kPrefix + offset, 0xff, count); }
    uint32_t crc(size_t ip_length) {
      ones(ip_length + 6, 2);  // UDP checksum
      ones(ip_length + kUdp + offsetof(Bth, congestion));
      return crc32_gzip_refl(0, bytes, sizeof bytes);
    }
    uint8_t bytes[kPrefix + N];
  };

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
  constexpr size_t kIpv4Headers = IcrcSum::Ipv4Headers::extent, kIpv6Headers = IcrcSum::Ipv6Headers::extent;
  if (packet.size() < kIpv4Headers + sizeof(Icrc)) return drop(Drop::roce_truncated);
  if (packet[0] >> 4 == 4) {
    if (packet[0] != 0x45 || packet[9] != static_cast<uint8_t>(IpProtocol::udp))
      return drop(Drop::roce_bad_ip_header);
    return finish(packet.first<kIpv4Headers>());
  }
  if (packet[0] >> 4 != 6) return drop(Drop::roce_bad_ip_header);
  if (packet.size() < kIpv6Headers + sizeof(Icrc)) return drop(Drop::roce_truncated);
  if (packet[6] != static_cast<uint8_t>(IpProtocol::udp)) return drop(Drop::roce_bad_ip_header);
  return finish(packet.first<kIpv6Headers>());
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
