#include "dataplane/engine/native_engine.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_ethdev.h>
#include <rte_mbuf.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "dataplane/config/entries.h"
#include "dataplane/engine/groups.h"

namespace sluice::engine {
namespace {

constexpr unsigned kPoolCache = RTE_MEMPOOL_CACHE_MAX_SIZE;  // several bursts: buffers come back while they are warm
constexpr unsigned kPuntRing = 4096, kInjectRing = 4096;

void throw_if_bad(const absl::Status& status) {
  if (!status.ok()) throw std::runtime_error(std::string(status.message()));
}

// Prefixes longer than /24 take a tbl8 group each at worst; a quarter of the routes is ample in practice. A group's
// number stands where a next hop would: rte_fib refuses more than two bytes can hold beside its own bit.
forwarding::Sizes table_sizes(const config::Config& config) {
  const auto& sizes = config.tables();
  return {.ipv4 = {sizes.ipv4_routes(), std::clamp(sizes.ipv4_routes() / 4, 1024u, 32767u)},
          .ipv6 = {sizes.ipv6_routes(), std::max(sizes.ipv6_routes(), 1024u)},
          .neighbours = sizes.neighbours(),
          .fdb = sizes.fdb()};
}

template <class Handle>
Handle* require(Handle* handle, std::string_view what) {
  if (!handle) throw std::runtime_error(fmt::format("{}: {} (give eal.memory_mb more)", what, rte_strerror(rte_errno)));
  return handle;
}

// Names of DPDK objects are global to the process; tests make several engines one after another.
std::string unique_name(std::string_view what) {
  static std::atomic<unsigned> next{0};
  return fmt::format("{}{}", what, next++);
}

}  // namespace

io::EalOptions eal_options(const config::Config& config) {
  io::EalOptions options;
  options.hugepages = config.eal().hugepages();
  options.telemetry = config.eal().telemetry();
  options.memory_mb = config.eal().memory_mb();
  options.file_prefix = config.eal().file_prefix();
  for (const auto& port : config.ports()) options.pci |= config::is_pci(port);
  for (const auto& lcore : config.lcores()) options.worker_cpus.push_back(lcore.id());
  return options;
}

absl::Status check_entries(const config::Config& config) {
  return config::check_entries(config, forwarding::schemas(table_sizes(config)));
}

NativeEngine::NativeEngine(const config::Config& config)
    : config_(config), names_(config::names_of(config)), rcu_(static_cast<unsigned>(config.lcores_size())) {
  const auto buffer = static_cast<uint16_t>(config.eal().buffer_bytes() + RTE_PKTMBUF_HEADROOM);
  pool_.reset(require(rte_pktmbuf_pool_create(unique_name("packets").c_str(), config.eal().buffers(), kPoolCache,
                                              sizeof(PacketMeta), buffer, SOCKET_ID_ANY),
                      "eal.buffers: no memory for packet buffers"));
  // The agent and send() both put frames in; RTS, because either thread may lose its CPU half-way (relaxed tail sync).
  inject_ring_.reset(require(rte_ring_create(unique_name("inject").c_str(), kInjectRing, SOCKET_ID_ANY, RING_F_MP_RTS_ENQ | RING_F_SC_DEQ), "inject ring"));

  service_ = std::make_unique<tables::TableService>([this] { rcu_.synchronize(); }, static_cast<uint16_t>(config.ports_size()));
  ids_ = forwarding::add_tables(state_, *service_, table_sizes(config));
  open_ports();
  make_workers();
  set_groups(configured_groups(config));
  make_agent();
  write_entries();
}

NativeEngine::~NativeEngine() { stop(); }

void NativeEngine::open_ports() {
  for (const auto& port : config_.ports()) {
    io::PortOptions options;
    options.name = port.name();
    options.devargs = port.devargs();
    options.mtu = static_cast<uint16_t>(port.mtu());
    options.wanted_queues = static_cast<uint16_t>(std::min<uint32_t>(port.queues(), static_cast<uint32_t>(config_.lcores_size())));
    options.lcores = static_cast<uint16_t>(config_.lcores_size());
    auto opened = io::Port::open(options, pool_.get());
    throw_if_bad(opened.status());
    ports_.push_back(*std::move(opened));
  }
}

void NativeEngine::make_workers() {
  register_nodes();
  for (int i = 0; i < config_.lcores_size(); ++i) {
    const auto& lcore = config_.lcores(i);
    auto worker = std::make_unique<Worker>(static_cast<unsigned>(i), IdlePolicy{lcore.idle() == config::SLEEP, lcore.max_sleep_us()}, rcu_);
    auto& context = worker->context();
    context.pool = pool_.get();
    // One each, so that no lcore waits for another that has lost its CPU.
    context.punt_ring = punt_rings_.emplace_back(require(rte_ring_create(unique_name("punt").c_str(), kPuntRing, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ), "punt ring")).get();
    context.inject_ring = i == 0 ? inject_ring_.get() : nullptr;
    context.forwarding = &state_;
    for (const auto& port : ports_) context.tx_queues.push_back(port->tx_queue(static_cast<size_t>(i)));
    workers_.push_back(std::move(worker));
  }
  assign_queues();
  for (auto& worker : workers_) worker->build_graph();
}

// Queue q of a port goes to worker q; ports with one queue are dealt out in turn.
void NativeEngine::assign_queues() {
  for (size_t p = 0; p < ports_.size(); ++p) {
    const auto queues = ports_[p]->rx_queues();
    for (uint16_t q = 0; q < queues; ++q) {
      const size_t worker = (queues == 1 ? p : q) % workers_.size();
      workers_[worker]->context().rx_queues.push_back({ports_[p]->dpdk_id(), q, static_cast<PortNumber>(p)});
    }
  }
}

void NativeEngine::make_agent() {
  std::vector<agent::Interface> interfaces;
  for (int i = 0; i < config_.ports_size(); ++i) {
    const auto& port = config_.ports(i);
    agent::Interface interface{static_cast<PortNumber>(i), port.name(), ports_[static_cast<size_t>(i)]->mac(),
                               static_cast<uint16_t>(port.mtu()), port.mode() == config::ROUTED,
                               static_cast<uint16_t>(port.bridge()), {}};
    for (const auto& address : port.addresses()) interface.addresses.push_back(*config::parse_interface_address(address));
    interfaces.push_back(std::move(interface));
  }
  agent::AgentOptions options;
  options.icmp_errors_per_second = config_.agent().icmp_errors_per_second();
  options.fdb_ageing = std::chrono::seconds(config_.agent().fdb_ageing_s());
  options.off = config_.agent().off();
  options.neighbour_refresh = std::chrono::seconds(config_.agent().neighbour_refresh_s());
  agent::AgentWiring wiring{state_, ids_, *service_, pool_.get(), {}, inject_ring_.get()};
  for (const auto& ring : punt_rings_) wiring.punt_rings.push_back(ring.get());
  agent_ = std::make_unique<agent::Agent>(std::move(interfaces), options, std::move(wiring));
}

// The configuration's entries first: what a person wrote wins over what follows from the ports.
void NativeEngine::write_entries() {
  throw_if_bad(config::write_entries(config_, *service_));
  throw_if_bad(agent_->write_port_entries());
}

void NativeEngine::start() {
  for (auto& port : ports_) throw_if_bad(port->start());
  for (auto& worker : workers_) worker->launch();
  agent_->start();
  running_ = true;
}

unsigned NativeEngine::stop() {
  if (running_) {
    running_ = false;
    // The agent first, while workers still carry out its last frames.
    agent_->stop();
    for (int i = 0; i < 100 && !rte_ring_empty(inject_ring_.get()); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (auto& worker : workers_) worker->request_stop();
    for (auto& worker : workers_) worker->join();
    agent_->stop();
    for (void* mbuf = nullptr; rte_ring_dequeue(inject_ring_.get(), &mbuf) == 0;) rte_pktmbuf_free(static_cast<rte_mbuf*>(mbuf));
  }
  for (auto& port : ports_) port->stop();
  return rte_mempool_in_use_count(pool_.get());
}

}  // namespace sluice::engine
