// The smallest scenario that still fails.
#pragma once

#include <functional>

#include "tests/differential/scenario.h"

namespace sluice::testing {

// Takes packets and entries away, in halves first and then one by one, as long as `fails` stays true.
Scenario shrink(Scenario scenario, const std::function<bool(const Scenario&)>& fails);

}  // namespace sluice::testing
