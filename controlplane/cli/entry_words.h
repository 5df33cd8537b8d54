// A table entry as it is typed: dst=10.9.0.0/16 via port=right next_hop=10.0.2.2
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace sluice::cli {

using NamedWords = std::vector<std::pair<std::string, std::string>>;

struct EntryWords {
  NamedWords match;
  std::string action;  // empty where none is given
  NamedWords params;
};

// What is before the first word without '=' is the match, that word is the action, the rest its
// parameters; or what is wrong.
tl::expected<EntryWords, std::string> parse_entry_words(std::span<const std::string> words);

}  // namespace sluice::cli
