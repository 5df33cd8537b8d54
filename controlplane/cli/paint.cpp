#include "controlplane/cli/paint.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

namespace sluice::cli {
namespace {

// ECMA-48, 8.3.117: select graphic rendition.
std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "0";
    case Paint::heading:
      return "1";
    case Paint::good:
      return "32";
    case Paint::bad:
      return "31";
    case Paint::notable:
      return "33";
  }
  return "0";
}

}  // namespace

bool colours_wanted() {
  const char* no_color = std::getenv("NO_COLOR");
  return ::isatty(STDOUT_FILENO) && !(no_color && *no_color);
}

std::string painted(std::string_view text, Paint paint, bool colour) {
  if (!colour || paint == Paint::plain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", code_of(paint), text);
}

}  // namespace sluice::cli
