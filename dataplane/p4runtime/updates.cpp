#include "dataplane/p4runtime/updates.h"

#include <fmt/format.h>

#include <limits>

#include "dataplane/p4runtime/capabilities.h"
#include "dataplane/p4runtime/entity.h"
#include "dataplane/p4runtime/entries.h"
#include "dataplane/p4runtime/groups.h"

namespace sluice::p4runtime {
namespace {

using absl::InvalidArgumentError;

// An update of a table, ready for the service.
struct Planned {
  tables::Update update;
  Note note;
};

absl::StatusOr<tables::Operation> operation_of(v1::Update::Type type) {
  switch (type) {
    case v1::Update::INSERT:
      return tables::Operation::insert;
    case v1::Update::MODIFY:
      return tables::Operation::modify;
    case v1::Update::DELETE:
      return tables::Operation::remove;
    default:
      return InvalidArgumentError("update: type is not INSERT, MODIFY or DELETE");
  }
}

absl::Status check_default_entry(const TableInfo& table, v1::Update::Type type, const v1::TableEntry& entry,
                                 std::string_view engine) {
  const auto refuse = [&](std::string_view what) {
    return InvalidArgumentError(fmt::format("{}: default entry: {}", table.schema->name, what));
  };
  if (type != v1::Update::MODIFY) return refuse("can only be modified");
  if (!entry.match().empty() || entry.priority() != 0) return refuse("has neither match nor priority");
  if (table.default_is_const())
    return absl::PermissionDeniedError(fmt::format("{}: default entry: is constant", table.schema->name));
  return refuse_feature(engine, Feature::default_action_write);
}

// What an INSERT or MODIFY may carry beside key and action.
absl::Status check_extras(const TableInfo& table, const v1::TableEntry& entry, std::string_view engine) {
  if (entry.is_const())
    return InvalidArgumentError(fmt::format("{}: is_const: only the program says so", table.schema->name));
  if (entry.has_counter_data())
    if (auto status = require(engine, Feature::direct_counter); !status.ok()) return status;
  if (entry.has_meter_config() || entry.has_meter_counter_data())
    if (auto status = require(engine, Feature::direct_meter); !status.ok()) return status;
  if (entry.idle_timeout_ns() != 0) return require(engine, Feature::idle_timeout);
  return absl::OkStatus();
}

// A MODIFY without an action keeps the one that is there (§9.1.2).
absl::StatusOr<ActionCall> call_of(const TableInfo& table, const tables::Key& key,
                                   tables::Operation operation, const v1::TableEntry& entry,
                                   const tables::TableService& service) {
  if (entry.has_action()) return action_from(table, entry.action());
  if (operation == tables::Operation::insert)
    return InvalidArgumentError(fmt::format("{}.action: is missing", table.schema->name));
  const auto before = service.find(table.id, key);
  if (!before) return absl::NotFoundError(fmt::format("{}: no such entry", table.schema->name));
  return ActionCall{before->action, before->params};
}

absl::StatusOr<Planned> plan(v1::Update::Type type, const v1::TableEntry& entry, const Program& program,
                             const engine::Engine& engine) {
  const auto operation = operation_of(type);
  if (!operation.ok()) return operation.status();
  const auto found = program.table(entry.table_id());
  if (!found.ok()) return found.status();
  const TableInfo& table = **found;
  if (entry.is_default_action()) {
    return check_default_entry(table, type, entry, engine.name());
  }
  if (table.p4->is_const_table())
    return absl::PermissionDeniedError(fmt::format("{}: is constant", table.schema->name));
  const auto key = key_from(table, entry);
  if (!key.ok()) return key.status();
  Planned planned{{*operation, {}}, {}};
  planned.update.entry.table = table.id;
  planned.update.entry.key = *key;
  planned.update.entry.origin = tables::Origin::controller;
  // Of a DELETE only the key counts, whatever else is in it (§9.1).
  if (*operation == tables::Operation::remove) return planned;
  if (auto status = check_extras(table, entry, engine.name()); !status.ok()) return status;
  const auto call = call_of(table, *key, *operation, entry, engine.tables());
  if (!call.ok()) return call.status();
  planned.update.entry.action = call->action;
  planned.update.entry.params = call->params;
  planned.note = note_of(entry);
  return planned;
}

absl::Status refuse_counter(v1::Update::Type type, const v1::CounterEntry& entry, const Program& program,
                            std::string_view engine) {
  if (type != v1::Update::MODIFY) return InvalidArgumentError("counter_entry: can only be modified");
  if (const auto counter = program.counter(entry.counter_id()); !counter.ok()) return counter.status();
  return refuse_feature(engine, Feature::counter_write);
}

absl::StatusOr<Planned> plan(const v1::Update& update, const Program& program, const engine::Engine& engine) {
  const auto& entity = update.entity();
  if (entity.has_table_entry()) return plan(update.type(), entity.table_entry(), program, engine);
  if (entity.has_counter_entry())
    return refuse_counter(update.type(), entity.counter_entry(), program, engine.name());
  return refuse_entity(entity, engine.name());
}

}  // namespace

std::vector<absl::Status> apply(const Updates& updates, const Program& program, engine::Engine& engine,
                                Notes& notes) {
  std::vector<absl::Status> results(static_cast<size_t>(updates.size()));
  std::vector<tables::Update> batch;
  std::vector<Note> batch_notes;
  std::vector<size_t> positions;
  for (int i = 0; i < updates.size(); ++i) {
    const auto& replication = updates[i].entity().packet_replication_engine_entry();
    if (replication.has_multicast_group_entry()) {
      const auto operation = operation_of(updates[i].type());
      results[static_cast<size_t>(i)] =
          operation.ok() ? apply_group(updates[i].type(), replication.multicast_group_entry(), engine, notes) : operation.status();
      continue;
    }
    auto planned = plan(updates[i], program, engine);
    if (!planned.ok()) {
      results[static_cast<size_t>(i)] = planned.status();
      continue;
    }
    batch.push_back(planned->update);
    batch_notes.push_back(std::move(planned->note));
    positions.push_back(static_cast<size_t>(i));
  }
  if (batch.empty()) return results;
  const auto applied = engine.tables().apply(batch);
  for (size_t i = 0; i < applied.size(); ++i) {
    results[positions[i]] = applied[i];
    if (applied[i].ok()) notes.set(batch[i].entry.table, batch[i].entry.key, std::move(batch_notes[i]));
  }
  return results;
}

void clear_controller_entries(tables::TableService& service, Notes& notes) {
  std::vector<tables::Update> removals;
  for (size_t i = 0; i < service.table_count(); ++i)
    service.read(static_cast<tables::TableId>(i), 0, std::numeric_limits<size_t>::max(),
                 [&](const tables::Entry& entry) {
                   if (entry.origin == tables::Origin::controller)
                     removals.push_back({tables::Operation::remove, entry});
                 });
  if (!removals.empty()) service.apply(removals);
  notes.clear();
}

}  // namespace sluice::p4runtime
