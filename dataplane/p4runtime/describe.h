// A p4info's tables for an engine that has no declaration of its own: it runs the P4 program itself.
#pragma once

#include <absl/status/statusor.h>

#include <vector>

#include "dataplane/p4runtime/messages.h"
#include "dataplane/tables/description.h"

namespace sluice::p4runtime {

// Without actions that only a default uses. UNIMPLEMENTED for match kinds that our tables do not have, and
// for keys and parameters that are too many or too wide for a tables::Entry.
absl::StatusOr<std::vector<tables::TableDescription>> describe(const info::P4Info& p4info);

}  // namespace sluice::p4runtime
