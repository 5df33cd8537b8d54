#include "dataplane/tables/service.h"

#include <fmt/format.h>

#include <algorithm>

#include "dataplane/tables/text.h"

namespace sluice::tables {

TableService::TableService(std::function<void()> synchronize, uint16_t port_count)
    : synchronize_(std::move(synchronize)), port_count_(port_count) {}

TableId TableService::add(std::unique_ptr<Table> table) {
  tables_.push_back({std::move(table), {}});
  return static_cast<TableId>(tables_.size() - 1);
}

std::vector<absl::Status> TableService::apply(std::span<const Update> batch) {
  const std::lock_guard lock(mutex_);
  std::vector<absl::Status> results;
  results.reserve(batch.size());
  for (const auto& update : batch) results.push_back(apply_one(update));
  if (std::any_of(results.begin(), results.end(), [](const auto& status) { return status.ok(); })) publish_all();
  return results;
}

absl::Status TableService::apply(const Update& update) { return apply(std::span(&update, 1)).front(); }

absl::Status TableService::upsert(const Entry& entry) {
  const std::lock_guard lock(mutex_);
  const bool there = slot(entry.table).entries.contains(entry.key);
  auto status = apply_one({there ? Operation::modify : Operation::insert, entry});
  if (status.ok()) publish_all();
  return status;
}

absl::Status TableService::apply_one(const Update& update) {
  const Entry& entry = update.entry;
  if (static_cast<size_t>(entry.table) >= tables_.size()) return absl::NotFoundError("no such table");
  auto& [table, entries] = slot(entry.table);
  const auto& schema = table->schema();
  if (auto status = validate(schema, entry, port_count_); !status.ok()) return status;

  const auto found = entries.find(entry.key);
  switch (update.operation) {
    case Operation::insert: {
      if (found != entries.end())
        return absl::AlreadyExistsError(fmt::format("{}: entry exists already: {}", schema.name, key_text(schema, entry.key)));
      if (entries.size() >= schema.capacity)
        return absl::ResourceExhaustedError(fmt::format("{}: table is full ({} entries)", schema.name, schema.capacity));
      if (auto status = table->insert(entry); !status.ok()) return status;
      entries.emplace(entry.key, entry);
      return absl::OkStatus();
    }
    case Operation::modify: {
      if (found == entries.end())
        return absl::NotFoundError(fmt::format("{}: no such entry: {}", schema.name, key_text(schema, entry.key)));
      if (auto status = table->modify(found->second, entry); !status.ok()) return status;
      found->second = entry;
      return absl::OkStatus();
    }
    case Operation::remove: {
      if (found == entries.end())
        return absl::NotFoundError(fmt::format("{}: no such entry: {}", schema.name, key_text(schema, entry.key)));
      table->remove(found->second);
      entries.erase(found);
      return absl::OkStatus();
    }
  }
  return absl::InvalidArgumentError("operation: not insert, modify or remove");
}

void TableService::publish_all() {
  for (auto& slot : tables_) slot.table->publish();
  synchronize_();
  for (auto& slot : tables_) slot.table->reclaim();
}

std::optional<Entry> TableService::find(TableId table, const Key& key) const {
  const std::lock_guard lock(mutex_);
  const auto& entries = slot(table).entries;
  const auto found = entries.find(key);
  return found == entries.end() ? std::nullopt : std::optional(found->second);
}

void TableService::read(TableId table, size_t skip, size_t limit,
                        const std::function<void(const Entry&)>& visit) const {
  const std::lock_guard lock(mutex_);
  const auto& entries = slot(table).entries;
  if (skip >= entries.size()) return;
  auto next = std::next(entries.begin(), static_cast<std::ptrdiff_t>(skip));
  for (; next != entries.end() && limit > 0; ++next, --limit) visit(next->second);
}

void TableService::while_unchanged(const std::function<void()>& read_only) const {
  const std::lock_guard lock(mutex_);
  read_only();
}

size_t TableService::size(TableId table) const {
  const std::lock_guard lock(mutex_);
  return slot(table).entries.size();
}

const TableSchema& TableService::schema(TableId table) const { return slot(table).table->schema(); }

absl::StatusOr<TableId> TableService::table_by_name(std::string_view name) const {
  std::string known;
  for (size_t i = 0; i < tables_.size(); ++i) {
    const auto candidate = tables_[i].table->schema().name;
    if (candidate == name) return static_cast<TableId>(i);
    known += fmt::format("{}{}", i ? ", " : "", candidate);
  }
  return absl::NotFoundError(fmt::format("table: '{}' does not exist (there are {})", name, known));
}

absl::Status validate(const TableSchema& schema, const Entry& entry, uint16_t port_count) {
  const auto complain = [&](std::string_view field, const std::string& what) {
    return absl::InvalidArgumentError(fmt::format("{}.{}: {}", schema.name, field, what));
  };
  const auto check_value = [&](std::string_view name, Value value, uint16_t bits, Format format) -> absl::Status {
    if (value & ~low_mask(bits)) return complain(name, fmt::format("{} needs more than {} bits", hex_text(value), bits));
    if (format == Format::port && value >= port_count)
      return complain(name, fmt::format("port {} does not exist (there are {})", static_cast<uint64_t>(value), port_count));
    return absl::OkStatus();
  };

  for (size_t i = 0; i < schema.fields.size(); ++i) {
    const auto& field = schema.fields[i];
    const auto& [value, mask] = entry.key.match[i];
    if (value & ~mask) return complain(field.name, fmt::format("{} has bits outside its mask", hex_text(value)));
    const auto format = field.kind == MatchKind::exact ? field.format : Format::integer;
    if (auto status = check_value(field.name, value, field.bits, format); !status.ok()) return status;
    if (mask & ~low_mask(field.bits)) return complain(field.name, fmt::format("mask {} needs more than {} bits", hex_text(mask), field.bits));
    if (field.kind == MatchKind::exact && mask != low_mask(field.bits))
      return complain(field.name, "an exact match takes no mask");
    if (field.kind == MatchKind::lpm) {
      const Value host = low_mask(field.bits) & ~mask;
      if (host & (host + 1)) return complain(field.name, fmt::format("mask {} is not a prefix", hex_text(mask)));
    }
  }
  if (schema.has_priority() != (entry.key.priority > 0))
    return complain("priority", schema.has_priority() ? "must be above 0 for a table with ternary fields"
                                                      : "is only for tables with ternary fields");
  if (static_cast<size_t>(entry.action) >= schema.actions.size()) return complain("action", "does not exist");
  const auto& action = schema.actions[static_cast<size_t>(entry.action)];
  for (size_t i = 0; i < action.params.size(); ++i) {
    const auto& param = action.params[i];
    if (auto status = check_value(param.name, entry.params[i], param.bits, param.format); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace sluice::tables
