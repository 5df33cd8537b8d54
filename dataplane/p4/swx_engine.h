// The engine `swx`: a P4 program, compiled to a .spec, on DPDK's SWX pipeline, with the ports of a
// configuration.
#pragma once

#include <absl/status/status.h>
#include <rte_mempool.h>
#include <rte_ring.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "dataplane/config/config.h"
#include "dataplane/engine/local_engine.h"
#include "dataplane/io/port.h"
#include "dataplane/p4/layout.h"
#include "dataplane/p4/pipeline.h"
#include "dataplane/p4/port_layer.h"
#include "dataplane/p4/swx_table.h"
#include "dataplane/p4/swx_worker.h"
#include "dataplane/tables/description.h"

namespace sluice::p4 {

struct SwxProgram {
  std::string name;                              // p4/NAME
  std::string file;                              // of the .spec, for messages
  std::string spec;                              // its text
  std::vector<tables::TableDescription> tables;  // those that can be written, as p4info describes them
};

// What a caller can rely on.
struct Capability {
  std::string_view name, value;
};
inline constexpr Capability kSwxCapabilities[] = {
    {"lcores", "1"},
    {"mode", "interpreted"},
    {"reload", "yes, while the ports stay open"},
    {"multicast", "in the port layer"},
    {"action_selectors", "no"},
    {"digests", "no"},
    {"externs", "no"},
    {"meters", "no"},
};

// The program without DPDK: can it be read, and is it one that the pipeline can run?
absl::Status check(const SwxProgram& program);

class SwxEngine final : public engine::LocalEngine {
 public:
  // The configuration must be complete(). EAL must be up. Throws std::runtime_error.
  SwxEngine(const config::Config& config, const SwxProgram& program);
  ~SwxEngine() override;

  std::string_view name() const override { return "swx"; }
  std::string_view program() const override { return loaded_->name; }
  tables::TableService& tables() const override { return *loaded_->tables; }
  absl::StatusOr<engine::CounterValue> counter(std::string_view array, size_t index) const override;
  Groups groups() const override;
  void set_groups(const Groups& groups) override;
  absl::Status send(PortNumber port, wire::Bytes frame) override;
  void on_packet_in(std::function<void(const engine::PacketIn&)> handler) override {
    handler_ = std::move(handler);
  }
  void start() override;
  unsigned stop() override;

  const config::Config& config() const override { return config_; }
  const tables::Names& names() const override { return names_; }
  const std::vector<std::unique_ptr<io::Port>>& ports() const override { return ports_; }
  rte_mempool* pool() const override { return pool_.get(); }
  std::vector<uint32_t> cpus_of(PortNumber) const override { return {config_.lcores(0).id()}; }
  engine::Totals totals() const override;
  // The ports, the program, and each of its tables with its lookups.
  std::vector<engine::StageCounters> stages() const override;
  std::vector<engine::DropCounter> drops() const override;
  uint64_t punted(PuntCause cause) const override;

  // Another program in place of this one: its tables are empty, and what tables() gave before is gone. Where
  // the program is refused, the old one runs on. Packets wait meanwhile; ports stay open.
  absl::Status load(const SwxProgram& program);


  std::vector<TableStatistics> table_statistics() const;
  const PortLayerCounters& port_counters() const { return layer_->counters(); }

 private:
  template <class T, void (*Free)(T*)>
  struct Closer {
    void operator()(T* handle) const { Free(handle); }
  };
  using PoolPtr = std::unique_ptr<rte_mempool, Closer<rte_mempool, rte_mempool_free>>;
  using RingPtr = std::unique_ptr<rte_ring, Closer<rte_ring, rte_ring_free>>;

  // One program on its pipeline.
  struct Loaded {
    std::string name;
    spec::Program program;
    ParserFacts facts;
    std::unique_ptr<Pipeline> pipeline;
    std::unique_ptr<tables::TableService> tables;
    std::vector<const SwxTable*> swx_tables;  // the service's own
  };

  void open_ports();
  absl::StatusOr<std::unique_ptr<Loaded>> prepare(const SwxProgram& program);
  absl::StatusOr<engine::CounterValue> program_counter(std::string_view array, size_t index) const;
  void hand_over_packets();

  config::Config config_;
  tables::Names names_;
  PoolPtr pool_;
  RingPtr to_controller_, from_controller_;
  std::vector<std::unique_ptr<io::Port>> ports_;
  std::unique_ptr<PortLayer> layer_;
  std::unique_ptr<SwxWorker> worker_;
  std::unique_ptr<Loaded> loaded_;
  mutable std::mutex groups_mutex_;
  Groups groups_;
  std::function<void(const engine::PacketIn&)> handler_;
  std::thread controller_thread_;
  std::atomic<bool> stop_controller_{false};
  bool running_ = false;
};

}  // namespace sluice::p4
