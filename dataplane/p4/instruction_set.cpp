#include "dataplane/p4/instruction_set.h"

#include <algorithm>

namespace sluice::p4 {
namespace {

using enum Role;

// `recirculate` is not here: a packet that comes round again has no arrival header, and nobody has checked
// the length of what its parser extracts then. `extern` neither: there are no extern objects.
const std::vector<Shape>& shapes() {
  static const std::vector<Shape> all = {
      {"rx", Flow::next, {write}},
      {"tx", Flow::end, {value}},
      {"drop", Flow::end, {}},
      {"return", Flow::end, {}},
      {"mirror", Flow::next, {read, read}},
      {"recircid", Flow::next, {write}},
      {"extract", Flow::next, {header, read}, 1},
      {"lookahead", Flow::next, {header}},
      {"emit", Flow::next, {header}},
      {"validate", Flow::next, {header}},
      {"invalidate", Flow::next, {header}},
      {"mov", Flow::next, {write, value}},
      {"add", Flow::next, {read_write, value}},
      {"sub", Flow::next, {read_write, value}},
      {"and", Flow::next, {read_write, value}},
      {"or", Flow::next, {read_write, value}},
      {"xor", Flow::next, {read_write, value}},
      {"shl", Flow::next, {read_write, value}},
      {"shr", Flow::next, {read_write, value}},
      {"ckadd", Flow::next, {read_write, summand}},
      {"cksub", Flow::next, {read_write, read}},
      {"regprefetch", Flow::next, {registers, value}},
      {"regrd", Flow::next, {write, registers, value}},
      {"regwr", Flow::next, {registers, value, value}},
      {"regadd", Flow::next, {registers, value, value}},
      {"metprefetch", Flow::next, {meters, value}},
      {"meter", Flow::next, {meters, value, read, value, write}},
      {"table", Flow::next, {table}},
      {"learn", Flow::next, {action, read, read}, 1},
      {"rearm", Flow::next, {read}, 1},
      {"forget", Flow::next, {}},
      {"entryid", Flow::next, {write}},
      {"hash", Flow::next, {function, write, read, read}},
      {"jmp", Flow::jump, {label}},
      {"jmpv", Flow::branch, {label, header}},
      {"jmpnv", Flow::branch, {label, header}},
      {"jmph", Flow::branch, {label}},
      {"jmpnh", Flow::branch, {label}},
      {"jmpa", Flow::branch, {label, action}},
      {"jmpna", Flow::branch, {label, action}},
      {"jmpeq", Flow::branch, {label, read, value}},
      {"jmpneq", Flow::branch, {label, read, value}},
      {"jmplt", Flow::branch, {label, value, value}},
      {"jmpgt", Flow::branch, {label, value, value}},
  };
  return all;
}

}  // namespace

const Shape* shape_of(std::string_view operation) {
  const auto found = std::find_if(shapes().begin(), shapes().end(),
                                  [&](const Shape& shape) { return shape.operation == operation; });
  return found == shapes().end() ? nullptr : &*found;
}

}  // namespace sluice::p4
