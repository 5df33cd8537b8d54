#include "dataplane/engine/worker.h"

#include <fmt/format.h>
#include <rte_launch.h>
#include <sys/prctl.h>

#include <stdexcept>

namespace sluice::engine {
namespace {

// Walks without a packet before the first sleep.
constexpr unsigned kIdleWalks = 256;

}  // namespace

void Worker::build_graph() { graph_ = std::make_unique<Graph>(fmt::format("worker{}", context_.index), context_); }

void Worker::launch() {
  const auto entry = [](void* self) { return static_cast<Worker*>(self)->run(); };
  const unsigned lcore = context_.index + 1;
  if (const int error = rte_eal_remote_launch(entry, this, lcore); error != 0)
    throw std::runtime_error(fmt::format("lcore {}: cannot be launched: {}", lcore, error));
}

void Worker::join() {
  rte_eal_wait_lcore(context_.index + 1);
  // DPDK has synchronised by now, but in code that ThreadSanitizer does not see.
  stopped_.load(std::memory_order_acquire);
}

int Worker::run() {
  // The kernel otherwise adds up to 50 us to every sleep.
  prctl(PR_SET_TIMERSLACK, 1000UL);
  rcu_.enter(context_.index);
  Idler idler(idle_, kIdleWalks);
  while (!stop_.load(std::memory_order_relaxed)) {
    context_.seen_in_walk = 0;
    graph_->walk();
    rcu_.quiescent(context_.index);
    idler.after_round(context_.seen_in_walk > 0, [this](unsigned microseconds) { sleep(microseconds); });
  }
  rcu_.leave(context_.index);
  stopped_.store(true, std::memory_order_release);
  return 0;
}

// Offline, so that a writer of tables does not wait for a sleeper.
void Worker::sleep(unsigned microseconds) {
  rcu_.offline(context_.index);
  sleep_us(microseconds);
  rcu_.online(context_.index);
}

}  // namespace sluice::engine
