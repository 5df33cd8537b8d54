#include "controlplane/cli/completion.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

namespace sluice::cli {
namespace {

using Words = std::vector<std::string>;

Json daemon_answers(const std::string& command) {
  if (command == "ports") return Json::array({Json{{"name", "left"}}, Json{{"name", "right"}}});
  const Json dst{{"name", "dst"}, {"format", "ipv4"}}, port{{"name", "port"}, {"format", "port"}};
  Json via{{"name", "via"}, {"params", Json::array({port})}},
      local{{"name", "local"}, {"params", Json::array()}};
  return Json::array(
      {Json{{"name", "routes"}, {"fields", Json::array({dst})}, {"actions", Json::array({via, local})}}});
}

class Completion : public testing::Test {
 protected:
  Completion() {
    app.fallthrough();
    app.add_option("-s,--socket", socket);
    app.add_flag("--json", flag);
    app.add_subcommand("drops");
    auto* table = app.add_subcommand("table");
    for (const char* name : {"dump", "insert", "remove"})
      table->add_subcommand(name)->add_option("--priority", socket);
    app.add_subcommand("trace")->add_option("-p,--port", socket);
  }

  Words at(const Words& words) { return completions(app, words, daemon_answers); }

  std::string socket;
  bool flag = false;
  CLI::App app;
};

TEST_F(Completion, CommandsAndOptionsComeFromTheParser) {
  EXPECT_EQ(at({""}), (Words{"drops", "table", "trace"}));
  EXPECT_EQ(at({"t"}), (Words{"table", "trace"}));
  EXPECT_EQ(at({"--json", "table", ""}), (Words{"dump", "insert", "remove"}));
  EXPECT_EQ(at({"drops", "--j"}), (Words{"--json"}));
  EXPECT_EQ(at({"table", "insert", "--p"}), (Words{"--priority"}));
  EXPECT_EQ(at({"nonsense", ""}), Words{});
}

TEST_F(Completion, NamesComeFromTheDaemon) {
  EXPECT_EQ(at({"table", "dump", ""}), (Words{"routes"}));
  EXPECT_EQ(at({"--socket", "/x", "trace", "--port", ""}), (Words{"left", "right"}));
  EXPECT_EQ(at({"trace", "-p", "r"}), (Words{"right"}));
  EXPECT_EQ(at({"--socket", ""}), Words{});
}

TEST_F(Completion, AnEntryIsCompletedByItsTable) {
  EXPECT_EQ(at({"table", "insert", "routes", ""}), (Words{"dst=", "via", "local"}));
  EXPECT_EQ(at({"table", "remove", "routes", ""}), (Words{"dst="}));
  EXPECT_EQ(at({"table", "insert", "routes", "dst=1.0.0.0/8", ""}), (Words{"via", "local"}));
  EXPECT_EQ(at({"table", "insert", "routes", "dst=1.0.0.0/8", "via", "port=l"}), (Words{"port=left"}));
  EXPECT_EQ(at({"table", "insert", "routes", "dst=1.0.0.0/8", "via", "port=left", ""}), Words{});
  EXPECT_EQ(at({"table", "insert", "nonsense", ""}), Words{});
}

TEST_F(Completion, WithoutADaemonThereAreNoNames) {
  const auto silent = [](const std::string&) { return Json(); };
  EXPECT_EQ(completions(app, Words{"table", "dump", ""}, silent), Words{});
  EXPECT_EQ(completions(app, Words{"table", "insert", "routes", ""}, silent), Words{});
  EXPECT_EQ(completions(app, Words{"trace", "--port", ""}, silent), Words{});
}

TEST(CompletionSocket, IsTheOneThatIsBeingTyped) {
  EXPECT_EQ(socket_among(Words{"drops"}), "");
  EXPECT_EQ(socket_among(Words{"--socket", "/a", "drops"}), "/a");
  EXPECT_EQ(socket_among(Words{"drops", "--socket=/b"}), "/b");
  EXPECT_EQ(socket_among(Words{"-s", "/c"}), "/c");
  EXPECT_EQ(socket_among(Words{"--socket"}), "");
}

}  // namespace
}  // namespace sluice::cli
