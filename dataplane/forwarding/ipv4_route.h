// Is this a sound IPv4 packet, and which way does it go?
#pragma once

#include <optional>

#include "dataplane/forwarding/route_edges.h"
#include "dataplane/forwarding/state.h"
#include "dataplane/graph/node.h"
#include "dataplane/tables/text.h"
#include "dataplane/wire/ipv4.h"

namespace sluice::forwarding {

// Uses: meta.l3_offset. Sets: meta.adjacency.
// Edges: ipv4_forward, punt (local, unresolved, no route), drop.
struct Ipv4Route {
  static constexpr NodeId kId = NodeId::ipv4_route;
  static constexpr NodeId kEdges[] = {NodeId::ipv4_forward, NodeId::punt, NodeId::drop};

  // Header checks of RFC 1812, 5.2.2, and addresses that are never forwarded (5.3.7).
  static std::optional<wire::Drop> check(Packet packet) {
    using wire::Drop;
    const auto bytes = packet.l3();
    const auto* header = wire::overlay<wire::Ipv4Header>(bytes);
    if (!header) [[unlikely]]
      return Drop::ipv4_truncated;
    if (header->version_ihl.get() != 0x45) [[unlikely]] {
      if (header->version() != 4) return Drop::ipv4_bad_version;
      if (header->header_length() < sizeof *header || header->header_length() > bytes.size())
        return Drop::ipv4_bad_header_length;
    }
    const size_t total_length = header->total_length.get();
    if (total_length < header->header_length() || total_length > packet.l3_length()) [[unlikely]]
      return Drop::ipv4_bad_total_length;
    wire::ChecksumSum sum;
    sum.add(*header);
    if (header->header_length() > sizeof *header) [[unlikely]]
      sum.add(bytes.first(header->header_length()).subspan(sizeof *header));
    if (!sum.verifies()) [[unlikely]]
      return Drop::ipv4_bad_checksum;
    if (never_a_source(header->src)) [[unlikely]]
      return Drop::ipv4_bad_source;
    if (never_a_destination(header->dst)) [[unlikely]]
      return Drop::martian_destination;
    return std::nullopt;
  }

  template <class Observer>
  static RouteEdge follow(Packet packet, const State& state, uint64_t next_hop, const Observer& observer) {
    const Adjacency* adjacency = state.ipv4_next_hops.at(next_hop);
    packet.meta().adjacency = adjacency;
    if (adjacency->kind == Adjacency::Kind::rewrite) [[likely]]
      return route_forward;
    const auto* header = wire::overlay<wire::Ipv4Header>(packet.l3());
    return follow_rare_adjacency(packet, *state.ipv4_neighbour, kId, *adjacency, tables::mapped(header->dst), observer);
  }

  template <class Observer>
  static RouteEdge decide(Packet packet, const State& state, const Observer& observer) {
    if (const auto reason = check(packet)) return packet.drop(kId, *reason, route_drop);
    const auto destination = wire::overlay<wire::Ipv4Header>(packet.l3())->dst;
    uint32_t key = destination.to_integer();
    uint64_t next_hop = 0;
    state.ipv4->fib().lookup(&key, &next_hop, 1);
    if constexpr (Observer::listens)
      observer.lookup("ipv4_lpm", to_text(destination), describe(*state.ipv4_next_hops.at(next_hop)));
    return follow(packet, state, next_hop, observer);
  }

 private:
  // 0/8 "this network", 127/8, and all from 224/4 up: multicast, reserved, broadcast (RFC 6890).
  static bool never_a_source(wire::Ipv4Address address) {
    const uint32_t first = address.to_integer() >> 24;
    return first == 0 || first == 127 || first >= 224;
  }
  // The same, and link-local 169.254/16 (RFC 3927, 2.7).
  static bool never_a_destination(wire::Ipv4Address address) {
    return never_a_source(address) || address.to_integer() >> 16 == 0xa9fe;
  }
};

}  // namespace sluice::forwarding
