// The engine `native`: ports, tables, workers and the agent, put together from a configuration.
#pragma once

#include <absl/status/status.h>
#include <rte_mempool.h>
#include <rte_ring.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dataplane/agent/agent.h"
#include "dataplane/config/config.h"
#include "dataplane/engine/local_engine.h"
#include "dataplane/engine/worker.h"
#include "dataplane/forwarding/state.h"
#include "dataplane/graph/rcu.h"
#include "dataplane/io/eal.h"
#include "dataplane/io/port.h"
#include "dataplane/tables/service.h"

namespace sluice::engine {

class NativeEngine final : public LocalEngine {
 public:
  // The configuration must be complete(). EAL must be up. Throws std::runtime_error.
  explicit NativeEngine(const config::Config& config);
  ~NativeEngine() override;

  std::string_view name() const override { return "native"; }
  std::string_view program() const override { return "forwarding"; }
  // `drops`: packets by reason, over all nodes and the agent.
  absl::StatusOr<CounterValue> counter(std::string_view array, size_t index) const override;
  Groups groups() const override;
  void set_groups(const Groups& groups) override;
  absl::Status send(PortNumber port, wire::Bytes frame) override;
  void on_packet_in(std::function<void(const PacketIn&)> handler) override;
  void start() override;
  unsigned stop() override;

  const config::Config& config() const override { return config_; }
  const tables::Names& names() const override { return names_; }
  const std::vector<std::unique_ptr<io::Port>>& ports() const override { return ports_; }
  rte_mempool* pool() const override { return pool_.get(); }
  std::vector<uint32_t> cpus_of(PortNumber port) const override;
  // `dropped` includes what the agent gave up; `punted` is what it handled.
  Totals totals() const override;
  std::vector<StageCounters> stages() const override;
  std::vector<DropCounter> drops() const override;
  uint64_t punted(PuntCause cause) const override;

  const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }
  const agent::Agent& agent() const { return *agent_; }
  tables::TableService& tables() const override { return *service_; }
  const forwarding::State& forwarding() const { return state_; }
  uint64_t dropped(NodeId node, wire::Drop reason) const;

 private:
  template <class T, void (*Free)(T*)>
  struct Closer {
    void operator()(T* handle) const { Free(handle); }
  };
  using PoolPtr = std::unique_ptr<rte_mempool, Closer<rte_mempool, rte_mempool_free>>;
  using RingPtr = std::unique_ptr<rte_ring, Closer<rte_ring, rte_ring_free>>;

  void open_ports();
  void make_workers();
  void assign_queues();
  void make_agent();
  void write_entries();

  config::Config config_;
  tables::Names names_;
  PoolPtr pool_;
  std::vector<RingPtr> punt_rings_;  // by worker
  RingPtr inject_ring_;
  Rcu rcu_;
  forwarding::State state_;
  forwarding::TableIds ids_;
  std::unique_ptr<tables::TableService> service_;
  std::vector<std::unique_ptr<io::Port>> ports_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<agent::Agent> agent_;
  mutable std::mutex groups_mutex_;
  Groups groups_;
  std::atomic<bool> running_{false};  // send() asks from any thread
};

io::EalOptions eal_options(const config::Config& config);

// All entries of the configuration against the tables' schemas, without starting anything.
absl::Status check_entries(const config::Config& config);

}  // namespace sluice::engine
