// What a table looks like from outside: names, widths and kinds, as in its P4 program's p4info.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace sluice::tables {

enum class MatchKind : uint8_t { exact, lpm, ternary };

// How a value is written for people; the value itself is always an integer.
enum class Format : uint8_t { integer, port, mac, ipv4, ipv6, any_ip, cause };

struct FieldSchema {
  std::string_view name;
  uint16_t bits;
  MatchKind kind;
  Format format;
};

struct ParamSchema {
  std::string_view name;
  uint16_t bits;
  Format format;
};

struct ActionSchema {
  std::string_view name;
  std::span<const ParamSchema> params;
};

struct TableSchema {
  std::string_view name;
  std::span<const FieldSchema> fields;
  std::span<const ActionSchema> actions;
  size_t capacity;
  std::string_view update;  // how the table changes under traffic, for people

  bool has_priority() const {
    for (const auto& field : fields)
      if (field.kind == MatchKind::ternary) return true;
    return false;
  }
};

std::string_view name_of(MatchKind kind);
std::string_view name_of(Format format);

}  // namespace sluice::tables
