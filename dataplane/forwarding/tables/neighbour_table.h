// ipv4_neighbour, ipv6_neighbour: (port, next hop) to MAC addresses.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "dataplane/forwarding/adjacency.h"
#include "dataplane/forwarding/tables/concurrent_hash.h"
#include "dataplane/forwarding/tables/fib.h"
#include "dataplane/forwarding/tables/next_hops.h"
#include "dataplane/tables/table.h"

namespace sluice::forwarding {

// Parameters of the only action, `rewrite`, in the order of the schema.
enum class RewriteParam : uint8_t { src_mac, dst_mac, mtu };

template <class Family>
class NeighbourTable final : public tables::Table {
 public:
  NeighbourTable(uint32_t capacity, NextHops& next_hops);
  static tables::TableSchema make_schema(size_t capacity);

  const tables::TableSchema& schema() const override { return schema_; }
  absl::Status insert(const tables::Entry& entry) override;
  absl::Status modify(const tables::Entry& before, const tables::Entry& after) override;
  void remove(const tables::Entry& entry) override;
  void publish() override {}
  void reclaim() override;

  // nullptr where the neighbour is not known. IPv4 next hops are ::ffff:a.b.c.d here as in all adjacencies.
  const Adjacency* find(PortNumber port, tables::Value next_hop) const {
    const auto position = hash_.find(key_of(port, next_hop));
    return position < 0 ? nullptr : adjacencies_[static_cast<size_t>(position)].load(std::memory_order_acquire);
  }

 private:
  struct HashKey {
    uint64_t high, low, port;
  };
  static HashKey key_of(PortNumber port, tables::Value next_hop) {
    return {static_cast<uint64_t>(next_hop >> 64), static_cast<uint64_t>(next_hop), port};
  }

  tables::TableSchema schema_;
  NextHops& next_hops_;
  ConcurrentHash<HashKey> hash_;
  std::vector<std::atomic<const Adjacency*>> adjacencies_;  // by hash position
  std::vector<std::unique_ptr<const Adjacency>> owned_;     // likewise
  std::vector<std::unique_ptr<const Adjacency>> retired_;
};

using Ipv4NeighbourTable = NeighbourTable<FibV4>;
using Ipv6NeighbourTable = NeighbourTable<FibV6>;

}  // namespace sluice::forwarding
