#include "dataplane/p4/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <string>

#include "dataplane/p4/instruction_set.h"
#include "dataplane/p4/virtual_ports.h"

namespace sluice::p4 {
namespace {

// Limits of rte_swx_pipeline 22.11. One header is kept for a source of zeros (see clearing.h).
constexpr size_t kMaxHeaders = 63;
constexpr uint32_t kMaxOffset = 255;       // operands hold their offset in 8 bits, in bytes
constexpr uint32_t kMaxHeaderBytes = 255;  // so does extract its length
constexpr uint32_t kMaxScalarBits = 64;    // arithmetic and comparison
constexpr uint32_t kMaxMoveBits = 248;     // a move's width is held in 8 bits
constexpr uint32_t kMaxHashOffset = 31;    // where a hash result lands: its offset in bits is cut to 8 bits
constexpr uint32_t kMaxWildcardBytes = 1 + 63 * 4;  // rte_acl: 64 fields, the first of one byte
constexpr size_t kMaxObjects = 256;  // tables, register arrays: their numbers are held in 8 bits

class Checker {
 public:
  explicit Checker(const Layout& layout) : layout_(layout), program_(layout.program()) {}

  absl::Status run() {
    for (auto step : {&Checker::objects, &Checker::headers, &Checker::tables, &Checker::learners,
                      &Checker::actions, &Checker::apply})
      if (auto status = (this->*step)(); !status.ok()) return status;
    return absl::OkStatus();
  }

 private:
  absl::Status fail(unsigned line, const std::string& what) const {
    return absl::InvalidArgumentError(fmt::format("{}:{}: {}", program_.file, line, what));
  }

  absl::Status objects() {
    if (!program_.externs.empty())
      return fail(program_.externs[0].line,
                  fmt::format("extobj '{}': extern objects are not supported", program_.externs[0].name));
    if (!program_.selectors.empty())
      return fail(program_.selectors[0].line, fmt::format("selector '{}': action selectors are not supported",
                                                          program_.selectors[0].name));
    // p4c and DPDK number colours differently, and p4c's programs compare with its own numbers.
    if (!program_.meters.empty())
      return fail(program_.meters[0].line,
                  fmt::format("metarray '{}': meters are not supported", program_.meters[0].name));
    if (program_.registers.size() > kMaxObjects || program_.tables.size() > kMaxObjects)
      return fail(1, fmt::format("more than {} register arrays or tables", kMaxObjects));
    for (const auto& array : program_.registers)
      if (array.size == 0) return fail(array.line, fmt::format("regarray '{}' has size 0", array.name));
    return absl::OkStatus();
  }

  absl::Status headers() {
    if (program_.headers.size() > kMaxHeaders)
      return fail(program_.headers[kMaxHeaders].line,
                  fmt::format("{} headers, at most {} fit", program_.headers.size(), kMaxHeaders));
    for (size_t i = 0; i < program_.headers.size(); ++i)
      if (const auto bytes = max_bytes(layout_.header_type(i)); bytes > kMaxHeaderBytes)
        return fail(program_.headers[i].line,
                    fmt::format("header '{}' has {} bytes, at most {} fit: split it",
                                program_.headers[i].name, bytes, kMaxHeaderBytes));
    return absl::OkStatus();
  }

  template <class Owner>
  absl::Status uses(const Owner& owner) {
    bool has_default = false;
    for (const auto& use : owner.actions) {
      if (!layout_.action(use.name))
        return fail(owner.line, fmt::format("table '{}': there is no action '{}'", owner.name, use.name));
      has_default |= use.name == owner.default_action.name && use.for_default;
    }
    if (!has_default)
      return fail(owner.line, fmt::format("table '{}': default action '{}' is not among its actions for that",
                                          owner.name, owner.default_action.name));
    const auto* type = layout_.arguments(*layout_.action(owner.default_action.name));
    const size_t wanted = type ? type->fields.size() : 0;
    if (owner.default_action.args.size() != 2 * wanted)
      return fail(owner.line,
                  fmt::format("table '{}': default action '{}' takes {} arguments, not {}", owner.name,
                              owner.default_action.name, wanted, owner.default_action.args.size() / 2));
    return absl::OkStatus();
  }

