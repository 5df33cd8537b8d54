// Random states of the tables, and packets made from the entries that are in them.
#pragma once

#include <span>

#include "dataplane/tables/schema.h"
#include "tests/differential/scenario.h"
#include "tests/support/random.h"

namespace sluice::testing {

// Values that entries and packets of one scenario share, so that lookups find something: few MACs, next hops and
// networks, and prefixes that lie in each other.
struct Pools {
  explicit Pools(Random& random);

  std::vector<wire::MacAddress> macs;
  std::vector<wire::Ipv4Address> ipv4_next_hops;
  std::vector<wire::Ipv6Address> ipv6_next_hops;
  std::vector<wire::Ipv4Address> ipv4_hosts;
  std::vector<wire::Ipv6Address> ipv6_hosts;
};

// Entries for every table of `schemas`: each field and parameter by its kind and format, nothing else is known here.
std::vector<tables::EntryText> random_entries(std::span<const tables::TableSchema> schemas, const Pools& pools, Random& random);

Scenario random_scenario(std::span<const tables::TableSchema> schemas, uint64_t seed, size_t packets);

}  // namespace sluice::testing
