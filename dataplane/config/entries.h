// A configuration's entries beside the tables of an engine.
#pragma once

#include <absl/status/status.h>

#include <span>

#include "dataplane/config/config.h"
#include "dataplane/tables/schema.h"
#include "dataplane/tables/service.h"
#include "dataplane/tables/text.h"

namespace sluice::config {

tables::Names names_of(const Config& config);

// All entries against the tables' schemas, without an engine. Errors name the entry.
absl::Status check_entries(const Config& config, std::span<const tables::TableSchema> schemas);

absl::Status write_entries(const Config& config, tables::TableService& service);

}  // namespace sluice::config
