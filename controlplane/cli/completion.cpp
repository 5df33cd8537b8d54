#include "controlplane/cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "controlplane/cli/entry_words.h"

namespace sluice::cli {
namespace {

using Words = std::vector<std::string>;

// Where the words before the current one have led.
struct Place {
  const CLI::App* command;
  const CLI::Option* open_option = nullptr;  // that waits for its value
  Words positionals;
};

// Options of a command's parents are its own too.
const CLI::Option* find_option(const CLI::App* command, const std::string& name) {
  for (; command; command = command->get_parent())
    if (const auto* option = command->get_option_no_throw(name)) return option;
  return nullptr;
}

Words subcommands_of(const CLI::App& command) {
  Words names;
  for (const auto* each : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  return names;
}

Place follow(const CLI::App& app, std::span<const std::string> words) {
  Place place{&app, nullptr, {}};
  for (const auto& word : words) {
    const auto subcommands = subcommands_of(*place.command);
    if (place.open_option) {
      place.open_option = nullptr;
    } else if (word.starts_with('-') && word.size() > 1) {
      const auto* option = find_option(place.command, word);
      if (option && option->get_items_expected_min() > 0) place.open_option = option;
    } else if (std::find(subcommands.begin(), subcommands.end(), word) != subcommands.end()) {
      place.command = place.command->get_subcommand(word);
    } else {
      place.positionals.push_back(word);
    }
  }
  return place;
}

Words options_of(const CLI::App* command) {
  Words names;
  for (; command; command = command->get_parent())
    for (const auto* option : command->get_options())
      for (const auto& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

Words names_in(const Json& items) {
  Words names;
  for (const auto& item : items) names.push_back(item.at("name").get<std::string>());
  return names;
}

const Json* named(const Json& items, const std::string& name) {
  const auto found =
      std::find_if(items.begin(), items.end(), [&](const Json& item) { return item.at("name") == name; });
  return found == items.end() ? nullptr : &*found;
}

// NAME= for what is not given yet; NAME=PORT once a port's name is being typed.
void add_assignments(Words& result, const Json& schema, const NamedWords& given, const std::string& current,
                     const Ask& ask) {
  for (const auto& item : schema) {
    const auto name = item.at("name").get<std::string>();
    const bool is_given =
        std::any_of(given.begin(), given.end(), [&](const auto& each) { return each.first == name; });
    if (is_given) continue;
    if (item.at("format") == "port" && current.starts_with(name + "="))
      for (const auto& port : names_in(ask("ports"))) result.push_back(name + "=" + port);
    else
      result.push_back(name + "=");
  }
}

Words entry_words(const Place& place, const std::string& current, const Ask& ask) {
  const auto tables = ask("tables");
  const auto* table = named(tables, place.positionals.front());
  const auto typed = parse_entry_words(std::span(place.positionals).subspan(1));
  Words result;
  if (!table || !typed) return result;
  if (typed->action.empty()) {
    add_assignments(result, table->at("fields"), typed->match, current, ask);
    if (place.command->get_name() != "remove")
      for (auto& action : names_in(table->at("actions"))) result.push_back(std::move(action));
  } else if (const auto* action = named(table->at("actions"), typed->action)) {
    add_assignments(result, action->at("params"), typed->params, current, ask);
  }
  return result;
}

Words candidates(const Place& place, const std::string& current, const Ask& ask) {
  if (place.open_option) return place.open_option->check_lname("port") ? names_in(ask("ports")) : Words{};
  if (current.starts_with('-')) return options_of(place.command);
  if (auto commands = subcommands_of(*place.command); !commands.empty())
    return place.positionals.empty() ? commands : Words{};
  if (place.command->get_name() == "completion") return {"bash", "zsh", "fish"};
  const auto* parent = place.command->get_parent();
  if (!parent || parent->get_name() != "table") return {};
  if (place.positionals.empty()) return names_in(ask("tables"));
  return place.command->get_name() == "dump" ? Words{} : entry_words(place, current, ask);
}

}  // namespace

std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words,
                                     const Ask& ask) {
  if (words.empty()) return {};
  const auto& current = words.back();
  auto found = candidates(follow(app, words.first(words.size() - 1)), current, ask);
  std::erase_if(found, [&](const std::string& word) { return !word.starts_with(current); });
  return found;
}

std::string socket_among(std::span<const std::string> words) {
  constexpr std::string_view assigned = "--socket=";
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i].starts_with(assigned)) return words[i].substr(assigned.size());
    if ((words[i] == "--socket" || words[i] == "-s") && i + 1 < words.size()) return words[i + 1];
  }
  return "";
}

}  // namespace sluice::cli
