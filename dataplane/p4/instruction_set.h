// What each instruction of the SWX pipeline reads, writes and jumps to: one table for all that looks at a
// program.
#pragma once

#include <string_view>
#include <vector>

#include "dataplane/p4/spec/program.h"

namespace sluice::p4 {

// What stands in one place behind the operation.
enum class Role : uint8_t {
  write,       // a field
  read,        // a field
  read_write,  // a field
  value,       // a field or a number
  summand,     // a field or a whole header
  header,
  label,
  action,
  registers,
  meters,
  table,  // or a learner
  function,
};

enum class Flow : uint8_t {
  next,
  jump,    // always to its label
  branch,  // to its label, or on
  end,     // of the packet's way (tx, drop), or of the action (return)
};

struct Shape {
  std::string_view operation;
  Flow flow;
  std::vector<Role> roles;
  size_t optional = 0;  // so many at the end may be left out
};

// nullptr where this engine does not run the operation.
const Shape* shape_of(std::string_view operation);

inline bool ends_packet(const spec::Instruction& instruction) {
  return instruction.words[0] == "tx" || instruction.words[0] == "drop";
}

}  // namespace sluice::p4
