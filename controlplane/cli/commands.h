// The commands of `sluice`: each asks the daemon and prints the answer, for people or as JSON.
#pragma once

#include <string>
#include <vector>

#include "controlplane/cli/client.h"

namespace sluice::cli {

struct Session {
  Client client;
  bool json = false;  // one JSON document a line instead of text
  bool colour = false;
};

void show_status(const Session& session);
void show_ports(const Session& session);
void show_graph(const Session& session, bool dot);
void show_drops(const Session& session);
void show_counters(const Session& session);
// Until SIGINT or SIGTERM, which end the program with 0.
[[noreturn]] void watch_counters(const Session& session, double seconds);
void show_tables(const Session& session);
// Every table where no name is given.
void dump_tables(const Session& session, const std::string& table);

struct EntryRequest {
  std::string operation;  // insert, modify, remove
  std::string table;
  std::vector<std::string> words;  // as entry_words.h reads them
  unsigned priority = 0;
};
void write_entry(const Session& session, const EntryRequest& request);

struct TraceRequest {
  std::string port;
  std::vector<std::string> packet;  // as packet_source.h reads them
  bool hex = false;                 // also the packet as it would leave
};
void trace_packets(const Session& session, const TraceRequest& request);

// Text of an answer, for those that are worth a test of their own.
std::string graph_text(const Json& graph);
std::string graph_dot(const Json& graph);

// To stdout. A JSON document becomes one line.
void print(const std::string& text);
void print(const Json& document);

}  // namespace sluice::cli
