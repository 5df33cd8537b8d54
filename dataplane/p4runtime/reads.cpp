#include "dataplane/p4runtime/reads.h"

#include <fmt/format.h>

#include <limits>

#include "dataplane/p4runtime/capabilities.h"
#include "dataplane/p4runtime/entity.h"
#include "dataplane/p4runtime/entries.h"
#include "dataplane/p4runtime/groups.h"

namespace sluice::p4runtime {
namespace {

constexpr size_t kAll = std::numeric_limits<size_t>::max();

// A request's filters; what is at its default matches everything (§9.1.5).
struct Filter {
  std::optional<tables::Key> key;  // its match alone; the priority is below
  uint32_t priority = 0;
  std::optional<tables::ActionId> action;
  Note note;

  bool matches(const tables::Entry& entry, const Note& own) const {
    return (!key || key->match == entry.key.match) && (priority == 0 || priority == entry.key.priority) &&
           (!action || *action == entry.action) &&
           (note.controller_metadata == 0 || note.controller_metadata == own.controller_metadata) &&
           (note.metadata.empty() || note.metadata == own.metadata);
  }
};

absl::StatusOr<std::optional<tables::ActionId>> action_filter(const TableInfo& table,
                                                              const v1::TableAction& action) {
  for (size_t i = 0; i < table.actions.size(); ++i)
    if (table.actions[i].id == action.action().action_id()) return static_cast<tables::ActionId>(i);
  return absl::InvalidArgumentError(fmt::format("{}.action: {:#x} is not one of the table's",
                                                table.schema->name, action.action().action_id()));
}

absl::StatusOr<Filter> filter_of(const TableInfo& table, const v1::TableEntry& request) {
  Filter filter;
  if (request.priority() < 0)
    return absl::InvalidArgumentError(fmt::format("{}.priority: is below 0", table.schema->name));
  filter.priority = static_cast<uint32_t>(request.priority());
  if (!request.match().empty()) {
    v1::TableEntry wanted = request;
    // Any priority will do, but a key has one.
    if (table.schema->has_priority() && wanted.priority() == 0) wanted.set_priority(1);
    const auto key = key_from(table, wanted);
    if (!key.ok()) return key.status();
    filter.key = *key;
  }
  if (request.has_action()) {
    const auto action = action_filter(table, request.action());
    if (!action.ok()) return action.status();
    filter.action = *action;
  }
  filter.note = note_of(request);
  return filter;
}

v1::Entity default_entry(const TableInfo& table) {
  v1::Entity entity;
  auto& entry = *entity.mutable_table_entry();
  entry.set_table_id(table.p4->preamble().id());
  entry.set_is_default_action(true);
  entry.set_is_const(table.default_is_const());
  const auto& call = table.p4->initial_default_action();
  auto& action = *entry.mutable_action()->mutable_action();
  action.set_action_id(table.default_is_const() ? table.p4->const_default_action_id() : call.action_id());
  for (const auto& argument : call.arguments()) {
    auto& param = *action.add_params();
    param.set_param_id(argument.param_id());
    param.set_value(argument.value());
  }
  return entity;
}

absl::Status select_table(const TableInfo& table, const v1::TableEntry& request,
                          const tables::TableService& service, const Notes& notes, Selection& out) {
  if (request.is_default_action()) {
    out.messages.push_back(default_entry(table));
    return absl::OkStatus();
  }
  const auto filter = filter_of(table, request);
  if (!filter.ok()) return filter.status();
  const auto consider = [&](const tables::Entry& entry) {
    auto note = notes.get(table.id, entry.key);
    if (filter->matches(entry, note)) out.entries.push_back({&table, entry, std::move(note)});
  };
  const bool one_key = filter->key && (!table.schema->has_priority() || filter->priority > 0);
  if (!one_key)
    service.read(table.id, 0, kAll, consider);
  else if (const auto entry = service.find(table.id, *filter->key))
    consider(*entry);
  return absl::OkStatus();
}

absl::Status select_tables(const v1::TableEntry& request, const Program& program,
                           const tables::TableService& service, const Notes& notes, Selection& out) {
  if (request.table_id() != 0) {
    const auto table = program.table(request.table_id());
    return table.ok() ? select_table(**table, request, service, notes, out) : table.status();
  }
  if (!request.match().empty() || request.has_action() || request.priority() != 0 ||
      note_of(request) != Note{})
    return absl::InvalidArgumentError("table_id: 0 selects all tables and takes no other filter");
  for (const auto& table : program.tables())
    if (auto status = select_table(table, request, service, notes, out); !status.ok()) return status;
  return absl::OkStatus();
}

absl::Status add_counter(const info::Counter& counter, int64_t index, const engine::Engine& engine,
                         Selection& out) {
  const auto value = engine.counter(counter.preamble().name(), static_cast<size_t>(index));
  if (!value.ok()) return value.status();
  v1::Entity entity;
  auto& entry = *entity.mutable_counter_entry();
  entry.set_counter_id(counter.preamble().id());
  entry.mutable_index()->set_index(index);
  const auto unit = counter.spec().unit();
  if (unit != info::CounterSpec::BYTES)
    entry.mutable_data()->set_packet_count(static_cast<int64_t>(value->packets));
  if (unit != info::CounterSpec::PACKETS)
    entry.mutable_data()->set_byte_count(static_cast<int64_t>(value->bytes));
  out.messages.push_back(std::move(entity));
  return absl::OkStatus();
}

absl::Status select_counter(const info::Counter& counter, const v1::CounterEntry& request,
                            const engine::Engine& engine, Selection& out) {
  if (!request.has_index()) {
    for (int64_t i = 0; i < counter.size(); ++i)
      if (auto status = add_counter(counter, i, engine, out); !status.ok()) return status;
    return absl::OkStatus();
  }
  const auto index = request.index().index();
  if (index < 0) return absl::InvalidArgumentError(fmt::format("counter_entry.index: {} is below 0", index));
  if (index >= counter.size())
    return absl::OutOfRangeError(
        fmt::format("counter_entry.index: {} is not below {}", index, counter.size()));
  return add_counter(counter, index, engine, out);
}

absl::Status select_counters(const v1::CounterEntry& request, const Program& program,
                             const engine::Engine& engine, Selection& out) {
  if (auto status = require(engine.name(), Feature::counter_read); !status.ok()) return status;
  if (request.counter_id() != 0) {
    const auto counter = program.counter(request.counter_id());
    return counter.ok() ? select_counter(**counter, request, engine, out) : counter.status();
  }
  for (const auto& counter : program.p4info().counters())
    if (auto status = select_counter(counter, {}, engine, out); !status.ok()) return status;
  return absl::OkStatus();
}

}  // namespace

absl::Status select(const v1::Entity& entity, const Program& program, const engine::Engine& engine,
                    const Notes& notes, Selection& out) {
  if (entity.has_table_entry())
    return select_tables(entity.table_entry(), program, engine.tables(), notes, out);
  if (entity.has_counter_entry()) return select_counters(entity.counter_entry(), program, engine, out);
  if (entity.packet_replication_engine_entry().has_multicast_group_entry())
    return select_groups(entity.packet_replication_engine_entry().multicast_group_entry(), engine, notes, out.messages);
  return refuse_entity(entity, engine.name());
}

v1::Entity to_entity(const Selected& selected) {
  v1::Entity entity;
  *entity.mutable_table_entry() = to_message(*selected.table, selected.entry);
  put(selected.note, *entity.mutable_table_entry());
  return entity;
}

}  // namespace sluice::p4runtime
