// From the instructions of `apply` that come before the last extract to the steps of a Guard.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "dataplane/p4/arrival.h"
#include "dataplane/p4/guard.h"
#include "dataplane/p4/instruction_set.h"

namespace sluice::p4 {

class GuardCompiler {
 public:
  explicit GuardCompiler(const Layout& layout) : layout_(layout), apply_(layout.program().apply) {}

  absl::StatusOr<Guard> run() {
    find_parser();
    for (size_t i = 0; i < apply_.size(); ++i) {
      first_step_.push_back(static_cast<uint16_t>(guard_.steps_.size()));
      if (!in_parser_[i]) {
        // The first instruction behind the parser on this way: all later ones are behind it too.
        guard_.steps_.push_back({.op = Guard::Op::accept});
        continue;
      }
      if (auto status = compile(apply_[i]); !status.ok()) return status;
    }
    for (const auto& [step, label] : jumps_) guard_.steps_[step].target = first_step_[label_index(label)];
    guard_.registers_ = registers_.size();
    return std::move(guard_);
  }

 private:
  absl::Status fail(const spec::Instruction& instruction, const std::string& what) const {
    return absl::InvalidArgumentError(
        fmt::format("{}:{}: {}", layout_.program().file, instruction.line, what));
  }

  size_t label_index(std::string_view label) const {
    return static_cast<size_t>(
        std::find_if(apply_.begin(), apply_.end(), [&](const auto& i) { return i.label == label; }) -
        apply_.begin());
  }

  // An instruction belongs to the parser where an extract or lookahead can still follow. Also the longest
  // path.
  void find_parser() {
    in_parser_.assign(apply_.size(), false);
    std::vector<uint32_t> longest(apply_.size() + 1, 0);
    for (size_t i = apply_.size(); i-- > 0;) {
      const auto& words = apply_[i].words;
      const auto flow = shape_of(words[0])->flow;
      bool parses = words[0] == "extract" || words[0] == "lookahead";
      const auto follow = [&](size_t next) {
        if (next >= apply_.size()) return;
        parses |= in_parser_[next];
        longest[i] = std::max(longest[i], longest[next]);
      };
      if (flow == Flow::next || flow == Flow::branch) follow(i + 1);
      if (flow == Flow::jump || flow == Flow::branch) follow(label_index(words[1]));
      in_parser_[i] = parses;
      if (words[0] == "extract" || words[0] == "lookahead") {
        const auto bytes = max_bytes(layout_.header_type(*layout_.header(words[1])));
        longest[i] = words[0] == "extract" ? longest[i] + bytes : std::max(longest[i], bytes);
      }
    }
    guard_.longest_path_ = longest[0];
  }

  absl::Status compile(const spec::Instruction& instruction) {
    using Op = Guard::Op;
    const auto& words = instruction.words;
    if (words[0] == "rx") {
      const auto port = reg(words[1]);
      if (port.ok()) guard_.port_register_ = port->index;
      return port.status();
    }
    if (words[0] == "extract" || words[0] == "lookahead") return take(instruction);
    static const std::map<std::string_view, Op> kMath = {
        {"mov", Op::move}, {"add", Op::add},  {"sub", Op::sub}, {"and", Op::and_},
        {"or", Op::or_},   {"xor", Op::xor_}, {"shl", Op::shl}, {"shr", Op::shr}};
    if (const auto math = kMath.find(words[0]); math != kMath.end())
      return compute(instruction, math->second);
    static const std::map<std::string_view, Op> kJumps = {
        {"jmp", Op::jump},    {"jmpeq", Op::if_eq},   {"jmpneq", Op::if_neq},   {"jmplt", Op::if_lt},
        {"jmpgt", Op::if_gt}, {"jmpv", Op::if_valid}, {"jmpnv", Op::if_invalid}};
    if (const auto jump = kJumps.find(words[0]); jump != kJumps.end())
      return compile_jump(instruction, jump->second);
    // What is read from a register array is not known here; a parser may hold it as long as no way depends on
    // it.
    if (words[0] == "regrd" || words[0] == "recircid") {
      unknown_.insert(words[1]);
      return absl::OkStatus();
    }
    return fail(
        instruction,
        fmt::format(
            "'{}' stands before the parser's last extract: the guard against short packets cannot follow it",
            words[0]));
  }

