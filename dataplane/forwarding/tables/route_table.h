// ipv4_lpm and ipv6_lpm: longest prefix to next hop.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dataplane/forwarding/tables/fib.h"
#include "dataplane/forwarding/tables/next_hops.h"
#include "dataplane/tables/table.h"

namespace sluice::forwarding {

// Actions, in the order of the schema.
enum class RouteAction : uint8_t { via, connected, local, discard };

template <class Family>
class RouteTable final : public tables::Table {
 public:
  RouteTable(FibSize size, NextHops& next_hops);
  static tables::TableSchema make_schema(size_t capacity);

  const tables::TableSchema& schema() const override { return schema_; }
  absl::Status insert(const tables::Entry& entry) override;
  absl::Status modify(const tables::Entry& before, const tables::Entry& after) override;
  void remove(const tables::Entry& entry) override;
  void publish() override { fib_.publish(); }
  void reclaim() override;

  const Fib<Family>& fib() const { return fib_; }

 private:
  NextHopKey next_hop_key(const tables::Entry& entry) const;

  tables::TableSchema schema_;
  NextHops& next_hops_;
  Fib<Family> fib_;
};

using Ipv4RouteTable = RouteTable<FibV4>;
using Ipv6RouteTable = RouteTable<FibV6>;

extern template class RouteTable<FibV4>;
extern template class RouteTable<FibV6>;

}  // namespace sluice::forwarding
