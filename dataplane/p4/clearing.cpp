#include "dataplane/p4/clearing.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "dataplane/p4/instruction_set.h"

namespace sluice::p4 {
namespace {

using Written = std::vector<bool>;  // by metadata field

class Analysis {
 public:
  explicit Analysis(const Layout& layout) : layout_(layout) {}

  std::set<size_t> run() {
    walk(layout_.program().apply, nullptr, Written(layout_.metadata().fields.size(), false));
    return std::move(exposed_);
  }

 private:
  // Returns what is written on every path to a `return`; nothing where no path gets there.
  std::optional<Written> walk(const std::vector<spec::Instruction>& instructions, const spec::Action* action,
                              Written at_entry) {
    std::map<std::string, Written, std::less<>> at_label;
    std::optional<Written> now = std::move(at_entry), at_return;
    for (const auto& instruction : instructions) {
      if (const auto arriving = at_label.find(instruction.label); arriving != at_label.end())
        merge(now, arriving->second);
      if (!now) continue;  // no path leads here
      visit(instruction, action, now);
      if (!now) continue;
      const auto flow = shape_of(instruction.words[0])->flow;
      if (flow == Flow::jump || flow == Flow::branch) {
        const auto [target, fresh] = at_label.emplace(instruction.words[1], *now);
        if (!fresh) intersect(target->second, *now);
      }
      if (flow == Flow::end && !ends_packet(instruction)) merge(at_return, *now);
      if (flow == Flow::jump || flow == Flow::end) now.reset();
    }
    return at_return;
  }

  void visit(const spec::Instruction& instruction, const spec::Action* action, std::optional<Written>& now) {
    const auto& words = instruction.words;
    if (words[0] == "table") return visit_table(words[1], now);
    if (words[0] == "hash") read_range(words[3], words[4], action, *now);
    if (words[0] == "learn") read_arguments(instruction, *now);
    const auto& roles = shape_of(words[0])->roles;
    for (const bool writing : {false, true})
      for (size_t i = 1; i < words.size(); ++i) {
        const auto field = layout_.operand(words[i], action);
        if (!field || field->space != Space::metadata) continue;
        const bool writes = roles[i - 1] == Role::write || roles[i - 1] == Role::read_write;
        if (writing && writes) (*now)[field->field] = true;
        if (!writing && roles[i - 1] != Role::write) read(field->field, *now);
      }
  }

  void visit_table(const std::string& name, std::optional<Written>& now) {
    const auto run_one_of = [&](const auto& owner) {
      std::optional<Written> after;
      for (const auto& use : owner.actions) {
        const auto* action = layout_.action(use.name);
        if (const auto left = walk(action->instructions, action, *now)) merge(after, *left);
      }
      now = after;
    };
    if (const auto* table = layout_.table(name)) {
      for (const auto& field : table->key) read_name(field.name, *now);
      run_one_of(*table);
    } else if (const auto* learner = layout_.learner(name)) {
      for (const auto& field : learner->key) read_name(field, *now);
      run_one_of(*learner);
    }
  }

  void read(size_t field, const Written& now) {
    if (!now[field]) exposed_.insert(field);
  }
  void read_name(const std::string& name, const Written& now) {
    const auto field = layout_.operand(name, nullptr);
    if (field && field->space == Space::metadata) read(field->field, now);
  }
  void read_range(const std::string& first, const std::string& last, const spec::Action* action,
                  const Written& now) {
    const auto from = layout_.operand(first, action), to = layout_.operand(last, action);
    if (from->space != Space::metadata) return;
    for (size_t field = from->field; field <= to->field; ++field) read(field, now);
  }
  // `learn ACTION FIRST TIMEOUT` takes the arguments from as many fields, beginning with FIRST.
  void read_arguments(const spec::Instruction& instruction, const Written& now) {
    const auto* type = layout_.arguments(*layout_.action(instruction.words[1]));
    const auto first = layout_.operand(instruction.words[2], nullptr);
    if (!type || !first || instruction.words.size() < 4) return;
    for (size_t i = 0; i < type->fields.size() && first->field + i < now.size(); ++i)
      read(first->field + i, now);
  }

  static void intersect(Written& into, const Written& with) {
    for (size_t i = 0; i < into.size(); ++i) into[i] = into[i] && with[i];
  }
  static void merge(std::optional<Written>& into, const Written& with) {
    if (into)
      intersect(*into, with);
    else
      into = with;
  }

  const Layout& layout_;
  std::set<size_t> exposed_;
};

}  // namespace

std::set<size_t> read_before_written(const Layout& layout) { return Analysis(layout).run(); }

}  // namespace sluice::p4
