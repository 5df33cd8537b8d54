// What the forwarding nodes read. Tables change under their feet as each table's header says.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "dataplane/forwarding/tables/bridge_members.h"
#include "dataplane/forwarding/tables/fdb_table.h"
#include "dataplane/forwarding/tables/my_station_table.h"
#include "dataplane/forwarding/tables/neighbour_table.h"
#include "dataplane/forwarding/tables/next_hops.h"
#include "dataplane/forwarding/tables/punt_table.h"
#include "dataplane/forwarding/tables/route_table.h"
#include "dataplane/tables/service.h"

namespace sluice::forwarding {

struct TableIds {
  tables::TableId my_station, fdb, fdb_source, ipv4_lpm, ipv6_lpm, ipv4_neighbour, ipv6_neighbour, punt;

  tables::TableId lpm(bool is_ipv4) const { return is_ipv4 ? ipv4_lpm : ipv6_lpm; }
  tables::TableId neighbour(bool is_ipv4) const { return is_ipv4 ? ipv4_neighbour : ipv6_neighbour; }
};

struct State {
  NextHops ipv4_next_hops, ipv6_next_hops;
  const MyStationTable* my_station = nullptr;
  const FdbTable* fdb = nullptr;
  const FdbTable* fdb_source = nullptr;
  const Ipv4RouteTable* ipv4 = nullptr;
  const Ipv6RouteTable* ipv6 = nullptr;
  const Ipv4NeighbourTable* ipv4_neighbour = nullptr;
  const Ipv6NeighbourTable* ipv6_neighbour = nullptr;
  const PuntTable* punt = nullptr;

  BridgeMembers members;

  std::atomic<uint32_t> clock_seconds{0};  // set by the agent; coarse time for ageing
};

struct Sizes {
  FibSize ipv4{65536, 4096};
  FibSize ipv6{16384, 16384};
  uint32_t neighbours = 16384;
  uint32_t fdb = 16384;
};

// The tables' schemas, for checking entries before there are tables.
std::vector<tables::TableSchema> schemas(const Sizes& sizes);

// Makes the tables, hands them to the service and points `state` at them.
TableIds add_tables(State& state, tables::TableService& service, const Sizes& sizes);

}  // namespace sluice::forwarding
