// Takes the frames that the local agent has made: complete, their way out already chosen.
#include <rte_ring.h>

#include "dataplane/io/nodes.h"

namespace sluice::io {
namespace {

constexpr unsigned kInjectBurst = 32;

enum Edge : rte_edge_t { tx };
constexpr NodeId kEdges[] = {NodeId::port_tx};

// Uses: meta.out_port, set by the agent. Edges: port_tx.
uint16_t process(rte_graph* graph, rte_node* node, void**, uint16_t) {
  LcoreContext& context = context_of(node);
  if (!context.inject_ring) return 0;
  void* burst[kInjectBurst];
  const unsigned count = rte_ring_dequeue_burst(context.inject_ring, burst, kInjectBurst, nullptr);
  if (count == 0) return 0;
  rte_node_enqueue(graph, node, tx, burst, static_cast<uint16_t>(count));
  context.counters.injected.add(count);
  context.seen_in_walk += count;
  return static_cast<uint16_t>(count);
}

}  // namespace

const NodeSpec kInjectNode{NodeId::inject, process, kEdges, true};

}  // namespace sluice::io
