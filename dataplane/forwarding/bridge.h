// Which ports of its bridge domain does a frame leave by, and is its sender known?
#pragma once

#include "dataplane/forwarding/state.h"
#include "dataplane/graph/node.h"
#include "dataplane/wire/ethernet.h"

namespace sluice::forwarding {

// Uses: meta.bridge_domain, meta.vlan. Sets: meta.out_port.
// Edges: port_tx (one frame, or one copy a port), punt (a copy, to learn the source), drop.
struct Bridge {
  static constexpr NodeId kId = NodeId::bridge;
  enum Edge : rte_edge_t { tx, punt, drop };
  static constexpr NodeId kEdges[] = {NodeId::port_tx, NodeId::punt, NodeId::drop};

  enum class Way : uint8_t { one_port, flood, drop };
  struct Decision {
    Way way;
    FdbTable::Position source;  // where the sender stands in fdb_source
    bool learn;                 // the sender is not known behind this port
  };

  template <class Observer>
  static Decision decide(Packet packet, const State& state, const Observer& observer) {
    const auto& meta = packet.meta();
    const auto* ethernet = wire::overlay<wire::EthernetHeader>(packet.bytes());
    const auto source = state.fdb_source->find(meta.bridge_domain, meta.vlan, ethernet->src);
    const bool learn = state.fdb_source->port_at(source) != packet.in_port();
    if constexpr (Observer::listens) observer.lookup("fdb_source", to_text(ethernet->src), learn ? "miss" : "known");
    if (ethernet->dst.is_group()) return {flood_way(packet, state), source, learn};

    const PortNumber port = state.fdb->port_at(state.fdb->find(meta.bridge_domain, meta.vlan, ethernet->dst));
    if constexpr (Observer::listens)
      observer.lookup("fdb", to_text(ethernet->dst), port == kNoPort ? "miss" : "port " + std::to_string(port));
    if (port == kNoPort) return {flood_way(packet, state), source, learn};
    if (port == packet.in_port()) {
      packet.drop(kId, wire::Drop::bridge_same_port, drop);
      return {Way::drop, source, learn};
    }
    packet.meta().out_port = port;
    return {Way::one_port, source, learn};
  }

 private:
  static Way flood_way(Packet packet, const State& state) {
    for (const PortNumber member : state.members.of(packet.meta().bridge_domain))
      if (member != packet.in_port()) return Way::flood;
    packet.drop(kId, wire::Drop::bridge_no_member, drop);
    return Way::drop;
  }
};

}  // namespace sluice::forwarding
