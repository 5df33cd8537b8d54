// An engine whose ports are rings: every packet goes through the real workers and, where there is one, the
// agent.
#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

#include "tests/support/ring_cables.h"

namespace sluice::testing {

// Engine has a constructor of a configuration and more, ports(), pool() and stop().
template <class Engine>
class EngineOnRings {
 public:
  // Throws std::runtime_error. `more` goes to the engine's constructor.
  template <class... More>
  explicit EngineOnRings(config::Config config, More&&... more)
      : cables_(config, static_cast<unsigned>(std::max(1, config.lcores_size()))) {
    if (const auto status = config::complete(config); !status.ok())
      throw std::runtime_error(std::string(status.message()));
    engine_ = std::make_unique<Engine>(config, std::forward<More>(more)...);
    cables_.attach(engine_->ports());
  }
  ~EngineOnRings() {
    engine_->stop();
    cables_.clear();
  }

  Engine& engine() { return *engine_; }
  rte_mempool* pool() const { return engine_->pool(); }
  PortNumber port_count() const { return cables_.port_count(); }
  unsigned queue_count() const { return cables_.queue_count(); }

  bool feed(PortNumber port, unsigned queue, rte_mbuf* mbuf) { return cables_.feed(port, queue, mbuf); }
  unsigned collect(PortNumber port, rte_mbuf** out, unsigned room) {
    return cables_.collect(port, out, room);
  }
  bool inputs_empty() const { return cables_.inputs_empty(); }

 private:
  RingCables cables_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace sluice::testing
