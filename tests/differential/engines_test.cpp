// native and swx on random table states and packets made from them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "dataplane/forwarding/state.h"
#include "tests/differential/generator.h"
#include "tests/differential/shrink.h"
#include "tests/differential/target.h"
#include "tests/differential/vector_file.h"

namespace sluice::testing {
namespace {

constexpr size_t kPacketsAState = 60;

uint64_t states() { return std::getenv("SLUICE_LONG") ? 10'000 : 1'000; }

TEST(Engines, AgreeOnRandomStates) {
  const auto schemas = ::sluice::forwarding::schemas({});
  auto native = make_native_target();
  auto swx = make_swx_target(forwarding_spec());
  uint64_t packets = 0;
  for (uint64_t seed = 1; seed <= states(); ++seed) {
    const auto scenario = random_scenario(schemas, seed, kPacketsAState);
    const auto ours = native->run(scenario), theirs = swx->run(scenario);
    packets += scenario.packets.size();
    if (ours == theirs) continue;
    const auto smallest = shrink(scenario, [&](const Scenario& fewer) { return native->run(fewer) != swx->run(fewer); });
    const TestVector vector{smallest, native->run(smallest)};
    FAIL() << scenario.name << " after " << packets << " packets:\n"
           << difference("native", vector.expected, "swx", swx->run(smallest)) << vector_text(vector);
  }
  std::cout << packets << " packets in " << states() << " states\n";
}

}  // namespace
}  // namespace sluice::testing
