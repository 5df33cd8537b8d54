// A table behind the service: a data structure that lcores read while one writer changes it.
#pragma once

#include <absl/status/status.h>

#include "dataplane/tables/entry.h"
#include "dataplane/tables/schema.h"

namespace sluice::tables {

// The service calls insert/modify/remove with entries that fit the schema and are (not) there as the
// call needs; then publish(); then, when no lcore can still see the old state, reclaim().
class Table {
 public:
  virtual ~Table() = default;

  virtual const TableSchema& schema() const = 0;

  virtual absl::Status insert(const Entry& entry) = 0;
  virtual absl::Status modify(const Entry& before, const Entry& after) = 0;
  virtual void remove(const Entry& entry) = 0;

  virtual void publish() = 0;
  virtual void reclaim() = 0;
};

}  // namespace sluice::tables
