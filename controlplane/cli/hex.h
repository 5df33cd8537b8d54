// Packets written as hexadecimal digits.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace sluice::cli {

// Nothing but digits and what people put between them: spaces, newlines, colons, dashes, a leading 0x.
bool looks_like_hex(std::string_view text);

// The digits alone, in pairs and lower case; or what is wrong with them.
tl::expected<std::string, std::string> hex_digits(std::string_view text);

std::string to_hex(std::span<const unsigned char> bytes);

}  // namespace sluice::cli
