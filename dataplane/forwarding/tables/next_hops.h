// The next hops that routes share. A route's lookup gives a small number; the slot of that number
// holds the adjacency, so that a neighbour's change touches one slot and not every route.
#pragma once

#include <absl/status/statusor.h>

#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "dataplane/forwarding/adjacency.h"

namespace sluice::forwarding {

enum class NextHopIndex : uint16_t {};

// What distinguishes one next hop from another: the route's action and its parameters.
struct NextHopKey {
  Adjacency::Kind kind;  // unresolved stands for "via", resolved or not
  PortNumber port;
  tables::Value next_hop;

  auto operator<=>(const NextHopKey&) const = default;
};

class NextHops {
 public:
  // 15 bits: what rte_fib holds in two bytes beside its own bit. Number 0 is "no route".
  static constexpr size_t kCapacity = 32767;

  NextHops();

  absl::StatusOr<NextHopIndex> acquire(const NextHopKey& key);
  void release(const NextHopKey& key);

  // A neighbour became known or changed (adjacency given), or went away (nullptr).
  void resolve(PortNumber port, tables::Value next_hop, const Adjacency* resolved);

  const Adjacency* at(uint64_t index) const { return slots_[index].load(std::memory_order_acquire); }

  void reclaim();

 private:
  void store(size_t index, std::unique_ptr<Adjacency> adjacency);

  std::vector<std::atomic<const Adjacency*>> slots_;
  std::vector<std::unique_ptr<const Adjacency>> owned_;  // by slot
  std::vector<size_t> routes_;                           // that use the slot
  std::map<NextHopKey, size_t> by_key_;
  std::map<std::pair<PortNumber, tables::Value>, std::unique_ptr<Adjacency>> resolved_;
  std::vector<size_t> free_;
  std::vector<size_t> released_;                            // free after the next grace period
  std::vector<std::unique_ptr<const Adjacency>> retired_;  // likewise
};

}  // namespace sluice::forwarding
