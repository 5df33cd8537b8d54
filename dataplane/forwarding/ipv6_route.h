// Is this a sound IPv6 packet, and which way does it go?
#pragma once

#include <optional>

#include "dataplane/forwarding/route_edges.h"
#include "dataplane/forwarding/state.h"
#include "dataplane/graph/node.h"
#include "dataplane/tables/text.h"
#include "dataplane/wire/icmpv6.h"
#include "dataplane/wire/ip_protocol.h"
#include "dataplane/wire/ipv6.h"

namespace sluice::forwarding {

// Uses: meta.l3_offset. Sets: meta.adjacency.
// Edges: ipv6_forward, punt (neighbour discovery, local, unresolved, no route), drop.
struct Ipv6Route {
  static constexpr NodeId kId = NodeId::ipv6_route;
  static constexpr NodeId kEdges[] = {NodeId::ipv6_forward, NodeId::punt, NodeId::drop};

  static std::optional<wire::Drop> check(Packet packet) {
    using wire::Drop;
    const auto* header = wire::overlay<wire::Ipv6Header>(packet.l3());
    if (!header) [[unlikely]]
      return Drop::ipv6_truncated;
    if (header->version() != 6) [[unlikely]]
      return Drop::ipv6_bad_version;
    if (header->payload_length.get() + sizeof *header > packet.l3_length()) [[unlikely]]
      return Drop::ipv6_bad_payload_length;
    // RFC 4291, 2.5.3 and 2.7: loopback and multicast are never sources.
    if (header->src.is_multicast() || header->src.is_loopback()) [[unlikely]]
      return Drop::ipv6_bad_source;
    return std::nullopt;
  }

  // What no route decides: multicast and link-local destinations stay on the link (RFC 4291, 2.5.6),
  // and the unspecified source is only for neighbour discovery (2.5.2).
  static std::optional<RouteEdge> link_scope(Packet packet) {
    const auto* header = wire::overlay<wire::Ipv6Header>(packet.l3());
    const bool multicast = header->dst.is_multicast(), link_local = header->dst.is_link_local();
    if (!multicast && !link_local && !header->src.is_unspecified() && !header->dst.is_loopback() &&
        !header->dst.is_unspecified()) [[likely]]
      return std::nullopt;
    if (is_neighbour_discovery(packet) && (multicast || link_local))
      return packet.punt(kId, PuntCause::neighbour_discovery, route_punt);
    if (link_local) return packet.punt(kId, PuntCause::local, route_punt);
    return packet.drop(kId, multicast || header->dst.is_loopback() || header->dst.is_unspecified()
                                ? wire::Drop::martian_destination
                                : wire::Drop::ipv6_bad_source,
                       route_drop);
  }

  template <class Observer>
  static RouteEdge follow(Packet packet, const State& state, uint64_t next_hop, const Observer& observer) {
    const Adjacency* adjacency = state.ipv6_next_hops.at(next_hop);
    packet.meta().adjacency = adjacency;
    if (adjacency->kind == Adjacency::Kind::rewrite) [[likely]]
      return route_forward;
    const auto* header = wire::overlay<wire::Ipv6Header>(packet.l3());
    return follow_rare_adjacency(packet, *state.ipv6_neighbour, kId, *adjacency, tables::value_of(header->dst), observer);
  }

  template <class Observer>
  static RouteEdge decide(Packet packet, const State& state, const Observer& observer) {
    if (const auto reason = check(packet)) return packet.drop(kId, *reason, route_drop);
    if (const auto edge = link_scope(packet)) return *edge;
    const auto destination = wire::overlay<wire::Ipv6Header>(packet.l3())->dst;
    FibV6::LookupKey key;
    std::memcpy(key, destination.octets.data(), sizeof key);
    uint64_t next_hop = 0;
    state.ipv6->fib().lookup(&key, &next_hop, 1);
    if constexpr (Observer::listens)
      observer.lookup("ipv6_lpm", to_text(destination), describe(*state.ipv6_next_hops.at(next_hop)));
    return follow(packet, state, next_hop, observer);
  }

 private:
  // RFC 4861, 6.1 and 7.1: from this link only, hence hop limit 255.
  static bool is_neighbour_discovery(Packet packet) {
    const auto bytes = packet.l3();
    const auto* header = wire::overlay<wire::Ipv6Header>(bytes);
    if (header->next_header.get() != static_cast<uint8_t>(wire::IpProtocol::icmpv6) || header->hop_limit.get() != 255)
      return false;
    const auto* icmp = wire::overlay<wire::Icmpv6Header>(bytes.subspan(sizeof *header));
    if (!icmp) return false;
    const auto type = icmp->icmp_type();
    return type >= wire::Icmpv6Type::router_solicitation && type <= wire::Icmpv6Type::redirect;
  }
};

}  // namespace sluice::forwarding