  // All in one header or all in the metadata, and each there. Returns first and last byte.
  absl::Status key(unsigned line, const std::string& table, const std::vector<std::string>& names,
                   bool adjacent) {
    std::set<std::pair<uint32_t, uint32_t>> places;
    std::optional<Operand> first;
    for (const auto& name : names) {
      const auto field = layout_.operand(name, nullptr);
      if (!field || field->space == Space::arguments || field->variable)
        return fail(line, fmt::format("table '{}': '{}' is no field to match on", table, name));
      if (!first) first = field;
      if (field->space != first->space || field->header != first->header)
        return fail(line, fmt::format("table '{}': key field '{}' is in another struct than '{}'", table,
                                      name, names[0]));
      if (!places.emplace(field->offset, field->bytes()).second)
        return fail(line, fmt::format("table '{}': key field '{}' is there twice", table, name));
    }
    const auto end = places.rbegin()->first + places.rbegin()->second;
    if (!adjacent && end - places.begin()->first > kMaxWildcardBytes)
      return fail(line, fmt::format("table '{}': key spans {} bytes, at most {} fit", table,
                                    end - places.begin()->first, kMaxWildcardBytes));
    // An exact table with holes in its key would silently become a list of rules, rebuilt at every change.
    uint32_t expected = places.begin()->first;
    for (const auto& [offset, bytes] : places) {
      if (adjacent && offset != expected)
        return fail(line, fmt::format("table '{}': the fields of an exact key must lie side by side", table));
      expected = offset + bytes;
    }
    return absl::OkStatus();
  }

  absl::Status tables() {
    std::set<std::string> names;
    for (const auto& table : program_.tables) {
      if (!names.insert(table.name).second)
        return fail(table.line, fmt::format("table '{}' is there twice", table.name));
      if (auto status = uses(table); !status.ok()) return status;
      if (table.key.empty()) continue;
      std::vector<std::string> fields;
      size_t exact = 0, lpm = 0;
      for (const auto& field : table.key) {
        fields.push_back(field.name);
        exact += field.kind == spec::MatchKind::exact;
        lpm += field.kind == spec::MatchKind::lpm;
      }
      if (lpm > 1 || (lpm == 1 && exact + 1 != table.key.size()))
        return fail(table.line,
                    fmt::format("table '{}': lpm goes with exact fields only, and once", table.name));
      if (table.size == 0) return fail(table.line, fmt::format("table '{}' has size 0", table.name));
      if (auto status = key(table.line, table.name, fields, exact == table.key.size()); !status.ok())
        return status;
    }
    return absl::OkStatus();
  }

