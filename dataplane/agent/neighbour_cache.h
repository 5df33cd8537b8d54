// Resolution of next hops to MACs as a pure state machine (RFC 4861, 7.3, and the same for ARP): time and
// packets come in as arguments, what is to be done comes out.
#pragma once

#include <chrono>
#include <deque>
#include <map>
#include <vector>

#include "dataplane/graph/ids.h"
#include "dataplane/tables/value.h"
#include "dataplane/wire/address.h"

namespace sluice::agent {

using Time = std::chrono::steady_clock::time_point;

struct NeighbourId {
  PortNumber port;
  tables::Value address;  // IPv4 as ::ffff:a.b.c.d

  auto operator<=>(const NeighbourId&) const = default;
};

// A packet that waits; the cache does not look into it.
using Waiting = void*;

struct NeighbourActions {
  struct Solicit {
    NeighbourId id;
    const wire::MacAddress* unicast;  // nullptr: ask everybody
  };
  struct Resolved {
    NeighbourId id;
    wire::MacAddress mac;
  };
  std::vector<Solicit> solicit;
  std::vector<Resolved> resolved;   // new, or its MAC has changed
  std::vector<NeighbourId> lost;    // did not answer any more
  std::vector<std::pair<NeighbourId, Waiting>> release;  // may go on
  std::vector<std::pair<NeighbourId, Waiting>> give_up;  // will never go
};

class NeighbourCache {
 public:
  struct Options {
    std::chrono::seconds refresh{30};
    std::chrono::milliseconds retransmit{1000};  // RFC 4861, 10: RETRANS_TIMER
    unsigned attempts = 3;                       // MAX_MULTICAST_SOLICIT
    size_t waiting_per_neighbour = 64;
    size_t max_neighbours = 16384;
  };

  explicit NeighbourCache(Options options) : options_(options) {}

  // A packet needs this neighbour.
  void on_needed(const NeighbourId& id, Waiting packet, Time now, NeighbourActions& out);
  // The neighbour has shown its MAC; `asked` is true where that should make a new entry, too.
  void on_seen(const NeighbourId& id, const wire::MacAddress& mac, bool asked, Time now, NeighbourActions& out);
  // Retries, refreshes and gives up. Call it every 100 ms or so.
  void on_tick(Time now, NeighbourActions& out);
  // Everything that waits is given up.
  void on_shutdown(NeighbourActions& out);

  size_t size() const { return neighbours_.size(); }

 private:
  struct Neighbour {
    bool resolved = false;
    wire::MacAddress mac;
    unsigned attempts = 0;  // unanswered solicitations
    Time next;              // when to solicit, or to refresh
    std::deque<Waiting> waiting;
  };

  Options options_;
  std::map<NeighbourId, Neighbour> neighbours_;
};

}  // namespace sluice::agent
