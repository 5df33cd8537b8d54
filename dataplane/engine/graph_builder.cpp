#include "dataplane/engine/graph_builder.h"

#include <fmt/format.h>
#include <rte_errno.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stdexcept>

#include "dataplane/forwarding/nodes.h"
#include "dataplane/graph/core_nodes.h"
#include "dataplane/io/nodes.h"

namespace sluice::engine {
namespace {

constexpr std::array kNodes{
    &io::kPortRxNode,           &io::kInjectNode,           &forwarding::kEtherInputNode, &forwarding::kIpv4RouteNode,
    &forwarding::kIpv4ForwardNode, &forwarding::kIpv6RouteNode, &forwarding::kIpv6ForwardNode, &forwarding::kBridgeNode,
    &forwarding::kPuntNode,     &io::kPortTxNode,           &kDropNode};
static_assert(kNodes.size() == kNodeCount);

// rte_graph calls a node's init for every graph that it becomes part of, and passes nothing along.
thread_local LcoreContext* context_under_construction = nullptr;

int init_node(const rte_graph*, rte_node* node) {
  static_assert(sizeof context_under_construction <= RTE_NODE_CTX_SZ);
  std::memcpy(node->ctx, &context_under_construction, sizeof context_under_construction);
  return 0;
}

void register_node(const NodeSpec& spec) {
  const size_t size = sizeof(rte_node_register) + spec.edges.size() * sizeof(const char*);
  const std::unique_ptr<rte_node_register, decltype(&std::free)> node(
      static_cast<rte_node_register*>(std::calloc(1, size)), &std::free);
  if (!node) throw std::bad_alloc();
  std::strncpy(node->name, name_of(spec.id), sizeof node->name - 1);
  node->flags = spec.is_source ? RTE_NODE_SOURCE_F : 0;
  node->process = spec.process;
  node->init = init_node;
  node->parent_id = RTE_NODE_ID_INVALID;
  node->nb_edges = static_cast<rte_edge_t>(spec.edges.size());
  for (size_t i = 0; i < spec.edges.size(); ++i) node->next_nodes[i] = name_of(spec.edges[i]);
  if (__rte_node_register(node.get()) == RTE_NODE_ID_INVALID)
    throw std::runtime_error(fmt::format("graph: node {} cannot be registered: {}", name_of(spec.id), rte_strerror(rte_errno)));
}

}  // namespace

void register_nodes() {
  if (rte_node_from_name(name_of(NodeId::port_rx)) != RTE_NODE_ID_INVALID) return;
  for (const NodeSpec* spec : kNodes) register_node(*spec);
}

Graph::Graph(const std::string& name, LcoreContext& context) {
  auto names = kNodeNames;
  rte_graph_param parameters{};
  parameters.socket_id = SOCKET_ID_ANY;
  parameters.nb_node_patterns = static_cast<uint16_t>(names.size());
  parameters.node_patterns = names.data();
  context_under_construction = &context;
  id_ = rte_graph_create(name.c_str(), &parameters);
  context_under_construction = nullptr;
  if (id_ == RTE_GRAPH_ID_INVALID)
    throw std::runtime_error(fmt::format("graph {}: cannot be created: {}", name, rte_strerror(rte_errno)));
  graph_ = rte_graph_lookup(name.c_str());
  for (const char* node : kNodeNames) nodes_.push_back(rte_graph_node_get_by_name(name.c_str(), node));
}

Graph::~Graph() { rte_graph_destroy(id_); }

Graph::NodeStats Graph::stats(NodeId id) const {
  const rte_node* node = nodes_[static_cast<size_t>(id)];
  const auto read = [](const uint64_t& value) { return __atomic_load_n(&value, __ATOMIC_RELAXED); };
  return {read(node->total_calls), read(node->total_objs), read(node->total_cycles)};
}

std::vector<NodeEdges> running_edges() {
  std::vector<NodeEdges> result;
  for (const NodeSpec* spec : kNodes) {
    const rte_node_t id = rte_node_from_name(name_of(spec->id));
    NodeEdges node{name_of(spec->id), spec->is_source, {}};
    const auto bytes = rte_node_edge_get(id, nullptr);
    std::vector<char*> names(bytes / sizeof(char*));
    if (!names.empty()) rte_node_edge_get(id, names.data());
    node.edges.assign(names.begin(), names.end());
    result.push_back(std::move(node));
  }
  return result;
}

}  // namespace sluice::engine
