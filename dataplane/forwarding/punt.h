// Does the agent want this packet?
#pragma once

#include "dataplane/forwarding/state.h"
#include "dataplane/graph/node.h"
#include "dataplane/graph/punt_reason.h"

namespace sluice::forwarding {

// Uses: meta.punt_cause. Edges: drop; what passes leaves the graph for the agent's ring.
struct Punt {
  static constexpr NodeId kId = NodeId::punt;
  enum Edge : rte_edge_t { drop };
  static constexpr NodeId kEdges[] = {NodeId::drop};

  // Packets a second that may pass; 0 where the table says drop.
  template <class Observer>
  static uint32_t decide(Packet packet, const State& state, const Observer& observer) {
    const PuntCause cause = packet.meta().punt_cause;
    const uint32_t rate = state.punt->rate(cause);
    if constexpr (Observer::listens)
      observer.lookup("punt", std::string(sluice::name_of(cause)),
                      rate ? "to_agent, at most " + std::to_string(rate) + "/s" : "drop");
    return rate;
  }

  static wire::Drop drop_reason(PuntCause cause, wire::Drop otherwise) { return sluice::drop_reason(cause, otherwise); }
};

}  // namespace sluice::forwarding
