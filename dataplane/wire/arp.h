// ARP (RFC 826) for IPv4 over Ethernet.
#pragma once

#include "dataplane/wire/address.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/ethernet.h"

namespace sluice::wire {

enum class ArpOperation : uint16_t { request = 1, reply = 2 };

inline constexpr uint16_t kArpHardwareEthernet = 1;

struct ArpHeader {
  Be16 hardware_type, protocol_type;
  Be8 hardware_length, protocol_length;
  Be16 operation;
  MacAddress sender_mac;
  Ipv4Address sender_ip;
  MacAddress target_mac;
  Ipv4Address target_ip;

  ArpOperation op() const { return ArpOperation{operation.get()}; }
  bool is_ipv4_over_ethernet() const {
    return hardware_type.get() == kArpHardwareEthernet &&
           protocol_type.get() == static_cast<uint16_t>(EtherType::ipv4) && hardware_length.get() == 6 &&
           protocol_length.get() == 4;
  }
};
static_assert(sizeof(ArpHeader) == 28 && alignof(ArpHeader) == 1 && offsetof(ArpHeader, sender_mac) == 8 &&
              offsetof(ArpHeader, target_ip) == 24);

struct ArpView {
  const ArpHeader* header;
  Bytes trailer;  // Ethernet padding
};

inline Parsed<ArpView> parse_arp(Bytes in) {
  const auto* header = overlay<ArpHeader>(in);
  if (!header) return drop(Drop::arp_truncated);
  if (!header->is_ipv4_over_ethernet()) return drop(Drop::arp_unsupported);
  return ArpView{header, in.subspan(sizeof(ArpHeader))};
}

inline void emit(const ArpView& view, Writer& out) {
  out.put(*view.header);
  out.put(view.trailer);
}

// A header for IPv4 over Ethernet, its four type and length fields filled in.
inline ArpHeader make_arp(ArpOperation operation, MacAddress sender_mac, Ipv4Address sender_ip,
                          MacAddress target_mac, Ipv4Address target_ip) {
  return {.hardware_type = Be16(kArpHardwareEthernet),
          .protocol_type = Be16(static_cast<uint16_t>(EtherType::ipv4)),
          .hardware_length = Be8(6),
          .protocol_length = Be8(4),
          .operation = Be16(static_cast<uint16_t>(operation)),
          .sender_mac = sender_mac,
          .sender_ip = sender_ip,
          .target_mac = target_mac,
          .target_ip = target_ip};
}

}  // namespace sluice::wire
