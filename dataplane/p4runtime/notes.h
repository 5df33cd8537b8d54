// What a controller attaches to an entry for itself: kept beside the tables, given back as it came (P4Runtime
// §9.1).
#pragma once

#include <map>
#include <string>
#include <utility>

#include "dataplane/p4runtime/messages.h"
#include "dataplane/tables/entry.h"

namespace sluice::p4runtime {

struct Note {
  uint64_t controller_metadata = 0;
  std::string metadata;

  bool operator==(const Note&) const = default;
};

Note note_of(const v1::TableEntry& entry);
void put(const Note& note, v1::TableEntry& entry);

class Notes {
 public:
  void set(tables::TableId table, const tables::Key& key, Note note) {
    if (note == Note{})
      notes_.erase({table, key});
    else
      notes_.insert_or_assign({table, key}, std::move(note));
  }
  Note get(tables::TableId table, const tables::Key& key) const {
    const auto found = notes_.find({table, key});
    return found == notes_.end() ? Note{} : found->second;
  }
  // A multicast group as its controller wrote it, instances and metadata included.
  void set_group(const v1::MulticastGroupEntry& entry) { groups_.insert_or_assign(entry.multicast_group_id(), entry); }
  void forget_group(uint32_t id) { groups_.erase(id); }
  // nullptr for a group that no controller wrote.
  const v1::MulticastGroupEntry* group(uint32_t id) const {
    const auto found = groups_.find(id);
    return found == groups_.end() ? nullptr : &found->second;
  }
  void clear() { notes_.clear(); }

 private:
  std::map<uint32_t, v1::MulticastGroupEntry> groups_;
  std::map<std::pair<tables::TableId, tables::Key>, Note> notes_;
};

}  // namespace sluice::p4runtime
