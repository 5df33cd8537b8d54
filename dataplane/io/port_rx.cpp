// Takes bursts from the receive queues of this lcore.
#include <rte_ethdev.h>
#include <rte_prefetch.h>

#include "dataplane/io/nodes.h"

namespace sluice::io {
namespace {

// l3fwd takes as many: larger bursts fall out of the first-level cache.
constexpr uint16_t kRxBurst = 64;

enum Edge : rte_edge_t { ether_input };
constexpr NodeId kEdges[] = {NodeId::ether_input};

// Uses: nothing. Sets: in_port. Edges: ether_input.
uint16_t process(rte_graph* graph, rte_node* node, void**, uint16_t) {
  LcoreContext& context = context_of(node);
  uint16_t total = 0;
  for (const RxQueue& rx : context.rx_queues) {
    // Straight into the next node's stream.
    void** stream = rte_node_next_stream_get(graph, node, ether_input, kRxBurst);
    auto** burst = reinterpret_cast<rte_mbuf**>(stream);
    const uint16_t count = rte_eth_rx_burst(rx.dpdk_port, rx.queue, burst, kRxBurst);
    if (count == 0) continue;
    for (uint16_t i = 0; i < count; ++i) {
      // Not every driver fills the port in, and ours is our own numbering.
      burst[i]->port = rx.port;
      rte_prefetch0(rte_pktmbuf_mtod(burst[i], void*));
      rte_prefetch0(rte_mbuf_to_priv(burst[i]));
    }
    rte_node_next_stream_put(graph, node, ether_input, count);
    total = static_cast<uint16_t>(total + count);
  }
  context.counters.received.add(total);
  context.seen_in_walk += total;
  return total;
}

}  // namespace

const NodeSpec kPortRxNode{NodeId::port_rx, process, kEdges, true};

}  // namespace sluice::io
