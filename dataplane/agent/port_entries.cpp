// The table entries that follow from the ports' configuration.
#include <fmt/format.h>

#include "dataplane/agent/agent.h"

namespace sluice::agent {
namespace {

using tables::Entry;
using tables::Match;
using tables::Origin;
using tables::Value;

// Above anything that a person is likely to write, so that own addresses stay own.
constexpr uint32_t kStationPriority = 1000;

Entry make_entry(tables::TableId table, auto action, std::initializer_list<Match> match, std::initializer_list<Value> params) {
  Entry entry;
  entry.table = table;
  entry.action = static_cast<tables::ActionId>(action);
  std::copy(match.begin(), match.end(), entry.key.match.begin());
  std::copy(params.begin(), params.end(), entry.params.begin());
  entry.origin = Origin::agent;
  return entry;
}

Match exact(Value value, unsigned bits) { return {value, tables::low_mask(bits)}; }
Match prefix(Value value, unsigned bits, unsigned length) {
  const Value mask = tables::prefix_mask(bits, length);
  return {value & mask, mask};
}

void add_stations(const Interface& port, tables::TableId table, std::vector<Entry>& out) {
  const auto station = [&](Match mac, forwarding::StationAction action, uint32_t priority) {
    auto entry = make_entry(table, action, {exact(port.number, 32), mac}, {port.bridge});
    entry.key.priority = priority;
    out.push_back(entry);
  };
  if (!port.is_routed) {
    station({0, 0}, forwarding::StationAction::bridge, 1);
    return;
  }
  station(exact(tables::value_of(port.mac), 48), forwarding::StationAction::route, kStationPriority);
  station(exact(0xffffffffffff, 48), forwarding::StationAction::route, kStationPriority);
  // RFC 2464, 7: IPv6 multicast.
  station({0x333300000000, 0xffff00000000}, forwarding::StationAction::route, kStationPriority);
}

void add_addresses(const Interface& port, const forwarding::TableIds& ids, std::vector<Entry>& out) {
  using forwarding::RouteAction;
  for (const auto& address : port.addresses) {
    const auto table = address.is_ipv4 ? ids.ipv4_lpm : ids.ipv6_lpm;
    const auto bits = address.bits();
    if (address.prefix_length < bits)
      out.push_back(make_entry(table, RouteAction::connected, {prefix(address.address, bits, address.prefix_length)}, {port.number}));
    out.push_back(make_entry(table, RouteAction::local, {exact(address.address, bits)}, {}));
  }
}

}  // namespace

absl::Status Agent::write_port_entries() {
  if (options_.off) return absl::OkStatus();
  std::vector<Entry> entries;
  for (size_t cause = 0; cause < kPuntCauseCount; ++cause)
    entries.push_back(make_entry(wiring_.ids.punt, forwarding::PuntAction::to_agent, {exact(cause, 8)}, {options_.punt_rate}));
  for (const auto& port : interfaces_) {
    add_stations(port, wiring_.ids.my_station, entries);
    add_addresses(port, wiring_.ids, entries);
  }
  std::vector<tables::Update> updates;
  for (const auto& entry : entries)
    if (!wiring_.service.find(entry.table, entry.key)) updates.push_back({tables::Operation::insert, entry});
  for (const auto& status : wiring_.service.apply(updates))
    // Two ports on one link share a connected network: the first has it.
    if (!status.ok() && !absl::IsAlreadyExists(status)) return status;
  return absl::OkStatus();
}

}  // namespace sluice::agent
