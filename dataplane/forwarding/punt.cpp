#include "dataplane/forwarding/punt.h"

#include <rte_cycles.h>
#include <rte_ring.h>

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {
namespace {

uint16_t process(rte_graph* graph, rte_node* node, void** objs, uint16_t count) {
  LcoreContext& context = context_of(node);
  const State& state = *context.forwarding;
  const uint64_t now = rte_rdtsc(), hz = rte_get_tsc_hz();
  const auto give_up = [&](Packet packet, wire::Drop otherwise) {
    const auto reason = Punt::drop_reason(packet.meta().punt_cause, otherwise);
    rte_node_enqueue_x1(graph, node, packet.drop(packet.meta().dropped_by, reason, Punt::drop), packet.mbuf());
  };
  for (uint16_t i = 0; i < count; ++i) {
    const Packet packet(objs[i]);
    const auto cause = static_cast<size_t>(packet.meta().punt_cause);
    const uint32_t rate = Punt::decide(packet, state, Silent{});
    if (rate == 0) {
      give_up(packet, wire::Drop::punt_filtered);
    } else if (!context.punt_buckets[cause].take(rate, now, hz)) {
      give_up(packet, wire::Drop::punt_rate_limited);
    } else if (rte_ring_enqueue(context.punt_ring, packet.mbuf()) != 0) {
      give_up(packet, wire::Drop::punt_queue_full);
    } else {
      context.counters.punted[cause].add(1);
    }
  }
  return count;
}

}  // namespace

const NodeSpec kPuntNode{Punt::kId, process, Punt::kEdges};

}  // namespace sluice::forwarding
