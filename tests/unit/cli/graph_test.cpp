#include <gtest/gtest.h>

#include "controlplane/cli/commands.h"

namespace sluice::cli {
namespace {

Json node(const char* name, bool source, std::vector<std::string> edges) {
  return {{"name", name}, {"source", source}, {"edges", edges}};
}

const Json kGraph{{"nodes",
                   {node("rx", true, {"route", "drop"}), node("inject", true, {"punt"}),
                    node("route", false, {"tx", "punt"}), node("punt", false, {"drop"}),
                    node("tx", false, {}), node("drop", false, {})}}};

TEST(Graph, IsATreeFromEachSourceWithSharedNodesDrawnOutOnce) {
  EXPECT_EQ(graph_text(kGraph),
            "rx\n"
            "|-- route\n"
            "|   |-- tx\n"
            "|   `-- punt\n"
            "|       `-- drop\n"
            "`-- drop\n"
            "inject\n"
            "`-- punt ...\n");
}

TEST(Graph, ACircleEnds) {
  const Json circle{{"nodes", {node("a", true, {"b"}), node("b", false, {"a"})}}};
  EXPECT_EQ(graph_text(circle), "a\n`-- b\n    `-- a ...\n");
}

TEST(Graph, DotHasEveryNodeAndEdge) {
  const auto dot = graph_dot(kGraph);
  for (const char* line : {"digraph sluice {\n", "  rx [style=rounded];\n", "  route;\n", "  route -> tx;\n",
                           "  punt -> drop;\n"})
    EXPECT_NE(dot.find(line), dot.npos) << line << dot;
}

}  // namespace
}  // namespace sluice::cli
