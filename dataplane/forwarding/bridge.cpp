#include "dataplane/forwarding/bridge.h"

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {
namespace {

// Enough for the agent to learn a source: Ethernet with a tag.
constexpr uint32_t kLearnBytes = 64;

void send(rte_graph* graph, rte_node* node, Bridge::Edge edge, rte_mbuf* mbuf) {
  rte_node_enqueue_x1(graph, node, edge, mbuf);
}

// A short copy to the agent; without a buffer for it the next frame will do.
void ask_to_learn(rte_graph* graph, rte_node* node, LcoreContext& context, Packet packet) {
  rte_mbuf* copy = rte_pktmbuf_copy(packet.mbuf(), context.pool, 0, kLearnBytes);
  if (!copy) return;
  context.counters.copied.add(1);
  copy->port = packet.in_port();
  Packet(copy).meta() = packet.meta();
  send(graph, node, Packet(copy).punt(Bridge::kId, PuntCause::unknown_source, Bridge::punt), copy);
}

// One clone for each further member; the frame itself goes to the last. Frames are not changed on
// the way out of a bridge, so that clones may share its bytes.
void flood(rte_graph* graph, rte_node* node, LcoreContext& context, Packet packet) {
  PortNumber last = kNoPort;
  for (const PortNumber member : context.forwarding->members.of(packet.meta().bridge_domain)) {
    if (member == packet.in_port()) continue;
    if (last != kNoPort) {
      if (rte_mbuf* clone = rte_pktmbuf_clone(packet.mbuf(), context.pool)) {
        context.counters.copied.add(1);
        clone->port = packet.in_port();
        Packet(clone).meta().out_port = last;
        send(graph, node, Bridge::tx, clone);
      }
    }
    last = member;
  }
  // The last member may have left since the decision.
  if (last == kNoPort) return send(graph, node, packet.drop(Bridge::kId, wire::Drop::bridge_no_member, Bridge::drop), packet.mbuf());
  packet.meta().out_port = last;
  send(graph, node, Bridge::tx, packet.mbuf());
}

uint16_t process(rte_graph* graph, rte_node* node, void** objs, uint16_t count) {
  LcoreContext& context = context_of(node);
  const State& state = *context.forwarding;
  const uint32_t second = state.clock_seconds.load(std::memory_order_relaxed);
  for (uint16_t i = 0; i < count; ++i) {
    const Packet packet(objs[i]);
    const auto decision = Bridge::decide(packet, state, Silent{});
    if (decision.learn) {
      ask_to_learn(graph, node, context, packet);
    } else {
      state.fdb_source->touch(decision.source, second);
    }
    switch (decision.way) {
      case Bridge::Way::one_port: send(graph, node, Bridge::tx, packet.mbuf()); break;
      case Bridge::Way::flood: flood(graph, node, context, packet); break;
      case Bridge::Way::drop: send(graph, node, Bridge::drop, packet.mbuf()); break;
    }
  }
  return count;
}

}  // namespace

const NodeSpec kBridgeNode{Bridge::kId, process, Bridge::kEdges};

}  // namespace sluice::forwarding
