// Read: what the request's entities select (P4Runtime §13).
#pragma once

#include <absl/status/statusor.h>

#include <vector>

#include "dataplane/p4runtime/notes.h"
#include "dataplane/p4runtime/program.h"

namespace sluice::p4runtime {

// An entry as it was at one moment; turned into a message when its turn to be sent comes.
struct Selected {
  const TableInfo* table;
  tables::Entry entry;
  Note note;
};

// What one entity of a request selects: table entries, and what is a message already (counters, default
// entries).
struct Selection {
  std::vector<Selected> entries;
  std::vector<v1::Entity> messages;
};

absl::Status select(const v1::Entity& entity, const Program& program, const engine::Engine& engine,
                    const Notes& notes, Selection& out);

v1::Entity to_entity(const Selected& selected);

}  // namespace sluice::p4runtime
