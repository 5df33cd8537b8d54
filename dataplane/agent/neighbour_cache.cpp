#include "dataplane/agent/neighbour_cache.h"

namespace sluice::agent {

void NeighbourCache::on_needed(const NeighbourId& id, Waiting packet, Time now, NeighbourActions& out) {
  const auto found = neighbours_.find(id);
  if (found != neighbours_.end() && found->second.resolved) {
    out.release.emplace_back(id, packet);
    return;
  }
  if (found == neighbours_.end()) {
    // A scan of a large subnet must not take all memory.
    if (neighbours_.size() >= options_.max_neighbours) {
      out.give_up.emplace_back(id, packet);
      return;
    }
    out.solicit.push_back({id, nullptr});
  }
  auto& neighbour = neighbours_[id];
  if (neighbour.attempts == 0) {
    neighbour.attempts = 1;
    neighbour.next = now + options_.retransmit;
  }
  // The newest are worth most (RFC 4861, 7.2.2).
  if (neighbour.waiting.size() >= options_.waiting_per_neighbour) {
    out.give_up.emplace_back(id, neighbour.waiting.front());
    neighbour.waiting.pop_front();
  }
  neighbour.waiting.push_back(packet);
}

void NeighbourCache::on_seen(const NeighbourId& id, const wire::MacAddress& mac, bool asked, Time now,
                             NeighbourActions& out) {
  const auto found = neighbours_.find(id);
  if (found == neighbours_.end() && (!asked || neighbours_.size() >= options_.max_neighbours)) return;
  auto& neighbour = neighbours_[id];
  if (!neighbour.resolved || neighbour.mac != mac) out.resolved.push_back({id, mac});
  neighbour.resolved = true;
  neighbour.mac = mac;
  neighbour.attempts = 0;
  neighbour.next = now + options_.refresh;
  for (const Waiting packet : neighbour.waiting) out.release.emplace_back(id, packet);
  neighbour.waiting.clear();
}

void NeighbourCache::on_tick(Time now, NeighbourActions& out) {
  for (auto it = neighbours_.begin(); it != neighbours_.end();) {
    auto& [id, neighbour] = *it;
    if (now < neighbour.next) {
      ++it;
      continue;
    }
    if (neighbour.attempts >= options_.attempts) {
      if (neighbour.resolved) out.lost.push_back(id);
      for (const Waiting packet : neighbour.waiting) out.give_up.emplace_back(id, packet);
      it = neighbours_.erase(it);
      continue;
    }
    ++neighbour.attempts;
    neighbour.next = now + options_.retransmit;
    out.solicit.push_back({id, neighbour.resolved ? &neighbour.mac : nullptr});
    ++it;
  }
}

void NeighbourCache::on_shutdown(NeighbourActions& out) {
  for (auto& [id, neighbour] : neighbours_) {
    for (const Waiting packet : neighbour.waiting) out.give_up.emplace_back(id, packet);
    neighbour.waiting.clear();
  }
}

}  // namespace sluice::agent