  absl::Status learners() {
    for (const auto& learner : program_.learners) {
      if (auto status = uses(learner); !status.ok()) return status;
      if (learner.key.empty() || learner.size == 0 || learner.timeouts.empty())
        return fail(learner.line,
                    fmt::format("learner '{}' needs a key, a size and time-outs", learner.name));
      if (auto status = key(learner.line, learner.name, learner.key, true); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status actions() {
    std::set<std::string> names;
    for (const auto& action : program_.actions) {
      if (!names.insert(action.name).second)
        return fail(action.line, fmt::format("action '{}' is there twice", action.name));
      if (auto status = block(action.instructions, &action); !status.ok()) return status;
    }
    return absl::OkStatus();
  }

  absl::Status apply() {
    if (program_.apply[0].words[0] != "rx")
      return fail(program_.apply[0].line, "apply does not begin with rx");
    if (auto status = block(program_.apply, nullptr); !status.ok()) return status;
    std::set<std::string> emitted;
    for (const auto& instruction : program_.apply)
      if (instruction.words[0] == "emit" && !emitted.insert(instruction.words[1]).second)
        return fail(instruction.line, fmt::format("'{}' is emitted twice", instruction.words[1]));
    return absl::OkStatus();
  }

  absl::Status block(const std::vector<spec::Instruction>& instructions, const spec::Action* action) {
    std::set<std::string, std::less<>> later;
    for (const auto& instruction : instructions)
      if (!instruction.label.empty() && !later.insert(instruction.label).second)
        return fail(instruction.line, fmt::format("label '{}' is there twice", instruction.label));
    for (const auto& instruction : instructions) {
      later.erase(instruction.label);
      if (auto status = one(instruction, action, later); !status.ok()) return status;
    }
    const auto& last = instructions.back();
    if (shape_of(last.words[0])->flow != Flow::end)
      return fail(last.line, "the last instruction does not end anything");
    return absl::OkStatus();
  }

  absl::Status one(const spec::Instruction& instruction, const spec::Action* action,
                   const std::set<std::string, std::less<>>& later) {
    const auto& words = instruction.words;
    const auto* shape = shape_of(words[0]);
    if (!shape) return fail(instruction.line, fmt::format("'{}' is not supported", words[0]));
    const auto only_in = [&](bool here) {
      return here ? absl::OkStatus()
                  : fail(instruction.line, fmt::format("'{}' does not belong here", words[0]));
    };
    if (words[0] == "rx")
      if (auto status = only_in(&instruction == &program_.apply[0]); !status.ok()) return status;
    if (words[0] == "table" || words[0] == "extract" || words[0] == "lookahead" || words[0] == "emit")
      if (auto status = only_in(!action); !status.ok()) return status;
    if (words[0] == "return" || words[0] == "learn")
      if (auto status = only_in(action); !status.ok()) return status;
    const size_t most = shape->roles.size(), count = words.size() - 1;
    if (count > most || count + shape->optional < most)
      return fail(instruction.line, fmt::format("'{}' takes {} operands, not {}", words[0], most, count));
    for (size_t i = 0; i < count; ++i)
      if (auto status = operand(instruction, words[i + 1], shape->roles[i], action, later); !status.ok())
        return status;
    return special(instruction, action);
  }

  absl::Status operand(const spec::Instruction& instruction, const std::string& word, Role role,
                       const spec::Action* action, const std::set<std::string, std::less<>>& later) {
    const auto missing = [&](std::string_view what) {
      return fail(instruction.line, fmt::format("'{}' is no {}", word, what));
    };
    switch (role) {
      case Role::header:
        return layout_.header(word) ? absl::OkStatus() : missing("header");
      // Backwards would be a loop, which nothing bounds.
      case Role::label:
        return later.contains(word) ? absl::OkStatus() : missing("label further down");
      case Role::action:
        return layout_.action(word) ? absl::OkStatus() : missing("action");
      case Role::table:
        return layout_.table(word) || layout_.learner(word) ? absl::OkStatus() : missing("table");
      case Role::registers:
        return std::any_of(program_.registers.begin(), program_.registers.end(),
                           [&](const auto& array) { return array.name == word; })
                   ? absl::OkStatus()
                   : missing("register array");
      case Role::meters:
      case Role::function:
        return absl::OkStatus();
      case Role::summand:
        if (layout_.header(word)) return absl::OkStatus();
        break;
      case Role::value:
        if (is_number(word)) return absl::OkStatus();
        break;
      default:
        break;
    }
    const auto field = layout_.operand(word, action);
    if (!field || field->variable) return missing("field");
    const bool written = role == Role::write || role == Role::read_write;
    if (written && field->space == Space::arguments) return missing("field that can be written");
    if (field->offset > kMaxOffset)
      return fail(instruction.line,
                  fmt::format("'{}' lies {} bytes into its struct, at most {} can be reached", word,
                              field->offset, kMaxOffset));
    const auto widest = instruction.words[0] == "mov"    ? kMaxMoveBits
                        : instruction.words[0] == "hash" ? UINT32_MAX
                                                         : kMaxScalarBits;
    if (field->bits > widest)
      return fail(instruction.line, fmt::format("'{}' has {} bits, '{}' takes at most {}", word, field->bits,
                                                instruction.words[0], widest));
    return absl::OkStatus();
  }

  absl::Status special(const spec::Instruction& instruction, const spec::Action* action) {
    const auto& words = instruction.words;
    if (words[0] == "hash") {
      const auto to = layout_.operand(words[2], action);
      if (to->space != Space::metadata || to->offset > kMaxHashOffset || to->bits > kMaxScalarBits)
        return fail(instruction.line,
                    fmt::format("hash result '{}' must lie in the first 32 bytes of the metadata", words[2]));
    }
    if (words[0] == "mov") {
      const auto to = layout_.operand(words[1], action), from = layout_.operand(words[2], action);
      const auto from_bits = from ? from->bits : kMaxScalarBits;
      if ((to->bits > kMaxScalarBits || from_bits > kMaxScalarBits) && (!from || to->bits != from_bits))
        return fail(instruction.line, fmt::format("'{}' and '{}' differ in width", words[1], words[2]));
    }
    if (words[0] == "extract") {
      const auto& type = layout_.header_type(*layout_.header(words[1]));
      if (type.fields.back().variable != (words.size() == 3))
        return fail(instruction.line,
                    fmt::format("extract of '{}': a length goes with a varbit field", words[1]));
    }
    // Its length would be that of whichever packet had it last.
    if (words[0] == "validate" && layout_.header_type(*layout_.header(words[1])).fields.back().variable)
      return fail(instruction.line,
                  fmt::format("'{}' has a varbit field and so can only be extracted", words[1]));
    if ((words[0] == "regadd" || words[0] == "regwr") && is_number(words[3]) &&
        max_bytes(layout_.metadata()) > kMaxOffset)
      return fail(instruction.line,
                  fmt::format("'{}' of a number needs metadata of at most {} bytes", words[0], kMaxOffset));
    if (words[0] == "tx" && is_number(words[1]) && number(words[1]) >= kOutputPorts)
      return fail(instruction.line, fmt::format("port {} does not exist", words[1]));
    return absl::OkStatus();
  }

  static bool is_number(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }
  static uint64_t number(std::string_view word) {
    const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    uint64_t value = UINT64_MAX;
    std::from_chars(word.data() + (hexadecimal ? 2 : 0), word.data() + word.size(), value,
                    hexadecimal ? 16 : 10);
    return value;
  }

  const Layout& layout_;
  const spec::Program& program_;
};

}  // namespace

absl::Status check(const Layout& layout) { return Checker(layout).run(); }

}  // namespace sluice::p4
