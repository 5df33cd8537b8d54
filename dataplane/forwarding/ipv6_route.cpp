#include "dataplane/forwarding/ipv6_route.h"

#include "dataplane/forwarding/nodes.h"

namespace sluice::forwarding {
namespace {

constexpr rte_edge_t kUndecided = 0xffff;

// As decide() for each packet, with the lookups of a burst made together.
uint16_t process(rte_graph* graph, rte_node* node, void** objs, uint16_t count) {
  const State& state = *context_of(node).forwarding;
  rte_edge_t next[kBurst];
  FibV6::LookupKey keys[kBurst];
  uint64_t next_hops[kBurst];
  for (uint16_t done = 0; done < count;) {
    const auto burst = std::min<uint16_t>(kBurst, static_cast<uint16_t>(count - done));
    void** packets = objs + done;
    for (uint16_t i = 0; i < burst; ++i) {
      const Packet packet(packets[i]);
      if (const auto reason = Ipv6Route::check(packet)) {
        next[i] = packet.drop(Ipv6Route::kId, *reason, route_drop);
        std::memset(keys[i], 0, sizeof keys[i]);
        continue;
      }
      const auto edge = Ipv6Route::link_scope(packet);
      next[i] = edge ? static_cast<rte_edge_t>(*edge) : kUndecided;
      std::memcpy(keys[i], &wire::overlay<wire::Ipv6Header>(packet.l3())->dst, sizeof keys[i]);
    }
    state.ipv6->fib().lookup(keys, next_hops, burst);
    for (uint16_t i = 0; i < burst; ++i)
      if (next[i] == kUndecided) next[i] = Ipv6Route::follow(Packet(packets[i]), state, next_hops[i], Silent{});
    enqueue(graph, node, next, packets, burst, burst == count);
    done = static_cast<uint16_t>(done + burst);
  }
  return count;
}

}  // namespace

const NodeSpec kIpv6RouteNode{Ipv6Route::kId, process, Ipv6Route::kEdges};

}  // namespace sluice::forwarding
