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

void Agent::flush_learnt() {
  if (learnt_.empty()) return;
  std::vector<tables::Update> updates;
  for (const auto& [key, port] : learnt_) {
    const auto& [domain, vlan, mac] = key;
    tables::Entry entry;
    entry.table = wiring_.ids.fdb;
    entry.key.match[0] = {domain, tables::low_mask(16)};
    entry.key.match[1] = {vlan, tables::low_mask(16)};
    entry.key.match[2] = {mac, tables::low_mask(48)};
    entry.params = {port};
    entry.origin = tables::Origin::agent;
    const auto there = wiring_.service.find(entry.table, entry.key);
    if (!there) {
      updates.push_back({Operation::insert, entry});
    } else if (there->origin == tables::Origin::agent) {
      updates.push_back({Operation::modify, entry});  // the station has moved
    }
  }
  learnt_.clear();
  // A full table is no fault: what is not learnt is flooded.
  if (!updates.empty()) wiring_.service.apply(updates);
  const auto second = wiring_.state.clock_seconds.load(std::memory_order_relaxed);
  for (const auto& update : updates) wiring_.state.fdb->touch(update.entry, second);
}

void Agent::age_fdb() {
  const auto now = wiring_.state.clock_seconds.load(std::memory_order_relaxed);
  std::vector<tables::Update> updates;
  wiring_.service.read(wiring_.ids.fdb, 0, SIZE_MAX, [&](const tables::Entry& entry) {
    if (entry.origin != tables::Origin::agent) return;
    const auto silent = std::chrono::seconds(now - wiring_.state.fdb->last_seen(entry));
    if (silent >= options_.fdb_ageing) updates.push_back({Operation::remove, entry});
  });
  if (!updates.empty()) wiring_.service.apply(updates);
}

}  // namespace sluice::agent
