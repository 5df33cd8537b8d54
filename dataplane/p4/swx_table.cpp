#include "dataplane/p4/swx_table.h"

#include <fmt/format.h>
#include <rte_acl.h>

#include <algorithm>
#include <bitset>

namespace sluice::p4 {
namespace {

using tables::Value;

constexpr std::string_view kUpdate =
    "the pipeline pauses; exact entries go in one by one, other tables are built anew";
// rte_acl takes priorities from 1 to RTE_ACL_MAX_PRIORITY, larger first; SWX counts from there down.
constexpr uint32_t kTopPriority = RTE_ACL_MAX_PRIORITY - 1;

// p4c puts the names of controls in front of a name, with a '_' or '.' between, and often a number behind:
// `_fdb_0`.
bool ends_with_name(std::string_view full, std::string_view name) {
  if (full == name) return true;
  const size_t number = full.find_last_not_of("0123456789");
  if (number != full.npos && number + 1 < full.size() && full[number] == '_') full = full.substr(0, number);
  if (full == name) return true;
  if (!full.ends_with(name)) return false;
  const char before = full[full.size() - name.size() - 1];
  return before == '_' || before == '.';
}

void put(std::vector<uint8_t>& bytes, uint32_t offset, uint32_t count, bool network_order, Value value) {
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t at = network_order ? count - 1 - i : i;
    bytes[offset + at] = static_cast<uint8_t>(value);
    value >>= 8;
  }
}

unsigned ones(Value mask) {
  return static_cast<unsigned>(std::bitset<64>(static_cast<uint64_t>(mask)).count() +
                               std::bitset<64>(static_cast<uint64_t>(mask >> 64)).count());
}

}  // namespace

SwxTable::SwxTable(tables::TableDescription description, Pipeline& pipeline)
    : schema_(std::move(description), kUpdate), pipeline_(pipeline) {}

absl::StatusOr<std::unique_ptr<SwxTable>> SwxTable::make(tables::TableDescription description,
                                                         const Layout& layout, Pipeline& pipeline) {
  const spec::Table* found = nullptr;
  for (const auto& table : layout.program().tables) {
    if (!ends_with_name(table.name, description.name)) continue;
    if (table.name == description.name || !found) found = &table;
  }
  if (!found)
    return absl::NotFoundError(
        fmt::format("{}: the program has no table '{}'", layout.program().file, description.name));
  if (description.fields.size() > tables::kMaxFields)
    return absl::InvalidArgumentError(fmt::format("table '{}' has {} key fields, at most {} are supported",
                                                  description.name, description.fields.size(),
                                                  tables::kMaxFields));
  description.capacity = std::min<size_t>(description.capacity, found->size);
  std::unique_ptr<SwxTable> table(new SwxTable(std::move(description), pipeline));
  table->name_ = found->name;
  if (auto status = table->bind_key(*found, layout); !status.ok()) return status;
  if (auto status = table->bind_actions(*found, layout); !status.ok()) return status;
  return table;
}

absl::Status SwxTable::bind_key(const spec::Table& table, const Layout& layout) {
  const auto& schema = schema_.schema();
  if (table.key.size() != schema.fields.size())
    return absl::InvalidArgumentError(
        fmt::format("table '{}': the program has {} key fields, its description {}", schema.name,
                    table.key.size(), schema.fields.size()));
  uint32_t first = UINT32_MAX, end = 0;
  for (size_t i = 0; i < table.key.size(); ++i) {
    const auto field = *layout.operand(table.key[i].name, nullptr);
    if (field.bits < schema.fields[i].bits)
      return absl::InvalidArgumentError(
          fmt::format("table '{}': field '{}' has {} bits in the program, {} in its description", schema.name,
                      schema.fields[i].name, field.bits, schema.fields[i].bits));
    // Fields beyond 64 bits are only ever copied, and so stay as they are on the wire.
    key_.push_back({field.offset, field.bytes(), field.space == Space::header || field.bits > 64});
    first = std::min(first, field.offset);
    end = std::max(end, field.offset + field.bytes());
  }
  for (auto& place : key_) place.offset -= first;
  key_bytes_ = key_.empty() ? 0 : end - first;
  return absl::OkStatus();
}

absl::Status SwxTable::bind_actions(const spec::Table& table, const Layout& layout) {
  const auto& schema = schema_.schema();
  const auto& actions = layout.program().actions;
  for (const auto& wanted : schema.actions) {
    const auto use = std::find_if(table.actions.begin(), table.actions.end(), [&](const auto& one) {
      return one.for_entries && ends_with_name(one.name, wanted.name);
    });
    if (use == table.actions.end())
      return absl::InvalidArgumentError(fmt::format(
          "table '{}': the program has no action '{}' for its entries", schema.name, wanted.name));
    const auto action =
        std::find_if(actions.begin(), actions.end(), [&](const auto& one) { return one.name == use->name; });
    Action bound{static_cast<uint64_t>(action - actions.begin()), 0, {}};
    const auto* type = layout.arguments(*action);
    if (wanted.params.size() != (type ? type->fields.size() : 0) || wanted.params.size() > tables::kMaxParams)
      return absl::InvalidArgumentError(fmt::format(
          "table '{}': action '{}' has other parameters in the program", schema.name, wanted.name));
    for (size_t i = 0; i < wanted.params.size(); ++i) {
      const auto& field = type->fields[i];
      if (field.bits < wanted.params[i].bits)
        return absl::InvalidArgumentError(
            fmt::format("table '{}': parameter '{}' of '{}' has {} bits in the program", schema.name,
                        wanted.params[i].name, wanted.name, field.bits));
      rte_swx_ctl_action_arg_info info{};
      if (rte_swx_ctl_action_arg_info_get(pipeline_.handle(), static_cast<uint32_t>(bound.id),
                                          static_cast<uint32_t>(i), &info) != 0)
        return absl::InternalError(
            fmt::format("action '{}': DPDK does not know its argument {}", use->name, i));
      bound.params.push_back(
          {bound.bytes, field.bits / 8, info.is_network_byte_order != 0 || field.bits > 64});
      bound.bytes += field.bits / 8;
    }
    actions_.push_back(std::move(bound));
  }
  return absl::OkStatus();
}

