// Sends an IPv4 packet on its way: MTU, TTL, checksum, MAC addresses.
#pragma once

#include "dataplane/forwarding/route_edges.h"
#include "dataplane/forwarding/state.h"
#include "dataplane/graph/node.h"
#include "dataplane/wire/ethernet.h"
#include "dataplane/wire/ipv4.h"

namespace sluice::forwarding {

// Edges of ipv4_forward and ipv6_forward, in the same order.
enum ForwardEdge : rte_edge_t { forward_tx, forward_punt };

// Rewrites the frame's addresses for its next hop. Uses: meta.adjacency. Sets: meta.out_port.
inline void rewrite_ethernet(Packet packet, const Adjacency& adjacency) {
  // Both addresses in one copy of twelve bytes, in the order of the frame.
  static_assert(offsetof(Adjacency, src_mac) == offsetof(Adjacency, dst_mac) + sizeof(wire::MacAddress));
  const auto* addresses = reinterpret_cast<const uint8_t*>(&adjacency) + offsetof(Adjacency, dst_mac);
  std::memcpy(packet.bytes().data(), addresses, 2 * sizeof(wire::MacAddress));
  packet.meta().out_port = adjacency.port;
}

// Uses: meta.adjacency (resolved), meta.l3_offset. Sets: meta.out_port; for MTU also next_hop, mtu.
// Edges: port_tx, punt (TTL, MTU).
struct Ipv4Forward {
  static constexpr NodeId kId = NodeId::ipv4_forward;
  static constexpr NodeId kEdges[] = {NodeId::port_tx, NodeId::punt};

  template <class Observer>
  static ForwardEdge decide(Packet packet, const State&, const Observer&) {
    const Adjacency& adjacency = *packet.meta().adjacency;
    auto* header = wire::overlay<wire::Ipv4Header>(packet.l3());
    if (header->ttl.get() <= 1) [[unlikely]]
      return packet.punt(kId, PuntCause::ttl_expired, forward_punt);
    if (header->total_length.get() > adjacency.mtu) [[unlikely]] {
      note_way(packet, adjacency, adjacency.next_hop);
      return packet.punt(kId, PuntCause::mtu_exceeded, forward_punt);
    }
    wire::decrement_ttl(*header);
    rewrite_ethernet(packet, adjacency);
    return forward_tx;
  }
};

}  // namespace sluice::forwarding
