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
class SwxTargetBase : public Target {
 public:
  // "TABLE hit", "TABLE miss" and "TABLE.ACTION", and how often.
  virtual std::map<std::string, uint64_t> lookups() = 0;
};
std::unique_ptr<SwxTargetBase> make_swx_target(const std::string& spec);

// A file of p4/compiled.
std::string compiled(const std::string& name);

}  // namespace sluice::testing
