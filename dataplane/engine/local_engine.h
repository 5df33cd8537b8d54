// An engine of this process, on the ports of a configuration: what local commands ask beside engine.h.
#pragma once

#include <rte_mempool.h>

#include <memory>
#include <string>
#include <vector>

#include "dataplane/config/config.h"
#include "dataplane/engine/engine.h"
#include "dataplane/graph/ids.h"
#include "dataplane/io/port.h"
#include "dataplane/tables/text.h"
#include "dataplane/wire/drop.h"

namespace sluice::engine {

// received + injected + copied == transmitted + punted + dropped, whenever nothing is in flight.
struct Totals {
  uint64_t received, transmitted, injected, copied, punted, dropped;
};

// A part that packets pass: a node of the graph, a table of the program.
struct StageCounters {
  std::string name;
  uint64_t packets, calls, cycles;  // 0 where the engine does not count them
  uint64_t dropped;
};

struct DropCounter {
  std::string stage;
  wire::Drop reason;
  uint64_t packets;
};

class LocalEngine : public Engine {
 public:
  virtual const config::Config& config() const = 0;
  virtual const tables::Names& names() const = 0;
  virtual const std::vector<std::unique_ptr<io::Port>>& ports() const = 0;
  virtual rte_mempool* pool() const = 0;
  // That receive from a port.
  virtual std::vector<uint32_t> cpus_of(PortNumber port) const = 0;

  virtual Totals totals() const = 0;
  virtual std::vector<StageCounters> stages() const = 0;
  // Those that are not 0.
  virtual std::vector<DropCounter> drops() const = 0;
  virtual uint64_t punted(PuntCause cause) const = 0;
};

}  // namespace sluice::engine
