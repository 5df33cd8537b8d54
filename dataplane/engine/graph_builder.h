// One rte_graph a worker: DPDK 22.11 has no graph clone, so each is made from the same nodes.
#pragma once

#include <rte_graph.h>
#include <rte_graph_worker.h>

#include <string>
#include <vector>

#include "dataplane/engine/walk.h"
#include "dataplane/graph/lcore_context.h"
#include "dataplane/graph/node.h"

namespace sluice::engine {

// Registers all nodes with rte_graph; once a process. Throws std::runtime_error.
void register_nodes();

class Graph {
 public:
  // Throws std::runtime_error. The context must outlive the graph.
  Graph(const std::string& name, LcoreContext& context);
  ~Graph();
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void walk() { walks_++ % kTimedEvery == 0 ? engine::walk<true>(graph_) : engine::walk<false>(graph_); }

  struct NodeStats {
    uint64_t calls, packets, cycles;  // cycles from samples (walk.h)
  };
  NodeStats stats(NodeId node) const;

 private:
  rte_graph_t id_;
  rte_graph* graph_;
  unsigned walks_ = 0;
  std::vector<rte_node*> nodes_;  // by NodeId
};

// The edges of the running graph, as rte_graph has them.
struct NodeEdges {
  std::string name;
  bool is_source;
  std::vector<std::string> edges;
};
std::vector<NodeEdges> running_edges();

}  // namespace sluice::engine
