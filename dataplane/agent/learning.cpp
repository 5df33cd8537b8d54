// MAC addresses behind bridged ports: learnt from the first frame, forgotten after silence.
#include "dataplane/agent/agent.h"
#include "dataplane/wire/ethernet.h"

namespace sluice::agent {
namespace {

using tables::Operation;

}  // namespace

void Agent::on_unknown_source(Packet packet) {
  const auto& meta = packet.meta();
  const auto* ethernet = wire::overlay<wire::EthernetHeader>(packet.bytes());
  learnt_[{meta.bridge_domain, meta.vlan, ethernet->src.to_integer()}] = packet.in_port();
  finish(packet);
}

// What is to be done so that `entry` stands in its table; nothing where a person wrote another.
std::optional<tables::Update> Agent::learning_update(const tables::Entry& entry) const {
  const auto there = wiring_.service.find(entry.table, entry.key);
  if (!there) return tables::Update{Operation::insert, entry};
  if (there->origin != tables::Origin::agent) return std::nullopt;
  return tables::Update{Operation::modify, entry};  // the station has moved
}

void Agent::flush_learnt() {
  if (learnt_.empty()) return;
  std::vector<tables::Update> updates;
  for (const auto& [key, port] : learnt_) {
    const auto& [domain, vlan, mac] = key;
    tables::Entry entry;
    entry.key.match[0] = {domain, tables::low_mask(16)};
    entry.key.match[1] = {vlan, tables::low_mask(16)};
    entry.key.match[2] = {mac, tables::low_mask(48)};
    entry.params = {port};
    entry.origin = tables::Origin::agent;
    for (const auto table : {wiring_.ids.fdb, wiring_.ids.fdb_source}) {
      entry.table = table;
      if (const auto update = learning_update(entry)) updates.push_back(*update);
    }
  }
  learnt_.clear();
  // A full table is no fault: what is not learnt is flooded.
  if (!updates.empty()) wiring_.service.apply(updates);
  const auto second = wiring_.state.clock_seconds.load(std::memory_order_relaxed);
  for (const auto& update : updates)
    if (update.entry.table == wiring_.ids.fdb_source) wiring_.state.fdb_source->touch(update.entry, second);
}

void Agent::age_fdb() {
  const auto now = wiring_.state.clock_seconds.load(std::memory_order_relaxed);
  std::vector<tables::Update> updates;
  wiring_.service.read(wiring_.ids.fdb_source, 0, SIZE_MAX, [&](const tables::Entry& entry) {
    if (entry.origin != tables::Origin::agent) return;
    const auto silent = std::chrono::seconds(now - wiring_.state.fdb_source->last_seen(entry));
    if (silent >= options_.fdb_ageing) updates.push_back({Operation::remove, entry});
  });
  for (size_t i = 0, sources = updates.size(); i < sources; ++i) {
    const auto destination = wiring_.service.find(wiring_.ids.fdb, updates[i].entry.key);
    if (destination && destination->origin == tables::Origin::agent) updates.push_back({Operation::remove, *destination});
  }
  if (!updates.empty()) wiring_.service.apply(updates);
}

}  // namespace sluice::agent
