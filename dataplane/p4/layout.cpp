#include "dataplane/p4/layout.h"

#include <fmt/format.h>

#include <algorithm>

namespace sluice::p4 {
namespace {

absl::Status complain(const spec::Program& program, unsigned line, const std::string& what) {
  return absl::InvalidArgumentError(fmt::format("{}:{}: {}", program.file, line, what));
}

template <class Named>
const Named* find(const std::vector<Named>& all, std::string_view name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
  return found == all.end() ? nullptr : &*found;
}

std::optional<Operand> field_of(const spec::Struct& type, std::string_view name, Space space, size_t header) {
  uint32_t offset = 0;
  for (size_t i = 0; i < type.fields.size(); ++i) {
    const auto& field = type.fields[i];
    if (field.name == name) return Operand{space, header, i, offset, field.bits, field.variable};
    offset += field.bits / 8;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<Layout> Layout::of(const spec::Program& program) {
  Layout layout;
  layout.program_ = &program;
  for (const auto& type : program.structs) {
    if (!layout.structs_.emplace(type.name, &type).second)
      return complain(program, type.line, fmt::format("struct '{}' is there twice", type.name));
    for (size_t i = 0; i < type.fields.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (type.fields[i].name == type.fields[j].name)
          return complain(program, type.line,
                          fmt::format("struct '{}' has two fields '{}'", type.name, type.fields[i].name));
  }
  for (const auto& header : program.headers) {
    const auto type = layout.structs_.find(header.type);
    if (type == layout.structs_.end())
      return complain(program, header.line,
                      fmt::format("header '{}': there is no struct '{}'", header.name, header.type));
    if (!layout.header_ids_.emplace(header.name, layout.headers_.size()).second)
      return complain(program, header.line, fmt::format("header '{}' is there twice", header.name));
    layout.headers_.push_back(type->second);
  }
  const auto metadata = layout.structs_.find(program.metadata);
  if (metadata == layout.structs_.end())
    return complain(program, 1, fmt::format("metadata: there is no struct '{}'", program.metadata));
  layout.metadata_ = metadata->second;
  for (const auto& action : program.actions)
    if (!action.args.empty() && !layout.structs_.contains(action.args))
      return complain(program, action.line,
                      fmt::format("action '{}': there is no struct '{}'", action.name, action.args));
  return layout;
}

std::optional<size_t> Layout::header(std::string_view word) const {
  if (!word.starts_with("h.")) return std::nullopt;
  const auto found = header_ids_.find(word.substr(2));
  return found == header_ids_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<Operand> Layout::operand(std::string_view word, const spec::Action* action) const {
  if (word.starts_with("m.")) return field_of(*metadata_, word.substr(2), Space::metadata, 0);
  if (word.starts_with("t.")) {
    const auto* type = action ? arguments(*action) : nullptr;
    return type ? field_of(*type, word.substr(2), Space::arguments, 0) : std::nullopt;
  }
  const size_t dot = word.rfind('.');
  if (dot == word.npos || dot < 2) return std::nullopt;
  const auto owner = header(word.substr(0, dot));
  return owner ? field_of(*headers_[*owner], word.substr(dot + 1), Space::header, *owner) : std::nullopt;
}

const spec::Struct* Layout::arguments(const spec::Action& action) const {
  const auto found = structs_.find(action.args);
  return found == structs_.end() ? nullptr : found->second;
}

const spec::Action* Layout::action(std::string_view name) const { return find(program_->actions, name); }
const spec::Table* Layout::table(std::string_view name) const { return find(program_->tables, name); }
const spec::Learner* Layout::learner(std::string_view name) const { return find(program_->learners, name); }

uint32_t fixed_bytes(const spec::Struct& type) {
  uint32_t bytes = 0;
  for (const auto& field : type.fields) bytes += field.variable ? 0 : field.bits / 8;
  return bytes;
}

uint32_t max_bytes(const spec::Struct& type) {
  uint32_t bytes = 0;
  for (const auto& field : type.fields) bytes += field.bits / 8;
  return bytes;
}

}  // namespace sluice::p4
