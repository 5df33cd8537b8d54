// An engine that scenarios are put to.
#pragma once

#include <memory>
#include <string>

#include "tests/differential/scenario.h"

namespace sluice::testing {

class Target {
 public:
  virtual ~Target() = default;

  virtual std::string name() = 0;
  // All entries of the scenario and no others, then its packets; what became of them. Throws std::runtime_error where
  // an entry is refused or a packet gets lost.
  virtual Outcome run(const Scenario& scenario) = 0;
};

std::unique_ptr<Target> make_native_target();

// The P4 program `forwarding` with this text as its .spec.
std::unique_ptr<Target> make_swx_target(const std::string& spec);
std::string forwarding_spec();

}  // namespace sluice::testing
