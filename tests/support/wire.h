// What tests of codecs share: bytes from hexadecimal text, and a value emitted into bytes of its own.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "dataplane/wire/bytes.h"

namespace sluice::testing {

// Spaces may stand anywhere.
inline std::vector<uint8_t> from_hex(std::string_view text) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    throw std::invalid_argument("not a hexadecimal digit");
  };
  std::vector<uint8_t> bytes;
  int high = -1;
  for (char c : text) {
    if (c == ' ') continue;
    if (high < 0) {
      high = digit(c);
    } else {
      bytes.push_back(static_cast<uint8_t>(high << 4 | digit(c)));
      high = -1;
    }
  }
  if (high >= 0) throw std::invalid_argument("odd number of hexadecimal digits");
  return bytes;
}

inline std::vector<uint8_t> to_vector(wire::Bytes bytes) { return {bytes.begin(), bytes.end()}; }

// Everything that emit() writes for this value; throws where it refuses to.
template <class View>
std::vector<uint8_t> emitted(const View& view) {
  std::vector<uint8_t> buffer(65536 + 256);
  wire::Writer out(buffer);
  emit(view, out);
  if (!out.ok()) throw std::runtime_error("emit() refused");
  return to_vector(out.written());
}

}  // namespace sluice::testing
