#include "controlplane/cli/hex.h"

#include <fmt/format.h>

#include <cctype>

namespace sluice::cli {
namespace {

bool is_digit(char c) { return std::isxdigit(static_cast<unsigned char>(c)); }
bool is_separator(char c) { return c == ':' || c == '-' || std::isspace(static_cast<unsigned char>(c)); }

std::string_view without_prefix(std::string_view text) {
  return text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text;
}

}  // namespace

bool looks_like_hex(std::string_view text) {
  bool any = false;
  for (const char c : without_prefix(text)) {
    if (!is_digit(c) && !is_separator(c)) return false;
    any |= is_digit(c);
  }
  return any;
}

tl::expected<std::string, std::string> hex_digits(std::string_view text) {
  std::string digits;
  for (const char c : without_prefix(text)) {
    if (is_separator(c)) continue;
    if (!is_digit(c)) return tl::unexpected(fmt::format("'{}' is not a hexadecimal digit", c));
    digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  if (digits.empty()) return tl::unexpected(std::string("no hexadecimal digits"));
  if (digits.size() % 2)
    return tl::unexpected(fmt::format("{} hexadecimal digits are half a byte too many", digits.size()));
  return digits;
}

std::string to_hex(std::span<const unsigned char> bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const unsigned char byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 0xf];
  }
  return text;
}

}  // namespace sluice::cli
