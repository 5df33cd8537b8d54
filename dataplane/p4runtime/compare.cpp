#include "dataplane/p4runtime/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "dataplane/p4runtime/packet_io.h"

namespace sluice::p4runtime {
namespace {

std::string_view name_of(info::MatchField::MatchType type) {
  switch (type) {
    case info::MatchField::EXACT:
      return "exact";
    case info::MatchField::LPM:
      return "lpm";
    case info::MatchField::TERNARY:
      return "ternary";
    case info::MatchField::RANGE:
      return "range";
    case info::MatchField::OPTIONAL:
      return "optional";
    default:
      return "unknown";
  }
}

// Pairs two lists by name: what only one side has is a difference, what both have is compared further.
template <class Theirs, class Ours, class NameOfTheirs, class Both>
void pair_by_name(std::string_view where, std::string_view what, const Theirs& theirs, const Ours& ours,
                  const NameOfTheirs& name_of_theirs, std::vector<std::string>& out, const Both& both) {
  for (const auto& item : theirs) {
    const std::string_view name = name_of_theirs(item);
    const auto twin =
        std::find_if(ours.begin(), ours.end(), [&](const auto& own) { return own.name == name; });
    if (twin == ours.end())
      out.push_back(fmt::format("{}{} '{}' is only in the p4info", where, what, name));
    else
      both(item, *twin);
  }
  for (const auto& own : ours)
    if (std::none_of(theirs.begin(), theirs.end(),
                     [&](const auto& item) { return name_of_theirs(item) == own.name; }))
      out.push_back(fmt::format("{}{} '{}' is only in the engine", where, what, own.name));
}

void compare_width(const std::string& where, int theirs, unsigned ours, std::vector<std::string>& out) {
  if (theirs < 0 || static_cast<unsigned>(theirs) != ours)
    out.push_back(fmt::format("{}: {} bits in the p4info, {} in the engine", where, theirs, ours));
}

void compare_fields(const info::Table& table, const tables::TableSchema& schema,
                    std::vector<std::string>& out) {
  const auto name = [](const info::MatchField& field) -> std::string_view { return field.name(); };
  pair_by_name(fmt::format("{}: ", schema.name), "match field", table.match_fields(), schema.fields, name,
               out, [&](const info::MatchField& theirs, const tables::FieldSchema& ours) {
                 const auto where = fmt::format("{}.{}", schema.name, ours.name);
                 compare_width(where, theirs.bitwidth(), ours.bits, out);
                 if (name_of(theirs.match_type()) != tables::name_of(ours.kind))
                   out.push_back(fmt::format("{}: {} in the p4info, {} in the engine", where,
                                             name_of(theirs.match_type()), tables::name_of(ours.kind)));
               });
}

void compare_actions(const info::P4Info& p4info, const info::Table& table, const tables::TableSchema& schema,
                     std::vector<std::string>& out) {
  std::vector<const info::Action*> actions;
  for (const auto& reference : table.action_refs()) {
    if (reference.scope() == info::ActionRef::DEFAULT_ONLY) continue;
    if (const auto* action = find_action(p4info, reference.id()))
      actions.push_back(action);
    else
      out.push_back(fmt::format("{}: action {:#x} is not in the p4info", schema.name, reference.id()));
  }
  const auto action_name = [&](const info::Action* action) {
    return local_name(schema.name, action->preamble().name());
  };
  const auto param_name = [](const info::Action::Param& param) -> std::string_view { return param.name(); };
  pair_by_name(fmt::format("{}: ", schema.name), "action", actions, schema.actions, action_name, out,
               [&](const info::Action* theirs, const tables::ActionSchema& ours) {
                 const auto where = fmt::format("{}.{}", schema.name, ours.name);
                 pair_by_name(where + ": ", "parameter", theirs->params(), ours.params, param_name, out,
                              [&](const info::Action::Param& param, const tables::ParamSchema& own) {
                                compare_width(fmt::format("{}.{}", where, own.name), param.bitwidth(),
                                              own.bits, out);
                              });
               });
}

void compare_headers(const info::P4Info& p4info, std::vector<std::string>& out) {
  const auto name = [](const info::ControllerPacketMetadata& header) -> std::string_view {
    return header.preamble().name();
  };
  const auto field_name = [](const info::ControllerPacketMetadata::Metadata& field) -> std::string_view {
    return field.name();
  };
  pair_by_name("", "controller header", p4info.controller_packet_metadata(), std::span(kControllerHeaders),
               name, out, [&](const info::ControllerPacketMetadata& theirs, const ControllerHeader& ours) {
                 pair_by_name(
                     fmt::format("{}: ", ours.name), "field", theirs.metadata(), ours.fields, field_name, out,
                     [&](const info::ControllerPacketMetadata::Metadata& field, const ControllerField& own) {
                       compare_width(fmt::format("{}.{}", ours.name, own.name), field.bitwidth(), own.bits,
                                     out);
                     });
               });
}

}  // namespace

std::string_view local_name(std::string_view table, std::string_view action) {
  if (action.starts_with(table) && action.substr(table.size()).starts_with('.'))
    action.remove_prefix(table.size() + 1);
  return action;
}

const info::Action* find_action(const info::P4Info& p4info, uint32_t id) {
  for (const auto& action : p4info.actions())
    if (action.preamble().id() == id) return &action;
  return nullptr;
}

std::vector<std::string> compare(const info::P4Info& p4info, std::span<const tables::TableSchema> schemas) {
  std::vector<std::string> differences;
  const auto name = [](const info::Table& table) -> std::string_view { return table.preamble().name(); };
  pair_by_name("", "table", p4info.tables(), schemas, name, differences,
               [&](const info::Table& table, const tables::TableSchema& schema) {
                 compare_fields(table, schema, differences);
                 compare_actions(p4info, table, schema, differences);
               });
  compare_headers(p4info, differences);
  return differences;
}

}  // namespace sluice::p4runtime
