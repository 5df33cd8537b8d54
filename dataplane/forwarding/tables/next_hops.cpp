#include "dataplane/forwarding/tables/next_hops.h"

#include <fmt/format.h>

namespace sluice::forwarding {

NextHops::NextHops() : slots_(kCapacity), owned_(kCapacity), routes_(kCapacity) {
  store(0, std::make_unique<Adjacency>());
  for (size_t i = kCapacity; i-- > 1;) free_.push_back(i);
}

absl::StatusOr<NextHopIndex> NextHops::acquire(const NextHopKey& key) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) {
    ++routes_[found->second];
    return static_cast<NextHopIndex>(found->second);
  }
  if (free_.empty())
    return absl::ResourceExhaustedError(fmt::format("more than {} different next hops", kCapacity - 1));
  const size_t index = free_.back();
  free_.pop_back();
  by_key_[key] = index;
  routes_[index] = 1;
  auto adjacency = std::make_unique<Adjacency>();
  adjacency->kind = key.kind;
  adjacency->port = key.port;
  adjacency->next_hop = key.next_hop;
  if (key.kind == Adjacency::Kind::unresolved) {
    const auto found = resolved_.find({key.port, key.next_hop});
    if (found != resolved_.end()) *adjacency = *found->second;
  }
  store(index, std::move(adjacency));
  return static_cast<NextHopIndex>(index);
}

void NextHops::release(const NextHopKey& key) {
  const auto found = by_key_.find(key);
  const size_t index = found->second;
  if (--routes_[index] > 0) return;
  by_key_.erase(found);
  released_.push_back(index);
}

void NextHops::resolve(PortNumber port, tables::Value next_hop, const Adjacency* resolved) {
  if (resolved) {
    resolved_[{port, next_hop}] = std::make_unique<Adjacency>(*resolved);
  } else {
    resolved_.erase({port, next_hop});
  }
  const NextHopKey key{Adjacency::Kind::unresolved, port, next_hop};
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  auto adjacency = std::make_unique<Adjacency>();
  if (resolved) {
    *adjacency = *resolved;
  } else {
    adjacency->kind = key.kind;
    adjacency->port = port;
    adjacency->next_hop = next_hop;
  }
  store(found->second, std::move(adjacency));
}

void NextHops::store(size_t index, std::unique_ptr<Adjacency> adjacency) {
  if (owned_[index]) retired_.push_back(std::move(owned_[index]));
  owned_[index] = std::move(adjacency);
  slots_[index].store(owned_[index].get(), std::memory_order_release);
}

void NextHops::reclaim() {
  retired_.clear();
  free_.insert(free_.end(), released_.begin(), released_.end());
  released_.clear();
}

}  // namespace sluice::forwarding
