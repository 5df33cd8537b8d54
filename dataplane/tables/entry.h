// One entry of a table, and one change to it. Fixed in size, so that a million routes cost no heap.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include "dataplane/tables/value.h"

namespace sluice::tables {

inline constexpr size_t kMaxFields = 3;
inline constexpr size_t kMaxParams = 4;

enum class TableId : uint8_t {};
enum class ActionId : uint8_t {};

// Who wrote an entry. The agent never overwrites what a person configured.
enum class Origin : uint8_t { config, agent, operator_, controller };

struct Match {
  Value value = 0;
  Value mask = 0;  // all ones for exact, the prefix for lpm, anything for ternary

  auto operator<=>(const Match&) const = default;
};

struct Key {
  std::array<Match, kMaxFields> match{};
  uint32_t priority = 0;  // larger wins, as in P4Runtime; only for tables with a ternary field

  auto operator<=>(const Key&) const = default;
};

struct Entry {
  TableId table{};
  Key key;
  ActionId action{};
  std::array<Value, kMaxParams> params{};
  Origin origin = Origin::config;
};

enum class Operation : uint8_t { insert, modify, remove };

struct Update {
  Operation operation;
  Entry entry;
};

}  // namespace sluice::tables
