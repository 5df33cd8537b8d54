// The end of a packet that is given up.
#include "dataplane/graph/core_nodes.h"
#include "dataplane/graph/node.h"

namespace sluice {
namespace {

// Uses: meta.drop_reason, meta.dropped_by. Edges: none.
uint16_t process(rte_graph*, rte_node* node, void** objs, uint16_t count) {
  auto& dropped = context_of(node).counters.dropped;
  for (uint16_t i = 0; i < count; ++i) {
    const auto& meta = Packet(objs[i]).meta();
    dropped[static_cast<size_t>(meta.dropped_by)][static_cast<size_t>(meta.drop_reason)].add(1);
  }
  rte_pktmbuf_free_bulk(reinterpret_cast<rte_mbuf**>(objs), count);
  return count;
}

}  // namespace

const NodeSpec kDropNode{NodeId::drop, process, {}};

}  // namespace sluice
