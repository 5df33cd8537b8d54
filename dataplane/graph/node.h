// How a decision becomes a node of rte_graph: bursts in, one edge chosen per packet, enqueued once.
#pragma once

#include <rte_graph_worker.h>

#include <algorithm>
#include <cstring>
#include <span>

#include "dataplane/graph/lcore_context.h"
#include "dataplane/graph/observer.h"
#include "dataplane/graph/packet.h"

namespace sluice {

inline LcoreContext& context_of(rte_node* node) {
  LcoreContext* context;
  std::memcpy(&context, node->ctx, sizeof context);
  return *context;
}

// Packets that a node handles in one go; longer streams are cut.
inline constexpr uint16_t kBurst = RTE_GRAPH_BURST_SIZE;

// Sends objs[i] along next[i]. Runs that go the same way are enqueued together; a whole stream that
// goes one way, which is the common case, is handed over without copying.
inline void enqueue(rte_graph* graph, rte_node* node, const rte_edge_t* next, void** objs, uint16_t count,
                    bool whole_stream) {
  unsigned difference = 0;  // a loop without exits is one of a few vector instructions
  for (uint16_t i = 0; i < count; ++i) difference |= static_cast<unsigned>(next[i] ^ next[0]);
  if (whole_stream && difference == 0) [[likely]] {
    rte_node_next_stream_move(graph, node, next[0]);
    return;
  }
  for (uint16_t begin = 0; begin < count;) {
    auto end = static_cast<uint16_t>(begin + 1);
    while (end < count && next[end] == next[begin]) ++end;
    rte_node_enqueue(graph, node, next[begin], objs + begin, static_cast<uint16_t>(end - begin));
    begin = end;
  }
}

// The process function of a node whose decision looks at one packet at a time.
template <class Node>
uint16_t process_each(rte_graph* graph, rte_node* node, void** objs, uint16_t count) {
  const forwarding::State& state = *context_of(node).forwarding;
  rte_edge_t next[kBurst];
  for (uint16_t done = 0; done < count;) {
    const uint16_t burst = std::min<uint16_t>(kBurst, static_cast<uint16_t>(count - done));
    for (uint16_t i = 0; i < burst; ++i)
      next[i] = static_cast<rte_edge_t>(Node::decide(Packet(objs[done + i]), state, Silent{}));
    enqueue(graph, node, next, objs + done, burst, burst == count);
    done = static_cast<uint16_t>(done + burst);
  }
  return count;
}

// A node's entry for the registry. Edges are in the order of the node's Edge enumeration.
struct NodeSpec {
  NodeId id;
  rte_node_process_t process;
  std::span<const NodeId> edges;
  bool is_source = false;
};

// All nodes, each defined in the file of its name.
std::span<const NodeSpec* const> all_nodes();

}  // namespace sluice
