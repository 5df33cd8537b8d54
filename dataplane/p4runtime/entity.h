// Which feature an entity needs, and the answer where the engine has not got it.
#pragma once

#include <absl/status/status.h>

#include <string_view>

#include "dataplane/p4runtime/messages.h"

namespace sluice::p4runtime {

// For entities other than table and counter entries and multicast groups: UNIMPLEMENTED, or INVALID_ARGUMENT where nothing is set.
absl::Status refuse_entity(const v1::Entity& entity, std::string_view engine);

}  // namespace sluice::p4runtime
