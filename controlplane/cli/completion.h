// Shell completion. The scripts are thin: they ask `sluice __complete WORDS...`, which knows the commands
// from the parser itself and asks the daemon for the rest.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "controlplane/cli/client.h"

namespace CLI {
class App;
}

namespace sluice::cli {

// What can stand at the place of the last word, which may be empty, after the words before it. `ask`
// gives the result of a daemon's command, or null where there is no daemon.
using Ask = std::function<Json(const std::string& command)>;
std::vector<std::string> completions(const CLI::App& app, std::span<const std::string> words, const Ask& ask);

// The value of --socket among the words; empty where there is none.
std::string socket_among(std::span<const std::string> words);

// For bash, zsh or fish.
std::string completion_script(const std::string& shell);

}  // namespace sluice::cli
