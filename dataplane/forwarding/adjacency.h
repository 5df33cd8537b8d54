// Where a route leads: what the fast path needs to send a packet on, in one cache line.
#pragma once

#include <array>
#include <cstdint>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/value.h"
#include "dataplane/wire/address.h"

namespace sluice::forwarding {

// Immutable once published: a change makes a new one, and the old is freed after a grace period.
struct alignas(64) Adjacency {
  enum class Kind : uint8_t {
    rewrite,     // port and MACs are known
    unresolved,  // port and next hop are known, its MAC is not
    connected,   // the destination itself is the next hop: look it up in ipv4_neighbour or ipv6_neighbour
    local,       // the packet is for this router
    discard,     // the route says drop
    none,        // no route
  };

  Kind kind = Kind::none;
  PortNumber port = kNoPort;
  uint16_t mtu = 0;  // of the IP packet
  wire::MacAddress dst_mac, src_mac;
  tables::Value next_hop = 0;  // IPv4 as ::ffff:a.b.c.d
};
static_assert(sizeof(Adjacency) == 64);

}  // namespace sluice::forwarding
