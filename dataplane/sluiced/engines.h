// The engine that a configuration asks for.
#pragma once

#include <absl/status/statusor.h>

#include <functional>
#include <memory>

#include "dataplane/config/config.h"
#include "dataplane/engine/local_engine.h"

namespace sluice {

// Throws std::runtime_error. To be called when EAL is up.
using MakeEngine = std::function<std::unique_ptr<engine::LocalEngine>()>;

// Reads what the engine needs and checks the configuration's entries against its tables; starts nothing. The
// configuration must be complete() and outlive what is returned.
absl::StatusOr<MakeEngine> choose_engine(const config::Config& config);

}  // namespace sluice
