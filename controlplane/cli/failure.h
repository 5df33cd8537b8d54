// How a command ends when it cannot do its work: one line for people and an exit code for programs.
//
// A command either prints its result or throws a Failure; main() alone turns it into a line on stderr.
#pragma once

#include <stdexcept>
#include <string>

namespace sluice::cli {

enum class ExitCode { ok = 0, refused = 1, usage = 2, unreachable = 3 };

struct Failure : std::runtime_error {
  Failure(ExitCode exit_code, const std::string& line) : std::runtime_error(line), code(exit_code) {}
  ExitCode code;
};

}  // namespace sluice::cli
