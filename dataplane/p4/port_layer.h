// The ports of a P4 pipeline: DPDK's Ethernet ports, and what a P4 program cannot do by itself (frames for
// the controller, replication, lengths). All of it runs on the pipeline's own thread.
#pragma once

#include <rte_mbuf.h>
#include <rte_mempool.h>
#include <rte_ring.h>
#include <rte_swx_port.h>

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <vector>

#include "dataplane/graph/counters.h"
#include "dataplane/graph/ids.h"
#include "dataplane/graph/token_bucket.h"
#include "dataplane/io/tx_queue.h"
#include "dataplane/p4/guard.h"
#include "dataplane/p4/pipeline.h"

namespace sluice::p4 {

// What the port layer must know of the program.
struct ParserFacts {
  Guard guard;
  bool has_arrival = false;  // wants an arrival header in front of each packet
  uint32_t growth = 0;       // bytes of headers that it may add in front
};
// INVALID_ARGUMENT from the guard, or where a packet could grow beyond a buffer's headroom.
absl::StatusOr<ParserFacts> parser_facts(const Layout& layout);

struct Device {
  uint16_t dpdk_port;
  io::TxQueue* tx;
};

// A packet comes in as received, injected or copied, and ends as transmitted, punted, discarded or dropped.
struct PortLayerCounters {
  Counter received, transmitted, injected, copied;
  std::array<Counter, kPuntCauseCount> punted;
  Counter discarded;  // by the program, which has counted the reason
  std::array<Counter, wire::kDropCount> dropped;
};

class PortLayer {
 public:
  using Groups = std::map<uint32_t, std::vector<PortNumber>>;

  // Frames for the controller leave by `to_controller`, with cause, ports and MTU in their PacketMeta.
  PortLayer(const std::vector<Device>& devices, rte_mempool* pool, rte_ring* to_controller);
  ~PortLayer();
  PortLayer(const PortLayer&) = delete;
  PortLayer& operator=(const PortLayer&) = delete;

  PortBindings bindings();

  // While no packet is inside.
  void set_program(ParserFacts facts) { facts_ = std::move(facts); }
  void set_groups(Groups groups) { groups_ = std::move(groups); }

  // A closed layer takes nothing from its devices; what it has taken goes on.
  void close() { open_ = false; }
  void open() { open_ = true; }
  uint64_t inside() const { return entered_ - left_; }
  uint64_t entered() const { return entered_; }

  // Packets a second of one cause that reach the controller. Of any thread.
  void set_punt_rate(PuntCause cause, uint32_t rate) {
    punt_rates_[static_cast<size_t>(cause)].store(rate, std::memory_order_relaxed);
  }
  static constexpr uint32_t kUnlimited = UINT32_MAX;

  // Past the pipeline.
  void send(PortNumber port, rte_mbuf* mbuf);

  const PortLayerCounters& counters() const { return counters_; }

 private:
  static constexpr uint16_t kBurst = 64;
  struct Input {
    PortLayer* layer;
    PortNumber number;
    uint16_t dpdk_port;
    bool exists;
    uint16_t next = 0, count = 0;
    std::array<rte_mbuf*, kBurst> burst{};
  };
  struct Output {
    PortLayer* layer;
    io::TxQueue* tx;
    uint16_t count = 0;
    std::array<rte_mbuf*, kBurst> burst{};
  };
  friend struct PortOps;

  rte_mbuf* receive(Input& input);
  bool admit(rte_mbuf* mbuf, PortNumber port);
  bool check_length(rte_mbuf* mbuf, PortNumber port);
  rte_mbuf* leave(rte_swx_pkt& packet);
  void drop(rte_mbuf* mbuf, wire::Drop reason);

  void transmit(Output& output, rte_mbuf* mbuf);
  void flush(Output& output);
  void punt(rte_mbuf* mbuf);
  void to_controller(rte_mbuf* mbuf);
  void replicate(rte_mbuf* mbuf);
  void learn(const rte_mbuf* mbuf);

  rte_mempool* pool_;
  rte_ring* controller_;
  std::vector<Input> inputs_;
  std::vector<Output> outputs_;
  ParserFacts facts_;
  Groups groups_;
  bool open_ = true;
  uint64_t entered_ = 0, left_ = 0;
  std::array<std::atomic<uint32_t>, kPuntCauseCount> punt_rates_;
  std::array<TokenBucket, kPuntCauseCount> punt_buckets_;
  PortLayerCounters counters_;
};

}  // namespace sluice::p4
