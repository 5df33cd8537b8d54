// The p4info that a controller has pushed, beside the engine's tables: ids to names to our own numbers.
#pragma once

#include <absl/status/statusor.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/engine/engine.h"
#include "dataplane/p4runtime/messages.h"

namespace sluice::p4runtime {

struct ActionInfo {
  uint32_t id;
  std::vector<uint32_t> param_ids;  // by the parameter's position in the schema
};

struct TableInfo {
  const info::Table* p4;
  tables::TableId id;
  const tables::TableSchema* schema;
  std::vector<uint32_t> field_ids;  // by the field's position in the schema
  std::vector<ActionInfo> actions;  // by tables::ActionId

  bool default_is_const() const { return p4->const_default_action_id() != 0; }
  // May the action stand only as the default?
  bool is_default_only(uint32_t action_id) const;
};

class Program {
 public:
  // INVALID_ARGUMENT with every difference where the engine's tables and counters are not the p4info's.
  static absl::StatusOr<std::shared_ptr<const Program>> make(info::P4Info p4info,
                                                             const engine::Engine& engine);

  const info::P4Info& p4info() const { return p4info_; }
  const std::vector<TableInfo>& tables() const { return tables_; }

  // INVALID_ARGUMENT where the p4info has no such id.
  absl::StatusOr<const TableInfo*> table(uint32_t id) const;
  absl::StatusOr<const info::Counter*> counter(uint32_t id) const;

 private:
  explicit Program(info::P4Info p4info) : p4info_(std::move(p4info)) {}
  void index(const tables::TableService& service);

  info::P4Info p4info_;
  std::vector<TableInfo> tables_;
};

}  // namespace sluice::p4runtime
