#include "dataplane/forwarding/tables/fdb_table.h"

#include <fmt/format.h>

namespace sluice::forwarding {
namespace {

using tables::Format;
using tables::MatchKind;

constexpr tables::FieldSchema kFields[] = {{"bridge", 16, MatchKind::exact, Format::integer},
                                           {"vlan", 16, MatchKind::exact, Format::integer},
                                           {"mac", 48, MatchKind::exact, Format::mac}};
constexpr tables::ParamSchema kPort[] = {{"port", 32, Format::port}};
constexpr tables::ActionSchema kForward[] = {{"forward", kPort}};
constexpr tables::ActionSchema kKnown[] = {{"known", kPort}};
constexpr std::string_view kUpdate = "lock-free hash, positions freed after a grace period";

}  // namespace

FdbTable::FdbTable(FdbRole role, uint32_t capacity)
    : schema_(make_schema(role, capacity)),
      hash_(std::string(schema_.name), capacity),
      ports_(hash_.positions()),
      seen_(hash_.positions()) {
  for (auto& port : ports_) port.store(kNoPort, std::memory_order_relaxed);
}

tables::TableSchema FdbTable::make_schema(FdbRole role, size_t capacity) {
  if (role == FdbRole::source) return {"fdb_source", kFields, kKnown, capacity, kUpdate};
  return {"fdb", kFields, kForward, capacity, kUpdate};
}

absl::Status FdbTable::insert(const tables::Entry& entry) {
  const auto position = hash_.add(key_of(entry));
  if (position < 0) return absl::ResourceExhaustedError(fmt::format("{}: no room for this key", schema_.name));
  ports_[static_cast<size_t>(position)].store(static_cast<PortNumber>(entry.params[0]), std::memory_order_release);
  return absl::OkStatus();
}

absl::Status FdbTable::modify(const tables::Entry&, const tables::Entry& after) { return insert(after); }

void FdbTable::remove(const tables::Entry& entry) {
  const auto position = hash_.remove(key_of(entry));
  if (position >= 0) ports_[static_cast<size_t>(position)].store(kNoPort, std::memory_order_release);
}

}  // namespace sluice::forwarding
