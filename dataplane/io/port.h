// An Ethernet port of DPDK, from devargs to started.
#pragma once

#include <absl/status/statusor.h>
#include <rte_ethdev.h>
#include <rte_mempool.h>

#include <memory>
#include <string>
#include <vector>

#include "dataplane/graph/ids.h"
#include "dataplane/io/tx_queue.h"
#include "dataplane/wire/address.h"

namespace sluice::io {

struct PortOptions {
  std::string name;
  std::string devargs;
  uint16_t mtu = 1500;
  uint16_t wanted_queues = 1;  // the driver may have fewer
  uint16_t lcores = 1;         // each wants a transmit queue
};

struct PortCounters {
  uint64_t rx_packets, rx_bytes, rx_missed, rx_errors, rx_no_buffer, tx_packets, tx_bytes, tx_errors;
};

class Port {
 public:
  static absl::StatusOr<std::unique_ptr<Port>> open(const PortOptions& options, rte_mempool* pool);
  ~Port();
  Port(const Port&) = delete;
  Port& operator=(const Port&) = delete;

  absl::Status start();
  // Also closes the device, so that its buffers come back.
  void stop();

  const std::string& name() const { return options_.name; }
  const std::string& devargs() const { return options_.devargs; }
  uint16_t mtu() const { return options_.mtu; }
  uint16_t dpdk_id() const { return id_; }
  const wire::MacAddress& mac() const { return mac_; }
  const std::string& driver() const { return driver_; }
  uint16_t rx_queues() const { return rx_queues_; }
  uint16_t tx_queue_count() const { return static_cast<uint16_t>(tx_.size()); }
  bool has_rss() const { return has_rss_; }
  bool link_up() const;
  PortCounters counters() const;
  TxQueue* tx_queue(size_t lcore) { return tx_[lcore % tx_.size()].get(); }

 private:
  Port(const PortOptions& options, uint16_t id) : options_(options), id_(id) {}
  absl::Status configure(rte_mempool* pool);

  PortOptions options_;
  uint16_t id_;
  wire::MacAddress mac_;
  std::string driver_;
  uint16_t rx_queues_ = 0;
  bool has_rss_ = false;
  bool closed_ = false;
  std::vector<std::unique_ptr<TxQueue>> tx_;
};

}  // namespace sluice::io
