// Hands packets to their ports' transmit queues.
#include <rte_ethdev.h>

#include <algorithm>

#include "dataplane/io/nodes.h"
#include "dataplane/io/tx_queue.h"

namespace sluice::io {
namespace {

enum Edge : rte_edge_t { drop };
constexpr NodeId kEdges[] = {NodeId::drop};

uint16_t transmit(TxQueue& tx, rte_mbuf** packets, uint16_t count) {
  if (!tx.shared) return rte_eth_tx_burst(tx.dpdk_port, tx.queue, packets, count);
  rte_spinlock_lock(&tx.lock);
  const uint16_t sent = rte_eth_tx_burst(tx.dpdk_port, tx.queue, packets, count);
  rte_spinlock_unlock(&tx.lock);
  return sent;
}

// Sends a run of packets of one port; what the queue does not take is dropped with the reason.
void send_run(rte_graph* graph, rte_node* node, LcoreContext& context, PortNumber port, void** objs, uint16_t count) {
  TxQueue* tx = port < context.tx_queues.size() ? context.tx_queues[port] : nullptr;
  uint16_t sent = 0;
  if (tx) sent = transmit(*tx, reinterpret_cast<rte_mbuf**>(objs), count);
  context.counters.transmitted.add(sent);
  if (sent == count) [[likely]]
    return;
  const auto reason = tx ? wire::Drop::tx_full : wire::Drop::port_invalid;
  for (uint16_t i = sent; i < count; ++i) Packet(objs[i]).drop(NodeId::port_tx, reason, drop);
  rte_node_enqueue(graph, node, drop, objs + sent, static_cast<uint16_t>(count - sent));
}

// Brings packets of one port together, keeping their order, so that each port gets one burst.
void sort_by_port(void** objs, uint16_t count) {
  // Ports that do not exist share the last place: they are dropped one run at a time.
  const auto place = [](void* object) { return std::min<size_t>(Packet(object).meta().out_port, kMaxPorts); };
  uint16_t start[kMaxPorts + 2] = {};
  for (uint16_t i = 0; i < count; ++i) ++start[place(objs[i]) + 1];
  for (size_t p = 1; p < std::size(start); ++p) start[p] = static_cast<uint16_t>(start[p] + start[p - 1]);
  void* sorted[kBurst];
  for (uint16_t i = 0; i < count; ++i) sorted[start[place(objs[i])]++] = objs[i];
  std::copy(sorted, sorted + count, objs);
}

void send_burst(rte_graph* graph, rte_node* node, LcoreContext& context, void** objs, uint16_t count) {
  const PortNumber first = Packet(objs[0]).meta().out_port;
  unsigned difference = 0;
  for (uint16_t i = 1; i < count; ++i) difference |= static_cast<unsigned>(Packet(objs[i]).meta().out_port ^ first);
  if (difference == 0) [[likely]]
    return send_run(graph, node, context, first, objs, count);
  sort_by_port(objs, count);
  for (uint16_t begin = 0; begin < count;) {
    const PortNumber port = Packet(objs[begin]).meta().out_port;
    auto end = static_cast<uint16_t>(begin + 1);
    while (end < count && Packet(objs[end]).meta().out_port == port) ++end;
    send_run(graph, node, context, port, objs + begin, static_cast<uint16_t>(end - begin));
    begin = end;
  }
}

// Uses: meta.out_port. Edges: drop; what passes leaves the graph by the port.
uint16_t process(rte_graph* graph, rte_node* node, void** objs, uint16_t count) {
  LcoreContext& context = context_of(node);
  for (uint16_t done = 0; done < count;) {
    const auto burst = std::min<uint16_t>(kBurst, static_cast<uint16_t>(count - done));
    send_burst(graph, node, context, objs + done, burst);
    done = static_cast<uint16_t>(done + burst);
  }
  return count;
}

}  // namespace

const NodeSpec kPortTxNode{NodeId::port_tx, process, kEdges};

}  // namespace sluice::io
