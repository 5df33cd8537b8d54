#include "dataplane/p4/swx_worker.h"

#include <fmt/format.h>
#include <rte_launch.h>
#include <rte_lcore.h>
#include <sys/prctl.h>

#include <stdexcept>

#include "dataplane/graph/packet.h"

namespace sluice::p4 {
namespace {

// Between two looks at rings and requests: some dozens of packets.
constexpr uint32_t kInstructionsPerRound = 2048;
constexpr unsigned kIdleRounds = 16;
constexpr unsigned kPacketOutBurst = 32;

// Another engine of this process may have the first.
unsigned free_lcore() {
  unsigned lcore = 0;
  RTE_LCORE_FOREACH_WORKER(lcore)
  if (rte_eal_get_lcore_state(lcore) == WAIT) return lcore;
  throw std::runtime_error("swx: no lcore is free");
}

}  // namespace

void SwxWorker::launch() {
  const auto entry = [](void* self) { return static_cast<SwxWorker*>(self)->run(); };
  stop_.store(false);
  lcore_ = free_lcore();
  if (const int error = rte_eal_remote_launch(entry, this, lcore_); error != 0)
    throw std::runtime_error(fmt::format("lcore {}: cannot be launched: {}", lcore_, error));
  launched_ = true;
}

void SwxWorker::stop() {
  const std::lock_guard no_change(changing_);
  if (!launched_) return;
  stop_.store(true, std::memory_order_relaxed);
  rte_eal_wait_lcore(lcore_);
  launched_ = false;
}

int SwxWorker::run() {
  // The kernel otherwise adds up to 50 us to every sleep.
  prctl(PR_SET_TIMERSLACK, 1000UL);
  engine::Idler idler(idle_, kIdleRounds);
  while (!stop_.load(std::memory_order_relaxed)) {
    if (pause_.load(std::memory_order_acquire)) park();
    idler.after_round(run_once(), engine::sleep_us);
  }
  drain();
  return 0;
}

// True where packets came.
bool SwxWorker::run_once() {
  const uint64_t before = ports_.entered();
  pipeline_->run(kInstructionsPerRound);
  void* frames[kPacketOutBurst];
  const unsigned count = rte_ring_dequeue_burst(from_controller_, frames, kPacketOutBurst, nullptr);
  for (unsigned i = 0; i < count; ++i)
    ports_.send(Packet(frames[i]).meta().out_port, static_cast<rte_mbuf*>(frames[i]));
  pipeline_->flush();
  return count > 0 || ports_.entered() != before || ports_.inside() > 0;
}

void SwxWorker::drain() {
  ports_.close();
  while (run_once()) {
  }
  ports_.open();
}

void SwxWorker::park() {
  drain();
  std::unique_lock lock(mutex_);
  parked_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return !pause_.load(std::memory_order_relaxed); });
  parked_ = false;
}

void SwxWorker::pause() {
  if (!launched_) return;
  std::unique_lock lock(mutex_);
  pause_.store(true, std::memory_order_release);
  changed_.wait(lock, [this] { return parked_; });
}

void SwxWorker::resume() {
  if (!launched_) return;
  const std::lock_guard lock(mutex_);
  pause_.store(false, std::memory_order_release);
  changed_.notify_all();
}

}  // namespace sluice::p4
