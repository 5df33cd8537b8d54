#include "dataplane/p4runtime/notes.h"

// controller_metadata is deprecated, and clients still use it.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace sluice::p4runtime {

Note note_of(const v1::TableEntry& entry) { return {entry.controller_metadata(), entry.metadata()}; }

void put(const Note& note, v1::TableEntry& entry) {
  entry.set_controller_metadata(note.controller_metadata);
  entry.set_metadata(note.metadata);
}

}  // namespace sluice::p4runtime
