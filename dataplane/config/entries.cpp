#include "dataplane/config/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "dataplane/graph/ids.h"

namespace sluice::config {
namespace {

absl::Status at_entry(size_t i, const absl::Status& status) {
  return absl::Status(status.code(), fmt::format("entries[{}]: {}", i, std::string(status.message())));
}

}  // namespace

tables::Names names_of(const Config& config) {
  tables::Names names;
  for (const auto& port : config.ports()) names.ports.push_back(port.name());
  for (const auto& cause : kPuntCauses) names.causes.emplace_back(cause.name);
  return names;
}

absl::Status check_entries(const Config& config, std::span<const tables::TableSchema> schemas) {
  const auto names = names_of(config);
  const auto ports = static_cast<uint16_t>(config.ports_size());
  std::vector<std::set<tables::Key>> seen(schemas.size());
  for (int i = 0; i < config.entries_size(); ++i) {
    const auto fail = [i](const absl::Status& status) { return at_entry(static_cast<size_t>(i), status); };
    const auto text = to_entry_text(config.entries(i));
    const auto schema =
        std::find_if(schemas.begin(), schemas.end(), [&](const auto& s) { return s.name == text.table; });
    if (schema == schemas.end())
      return fail(absl::NotFoundError(fmt::format("table: '{}' does not exist", text.table)));
    const auto index = static_cast<size_t>(schema - schemas.begin());
    const auto entry = tables::entry_from_text(static_cast<tables::TableId>(index), *schema, text, names);
    if (!entry.ok()) return fail(entry.status());
    if (auto status = tables::validate(*schema, *entry, ports); !status.ok()) return fail(status);
    if (!seen[index].insert(entry->key).second)
      return fail(absl::AlreadyExistsError(fmt::format("{}: entry is given twice: {}", schema->name,
                                                       tables::key_text(*schema, entry->key, names))));
    if (seen[index].size() > schema->capacity)
      return fail(absl::ResourceExhaustedError(
          fmt::format("{}: more than {} entries", schema->name, schema->capacity)));
  }
  return absl::OkStatus();
}

absl::Status write_entries(const Config& config, tables::TableService& service) {
  const auto names = names_of(config);
  std::vector<tables::Update> updates;
  for (int i = 0; i < config.entries_size(); ++i) {
    const auto text = to_entry_text(config.entries(i));
    const auto table = service.table_by_name(text.table);
    const auto entry =
        table.ok() ? tables::entry_from_text(*table, service.schema(*table), text, names) : table.status();
    if (!entry.ok()) return at_entry(static_cast<size_t>(i), entry.status());
    updates.push_back({tables::Operation::insert, *entry});
  }
  const auto results = service.apply(updates);
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].ok()) return at_entry(i, results[i]);
  return absl::OkStatus();
}

}  // namespace sluice::config
