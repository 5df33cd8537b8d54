// P4Runtime's byte strings: unsigned integers of any width, big-endian (P4Runtime §8.4).
#pragma once

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "dataplane/tables/value.h"

namespace sluice::p4runtime {

// Takes leading zeros, as a server must; OUT_OF_RANGE where the string is empty or its value needs more bits.
absl::StatusOr<tables::Value> decode(std::string_view bytes, unsigned bits);

// The canonical form: as short as the value allows, one byte for 0.
std::string encode(tables::Value value);

}  // namespace sluice::p4runtime
