// Ethernet II (IEEE 802.3, 3.1): addresses and EtherType.
#pragma once

#include "dataplane/wire/address.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"

namespace sluice::wire {

enum class EtherType : uint16_t { ipv4 = 0x0800, arp = 0x0806, vlan = 0x8100, ipv6 = 0x86dd, qinq = 0x88a8 };

struct EthernetHeader {
  MacAddress dst, src;
  Be16 type;

  EtherType ether_type() const { return EtherType{type.get()}; }
};
static_assert(sizeof(EthernetHeader) == 14 && alignof(EthernetHeader) == 1 &&
              offsetof(EthernetHeader, type) == 12);

struct EthernetView {
  const EthernetHeader* header;
  Bytes payload;
};

inline Parsed<EthernetView> parse_ethernet(Bytes in) {
  const auto* header = overlay<EthernetHeader>(in);
  if (!header) return drop(Drop::ethernet_truncated);
  return EthernetView{header, in.subspan(sizeof(EthernetHeader))};
}

inline void emit(const EthernetView& view, Writer& out) {
  out.put(*view.header);
  out.put(view.payload);
}

}  // namespace sluice::wire
