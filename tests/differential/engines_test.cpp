// native and swx, on the committed vectors and on random table states with packets made from them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "dataplane/forwarding/state.h"
#include "tests/differential/generator.h"
#include "tests/differential/parser_coverage.h"
#include "tests/differential/shrink.h"
#include "tests/differential/target.h"
#include "tests/differential/vector_file.h"

namespace sluice::testing {
namespace {

constexpr size_t kPacketsAState = 60;
// Each edge, hit, miss, action and drop reason at least so often in the normal budget.
constexpr uint64_t kOften = 100;

uint64_t states() { return std::getenv("SLUICE_LONG") ? 10'000 : 1'000; }

// What the program `forwarding` can drop a packet for; the rest belongs to functions that come later.
const std::vector<std::string> kReasons{
    "ethernet_truncated", "vlan_truncated",      "ipv4_truncated",   "ipv4_bad_version",        "ipv4_bad_header_length",
    "ipv4_bad_total_length", "ipv4_bad_checksum", "ipv6_truncated",  "ipv6_bad_version",        "ipv6_bad_payload_length",
    "not_for_us",         "unknown_ether_type",  "l2_group_routed",  "source_mac_group",        "ipv4_bad_source",
    "ipv6_bad_source",    "martian_destination", "no_route",         "route_discard",           "ttl_expired",
    "mtu_exceeded",       "neighbour_unresolved", "bridge_same_port", "bridge_no_member",       "punt_filtered"};

using Counts = std::map<std::string, uint64_t>;

void print_and_enforce(const std::string& what, const Counts& counts) {
  std::cout << what << ":\n";
  for (const auto& [name, count] : counts) {
    std::cout << "  " << name << ": " << count << '\n';
    EXPECT_GE(count, kOften) << what << ": " << name << " was met too seldom to mean anything";
  }
}

TEST(Engines, AgreeOnTheCommittedVectors) {
  auto native = make_native_target();
  auto swx = make_swx_target(compiled("forwarding.spec"));
  size_t vectors = 0;
  for (const auto& file : std::filesystem::directory_iterator(SLUICE_SOURCE_DIR "/tests/differential/vectors")) {
    const auto vector = load_vector(file.path());
    for (Target* target : {static_cast<Target*>(native.get()), static_cast<Target*>(swx.get())})
      EXPECT_EQ(difference(target->name(), target->run(vector.scenario), "expected", vector.expected), "") << file.path().filename();
    ++vectors;
  }
  EXPECT_GE(vectors, 10u);
}

TEST(Engines, AgreeOnRandomStatesAndMeetEverything) {
  const auto schemas = ::sluice::forwarding::schemas({});
  auto native = make_native_target();
  auto swx = make_swx_target(compiled("forwarding.spec"));
  ParserCoverage parser(compiled("forwarding.json"), "from_wire");
  Counts drops;
  for (const auto& reason : kReasons) drops[reason] = 0;
  uint64_t packets = 0;
  for (uint64_t seed = 1; seed <= states(); ++seed) {
    const auto scenario = random_scenario(schemas, seed, kPacketsAState);
    const auto ours = native->run(scenario), theirs = swx->run(scenario);
    packets += scenario.packets.size();
    for (const auto& packet : scenario.packets) parser.add(packet.frame);
    for (const auto& [reason, count] : ours.drops) drops[reason] += count;
    if (ours == theirs) continue;
    const auto smallest = shrink(scenario, [&](const Scenario& fewer) { return native->run(fewer) != swx->run(fewer); });
    const TestVector vector{smallest, native->run(smallest)};
    FAIL() << scenario.name << " after " << packets << " packets:\n"
           << difference("native", vector.expected, "swx", swx->run(smallest)) << "as a vector, with what native did:\n"
           << vector_text(vector);
  }
  std::cout << packets << " packets in " << states() << " states: equal\n";
  EXPECT_GE(packets, 50'000u);
  print_and_enforce("parser", parser.edges());
  print_and_enforce("tables", swx->lookups());
  print_and_enforce("drops", drops);
}

}  // namespace
}  // namespace sluice::testing
