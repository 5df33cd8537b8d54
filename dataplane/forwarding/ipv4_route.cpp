#include "dataplane/forwarding/ipv4_route.h"

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {
namespace {

// As decide() for each packet, with the lookups of a burst made together so that their cache misses
// overlap.
uint16_t process(rte_graph* graph, rte_node* node, void** objs, uint16_t count) {
  const State& state = *context_of(node).forwarding;
  rte_edge_t next[kBurst];
  uint32_t keys[kBurst];
  uint64_t next_hops[kBurst];
  for (uint16_t done = 0; done < count;) {
    const auto burst = std::min<uint16_t>(kBurst, static_cast<uint16_t>(count - done));
    void** packets = objs + done;
    for (uint16_t i = 0; i < burst; ++i) {
      const Packet packet(packets[i]);
      const auto reason = Ipv4Route::check(packet);
      // A packet to be dropped is looked up all the same, as address 0, which keeps the bulk dense.
      keys[i] = reason ? 0 : wire::overlay<wire::Ipv4Header>(packet.l3())->dst.to_integer();
      next[i] = reason ? packet.drop(Ipv4Route::kId, *reason, route_drop) : route_forward;
    }
    state.ipv4->fib().lookup(keys, next_hops, burst);
    for (uint16_t i = 0; i < burst; ++i)
      if (next[i] != route_drop) [[likely]]
        next[i] = Ipv4Route::follow(Packet(packets[i]), state, next_hops[i], Silent{});
    enqueue(graph, node, next, packets, burst, burst == count);
    done = static_cast<uint16_t>(done + burst);
  }
  return count;
}

}  // namespace

const NodeSpec kIpv4RouteNode{Ipv4Route::kId, process, Ipv4Route::kEdges};

}  // namespace sluice::forwarding
