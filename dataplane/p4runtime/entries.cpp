#include "dataplane/p4runtime/entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "dataplane/p4runtime/bytestring.h"

namespace sluice::p4runtime {
namespace {

using tables::MatchKind;

absl::Status refuse(const TableInfo& table, std::string_view where, std::string_view what) {
  return absl::InvalidArgumentError(fmt::format("{}.{}: {}", table.schema->name, where, what));
}

// A value's own complaint with its place before it, under the same code.
absl::Status at(const TableInfo& table, std::string_view where, const absl::Status& status) {
  return {status.code(), fmt::format("{}.{}: {}", table.schema->name, where, std::string(status.message()))};
}

absl::StatusOr<tables::Match> lpm_from(const TableInfo& table, const tables::FieldSchema& field,
                                       const v1::FieldMatch::LPM& lpm) {
  const auto value = decode(lpm.value(), field.bits);
  if (!value.ok()) return at(table, field.name, value.status());
  if (lpm.prefix_len() <= 0 || lpm.prefix_len() > field.bits)
    return refuse(
        table, field.name,
        fmt::format("prefix length {} is not between 1 and {} (leave the field out to match anything)",
                    lpm.prefix_len(), field.bits));
  const auto mask = tables::prefix_mask(field.bits, static_cast<unsigned>(lpm.prefix_len()));
  if ((*value & ~mask) != 0) return refuse(table, field.name, "bits behind the prefix must be 0");
  return tables::Match{*value, mask};
}

absl::StatusOr<tables::Match> ternary_from(const TableInfo& table, const tables::FieldSchema& field,
                                           const v1::FieldMatch::Ternary& ternary) {
  const auto value = decode(ternary.value(), field.bits);
  if (!value.ok()) return at(table, field.name, value.status());
  const auto mask = decode(ternary.mask(), field.bits);
  if (!mask.ok()) return at(table, field.name, mask.status());
  if (*mask == 0) return refuse(table, field.name, "mask is 0 (leave the field out to match anything)");
  if ((*value & ~*mask) != 0) return refuse(table, field.name, "bits outside the mask must be 0");
  return tables::Match{*value, *mask};
}

absl::StatusOr<tables::Match> match_from(const TableInfo& table, const tables::FieldSchema& field,
                                         const v1::FieldMatch& message) {
  switch (field.kind) {
    case MatchKind::exact: {
      if (!message.has_exact()) break;
      const auto value = decode(message.exact().value(), field.bits);
      if (!value.ok()) return at(table, field.name, value.status());
      return tables::Match{*value, tables::low_mask(field.bits)};
    }
    case MatchKind::lpm:
      if (!message.has_lpm()) break;
      return lpm_from(table, field, message.lpm());
    case MatchKind::ternary:
      if (!message.has_ternary()) break;
      return ternary_from(table, field, message.ternary());
  }
  return refuse(table, field.name, fmt::format("a match of kind {} is needed", tables::name_of(field.kind)));
}

int prefix_length(tables::Value mask) {
  return std::popcount(static_cast<uint64_t>(mask >> 64)) + std::popcount(static_cast<uint64_t>(mask));
}

template <class Ids>
std::optional<size_t> position_of(const Ids& ids, uint32_t id) {
  const auto found = std::find(ids.begin(), ids.end(), id);
  return found == ids.end() ? std::nullopt : std::optional(static_cast<size_t>(found - ids.begin()));
}

}  // namespace

absl::StatusOr<tables::Key> key_from(const TableInfo& table, const v1::TableEntry& message) {
  tables::Key key;
  std::array<bool, tables::kMaxFields> seen{};
  for (const auto& match : message.match()) {
    const auto position = position_of(table.field_ids, match.field_id());
    if (!position)
      return refuse(table, "match", fmt::format("field id {} is not in the p4info", match.field_id()));
    const auto& field = table.schema->fields[*position];
    if (std::exchange(seen[*position], true)) return refuse(table, field.name, "is given twice");
    const auto value = match_from(table, field, match);
    if (!value.ok()) return value.status();
    key.match[*position] = *value;
  }
  for (size_t i = 0; i < table.schema->fields.size(); ++i)
    if (!seen[i] && table.schema->fields[i].kind == MatchKind::exact)
      return refuse(table, table.schema->fields[i].name, "an exact match cannot be left out");
  if (message.priority() < 0)
    return refuse(table, "priority", fmt::format("{} is below 0", message.priority()));
  if (table.schema->has_priority() != (message.priority() > 0))
    return refuse(table, "priority",
                  table.schema->has_priority() ? "must be above 0 for a table with ternary fields"
                                               : "must be 0 for a table without ternary fields");
  key.priority = static_cast<uint32_t>(message.priority());
  return key;
}

absl::StatusOr<ActionCall> action_from(const TableInfo& table, const v1::TableAction& message) {
  if (!message.has_action())
    return refuse(table, "action", "a direct table takes an action, not a member or group");
  const auto& action = message.action();
  const auto found =
      std::find_if(table.actions.begin(), table.actions.end(),
                   [&](const ActionInfo& candidate) { return candidate.id == action.action_id(); });
  if (found == table.actions.end()) {
    const auto text =
        fmt::format("{}.action: {:#x} is not one of the table's", table.schema->name, action.action_id());
    if (table.is_default_only(action.action_id()))
      return absl::PermissionDeniedError(text + " but for its default");
    return absl::InvalidArgumentError(text);
  }
  const auto index = static_cast<size_t>(found - table.actions.begin());
  const auto& schema = table.schema->actions[index];
  ActionCall call{static_cast<tables::ActionId>(index), {}};
  std::array<bool, tables::kMaxParams> seen{};
  for (const auto& param : action.params()) {
    const auto position = position_of(found->param_ids, param.param_id());
    if (!position)
      return refuse(table, schema.name,
                    fmt::format("parameter id {} is not in the p4info", param.param_id()));
    const auto& own = schema.params[*position];
    const auto where = fmt::format("{}.{}", schema.name, own.name);
    if (std::exchange(seen[*position], true)) return refuse(table, where, "is given twice");
    const auto value = decode(param.value(), own.bits);
    if (!value.ok()) return at(table, where, value.status());
    call.params[*position] = *value;
  }
  for (size_t i = 0; i < schema.params.size(); ++i)
    if (!seen[i])
      return refuse(table, fmt::format("{}.{}", schema.name, schema.params[i].name), "is missing");
  return call;
}

v1::TableEntry to_message(const TableInfo& table, const tables::Entry& entry) {
  v1::TableEntry message;
  message.set_table_id(table.p4->preamble().id());
  for (size_t i = 0; i < table.schema->fields.size(); ++i) {
    const auto& [value, mask] = entry.key.match[i];
    if (mask == 0) continue;
    auto& match = *message.add_match();
    match.set_field_id(table.field_ids[i]);
    switch (table.schema->fields[i].kind) {
      case MatchKind::exact:
        match.mutable_exact()->set_value(encode(value));
        break;
      case MatchKind::lpm:
        match.mutable_lpm()->set_value(encode(value));
        match.mutable_lpm()->set_prefix_len(prefix_length(mask));
        break;
      case MatchKind::ternary:
        match.mutable_ternary()->set_value(encode(value));
        match.mutable_ternary()->set_mask(encode(mask));
        break;
    }
  }
  message.set_priority(static_cast<int32_t>(entry.key.priority));
  const auto index = static_cast<size_t>(entry.action);
  auto& action = *message.mutable_action()->mutable_action();
  action.set_action_id(table.actions[index].id);
  for (size_t i = 0; i < table.actions[index].param_ids.size(); ++i) {
    auto& param = *action.add_params();
    param.set_param_id(table.actions[index].param_ids[i]);
    param.set_value(encode(entry.params[i]));
  }
  return message;
}

}  // namespace sluice::p4runtime
