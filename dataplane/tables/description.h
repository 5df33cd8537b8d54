// A table's schema that owns its names: for tables that come from a file (p4info), not from our own source.
#pragma once

#include <string>
#include <vector>

#include "dataplane/tables/schema.h"

namespace sluice::tables {

struct FieldDescription {
  std::string name;
  uint16_t bits;
  MatchKind kind;
  Format format = Format::integer;
};

struct ParamDescription {
  std::string name;
  uint16_t bits;
  Format format = Format::integer;
};

struct ActionDescription {
  std::string name;
  std::vector<ParamDescription> params;
};

struct TableDescription {
  std::string name;
  std::vector<FieldDescription> fields;
  std::vector<ActionDescription> actions;
  size_t capacity = 0;
};

TableDescription describe(const TableSchema& schema);

// A description and the schema that points into it.
class OwnedSchema {
 public:
  // `update` must be a literal: how the table changes under traffic.
  OwnedSchema(TableDescription description, std::string_view update);
  OwnedSchema(const OwnedSchema&) = delete;
  OwnedSchema& operator=(const OwnedSchema&) = delete;

  const TableSchema& schema() const { return schema_; }

 private:
  TableDescription description_;
  std::vector<FieldSchema> fields_;
  std::vector<std::vector<ParamSchema>> params_;
  std::vector<ActionSchema> actions_;
  TableSchema schema_;
};

}  // namespace sluice::tables
