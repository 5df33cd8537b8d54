// Sends an IPv6 packet on its way: MTU, hop limit, MAC addresses.
#pragma once

#include "dataplane/forwarding/ipv4_forward.h"
#include "dataplane/wire/ipv6.h"

namespace sluice::forwarding {

// Uses: meta.adjacency (resolved), meta.l3_offset. Sets: meta.out_port; for MTU also next_hop, mtu.
// Edges: port_tx, punt (hop limit, MTU).
struct Ipv6Forward {
  static constexpr NodeId kId = NodeId::ipv6_forward;
  static constexpr NodeId kEdges[] = {NodeId::port_tx, NodeId::punt};

  template <class Observer>
  static ForwardEdge decide(Packet packet, const State&, const Observer&) {
    const Adjacency& adjacency = *packet.meta().adjacency;
    auto* header = wire::overlay<wire::Ipv6Header>(packet.l3());
    if (header->hop_limit.get() <= 1) [[unlikely]]
      return packet.punt(kId, PuntCause::ttl_expired, forward_punt);
    if (header->payload_length.get() + sizeof *header > adjacency.mtu) [[unlikely]] {
      note_way(packet, adjacency, adjacency.next_hop);
      return packet.punt(kId, PuntCause::mtu_exceeded, forward_punt);
    }
    header->hop_limit.set(static_cast<uint8_t>(header->hop_limit.get() - 1));
    rewrite_ethernet(packet, adjacency);
    return forward_tx;
  }
};

}  // namespace sluice::forwarding
