// Local commands about tables.
#pragma once

#include <absl/status/statusor.h>

#include <nlohmann/json.hpp>

#include "dataplane/engine/local_engine.h"

namespace sluice::control {

nlohmann::ordered_json table_list(const engine::LocalEngine& engine);
// {"table": NAME, "skip": N, "limit": N}
absl::StatusOr<nlohmann::ordered_json> table_dump(const engine::LocalEngine& engine, const nlohmann::ordered_json& request);
// {"operation": "insert"|"modify"|"remove", "entries": [{"table", "match": {field: value}, "priority", "action", "params": {name: value}}]}
absl::StatusOr<nlohmann::ordered_json> table_write(engine::LocalEngine& engine, const nlohmann::ordered_json& request);

}  // namespace sluice::control
