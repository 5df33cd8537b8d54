#include "tests/support/ring_cables.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>
#include <rte_errno.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>
#include <rte_memory.h>

#include <stdexcept>

namespace sluice::testing {
namespace {

constexpr unsigned kRingSize = 8192;

rte_ring* make_ring(const std::string& name) {
  rte_ring* ring = rte_ring_create(name.c_str(), kRingSize, SOCKET_ID_ANY, RING_F_SP_ENQ | RING_F_SC_DEQ);
  if (!ring) throw std::runtime_error(fmt::format("{}: {}", name, rte_strerror(rte_errno)));
  return ring;
}

// DPDK's names are global and its devices outlive an engine.
unsigned next_cable() {
  static std::atomic<unsigned> next{0};
  return next++;
}

}  // namespace

RingCables::RingCables(config::Config& config, unsigned queues) : queues_(queues) {
  for (auto& port : *config.mutable_ports()) {
    const auto name = fmt::format("cable{}", next_cable());
    Cable cable;
    std::vector<rte_ring*> rx, tx;
    for (unsigned q = 0; q < queues_; ++q) {
      rx.push_back(cable.to_port.emplace_back(make_ring(fmt::format("{}_rx{}", name, q))).get());
      tx.push_back(cable.from_port.emplace_back(make_ring(fmt::format("{}_tx{}", name, q))).get());
    }
    if (rte_eth_from_rings(name.c_str(), rx.data(), queues_, tx.data(), queues_, 0) < 0)
      throw std::runtime_error(fmt::format("{}: no port from rings: {}", name, rte_strerror(rte_errno)));
    cables_.push_back(std::move(cable));
    port.set_devargs("net_ring_" + name);
  }
}

void RingCables::attach(const std::vector<std::unique_ptr<io::Port>>& ports) {
  const auto received = [](uint16_t, uint16_t, rte_mbuf**, uint16_t count, uint16_t, void* fed) {
    static_cast<std::atomic<uint64_t>*>(fed)->load(std::memory_order_acquire);
    return count;
  };
  const auto sending = [](uint16_t, uint16_t, rte_mbuf**, uint16_t count, void* sent) {
    static_cast<std::atomic<uint64_t>*>(sent)->fetch_add(count, std::memory_order_acq_rel);
    return count;
  };
  for (const auto& port : ports)
    for (uint16_t q = 0; q < queues_; ++q) {
      rte_eth_add_rx_callback(port->dpdk_id(), q, received, &fed_);
      rte_eth_add_tx_callback(port->dpdk_id(), q, sending, &sent_);
    }
}

void RingCables::clear() {
  const auto empty = [](rte_ring* ring) {
    for (void* mbuf = nullptr; rte_ring_dequeue(ring, &mbuf) == 0;)
      rte_pktmbuf_free(static_cast<rte_mbuf*>(mbuf));
  };
  for (auto& cable : cables_)
    for (auto* rings : {&cable.to_port, &cable.from_port})
      for (auto& ring : *rings) empty(ring.get());
}

bool RingCables::feed(PortNumber port, unsigned queue, rte_mbuf* mbuf) {
  fed_.fetch_add(1, std::memory_order_release);
  return rte_ring_enqueue(cables_[port].to_port[queue].get(), mbuf) == 0;
}

unsigned RingCables::collect(PortNumber port, rte_mbuf** out, unsigned room) {
  unsigned count = 0;
  for (auto& ring : cables_[port].from_port)
    count += rte_ring_dequeue_burst(ring.get(), reinterpret_cast<void**>(out + count), room - count, nullptr);
  sent_.load(std::memory_order_acquire);
  return count;
}

bool RingCables::inputs_empty() const {
  for (const auto& cable : cables_)
    for (const auto& ring : cable.to_port)
      if (!rte_ring_empty(ring.get())) return false;
  return true;
}

config::Config config_from_text(const std::string& textproto) {
  config::Config config;
  if (!google::protobuf::TextFormat::ParseFromString(textproto, &config))
    throw std::runtime_error("not a configuration: " + textproto);
  return config;
}

}  // namespace sluice::testing
