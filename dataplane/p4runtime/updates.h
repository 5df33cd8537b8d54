// Write: a batch of updates to the engine (P4Runtime §12).
#pragma once

#include <absl/status/status.h>

#include <vector>

#include "dataplane/p4runtime/notes.h"
#include "dataplane/p4runtime/program.h"

namespace sluice::p4runtime {

using Updates = google::protobuf::RepeatedPtrField<v1::Update>;

// Each update on its own, in order, one status each: CONTINUE_ON_ERROR.
std::vector<absl::Status> apply(const Updates& updates, const Program& program, engine::Engine& engine,
                                Notes& notes);

// Removes what controllers have written, and leaves the configuration's and the agent's entries.
void clear_controller_entries(tables::TableService& service, Notes& notes);

}  // namespace sluice::p4runtime
