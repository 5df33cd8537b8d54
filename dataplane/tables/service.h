// The one door to the tables: the configuration, the local agent and P4Runtime all write through it.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/tables/table.h"

namespace sluice::tables {

class TableService {
 public:
  // `synchronize` returns when every lcore has let go of what it read before the call.
  // `port_count` bounds values of Format::port: a wrong one must never reach the fast path.
  TableService(std::function<void()> synchronize, uint16_t port_count);

  TableId add(std::unique_ptr<Table> table);

  // Applies each update on its own, in order; one status each (P4Runtime §12.3: CONTINUE_ON_ERROR).
  // The batch becomes visible to lcores at its end, after one grace period.
  std::vector<absl::Status> apply(std::span<const Update> batch);
  absl::Status apply(const Update& update);

  // Inserts, or modifies where the key is there already.
  absl::Status upsert(const Entry& entry);

  std::optional<Entry> find(TableId table, const Key& key) const;
  // Calls `visit` for entries in the order of their keys, starting behind `skip`, at most `limit`.
  void read(TableId table, size_t skip, size_t limit, const std::function<void(const Entry&)>& visit) const;
  size_t size(TableId table) const;

  // Runs `read_only` while nobody writes: for readers that are not lcores and so hold no RCU reference.
  void while_unchanged(const std::function<void()>& read_only) const;

  uint16_t port_count() const { return port_count_; }
  size_t table_count() const { return tables_.size(); }
  const TableSchema& schema(TableId table) const;
  absl::StatusOr<TableId> table_by_name(std::string_view name) const;

 private:
  struct Slot {
    std::unique_ptr<Table> table;
    std::map<Key, Entry> entries;
  };

  Slot& slot(TableId table) { return tables_[static_cast<size_t>(table)]; }
  const Slot& slot(TableId table) const { return tables_[static_cast<size_t>(table)]; }
  absl::Status apply_one(const Update& update);
  void publish_all();

  std::function<void()> synchronize_;
  uint16_t port_count_;
  std::vector<Slot> tables_;
  mutable std::mutex mutex_;
};

// INVALID_ARGUMENT with the field and the value at fault, if the entry does not fit the schema.
absl::Status validate(const TableSchema& schema, const Entry& entry, uint16_t port_count);

}  // namespace sluice::tables
