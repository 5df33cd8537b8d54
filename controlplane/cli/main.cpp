// sluice: asks a running sluiced and changes its tables.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>

#include "controlplane/cli/commands.h"
#include "controlplane/cli/completion.h"
#include "controlplane/cli/failure.h"
#include "controlplane/cli/paint.h"

namespace {

using namespace sluice::cli;

constexpr const char* kDefaultSocket = "/run/sluice/sluiced.sock";
constexpr const char* kFooter =
    "Exit codes:\n"
    "  0  done\n"
    "  1  sluiced answered with an error\n"
    "  2  wrong usage\n"
    "  3  sluiced cannot be reached\n"
    "\n"
    "`sluice COMMAND --help` says more about a command. --json prints one JSON document a line.";

struct Options {
  std::string socket = kDefaultSocket;
  bool json = false;
  bool dot = false;
  double watch_seconds = 1;
  std::string table;
  EntryRequest entry;
  TraceRequest trace;
  std::string shell;
};

// The commands, each with what it runs.
class CommandLine {
 public:
  CommandLine() {
    app_.name("sluice");
    app_.set_version_flag("--version", "sluice " SLUICE_VERSION);
    app_.footer(kFooter);
    app_.fallthrough();  // --json and --socket may also stand after the command
    app_.require_subcommand(0, 1);
    app_.add_option("-s,--socket", options_.socket, "Unix socket of sluiced")
        ->envname("SLUICE_SOCKET")
        ->type_name("PATH")
        ->capture_default_str();
    app_.add_flag("--json", options_.json, "For programs: JSON instead of text");
    add_questions();
    add_tables();
    add_trace();
    auto* completion =
        app_.add_subcommand("completion", "Print a completion script: source <(sluice completion bash)");
    completion->add_option("SHELL", options_.shell, "bash, zsh or fish")
        ->required()
        ->type_name("")
        ->check(CLI::IsMember({"bash", "zsh", "fish"}).description(""));
    on(completion, [this](const Session&) { print(completion_script(options_.shell)); });
  }

  int run(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return app_.exit(error);
      throw Failure(ExitCode::usage, fmt::format("{} (see sluice --help)", error.what()));
    }
    if (!command_)
      throw Failure(ExitCode::usage,
                    fmt::format("a command is missing after '{}' (see sluice --help)", innermost()));
    command_(Session{Client(options_.socket), options_.json, colours_wanted()});
    return EXIT_SUCCESS;
  }

  // Quiet whatever happens: a person is in the middle of a line.
  void complete(const std::vector<std::string>& words) {
    const auto named = socket_among(words);
    const char* environment = std::getenv("SLUICE_SOCKET");
    const Client client(!named.empty() ? named : environment && *environment ? environment : kDefaultSocket);
    const auto ask = [&client](const std::string& command) {
      try {
        return client.ask({{"command", command}});
      } catch (const Failure&) {
        return Json();
      }
    };
    for (const auto& word : completions(app_, words, ask)) print(word + "\n");
  }

 private:
  using Command = std::function<void(const Session&)>;

  void on(CLI::App* subcommand, Command command) {
    subcommand->callback([this, command = std::move(command)] { command_ = command; });
  }

  void add_questions() {
    on(app_.add_subcommand("status", "Version, engine, process, time since the start"), show_status);
    on(app_.add_subcommand("ports", "Link, mode, addresses and traffic of each port"), show_ports);
    auto* graph = app_.add_subcommand("graph", "The nodes and where each leads");
    graph->add_flag("--dot", options_.dot, "As input for graphviz's dot");
    on(graph, [this](const Session& session) { show_graph(session, options_.dot); });
    on(app_.add_subcommand("drops", "Packets dropped, by reason and node"), show_drops);
    auto* counters =
        app_.add_subcommand("counters", "Packets in all, and packets, drops and cycles of each node");
    counters->add_option("--watch", options_.watch_seconds, "Rates, shown anew every SECONDS until Ctrl-C")
        ->expected(0, 1)
        ->default_str("1")  // where SECONDS is left out
        ->type_name("[SECONDS]")
        ->check(CLI::Range(0.05, 86400.0).description(""));
    on(counters, [this, counters](const Session& session) {
      if (counters->count("--watch") == 0) return show_counters(session);
      watch_counters(session, options_.watch_seconds);
    });
  }

  void add_tables() {
    on(app_.add_subcommand("tables", "Each table: entries, match fields, actions, how it is updated"),
       show_tables);
    auto* table =
        app_.add_subcommand("table", "Show or change the entries of a table")->require_subcommand(0, 1);
    auto* dump = table->add_subcommand("dump", "The entries of a table, or of all");
    dump->add_option("TABLE", options_.table, "As `sluice tables` names it")->type_name("");
    on(dump, [this](const Session& session) { dump_tables(session, options_.table); });
    add_write(*table, "insert", "Add an entry: ipv4_lpm dst=10.9.0.0/16 via port=right next_hop=10.0.2.2",
              "FIELD=VALUE ... ACTION [PARAMETER=VALUE ...]");
    add_write(*table, "modify", "Change the action of an entry",
              "FIELD=VALUE ... ACTION [PARAMETER=VALUE ...]");
    add_write(*table, "remove", "Remove an entry: ipv4_lpm dst=10.9.0.0/16", "FIELD=VALUE ...");
  }

  void add_write(CLI::App& table, const std::string& operation, const std::string& description,
                 const std::string& words) {
    auto* write = table.add_subcommand(operation, description);
    write->add_option("TABLE", options_.entry.table, "As `sluice tables` names it")
        ->required()
        ->type_name("");
    write->add_option("ENTRY", options_.entry.words, words)->required()->type_name("");
    write->add_option("--priority", options_.entry.priority, "Of tables with a ternary field: larger wins")
        ->type_name("N");
    on(write, [this, operation](const Session& session) {
      options_.entry.operation = operation;
      write_entry(session, options_.entry);
    });
  }

  void add_trace() {
    auto* trace =
        app_.add_subcommand("trace", "Where would this packet go? Nothing is sent and nothing counted");
    trace->add_option("-p,--port", options_.trace.port, "Name or number of the port it comes in on")
        ->required()
        ->type_name("PORT");
    trace
        ->add_option("PACKET", options_.trace.packet,
                     "Hexadecimal digits, a capture (pcap, pcapng) or - for stdin")
        ->required()
        ->type_name("");
    trace->add_flag("--hex", options_.trace.hex, "Also print the packet as it would leave");
    on(trace, [this](const Session& session) { trace_packets(session, options_.trace); });
  }

  std::string innermost() const {
    const auto given = app_.get_subcommands();
    return given.empty() ? "sluice" : "sluice " + given.front()->get_name();
  }

  Options options_;
  Command command_;
  CLI::App app_{"Asks a running sluiced what it does, and changes its tables."};
};

int complain(const Failure& failure) {
  std::cerr << "sluice: " << failure.what() << '\n';
  return static_cast<int>(failure.code);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    CommandLine command_line;
    int code = EXIT_SUCCESS;
    if (argc > 1 && std::string(argv[1]) == "__complete")
      command_line.complete({argv + 2, argv + argc});
    else
      code = command_line.run(argc, argv);
    if (std::fflush(stdout) != 0)
      throw Failure(ExitCode::refused, fmt::format("stdout: {}", std::strerror(errno)));
    return code;
  } catch (const Failure& failure) {
    std::fflush(stdout);
    return complain(failure);
  } catch (const Json::exception& error) {
    return complain(
        {ExitCode::unreachable,
         fmt::format("sluiced's answer was not understood: is it of another version? ({})", error.what())});
  }
}
