// SetForwardingPipelineConfig: can the engine realise what it is given?
#pragma once

#include <absl/status/statusor.h>

#include <memory>

#include "dataplane/p4runtime/program.h"

namespace sluice::p4runtime {

struct Pipeline {
  v1::ForwardingPipelineConfig config;
  std::shared_ptr<const Program> program;
};

// INVALID_ARGUMENT where the device config is not a whole bundle of the engine's program, or the p4info is
// another's.
absl::StatusOr<Pipeline> verify(const v1::ForwardingPipelineConfig& config, const engine::Engine& engine);

}  // namespace sluice::p4runtime
