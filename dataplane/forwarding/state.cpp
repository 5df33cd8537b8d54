#include "dataplane/forwarding/state.h"

namespace sluice::forwarding {

std::vector<tables::TableSchema> schemas(const Sizes& sizes) {
  return {MyStationTable::make_schema(),
          FdbTable::make_schema(FdbRole::destination, sizes.fdb),
          FdbTable::make_schema(FdbRole::source, sizes.fdb),
          Ipv4RouteTable::make_schema(sizes.ipv4.routes),
          Ipv6RouteTable::make_schema(sizes.ipv6.routes),
          Ipv4NeighbourTable::make_schema(sizes.neighbours),
          Ipv6NeighbourTable::make_schema(sizes.neighbours),
          PuntTable::make_schema()};
}

TableIds add_tables(State& state, tables::TableService& service, const Sizes& sizes) {
  const auto add = [&service](auto& pointer, auto table) {
    pointer = table.get();
    return service.add(std::move(table));
  };
  TableIds ids;
  ids.my_station = add(state.my_station, std::make_unique<MyStationTable>());
  ids.fdb = add(state.fdb, std::make_unique<FdbTable>(FdbRole::destination, sizes.fdb));
  ids.fdb_source = add(state.fdb_source, std::make_unique<FdbTable>(FdbRole::source, sizes.fdb));
  ids.ipv4_lpm = add(state.ipv4, std::make_unique<Ipv4RouteTable>(sizes.ipv4, state.ipv4_next_hops));
  ids.ipv6_lpm = add(state.ipv6, std::make_unique<Ipv6RouteTable>(sizes.ipv6, state.ipv6_next_hops));
  ids.ipv4_neighbour =
      add(state.ipv4_neighbour, std::make_unique<Ipv4NeighbourTable>(sizes.neighbours, state.ipv4_next_hops));
  ids.ipv6_neighbour =
      add(state.ipv6_neighbour, std::make_unique<Ipv6NeighbourTable>(sizes.neighbours, state.ipv6_next_hops));
  ids.punt = add(state.punt, std::make_unique<PuntTable>());
  return ids;
}

}  // namespace sluice::forwarding
