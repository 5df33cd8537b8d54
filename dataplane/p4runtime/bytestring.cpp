#include "dataplane/p4runtime/bytestring.h"

#include <fmt/format.h>

namespace sluice::p4runtime {

absl::StatusOr<tables::Value> decode(std::string_view bytes, unsigned bits) {
  if (bytes.empty()) return absl::OutOfRangeError("the byte string is empty");
  const auto overflow = [&] {
    return absl::OutOfRangeError(fmt::format("the value needs more than {} bits", bits));
  };
  tables::Value value = 0;
  for (const char byte : bytes) {
    if (value >> 120 != 0) return overflow();
    value = value << 8 | static_cast<uint8_t>(byte);
  }
  if ((value & ~tables::low_mask(bits)) != 0) return overflow();
  return value;
}

std::string encode(tables::Value value) {
  std::string bytes;
  do {
    bytes.insert(bytes.begin(), static_cast<char>(value & 0xff));
    value >>= 8;
  } while (value != 0);
  return bytes;
}

}  // namespace sluice::p4runtime
