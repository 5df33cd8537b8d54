// Is a planted fault found within the normal budget?
#pragma once

#include "tests/differential/generator.h"
#include "tests/differential/target.h"

namespace sluice::testing {

inline constexpr uint64_t kBudgetStates = 1'000;
inline constexpr size_t kBudgetPackets = 60;

// The first seed at which `faulty` does something else than `reference`; 0 where none does.
inline uint64_t found_at(Target& reference, Target& faulty, std::span<const tables::TableSchema> schemas) {
  for (uint64_t seed = 1; seed <= kBudgetStates; ++seed) {
    const auto scenario = random_scenario(schemas, seed, kBudgetPackets);
    if (reference.run(scenario) != faulty.run(scenario)) return seed;
  }
  return 0;
}

}  // namespace sluice::testing
