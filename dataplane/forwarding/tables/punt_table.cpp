#include "dataplane/forwarding/tables/punt_table.h"

#include <fmt/format.h>

namespace sluice::forwarding {
namespace {

using tables::Format;

constexpr tables::FieldSchema kFields[] = {{"cause", 8, tables::MatchKind::exact, Format::cause}};
constexpr tables::ParamSchema kToAgent[] = {{"rate", 32, Format::integer}};
constexpr tables::ActionSchema kActions[] = {{"to_agent", kToAgent}, {"drop", {}}};

}  // namespace

tables::TableSchema PuntTable::make_schema() {
  return {"punt", kFields, kActions, kPuntCauseCount, "one atomic word a cause"};
}

PuntTable::PuntTable() : schema_(make_schema()) {}

absl::Status PuntTable::insert(const tables::Entry& entry) {
  const auto cause = static_cast<size_t>(entry.key.match[0].value);
  if (cause >= kPuntCauseCount)
    return absl::InvalidArgumentError(fmt::format("punt.cause: {} is not a cause (0 to {})", cause, kPuntCauseCount - 1));
  const bool to_agent = static_cast<PuntAction>(entry.action) == PuntAction::to_agent;
  rates_[cause].store(to_agent ? static_cast<uint32_t>(entry.params[0]) : 0, std::memory_order_relaxed);
  return absl::OkStatus();
}

absl::Status PuntTable::modify(const tables::Entry&, const tables::Entry& after) { return insert(after); }

void PuntTable::remove(const tables::Entry& entry) {
  rates_[static_cast<size_t>(entry.key.match[0].value)].store(0, std::memory_order_relaxed);
}

}  // namespace sluice::forwarding
