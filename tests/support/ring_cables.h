// Ports that are rings: the test puts buffers in and takes them out, chains included.
#pragma once

#include <rte_mbuf.h>
#include <rte_ring.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/config/config.h"
#include "dataplane/graph/ids.h"
#include "dataplane/io/port.h"

namespace sluice::testing {

class RingCables {
 public:
  // Fills in the devargs of the configuration's ports. Throws std::runtime_error.
  RingCables(config::Config& config, unsigned queues);

  // When the ports are open.
  void attach(const std::vector<std::unique_ptr<io::Port>>& ports);

  PortNumber port_count() const { return static_cast<PortNumber>(cables_.size()); }
  unsigned queue_count() const { return queues_; }

  // True where the queue took it; otherwise the buffer still belongs to the caller.
  bool feed(PortNumber port, unsigned queue, rte_mbuf* mbuf);
  // What the port has sent since the last call, at most `room`.
  unsigned collect(PortNumber port, rte_mbuf** out, unsigned room);

  // Everything that was fed has been taken by a worker.
  bool inputs_empty() const;
  // Frees what is still on the way. When the engine has stopped.
  void clear();

 private:
  struct RingFree {
    void operator()(rte_ring* ring) const { rte_ring_free(ring); }
  };
  using RingPtr = std::unique_ptr<rte_ring, RingFree>;
  struct Cable {
    std::vector<RingPtr> to_port, from_port;  // by queue
  };

  unsigned queues_;
  std::vector<Cable> cables_;
  // The driver's own rings order memory, but in code that ThreadSanitizer does not see: buffers pass
  // through these as well. For the whole process, because DPDK keeps the callbacks that refer to them when a
  // port is closed and its number given to another.
  inline static std::atomic<uint64_t> fed_{0}, sent_{0};
};

// The text of a configuration; throws std::runtime_error where it is not one.
config::Config config_from_text(const std::string& textproto);

}  // namespace sluice::testing
