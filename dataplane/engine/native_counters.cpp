// What the workers and the agent have counted, added up.
#include "dataplane/engine/native_engine.h"

namespace sluice::engine {

std::vector<uint32_t> NativeEngine::cpus_of(PortNumber port) const {
  std::vector<uint32_t> cpus;
  for (const auto& worker : workers_)
    for (const auto& queue : worker->context().rx_queues)
      if (queue.port == port) cpus.push_back(config_.lcores(static_cast<int>(worker->context().index)).id());
  return cpus;
}

std::vector<StageCounters> NativeEngine::stages() const {
  std::vector<StageCounters> result;
  for (size_t node = 0; node < kNodeCount; ++node) {
    StageCounters stage{kNodeNames[node], 0, 0, 0, 0};
    for (const auto& worker : workers_) {
      const auto stats = worker->graph().stats(static_cast<NodeId>(node));
      stage.calls += stats.calls, stage.packets += stats.packets, stage.cycles += stats.cycles;
    }
    for (size_t reason = 0; reason < wire::kDropCount; ++reason)
      stage.dropped += dropped(static_cast<NodeId>(node), static_cast<wire::Drop>(reason));
    result.push_back(std::move(stage));
  }
  return result;
}

std::vector<DropCounter> NativeEngine::drops() const {
  std::vector<DropCounter> result;
  for (size_t node = 0; node < kNodeCount; ++node)
    for (size_t i = 0; i < wire::kDropCount; ++i) {
      const auto reason = static_cast<wire::Drop>(i);
      if (const auto packets = dropped(static_cast<NodeId>(node), reason))
        result.push_back({kNodeNames[node], reason, packets});
    }
  return result;
}

uint64_t NativeEngine::dropped(NodeId node, wire::Drop reason) const {
  const auto of = [&](const LcoreCounters& counters) {
    return counters.dropped[static_cast<size_t>(node)][static_cast<size_t>(reason)].get();
  };
  uint64_t sum = of(agent_->counters());
  for (const auto& worker : workers_) sum += of(worker->context().counters);
  return sum;
}

uint64_t NativeEngine::punted(PuntCause cause) const {
  uint64_t sum = 0;
  for (const auto& worker : workers_)
    sum += worker->context().counters.punted[static_cast<size_t>(cause)].get();
  return sum;
}

Totals NativeEngine::totals() const {
  Totals totals{};
  for (const auto& worker : workers_) {
    const auto& counters = worker->context().counters;
    totals.received += counters.received.get();
    totals.transmitted += counters.transmitted.get();
    totals.injected += counters.injected.get();
    totals.copied += counters.copied.get();
    for (const auto& punted : counters.punted) totals.punted += punted.get();
    for (const auto& node : counters.dropped)
      for (const auto& dropped : node) totals.dropped += dropped.get();
  }
  for (const auto& node : agent_->counters().dropped)
    for (const auto& dropped : node) {
      totals.dropped += dropped.get();
      totals.punted -= dropped.get();
    }
  return totals;
}

}  // namespace sluice::engine
