#include "dataplane/control/table_commands.h"

#include <fmt/format.h>

#include <map>

namespace sluice::control {
namespace {

using nlohmann::ordered_json;
using tables::Operation;

constexpr size_t kDumpLimit = 10000;

std::string_view name_of(tables::Origin origin) {
  switch (origin) {
    case tables::Origin::config: return "config";
    case tables::Origin::agent: return "agent";
    case tables::Origin::operator_: return "operator";
    case tables::Origin::controller: return "controller";
  }
  return "";
}

ordered_json entry_json(const tables::TableSchema& schema, const tables::Entry& entry, const tables::Names& names) {
  auto match = ordered_json::object(), params = ordered_json::object();
  for (size_t i = 0; i < schema.fields.size(); ++i)
    match[std::string(schema.fields[i].name)] = tables::match_text(schema.fields[i], entry.key.match[i], names);
  const auto& action = schema.actions[static_cast<size_t>(entry.action)];
  for (size_t i = 0; i < action.params.size(); ++i)
    params[std::string(action.params[i].name)] = tables::value_text(entry.params[i], action.params[i].format, names);
  ordered_json result{{"match", match}, {"action", action.name}, {"params", params}, {"origin", name_of(entry.origin)}};
  if (schema.has_priority()) result["priority"] = entry.key.priority;
  return result;
}

std::vector<tables::NamedText> named_texts(const ordered_json& object) {
  std::vector<tables::NamedText> result;
  for (const auto& [name, value] : object.items())
    result.push_back({name, value.is_string() ? value.get<std::string>() : value.dump()});
  return result;
}

// Of an entry that is to be removed only the key is read.
absl::StatusOr<tables::Entry> entry_from_json(const tables::TableService& service, const ordered_json& json,
                                              const tables::Names& names, bool key_only) {
  tables::EntryText text;
  text.table = json.value("table", "");
  text.priority = json.value("priority", 0u);
  text.match = named_texts(json.value("match", ordered_json::object()));
  text.params = named_texts(json.value("params", ordered_json::object()));
  const auto table = service.table_by_name(text.table);
  if (!table.ok()) return table.status();
  const auto& schema = service.schema(*table);
  text.action = json.value("action", "");
  if (!key_only) return tables::entry_from_text(*table, schema, text, names);
  const auto key = tables::key_from_text(schema, text, names);
  if (!key.ok()) return key.status();
  tables::Entry entry;
  entry.table = *table;
  entry.key = *key;
  return entry;
}

}  // namespace

ordered_json table_list(const engine::LocalEngine& engine) {
  const auto& service = engine.tables();
  auto result = ordered_json::array();
  for (size_t i = 0; i < service.table_count(); ++i) {
    const auto id = static_cast<tables::TableId>(i);
    const auto& schema = service.schema(id);
    auto fields = ordered_json::array(), actions = ordered_json::array();
    for (const auto& field : schema.fields)
      fields.push_back({{"name", field.name}, {"bits", field.bits}, {"match", tables::name_of(field.kind)}, {"format", tables::name_of(field.format)}});
    for (const auto& action : schema.actions) {
      auto params = ordered_json::array();
      for (const auto& param : action.params)
        params.push_back({{"name", param.name}, {"bits", param.bits}, {"format", tables::name_of(param.format)}});
      actions.push_back({{"name", action.name}, {"params", params}});
    }
    result.push_back({{"name", schema.name}, {"entries", service.size(id)}, {"capacity", schema.capacity},
                      {"update", schema.update}, {"fields", fields}, {"actions", actions}});
  }
  return result;
}

absl::StatusOr<ordered_json> table_dump(const engine::LocalEngine& engine, const ordered_json& request) {
  const auto& service = engine.tables();
  const auto table = service.table_by_name(request.value("table", ""));
  if (!table.ok()) return table.status();
  const size_t skip = request.value("skip", size_t{0}), limit = std::min(request.value("limit", kDumpLimit), kDumpLimit);
  const auto& schema = service.schema(*table);
  auto entries = ordered_json::array();
  service.read(*table, skip, limit, [&](const tables::Entry& entry) { entries.push_back(entry_json(schema, entry, engine.names())); });
  return ordered_json{{"table", schema.name}, {"size", service.size(*table)}, {"skip", skip}, {"entries", entries}};
}

absl::StatusOr<ordered_json> table_write(engine::LocalEngine& engine, const ordered_json& request) {
  static const std::map<std::string, Operation> operations{
      {"insert", Operation::insert}, {"modify", Operation::modify}, {"remove", Operation::remove}};
  const auto operation = operations.find(request.value("operation", ""));
  if (operation == operations.end())
    return absl::InvalidArgumentError(fmt::format("operation: '{}' is not insert, modify or remove", request.value("operation", "")));
  auto& service = engine.tables();
  std::vector<tables::Update> updates;
  const auto entries = request.value("entries", ordered_json::array());
  for (size_t i = 0; i < entries.size(); ++i) {
    auto entry = entry_from_json(service, entries[i], engine.names(), operation->second == Operation::remove);
    if (!entry.ok()) return absl::Status(entry.status().code(), fmt::format("entries[{}]: {}", i, std::string(entry.status().message())));
    entry->origin = tables::Origin::operator_;
    updates.push_back({operation->second, *entry});
  }
  auto errors = ordered_json::array();
  const auto results = service.apply(updates);
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].ok())
      errors.push_back({{"entry", i}, {"code", absl::StatusCodeToString(results[i].code())}, {"error", std::string(results[i].message())}});
  return ordered_json{{"applied", updates.size() - errors.size()}, {"errors", errors}};
}

}  // namespace sluice::control
