#include "dataplane/io/port.h"

#include <fmt/format.h>
#include <rte_dev.h>
#include <rte_errno.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstring>

#include "dataplane/io/dpdk_log.h"

namespace sluice::io {
namespace {

constexpr uint16_t kRxDescriptors = 1024, kTxDescriptors = 1024;

absl::Status complain(const PortOptions& options, std::string_view what, int error) {
  return absl::InvalidArgumentError(fmt::format("port '{}' ({}): {}: {}{}", options.name, options.devargs, what,
                                                rte_strerror(error < 0 ? -error : error), quote_dpdk_log()));
}

// The drivers' hash takes whatever fields of these they know.
constexpr uint64_t kRssFields = RTE_ETH_RSS_IP | RTE_ETH_RSS_UDP | RTE_ETH_RSS_TCP;

}  // namespace

absl::StatusOr<std::unique_ptr<Port>> Port::open(const PortOptions& options, rte_mempool* pool) {
  if (const int error = rte_dev_probe(options.devargs.c_str()); error != 0)
    return complain(options, "DPDK does not know this device, or it cannot be opened", error);
  const auto device = options.devargs.substr(0, options.devargs.find(','));
  uint16_t id = 0;
  if (const int error = rte_eth_dev_get_port_by_name(device.c_str(), &id); error != 0)
    return complain(options, "the device has no Ethernet port", error);
  std::unique_ptr<Port> port(new Port(options, id));
  if (auto status = port->configure(pool); !status.ok()) return status;
  return port;
}

absl::Status Port::configure(rte_mempool* pool) {
  rte_eth_dev_info info{};
  if (const int error = rte_eth_dev_info_get(id_, &info); error != 0) return complain(options_, "no information", error);
  driver_ = info.driver_name;
  rx_queues_ = std::clamp<uint16_t>(options_.wanted_queues, 1, std::max<uint16_t>(info.max_rx_queues, 1));
  const auto tx_count = std::clamp<uint16_t>(options_.lcores, 1, std::max<uint16_t>(info.max_tx_queues, 1));

  rte_eth_conf conf{};
  has_rss_ = rx_queues_ > 1 && (info.flow_type_rss_offloads & kRssFields);
  if (has_rss_) {
    conf.rxmode.mq_mode = RTE_ETH_MQ_RX_RSS;
    conf.rx_adv_conf.rss_conf.rss_hf = info.flow_type_rss_offloads & kRssFields;
  }
  if (info.tx_offload_capa & RTE_ETH_TX_OFFLOAD_MULTI_SEGS) conf.txmode.offloads |= RTE_ETH_TX_OFFLOAD_MULTI_SEGS;
  if (info.rx_offload_capa & RTE_ETH_RX_OFFLOAD_SCATTER) conf.rxmode.offloads |= RTE_ETH_RX_OFFLOAD_SCATTER;
  if (const int error = rte_eth_dev_configure(id_, rx_queues_, tx_count, &conf); error != 0)
    return complain(options_, fmt::format("cannot be configured with {} receive and {} transmit queues", rx_queues_, tx_count), error);

  uint16_t rx_descriptors = kRxDescriptors, tx_descriptors = kTxDescriptors;
  if (const int error = rte_eth_dev_adjust_nb_rx_tx_desc(id_, &rx_descriptors, &tx_descriptors); error != 0)
    return complain(options_, "descriptor count", error);
  const auto socket = static_cast<unsigned>(rte_eth_dev_socket_id(id_));
  for (uint16_t q = 0; q < rx_queues_; ++q)
    if (const int error = rte_eth_rx_queue_setup(id_, q, rx_descriptors, socket, nullptr, pool); error != 0)
      return complain(options_, fmt::format("receive queue {}", q), error);
  for (uint16_t q = 0; q < tx_count; ++q) {
    if (const int error = rte_eth_tx_queue_setup(id_, q, tx_descriptors, socket, nullptr); error != 0)
      return complain(options_, fmt::format("transmit queue {}", q), error);
    tx_.push_back(std::make_unique<TxQueue>());
    tx_.back()->dpdk_port = id_;
    tx_.back()->queue = q;
    tx_.back()->shared = tx_count < options_.lcores;
  }

  // Drivers without an MTU of their own (ring, null, pcap) take any frame.
  const int mtu_error = rte_eth_dev_set_mtu(id_, options_.mtu);
  if (mtu_error != 0 && mtu_error != -ENOTSUP && mtu_error != -EINVAL)
    return complain(options_, fmt::format("MTU {}", options_.mtu), mtu_error);

  rte_ether_addr mac{};
  if (const int error = rte_eth_macaddr_get(id_, &mac); error != 0) return complain(options_, "MAC address", error);
  std::memcpy(mac_.octets.data(), mac.addr_bytes, sizeof mac_.octets);
  return absl::OkStatus();
}

absl::Status Port::start() {
  if (const int error = rte_eth_dev_start(id_); error != 0) return complain(options_, "cannot be started", error);
  // Multicast neighbour discovery and bridged frames have other destinations than our MAC.
  if (const int error = rte_eth_promiscuous_enable(id_); error != 0 && error != -ENOTSUP)
    spdlog::warn("port '{}': promiscuous mode: {}", options_.name, rte_strerror(-error));
  return absl::OkStatus();
}

void Port::stop() {
  if (closed_) return;
  closed_ = true;
  rte_eth_dev_stop(id_);
  rte_eth_dev_close(id_);
}

Port::~Port() { stop(); }

bool Port::link_up() const {
  rte_eth_link link{};
  return rte_eth_link_get_nowait(id_, &link) == 0 && link.link_status == RTE_ETH_LINK_UP;
}

PortCounters Port::counters() const {
  rte_eth_stats stats{};
  rte_eth_stats_get(id_, &stats);
  return {stats.ipackets, stats.ibytes, stats.imissed, stats.ierrors, stats.rx_nombuf, stats.opackets, stats.obytes, stats.oerrors};
}

}  // namespace sluice::io