  absl::Status take(const spec::Instruction& instruction) {
    const auto& words = instruction.words;
    const auto header = *layout_.header(words[1]);
    const auto& name = layout_.program().headers[header].name;
    const auto& type = layout_.header_type(header);
    // The port layer itself puts the arrival header there, and so it is always whole.
    const auto reason =
        name == kArrivalHeader ? std::optional(wire::Drop::ethernet_truncated) : truncation_of(name);
    if (!reason)
      return fail(instruction,
                  fmt::format("header '{}': no drop reason '{}_truncated' for packets that end inside it",
                              name, name));
    Guard::Step step{.op = words[0] == "extract" ? Guard::Op::take : Guard::Op::look,
                     .reason = *reason,
                     .header = static_cast<uint16_t>(header),
                     .fixed = static_cast<uint16_t>(fixed_bytes(type))};
    if (words.size() == 3) {
      if (unknown_.contains(words[2]))
        return fail(instruction,
                    fmt::format("the length '{}' cannot be known before the pipeline", words[2]));
      const auto length = reg(words[2]);
      if (!length.ok()) return length.status();
      step.a = *length;
      step.variable = static_cast<uint16_t>(max_bytes(type) - fixed_bytes(type));
      guard_.has_lengths_ = true;
    }
    guard_.steps_.push_back(step);
    return absl::OkStatus();
  }

  absl::Status compute(const spec::Instruction& instruction, Guard::Op op) {
    const auto& words = instruction.words;
    const auto to = layout_.operand(words[1], nullptr);
    const bool known =
        !unknown_.contains(words[2]) && (op == Guard::Op::move || !unknown_.contains(words[1]));
    if (to->space != Space::metadata)
      return fail(instruction,
                  "the parser changes a header: the guard against short packets cannot follow it");
    const auto from = layout_.operand(words[2], nullptr);
    if (!known || to->bits > 64 || (from && from->bits > 64)) {
      unknown_.insert(words[1]);
      return absl::OkStatus();
    }
    if (op == Guard::Op::move) unknown_.erase(words[1]);
    const auto target = reg(words[1]);
    if (!target.ok()) return target.status();
    const auto source = term(words[2]);
    if (!source.ok()) return source.status();
    guard_.steps_.push_back({.op = op, .a = *target, .b = *source});
    return absl::OkStatus();
  }

  absl::Status compile_jump(const spec::Instruction& instruction, Guard::Op op) {
    const auto& words = instruction.words;
    Guard::Step step{.op = op};
    if (op == Guard::Op::if_valid || op == Guard::Op::if_invalid) {
      step.header = static_cast<uint16_t>(*layout_.header(words[2]));
    } else if (op != Guard::Op::jump) {
      for (const auto& word : {words[2], words[3]})
        if (unknown_.contains(word))
          return fail(
              instruction,
              fmt::format("the parser's way depends on '{}', which cannot be known before the pipeline",
                          word));
      const auto a = term(words[2]), b = term(words[3]);
      if (!a.ok()) return a.status();
      if (!b.ok()) return b.status();
      step.a = *a;
      step.b = *b;
    }
    jumps_.emplace_back(guard_.steps_.size(), words[1]);
    guard_.steps_.push_back(step);
    return absl::OkStatus();
  }

  absl::StatusOr<Guard::Term> reg(const std::string& word) {
    const auto field = layout_.operand(word, nullptr);
    const auto [found, fresh] = registers_.emplace(word, static_cast<uint16_t>(registers_.size()));
    if (registers_.size() > kMaxRegisters)
      return absl::InvalidArgumentError(fmt::format("{}: the parser uses more than {} metadata fields",
                                                    layout_.program().file, kMaxRegisters));
    return Guard::Term{Guard::Term::Kind::reg, static_cast<uint8_t>(field->bytes()), found->second};
  }

  absl::StatusOr<Guard::Term> term(const std::string& word) {
    const auto field = layout_.operand(word, nullptr);
    if (field && field->space == Space::metadata) return reg(word);
    if (field)
      return Guard::Term{Guard::Term::Kind::field, static_cast<uint8_t>(field->bytes()),
                         static_cast<uint16_t>(field->header), static_cast<uint16_t>(field->offset)};
    Guard::Term result{Guard::Term::Kind::number};
    const bool hexadecimal = word.starts_with("0x") || word.starts_with("0X");
    std::from_chars(word.data() + (hexadecimal ? 2 : 0), word.data() + word.size(), result.number,
                    hexadecimal ? 16 : 10);
    return result;
  }

  static constexpr size_t kMaxRegisters = 64;

  const Layout& layout_;
  const std::vector<spec::Instruction>& apply_;
  Guard guard_;
  std::vector<bool> in_parser_;
  std::vector<uint16_t> first_step_;  // by instruction
  std::vector<std::pair<size_t, std::string>> jumps_;
  std::map<std::string, uint16_t> registers_;
  std::set<std::string> unknown_;
};

absl::StatusOr<Guard> Guard::of(const Layout& layout) { return GuardCompiler(layout).run(); }

}  // namespace sluice::p4
