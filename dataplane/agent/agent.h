// The local agent: gets the packets that leave the fast path, answers them, and writes what it learns
// into the tables through the same door as everybody.
#pragma once

#include <rte_mempool.h>
#include <rte_ring.h>

#include <atomic>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "dataplane/agent/frames.h"
#include "dataplane/agent/interface.h"
#include "dataplane/agent/neighbour_cache.h"
#include "dataplane/forwarding/state.h"
#include "dataplane/graph/counters.h"
#include "dataplane/graph/packet.h"
#include "dataplane/graph/token_bucket.h"
#include "dataplane/tables/service.h"

namespace sluice::agent {

struct AgentOptions {
  uint32_t icmp_errors_per_second = 1000;
  std::chrono::seconds fdb_ageing{300};
  std::chrono::seconds neighbour_refresh{30};
  bool off = false;            // punted packets are only shown, and then let go
  uint32_t punt_rate = 20000;  // packets a second, lcore and cause, unless the table says otherwise
};

struct AgentWiring {
  forwarding::State& state;
  const forwarding::TableIds& ids;
  tables::TableService& service;
  rte_mempool* pool;
  std::vector<rte_ring*> punt_rings;  // one a worker
  rte_ring* inject_ring;
};

class Agent {
 public:
  Agent(std::vector<Interface> interfaces, AgentOptions options, AgentWiring wiring);
  ~Agent();

  // Entries that follow from the ports: own MACs, own addresses, connected networks, bridges, punts.
  absl::Status write_port_entries();

  // Shown every punted packet before the agent handles it, on the agent's thread. Set before start().
  void on_punted(std::function<void(Packet)> observer) { on_punted_ = std::move(observer); }

  void start();
  void stop();

  // Packets that the agent gave up, counted for the node that punted them.
  const LcoreCounters& counters() const { return counters_; }

 private:
  void run();
  bool take_punted();
  void handle(Packet packet);
  void on_tick();

  void on_arp(Packet packet);
  void on_neighbour_discovery(Packet packet);
  void on_local(Packet packet);
  void on_unresolved(Packet packet);
  void on_too_big(Packet packet);
  void on_unknown_source(Packet packet);
  void complain(Packet packet, IcmpFault fault);

  void perform(const NeighbourActions& actions);
  void write_neighbour(const NeighbourActions::Resolved& neighbour);
  void solicit(const NeighbourActions::Solicit& request);
  void forward(const NeighbourId& via, Packet packet);
  bool resolve_adjacency(const NeighbourId& id, forwarding::Adjacency& adjacency) const;
  void fragment(const NeighbourId& via, Packet packet);

  void flush_learnt();
  std::optional<tables::Update> learning_update(const tables::Entry& entry) const;
  void age_fdb();

  void send(const Interface& from, const Frame& frame);
  bool inject(rte_mbuf* mbuf, PortNumber port);  // false where the ring is full
  void finish(Packet packet);                    // handled: the buffer is free
  void give_up(Packet packet, wire::Drop reason);

  const Interface& interface_of(Packet packet) const { return interfaces_[packet.in_port()]; }

  std::vector<Interface> interfaces_;
  AgentOptions options_;
  AgentWiring wiring_;
  NeighbourCache neighbours_;
  TokenBucket icmp_limit_;
  std::map<std::tuple<uint16_t, uint16_t, uint64_t>, PortNumber> learnt_;  // waiting to be written to fdb and fdb_source
  LcoreCounters counters_;
  std::function<void(Packet)> on_punted_;
  Time started_, next_tick_, next_ageing_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace sluice::agent
