// Colours, for terminals only.
#pragma once

#include <string>
#include <string_view>

namespace sluice::cli {

enum class Paint { plain, heading, good, bad, notable };

// False where stdout is no terminal, or the user says NO_COLOR (https://no-color.org).
bool colours_wanted();

std::string painted(std::string_view text, Paint paint, bool colour);

}  // namespace sluice::cli
