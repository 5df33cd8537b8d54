// Draws the graph as rte_graph holds it, and says whether a document shows the same drawing.
//   graph_drawing               prints the block
//   graph_drawing --check FILE  exit 0 where FILE holds exactly this block
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include "dataplane/engine/graph_builder.h"

namespace {

using namespace sluice;

constexpr std::string_view kBegin = "<!-- graph:begin -->\n", kEnd = "<!-- graph:end -->\n";

// Nodes in the order a packet meets them, which is the order of nodes.def; edges in the nodes' own order.
std::string drawing() {
  engine::register_nodes();
  std::ostringstream dot;
  dot << kBegin << "```dot\ndigraph sluice {\n  rankdir=LR;\n";
  for (const auto& node : engine::running_edges()) {
    const char* shape = node.is_source ? "invhouse" : node.edges.empty() ? "house" : "box";
    dot << "  " << node.name << " [shape=" << shape << "];\n";
    for (const auto& edge : node.edges) dot << "  " << node.name << " -> " << edge << ";\n";
  }
  dot << "}\n```\n" << kEnd;
  return dot.str();
}

int check(const std::string& path, const std::string& expected) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  const auto hint = "; put the output of `graph_drawing` between these lines:\n" + expected;
  if (!file) return std::cerr << path << ": cannot be read\n", 1;
  const auto begin = text.str().find(kBegin), end = text.str().find(kEnd);
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    return std::cerr << path << ": has no lines " << kBegin << "and " << kEnd << hint, 1;
  if (text.str().substr(begin, end - begin + kEnd.size()) != expected)
    return std::cerr << path << ": the drawing is not the running graph" << hint, 1;
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const auto expected = drawing();
  if (argc == 1) return std::cout << expected, 0;
  if (argc == 3 && std::string_view(argv[1]) == "--check") return check(argv[2], expected);
  std::cerr << "usage: graph_drawing [--check FILE]\n";
  return 2;
}
