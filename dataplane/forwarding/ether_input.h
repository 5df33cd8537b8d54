// The first decision: is this frame for the router, for a bridge, or for nobody here?
#pragma once

#include "dataplane/forwarding/state.h"
#include "dataplane/graph/node.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/ipv6.h"
#include "dataplane/wire/vlan.h"

namespace sluice::forwarding {

// Uses: in_port. Sets: meta.l3_offset for IP; meta.bridge_domain, meta.vlan for bridge.
// Edges: ipv4_route, ipv6_route, bridge, punt (ARP), drop.
struct EtherInput {
  static constexpr NodeId kId = NodeId::ether_input;
  enum Edge : rte_edge_t { ipv4, ipv6, bridge, punt, drop };
  static constexpr NodeId kEdges[] = {NodeId::ipv4_route, NodeId::ipv6_route, NodeId::bridge, NodeId::punt,
                                      NodeId::drop};

  template <class Observer>
  static Edge decide(Packet packet, const State& state, const Observer& observer) {
    if (packet.mbuf()->nb_segs > 1 && !make_headers_contiguous(packet.mbuf()))
      return packet.drop(kId, wire::Drop::header_split, drop);
    const auto* ethernet = wire::overlay<wire::EthernetHeader>(packet.bytes());
    if (!ethernet) [[unlikely]]
      return packet.drop(kId, wire::Drop::ethernet_truncated, drop);
    if (ethernet->src.is_group()) [[unlikely]]
      return packet.drop(kId, wire::Drop::source_mac_group, drop);

    const Station* station = state.my_station->find(packet.in_port(), ethernet->dst);
    if constexpr (Observer::listens)
      observer.lookup("my_station", to_text(ethernet->dst),
                      !station ? "miss" : station->action == StationAction::route ? "route" : "bridge");
    if (!station) [[unlikely]]
      return packet.drop(kId, wire::Drop::not_for_us, drop);
    if (station->action == StationAction::bridge) return bridge_edge(packet, *ethernet, *station);

    packet.meta().l3_offset = sizeof(wire::EthernetHeader);
    if (ethernet->ether_type() == wire::EtherType::ipv4 && !ethernet->dst.is_group()) [[likely]]
      return ipv4;
    return other_routed(packet, *ethernet);
  }

 private:
  static Edge bridge_edge(Packet packet, const wire::EthernetHeader& ethernet, const Station& station) {
    uint16_t vlan = 0;  // untagged frames are a VLAN of their own
    if (wire::is_vlan(ethernet.ether_type())) {
      const auto* tag = wire::overlay<wire::VlanTag>(packet.bytes().subspan(sizeof ethernet));
      if (!tag) return packet.drop(kId, wire::Drop::vlan_truncated, drop);
      vlan = tag->vlan_id();
    }
    packet.meta().bridge_domain = station.bridge_domain;
    packet.meta().vlan = vlan;
    return bridge;
  }

  static Edge other_routed(Packet packet, const wire::EthernetHeader& ethernet) {
    switch (ethernet.ether_type()) {
      case wire::EtherType::arp: return packet.punt(kId, PuntCause::arp, punt);
      case wire::EtherType::ipv6: {
        // A unicast packet in a group frame is not ours to route (RFC 1812, 5.3.4, for either family).
        const auto* header = wire::overlay<wire::Ipv6Header>(packet.l3());
        const bool misplaced = ethernet.dst.is_group() && header && !header->dst.is_multicast();
        return misplaced ? packet.drop(kId, wire::Drop::l2_group_routed, drop) : ipv6;
      }
      case wire::EtherType::ipv4: return packet.drop(kId, wire::Drop::l2_group_routed, drop);
      default: return packet.drop(kId, wire::Drop::unknown_ether_type, drop);
    }
  }
};

}  // namespace sluice::forwarding
