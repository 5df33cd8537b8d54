// Where would this packet go? Walks a copy through the decisions that the nodes make.
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <vector>

#include "dataplane/engine/native_engine.h"
#include "dataplane/wire/bytes.h"

namespace sluice::engine {

struct TraceLookup {
  std::string table, key, result;
};

struct TraceStep {
  std::string node;
  std::vector<TraceLookup> lookups;
  std::string decision;  // the edge taken, or how it ends
};

struct Trace {
  std::vector<TraceStep> steps;
  std::string outcome;         // transmit, flood, punt or drop
  std::string detail;          // ports, cause, or reason with its text
  std::string dropped_by;      // the node that a drop is counted for; empty for other outcomes
  std::vector<uint8_t> frame;  // as it would leave
};

// Changes no counter, table or cache: decisions only read, and the copy is not of the traffic's pool.
absl::StatusOr<Trace> trace(const NativeEngine& engine, PortNumber port, wire::Bytes frame);

}  // namespace sluice::engine
