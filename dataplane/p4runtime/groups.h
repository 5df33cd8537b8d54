// Multicast groups of the packet replication engine (P4Runtime §9.5).
#pragma once

#include <absl/status/status.h>

#include <vector>

#include "dataplane/engine/engine.h"
#include "dataplane/p4runtime/messages.h"
#include "dataplane/p4runtime/notes.h"

namespace sluice::p4runtime {

absl::Status apply_group(v1::Update::Type type, const v1::MulticastGroupEntry& entry, engine::Engine& engine, Notes& notes);

// Group 0 of the request selects all.
absl::Status select_groups(const v1::MulticastGroupEntry& request, const engine::Engine& engine, const Notes& notes,
                           std::vector<v1::Entity>& out);

}  // namespace sluice::p4runtime
