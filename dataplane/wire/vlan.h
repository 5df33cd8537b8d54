// VLAN tags (IEEE 802.1Q, 9): the stack of customer and service tags between the addresses and the
// EtherType of what is carried.
#pragma once

#include "dataplane/wire/bytes.h"
#include "dataplane/wire/drop.h"
#include "dataplane/wire/ethernet.h"

namespace sluice::wire {

// Two are the standard's (802.1ad); carriers stack a little deeper, nobody beyond this.
inline constexpr size_t kMaxVlanTags = 4;

// As it follows an EtherType of 0x8100 or 0x88a8.
struct VlanTag {
  Be16 control;
  Be16 type;  // of what follows: another tag, or the payload

  uint8_t priority() const { return static_cast<uint8_t>(control.get() >> 13); }
  bool drop_eligible() const { return control.get() & 0x1000; }
  uint16_t vlan_id() const { return control.get() & 0xfff; }
  EtherType ether_type() const { return EtherType{type.get()}; }
};
static_assert(sizeof(VlanTag) == 4 && alignof(VlanTag) == 1 && offsetof(VlanTag, type) == 2);

constexpr bool is_vlan(EtherType type) { return type == EtherType::vlan || type == EtherType::qinq; }

struct VlanView {
  std::span<const VlanTag> tags;  // outermost first; empty for an untagged frame
  EtherType type;                 // of the payload
  Bytes payload;
};

// Reads behind an Ethernet header that says `type`; a frame without tags passes with none.
inline Parsed<VlanView> parse_vlan(EtherType type, Bytes in) {
  const auto* tags = reinterpret_cast<const VlanTag*>(in.data());
  Bytes rest = in;
  size_t count = 0;
  for (; is_vlan(type); ++count) {
    if (count == kMaxVlanTags) return drop(Drop::vlan_too_deep);
    const auto* tag = overlay<VlanTag>(rest);
    if (!tag) return drop(Drop::vlan_truncated);
    type = tag->ether_type();
    rest = rest.subspan(sizeof(VlanTag));
  }
  return VlanView{{tags, count}, type, rest};
}

inline Parsed<VlanView> parse_vlan(const EthernetView& frame) {
  return parse_vlan(frame.header->ether_type(), frame.payload);
}

inline void emit(const VlanView& view, Writer& out) {
  for (const VlanTag& tag : view.tags) out.put(tag);
  out.put(view.payload);
}

}  // namespace sluice::wire
