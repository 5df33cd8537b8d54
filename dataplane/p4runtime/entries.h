// Table entries as P4Runtime writes them (P4Runtime §9.1), to and from our own.
#pragma once

#include <absl/status/statusor.h>

#include "dataplane/p4runtime/program.h"

namespace sluice::p4runtime {

// Only match and priority are looked at. INVALID_ARGUMENT, or OUT_OF_RANGE for a value that is too wide.
absl::StatusOr<tables::Key> key_from(const TableInfo& table, const v1::TableEntry& message);

struct ActionCall {
  tables::ActionId action;
  std::array<tables::Value, tables::kMaxParams> params{};
};
absl::StatusOr<ActionCall> action_from(const TableInfo& table, const v1::TableAction& message);

v1::TableEntry to_message(const TableInfo& table, const tables::Entry& entry);

}  // namespace sluice::p4runtime
