// Reads the text of a .spec file. Total: any text gives a program or the line at fault.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "dataplane/p4/spec/program.h"

namespace sluice::p4::spec {

// `text` is `file:line: what was found, what was expected`.
struct ReadError {
  unsigned line;
  std::string text;
};

tl::expected<Program, ReadError> read(std::string_view text, std::string_view file);

}  // namespace sluice::p4::spec
