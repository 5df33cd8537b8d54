#include "dataplane/p4runtime/program.h"

#include <fmt/format.h>

#include "dataplane/p4runtime/compare.h"

namespace sluice::p4runtime {
namespace {

// The complaint stays readable where a p4info is of another program altogether.
constexpr size_t kShownDifferences = 10;

std::vector<tables::TableSchema> schemas_of(const tables::TableService& service) {
  std::vector<tables::TableSchema> schemas;
  for (size_t i = 0; i < service.table_count(); ++i)
    schemas.push_back(service.schema(static_cast<tables::TableId>(i)));
  return schemas;
}

void compare_counters(const info::P4Info& p4info, const engine::Engine& engine,
                      std::vector<std::string>& out) {
  for (const auto& counter : p4info.counters()) {
    const auto& name = counter.preamble().name();
    const bool exists =
        counter.size() > 0 && engine.counter(name, static_cast<size_t>(counter.size()) - 1).ok();
    if (!exists)
      out.push_back(fmt::format("counter '{}' of size {} is only in the p4info", name, counter.size()));
  }
}

ActionInfo index_action(const info::P4Info& p4info, const info::Table& table,
                        const tables::TableSchema& schema, const tables::ActionSchema& own) {
  for (const auto& reference : table.action_refs()) {
    const auto* action = find_action(p4info, reference.id());
    if (!action || local_name(schema.name, action->preamble().name()) != own.name) continue;
    ActionInfo result{reference.id(), {}};
    for (const auto& param : own.params)
      for (const auto& candidate : action->params())
        if (candidate.name() == param.name) result.param_ids.push_back(candidate.id());
    return result;
  }
  return {};
}

}  // namespace

bool TableInfo::is_default_only(uint32_t action_id) const {
  for (const auto& reference : p4->action_refs())
    if (reference.id() == action_id) return reference.scope() == info::ActionRef::DEFAULT_ONLY;
  return false;
}

absl::StatusOr<std::shared_ptr<const Program>> Program::make(info::P4Info p4info,
                                                             const engine::Engine& engine) {
  auto differences = compare(p4info, schemas_of(engine.tables()));
  compare_counters(p4info, engine, differences);
  if (!differences.empty()) {
    const auto shown = std::min(differences.size(), kShownDifferences);
    const std::string more =
        shown < differences.size() ? fmt::format("; and {} more", differences.size() - shown) : "";
    return absl::InvalidArgumentError(fmt::format(
        "p4info: is not that of engine {}'s program '{}': {}{}", engine.name(), engine.program(),
        fmt::join(differences.begin(), differences.begin() + static_cast<std::ptrdiff_t>(shown), "; "),
        more));
  }
  std::shared_ptr<Program> program(new Program(std::move(p4info)));
  program->index(engine.tables());
  return program;
}

void Program::index(const tables::TableService& service) {
  for (const auto& table : p4info_.tables()) {
    const auto id = *service.table_by_name(table.preamble().name());
    const auto& schema = service.schema(id);
    TableInfo result{&table, id, &schema, {}, {}};
    for (const auto& field : schema.fields)
      for (const auto& candidate : table.match_fields())
        if (candidate.name() == field.name) result.field_ids.push_back(candidate.id());
    for (const auto& action : schema.actions)
      result.actions.push_back(index_action(p4info_, table, schema, action));
    tables_.push_back(std::move(result));
  }
}

absl::StatusOr<const TableInfo*> Program::table(uint32_t id) const {
  for (const auto& table : tables_)
    if (table.p4->preamble().id() == id) return &table;
  return absl::InvalidArgumentError(fmt::format("table_id: {:#x} is not in the p4info", id));
}

absl::StatusOr<const info::Counter*> Program::counter(uint32_t id) const {
  for (const auto& counter : p4info_.counters())
    if (counter.preamble().id() == id) return &counter;
  return absl::InvalidArgumentError(fmt::format("counter_id: {:#x} is not in the p4info", id));
}

}  // namespace sluice::p4runtime
