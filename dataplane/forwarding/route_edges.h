// What both families do with the adjacency that a route lookup gave.
#pragma once

#include <rte_graph.h>

#include "dataplane/forwarding/state.h"
#include "dataplane/graph/packet.h"
#include "dataplane/tables/text.h"

namespace sluice::forwarding {

// Edges of ipv4_route and ipv6_route, in the same order.
enum RouteEdge : rte_edge_t { route_forward, route_punt, route_drop };

inline std::string_view name_of(Adjacency::Kind kind) {
  switch (kind) {
    case Adjacency::Kind::rewrite: return "rewrite";
    case Adjacency::Kind::unresolved: return "unresolved";
    case Adjacency::Kind::connected: return "connected";
    case Adjacency::Kind::local: return "local";
    case Adjacency::Kind::discard: return "discard";
    case Adjacency::Kind::none: return "miss";
  }
  return "";
}

inline std::string describe(const Adjacency& adjacency) {
  std::string text(name_of(adjacency.kind));
  if (adjacency.kind == Adjacency::Kind::rewrite)
    text += " port " + std::to_string(adjacency.port) + " to " + to_text(adjacency.dst_mac);
  return text;
}

// For the agent, to whom an adjacency must not travel: it may be freed by the time he looks.
// Sets: meta.out_port, meta.next_hop, meta.mtu.
inline void note_way(Packet packet, const Adjacency& adjacency, tables::Value next_hop) {
  auto& meta = packet.meta();
  meta.out_port = adjacency.port;
  meta.next_hop = next_hop;
  meta.mtu = adjacency.mtu;
}

// Everything but a resolved next hop. `destination` is what a connected route asks `neighbours` for.
// Uses: nothing. Sets: meta.adjacency where connected; what the agent needs where unresolved.
template <class Family, class Observer>
RouteEdge follow_rare_adjacency(Packet packet, const NeighbourTable<Family>& neighbours, NodeId node, const Adjacency& adjacency,
                                tables::Value destination, const Observer& observer) {
  switch (adjacency.kind) {
    case Adjacency::Kind::rewrite: return route_forward;
    case Adjacency::Kind::connected: {
      const auto* neighbour = neighbours.find(adjacency.port, destination);
      if constexpr (Observer::listens)
        observer.lookup(neighbours.schema().name, tables::value_text(destination, tables::Format::any_ip),
                        neighbour ? describe(*neighbour) : "miss");
      if (!neighbour) {
        note_way(packet, adjacency, destination);
        return packet.punt(node, PuntCause::neighbour_unresolved, route_punt);
      }
      packet.meta().adjacency = neighbour;
      return route_forward;
    }
    case Adjacency::Kind::unresolved:
      note_way(packet, adjacency, adjacency.next_hop);
      return packet.punt(node, PuntCause::neighbour_unresolved, route_punt);
    case Adjacency::Kind::local: return packet.punt(node, PuntCause::local, route_punt);
    case Adjacency::Kind::discard: return packet.drop(node, wire::Drop::route_discard, route_drop);
    case Adjacency::Kind::none: return packet.punt(node, PuntCause::no_route, route_punt);
  }
  return packet.drop(node, wire::Drop::no_route, route_drop);
}

}  // namespace sluice::forwarding
