#include "dataplane/p4runtime/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "dataplane/p4runtime/compare.h"
#include "dataplane/tables/entry.h"

namespace sluice::p4runtime {
namespace {

constexpr int kMaxBits = 128;

absl::Status refuse(std::string_view where, std::string_view what) {
  return absl::UnimplementedError(fmt::format("p4info: {}: {}", where, what));
}

std::optional<tables::MatchKind> kind_of(info::MatchField::MatchType type) {
  switch (type) {
    case info::MatchField::EXACT:
      return tables::MatchKind::exact;
    case info::MatchField::LPM:
      return tables::MatchKind::lpm;
    case info::MatchField::TERNARY:
      return tables::MatchKind::ternary;
    default:
      return std::nullopt;
  }
}

// p4info does not say what a value means; names and widths of our programs do. Ports must exist, the others
// only decide how a value is written for people.
tables::Format format_of(std::string_view name, int bits) {
  if (name == "port") return tables::Format::port;
  if (name == "cause") return tables::Format::cause;
  if (bits == 48) return tables::Format::mac;
  if (bits == 128) return tables::Format::ipv6;
  const bool is_address = name == "dst" || name == "next_hop";
  return bits == 32 && is_address ? tables::Format::ipv4 : tables::Format::integer;
}

bool fits(int bits) { return bits > 0 && bits <= kMaxBits; }

absl::Status add_fields(const info::Table& table, tables::TableDescription& out) {
  if (table.match_fields_size() > static_cast<int>(tables::kMaxFields))
    return refuse(out.name, "too many match fields");
  for (const auto& field : table.match_fields()) {
    const auto kind = kind_of(field.match_type());
    if (!kind || !fits(field.bitwidth()))
      return refuse(out.name + "." + field.name(), "this kind or width is not supported");
    out.fields.push_back({field.name(), static_cast<uint16_t>(field.bitwidth()), *kind,
                          format_of(field.name(), field.bitwidth())});
  }
  return absl::OkStatus();
}

absl::Status add_actions(const info::P4Info& p4info, const info::Table& table,
                         tables::TableDescription& out) {
  for (const auto& reference : table.action_refs()) {
    if (reference.scope() == info::ActionRef::DEFAULT_ONLY) continue;
    const auto* action = find_action(p4info, reference.id());
    if (!action) return refuse(out.name, fmt::format("action {:#x} is missing", reference.id()));
    auto& described = out.actions.emplace_back();
    described.name = local_name(out.name, action->preamble().name());
    if (action->params_size() > static_cast<int>(tables::kMaxParams))
      return refuse(described.name, "too many parameters");
    for (const auto& param : action->params()) {
      if (!fits(param.bitwidth()))
        return refuse(described.name + "." + param.name(), "this width is not supported");
      described.params.push_back(
          {param.name(), static_cast<uint16_t>(param.bitwidth()), format_of(param.name(), param.bitwidth())});
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<tables::TableDescription>> describe(const info::P4Info& p4info) {
  std::vector<tables::TableDescription> tables;
  for (const auto& table : p4info.tables()) {
    auto& out = tables.emplace_back();
    out.name = table.preamble().name();
    out.capacity = static_cast<size_t>(std::max<int64_t>(table.size(), 0));
    if (auto status = add_fields(table, out); !status.ok()) return status;
    if (auto status = add_actions(p4info, table, out); !status.ok()) return status;
  }
  return tables;
}

}  // namespace sluice::p4runtime
