// Tables: what there is, what is in them, and one entry written.
#include <fmt/format.h>

#include "controlplane/cli/commands.h"
#include "controlplane/cli/entry_words.h"
#include "controlplane/cli/failure.h"
#include "controlplane/cli/quantity.h"
#include "controlplane/cli/text_table.h"

namespace sluice::cli {
namespace {

std::string joined(const Json& items, const char* separator, const auto& text_of) {
  std::string result;
  for (const auto& item : items) result += (result.empty() ? "" : separator) + text_of(item);
  return result;
}

std::string name_of(const Json& item) { return item.at("name").get<std::string>(); }

std::string field_text(const Json& field) {
  return fmt::format("{} ({}, {}, {} bits)", name_of(field), field.at("match").get<std::string>(),
                     field.at("format").get<std::string>(), field.at("bits").get<unsigned>());
}

std::string action_text(const Json& action) {
  const auto params = joined(action.at("params"), ", ", name_of);
  return params.empty() ? name_of(action) : fmt::format("{}({})", name_of(action), params);
}

// Reads a table page by page. An entry that comes or goes meanwhile may be missed or met twice.
void for_each_page(const Client& client, const std::string& table, const auto& take) {
  for (size_t skip = 0;;) {
    const auto page = client.ask({{"command", "table_dump"}, {"table", table}, {"skip", skip}});
    take(page);
    const size_t got = page.at("entries").size();
    skip += got;
    if (got == 0 || skip >= page.at("size").get<size_t>()) return;
  }
}

void dump_as_json(const Client& client, const std::string& table) {
  bool first = true;
  for_each_page(client, table, [&](const Json& page) {
    if (page.at("skip").get<size_t>() == 0)
      print(fmt::format(R"({{"table":{},"size":{},"entries":[)", page.at("table").dump(),
                        page.at("size").get<size_t>()));
    for (const auto& entry : page.at("entries")) {
      print((first ? "" : ",") + entry.dump());
      first = false;
    }
  });
  print(std::string("]}"));
}

std::vector<Column> columns_for(const Json& entry) {
  std::vector<Column> columns;
  for (const auto& [field, value] : entry.at("match").items()) columns.push_back({field});
  if (entry.contains("priority")) columns.push_back({"priority", Align::right});
  for (const char* heading : {"action", "parameters", "origin"}) columns.push_back({heading});
  return columns;
}

std::vector<Cell> row_of(const Json& entry) {
  std::vector<Cell> row;
  for (const auto& value : entry.at("match")) row.emplace_back(value.get<std::string>());
  if (entry.contains("priority")) row.emplace_back(fmt::format("{}", entry.at("priority").get<unsigned>()));
  row.emplace_back(entry.at("action").get<std::string>());
  std::string params;
  for (const auto& [name, value] : entry.at("params").items())
    params += fmt::format("{}{}={}", params.empty() ? "" : " ", name, value.get<std::string>());
  row.emplace_back(params);
  row.emplace_back(entry.at("origin").get<std::string>());
  return row;
}

void dump_as_text(const Session& session, const std::string& table) {
  // Rows take less room than the JSON that they come from, which is gone with its page.
  std::vector<std::vector<Cell>> rows;
  std::vector<Column> columns;
  for_each_page(session.client, table, [&](const Json& page) {
    for (const auto& entry : page.at("entries")) {
      if (columns.empty()) columns = columns_for(entry);
      rows.push_back(row_of(entry));
    }
  });
  print(
      fmt::format("{}: {}\n", painted(table, Paint::heading, session.colour), plural(rows.size(), "entry")));
  if (rows.empty()) return;
  TextTable text(std::move(columns));
  for (auto& row : rows) text.add(std::move(row));
  print(text.text(session.colour));
}

Json object_of(const NamedWords& words) {
  auto object = Json::object();
  for (const auto& [name, value] : words) object[name] = value;
  return object;
}

EntryWords words_of(const EntryRequest& request) {
  auto words = parse_entry_words(request.words);
  if (!words) throw Failure(ExitCode::usage, fmt::format("table {}: {}", request.operation, words.error()));
  const bool removes = request.operation == "remove";
  if (removes && !words->action.empty())
    throw Failure(ExitCode::usage,
                  fmt::format("table remove: takes only FIELD=VALUE, and '{}' is not", words->action));
  if (!removes && words->action.empty())
    throw Failure(ExitCode::usage,
                  fmt::format("table {}: an action is missing after the match", request.operation));
  return *std::move(words);
}

// One entry is written, so that its place in the request says nothing to the user.
std::string without_position(std::string error) {
  constexpr std::string_view position = "entries[0]: ";
  return error.starts_with(position) ? error.substr(position.size()) : error;
}

Json written(const Client& client, const Json& request) {
  try {
    return client.ask(request);
  } catch (const Failure& failure) {
    throw Failure(failure.code, without_position(failure.what()));
  }
}

}  // namespace

void show_tables(const Session& session) {
  const auto tables = session.client.ask({{"command", "tables"}});
  if (session.json) return print(tables);
  for (const auto& table : tables)
    print(fmt::format(
        "{}{}: {} of {}\n  match    {}\n  actions  {}\n  update   {}\n",
        &table == &tables.front() ? "" : "\n", painted(name_of(table), Paint::heading, session.colour),
        with_separators(table.at("entries").get<uint64_t>()),
        plural(table.at("capacity").get<uint64_t>(), "entry"), joined(table.at("fields"), ", ", field_text),
        joined(table.at("actions"), ", ", action_text), table.at("update").get<std::string>()));
}

void dump_tables(const Session& session, const std::string& table) {
  std::vector<std::string> names;
  if (table.empty())
    for (const auto& each : session.client.ask({{"command", "tables"}})) names.push_back(name_of(each));
  else
    names.push_back(table);
  const bool as_list = session.json && table.empty();
  for (size_t i = 0; i < names.size(); ++i) {
    if (session.json) {
      if (as_list) print(std::string(i ? "," : "["));
      dump_as_json(session.client, names[i]);
    } else {
      if (i) print(std::string("\n"));
      dump_as_text(session, names[i]);
    }
  }
  if (session.json) print(std::string(as_list ? "]\n" : "\n"));
}

void write_entry(const Session& session, const EntryRequest& request) {
  const auto words = words_of(request);
  Json entry{{"table", request.table}, {"match", object_of(words.match)}, {"priority", request.priority}};
  if (!words.action.empty()) {
    entry["action"] = words.action;
    entry["params"] = object_of(words.params);
  }
  const auto result = written(session.client, {{"command", "table_write"},
                                               {"operation", request.operation},
                                               {"entries", Json::array({entry})}});
  for (const auto& error : result.at("errors"))
    throw Failure(ExitCode::refused, error.at("error").get<std::string>());
  if (session.json) return print(result);
  const std::string done = request.operation == "insert"   ? "inserted"
                           : request.operation == "modify" ? "modified"
                                                           : "removed";
  print(
      fmt::format("{}: {} {}\n", request.table, plural(result.at("applied").get<uint64_t>(), "entry"), done));
}

}  // namespace sluice::cli
