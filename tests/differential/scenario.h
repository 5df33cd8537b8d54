// One comparison of engines: a state of the tables, packets that come in, and what became of them.
#pragma once

#include <compare>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/text.h"
#include "tests/support/frames.h"

namespace sluice::testing {

// The network of every scenario: four ports, the first three of which are bridge domain 1, the last alone domain 2.
inline constexpr PortNumber kScenarioPorts = 4;
inline constexpr uint16_t kBridge = 1, kLonelyBridge = 2;
inline std::string port_name(PortNumber port) { return "p" + std::to_string(port); }

struct PacketAtPort {
  PortNumber port;
  Frame frame;

  auto operator<=>(const PacketAtPort&) const = default;
};

struct Scenario {
  std::string name;
  std::vector<tables::EntryText> entries;
  std::vector<PacketAtPort> packets;
};

struct Punted {
  std::string cause;
  PortNumber ingress_port, egress_port;
  uint16_t mtu;
  Frame frame;

  auto operator<=>(const Punted&) const = default;
};

// Without order: engines may take ports in another turn.
struct Outcome {
  std::multiset<PacketAtPort> sent;
  std::multiset<Punted> punted;
  std::map<std::string, uint64_t> drops;  // by reason, without zeroes

  bool operator==(const Outcome&) const = default;
};

// What `left` and `right` (named for the message) do not have in common; empty where they are equal.
std::string difference(const std::string& left_name, const Outcome& left, const std::string& right_name, const Outcome& right);

std::string hex(const Frame& frame);
Frame from_hex(const std::string& text);

}  // namespace sluice::testing
