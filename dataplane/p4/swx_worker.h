// The one lcore that runs the pipeline. It can be paused: then no packet is inside, and tables and program
// may change.
#pragma once

#include <rte_ring.h>

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "dataplane/engine/idle.h"
#include "dataplane/p4/pipeline.h"
#include "dataplane/p4/port_layer.h"

namespace sluice::p4 {

class SwxWorker {
 public:
  // Frames in `from_controller` have their way out in PacketMeta::out_port.
  SwxWorker(PortLayer& ports, rte_ring* from_controller, engine::IdlePolicy idle)
      : ports_(ports), from_controller_(from_controller), idle_(idle) {}

  // Before launch(), or inside while_paused().
  void set_pipeline(Pipeline* pipeline) { pipeline_ = pipeline; }

  void launch();  // on EAL lcore 1; throws std::runtime_error
  // Lets what is inside finish.
  void stop();

  // Calls `change` when every packet has left the pipeline and none can enter. Of control threads.
  template <class Change>
  void while_paused(Change change) {
    const std::lock_guard one_at_a_time(changing_);
    pause();
    change();
    resume();
  }

 private:
  int run();
  bool run_once();
  void drain();
  void park();
  void pause();
  void resume();

  PortLayer& ports_;
  rte_ring* from_controller_;
  engine::IdlePolicy idle_;
  Pipeline* pipeline_ = nullptr;
  bool launched_ = false;
  unsigned lcore_ = 0;
  std::atomic<bool> stop_{false}, pause_{false};
  std::mutex changing_;
  std::mutex mutex_;  // of parked_
  std::condition_variable changed_;
  bool parked_ = false;
};

}  // namespace sluice::p4
