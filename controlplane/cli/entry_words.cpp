#include "controlplane/cli/entry_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::cli {

tl::expected<EntryWords, std::string> parse_entry_words(std::span<const std::string> words) {
  EntryWords entry;
  for (const auto& word : words) {
    const auto equals = word.find('=');
    if (equals == word.npos) {
      if (!entry.action.empty())
        return tl::unexpected(
            fmt::format("'{}' is not NAME=VALUE, and the action is already '{}'", word, entry.action));
      if (word.empty()) return tl::unexpected(std::string("'' is neither NAME=VALUE nor an action"));
      entry.action = word;
      continue;
    }
    auto& named = entry.action.empty() ? entry.match : entry.params;
    auto name = word.substr(0, equals);
    if (name.empty()) return tl::unexpected(fmt::format("'{}' has no name before '='", word));
    if (std::any_of(named.begin(), named.end(), [&](const auto& given) { return given.first == name; }))
      return tl::unexpected(fmt::format("'{}' is given twice", name));
    named.emplace_back(std::move(name), word.substr(equals + 1));
  }
  return entry;
}

}  // namespace sluice::cli
