// Keys, parameters and entries as people write them: 10.0.0.0/8, 02:00:00:00:00:01, left, 0x1f.
#pragma once

#include <absl/status/statusor.h>

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/tables/entry.h"
#include "dataplane/tables/schema.h"

namespace sluice::tables {

// The names of ports and punt causes, by number: the vocabulary that only the daemon knows.
struct Names {
  std::vector<std::string> ports;
  std::vector<std::string> causes;
};

struct NamedText {
  std::string name;
  std::string value;
};

// An entry as it stands in a configuration or on a command line.
struct EntryText {
  std::string table;
  std::vector<NamedText> match;
  uint32_t priority = 0;
  std::string action;
  std::vector<NamedText> params;
};

std::string hex_text(Value value);
std::string value_text(Value value, Format format, const Names& names = {});
std::string match_text(const FieldSchema& field, const Match& match, const Names& names = {});
std::string key_text(const TableSchema& schema, const Key& key, const Names& names = {});

absl::StatusOr<Value> value_from_text(std::string_view text, Format format, const Names& names);
// Takes a value, a prefix (a/24) for lpm, value&mask (v&m) for ternary, or * for "anything".
absl::StatusOr<Match> match_from_text(const FieldSchema& field, std::string_view text, const Names& names);
// The key alone: text.action and text.params are not looked at.
absl::StatusOr<Key> key_from_text(const TableSchema& schema, const EntryText& text, const Names& names);
absl::StatusOr<Entry> entry_from_text(TableId id, const TableSchema& schema, const EntryText& text, const Names& names);

}  // namespace sluice::tables
