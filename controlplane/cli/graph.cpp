// The graph that is running, drawn as a tree from each source; the order is the daemon's, always the same.
#include <fmt/format.h>

#include <map>
#include <set>

#include "controlplane/cli/commands.h"

namespace sluice::cli {
namespace {

using Edges = std::map<std::string, std::vector<std::string>>;

Edges edges_of(const Json& graph) {
  Edges edges;
  for (const auto& node : graph.at("nodes"))
    edges[node.at("name").get<std::string>()] = node.at("edges").get<std::vector<std::string>>();
  return edges;
}

// A node that several others lead to is drawn out once; elsewhere dots stand for what follows.
class Drawing {
 public:
  explicit Drawing(const Edges& edges) : edges_(edges) {}

  void draw(const std::string& node, const std::string& branch, const std::string& indent) {
    const auto found = edges_.find(node);
    const bool leads_on = found != edges_.end() && !found->second.empty();
    const bool seen = !drawn_.insert(node).second;
    text_ += fmt::format("{}{}{}\n", branch, node, leads_on && seen ? " ..." : "");
    if (!leads_on || seen) return;
    for (size_t i = 0; i < found->second.size(); ++i) {
      const bool last = i + 1 == found->second.size();
      draw(found->second[i], indent + (last ? "`-- " : "|-- "), indent + (last ? "    " : "|   "));
    }
  }
  const std::string& text() const { return text_; }

 private:
  const Edges& edges_;
  std::set<std::string> drawn_;
  std::string text_;
};

}  // namespace

std::string graph_text(const Json& graph) {
  const auto edges = edges_of(graph);
  Drawing drawing(edges);
  for (const auto& node : graph.at("nodes"))
    if (node.at("source").get<bool>()) drawing.draw(node.at("name").get<std::string>(), "", "");
  return drawing.text();
}

std::string graph_dot(const Json& graph) {
  std::string text = "digraph sluice {\n  rankdir=LR;\n  node [shape=box];\n";
  for (const auto& node : graph.at("nodes")) {
    const bool ends = node.at("edges").empty();
    text += fmt::format("  {}{};\n", node.at("name").get<std::string>(),
                        node.at("source").get<bool>() || ends ? " [style=rounded]" : "");
  }
  for (const auto& node : graph.at("nodes"))
    for (const auto& edge : node.at("edges"))
      text += fmt::format("  {} -> {};\n", node.at("name").get<std::string>(), edge.get<std::string>());
  return text + "}\n";
}

void show_graph(const Session& session, bool dot) {
  const auto graph = session.client.ask({{"command", "graph"}});
  if (session.json) return print(graph);
  print(dot ? graph_dot(graph) : graph_text(graph));
}

}  // namespace sluice::cli
