#include "dataplane/wire/arp.h"
#include "dataplane/wire/vlan.h"
#include "tests/oracle/describe.h"

namespace sluice::oracle {

namespace {

void describe_arp(Bytes in, Fields& out) {
  const auto arp = wire::parse_arp(in);
  if (!arp) return out.drop(arp.error());
  out.set("arp.operation", arp->header->operation.get());
  out.set("arp.sender_mac", to_text(arp->header->sender_mac));
  out.set("arp.sender_ip", to_text(arp->header->sender_ip));
  out.set("arp.target_mac", to_text(arp->header->target_mac));
  out.set("arp.target_ip", to_text(arp->header->target_ip));
}

void describe_tags(const wire::EthernetView& frame, const wire::VlanView& vlan, Fields& out) {
  wire::EtherType type = frame.header->ether_type();
  for (const wire::VlanTag& tag : vlan.tags) {
    const std::string which = type == wire::EtherType::qinq ? "vlan.service." : "vlan.customer.";
    out.append("vlan.types", static_cast<uint16_t>(type));
    out.append(which + "ids", tag.vlan_id());
    out.append(which + "priorities", tag.priority());
    out.append(which + "drop_eligible", static_cast<int>(tag.drop_eligible()));
    type = tag.ether_type();
  }
  out.set("vlan.payload_type", static_cast<uint16_t>(vlan.type));
}

}  // namespace

void describe_frame(Bytes in, Fields& out) {
  const auto frame = wire::parse_ethernet(in);
  if (!frame) return out.drop(frame.error());
  out.set("ethernet.dst", to_text(frame->header->dst));
  out.set("ethernet.src", to_text(frame->header->src));
  out.set("ethernet.type", frame->header->type.get());
  const auto vlan = wire::parse_vlan(*frame);
  if (!vlan) return out.drop(vlan.error());
  if (!vlan->tags.empty()) describe_tags(*frame, *vlan, out);
  switch (vlan->type) {
    case wire::EtherType::arp:
      return describe_arp(vlan->payload, out);
    case wire::EtherType::ipv4:
      return describe_ipv4(vlan->payload, out);
    case wire::EtherType::ipv6:
      return describe_ipv6(vlan->payload, out);
    default:
      return;
  }
}

}  // namespace sluice::oracle