uint32_t SwxTable::swx_priority(const tables::Key& key) const {
  const auto& fields = schema_.schema().fields;
  if (schema_.schema().has_priority()) return kTopPriority - key.priority;
  for (size_t i = 0; i < fields.size(); ++i)
    if (fields[i].kind == tables::MatchKind::lpm) return fields[i].bits - ones(key.match[i].mask);
  return 0;
}

template <class Use>
absl::Status SwxTable::with_entry(const tables::Entry& entry, Use use) {
  const auto& fields = schema_.schema().fields;
  const auto& action = actions_[static_cast<size_t>(entry.action)];
  std::vector<uint8_t> key(key_bytes_), mask(key_bytes_), data(action.bytes);
  bool exact = true;
  for (size_t i = 0; i < key_.size(); ++i) {
    const auto& [offset, bytes, network_order] = key_[i];
    exact &= fields[i].kind == tables::MatchKind::exact;
    put(key, offset, bytes, network_order, entry.key.match[i].value);
    // The pipeline's field may be wider than the described one: the rest must be zero.
    const Value wider = tables::low_mask(8 * bytes) & ~tables::low_mask(fields[i].bits);
    put(mask, offset, bytes, network_order, entry.key.match[i].mask | (entry.key.match[i].mask ? wider : 0));
  }
  for (size_t i = 0; i < action.params.size(); ++i)
    put(data, action.params[i].offset, action.params[i].bytes, action.params[i].network_order,
        entry.params[i]);
  rte_swx_table_entry swx{};
  swx.key = key.data();
  swx.key_mask = exact ? nullptr : mask.data();
  swx.key_priority = swx_priority(entry.key);
  swx.action_id = action.id;
  swx.action_data = data.empty() ? nullptr : data.data();
  return use(swx);
}

absl::Status SwxTable::add(const tables::Entry& entry) {
  return with_entry(entry, [&](rte_swx_table_entry& swx) { return pipeline_.add(name_, swx); });
}

void SwxTable::erase(const tables::Entry& entry) {
  // DPDK answers OK where the entry is not there.
  with_entry(entry, [&](rte_swx_table_entry& swx) { return pipeline_.remove(name_, swx); }).IgnoreError();
}

absl::Status SwxTable::insert(const tables::Entry& entry) {
  watcher_(entry, true);
  if (!schema_.schema().has_priority()) return add(entry);
  if (entry.key.priority >= kTopPriority)
    return absl::InvalidArgumentError(fmt::format("{}.priority: {} is above {}, the highest of this engine",
                                                  schema_.schema().name, entry.key.priority,
                                                  kTopPriority - 1));
  auto& others = same_match_[entry.key.match];
  if (others.empty() || entry.key.priority > others.begin()->first)
    if (auto status = add(entry); !status.ok()) return status;
  others.emplace(entry.key.priority, entry);
  return absl::OkStatus();
}

absl::Status SwxTable::modify(const tables::Entry& before, const tables::Entry& after) {
  watcher_(after, true);
  if (!schema_.schema().has_priority()) return add(after);
  auto& others = same_match_[before.key.match];
  if (others.begin()->first == after.key.priority)
    if (auto status = add(after); !status.ok()) return status;
  others[after.key.priority] = after;
  return absl::OkStatus();
}

void SwxTable::remove(const tables::Entry& entry) {
  watcher_(entry, false);
  if (!schema_.schema().has_priority()) return erase(entry);
  const auto found = same_match_.find(entry.key.match);
  auto& others = found->second;
  const bool was_first = others.begin()->first == entry.key.priority;
  others.erase(entry.key.priority);
  if (was_first) {
    erase(entry);
    // The next in line takes its place: it has always fitted.
    if (!others.empty()) add(others.begin()->second).IgnoreError();
  }
  if (others.empty()) same_match_.erase(found);
}

TableStatistics SwxTable::statistics() const {
  rte_swx_ctl_pipeline_info info{};
  rte_swx_ctl_pipeline_info_get(pipeline_.handle(), &info);
  std::vector<uint64_t> by_action(info.n_actions);
  rte_swx_table_stats stats{0, 0, by_action.data()};
  rte_swx_ctl_pipeline_table_stats_read(pipeline_.handle(), name_.c_str(), &stats);
  TableStatistics result{std::string(schema().name), stats.n_pkts_hit, stats.n_pkts_miss, {}};
  for (size_t i = 0; i < actions_.size(); ++i)
    result.actions.emplace_back(schema().actions[i].name, by_action[actions_[i].id]);
  return result;
}

}  // namespace sluice::p4
