// One walk over a graph: rte_graph_walk with the time taken less often.
#pragma once

#include <rte_cycles.h>
#include <rte_graph_worker.h>

namespace sluice::engine {

// rte_graph_walk reads the time stamp counter twice a node, some 40 cycles each: with six nodes and bursts of
// 64 packets that is 8 cycles a packet. So calls and packets are counted in every walk, and cycles in one of
// so many, for as many.
inline constexpr unsigned kTimedEvery = 16;

// One writer, so no read-modify-write; readers of other threads load relaxed.
inline void add_relaxed(uint64_t& counter, uint64_t n) {
  __atomic_store_n(&counter, __atomic_load_n(&counter, __ATOMIC_RELAXED) + n, __ATOMIC_RELAXED);
}

template <bool kTimed>
inline void walk(rte_graph* graph) {
  // Source nodes lie before the start of the circular buffer of pending nodes: `head` counts up from a
  // negative number, and from 0 on it goes round.
  const rte_graph_off_t* const start = graph->cir_start;
  uint32_t head = graph->head;
  uint64_t time = kTimed ? rte_rdtsc() : 0;
  while (head != graph->tail) {
    auto* node = reinterpret_cast<rte_node*>(reinterpret_cast<uint8_t*>(graph) + start[static_cast<int32_t>(head++)]);
    rte_prefetch0(node->objs);
    const uint16_t packets = node->process(graph, node, node->objs, node->idx);
    if constexpr (kTimed) {
      const uint64_t now = rte_rdtsc();
      add_relaxed(node->total_cycles, (now - time) * kTimedEvery);
      time = now;
    }
    add_relaxed(node->total_calls, 1);
    add_relaxed(node->total_objs, packets);
    node->idx = 0;
    if (static_cast<int32_t>(head) > 0) head &= graph->cir_mask;
  }
  graph->tail = 0;
}

}  // namespace sluice::engine
