// A worker: an lcore that walks its graph until told to stop, and sleeps when nothing comes.
#pragma once

#include <atomic>
#include <memory>

#include "dataplane/engine/graph_builder.h"
#include "dataplane/engine/idle.h"
#include "dataplane/graph/lcore_context.h"
#include "dataplane/graph/rcu.h"

namespace sluice::engine {

class Worker {
 public:
  Worker(unsigned index, IdlePolicy idle, Rcu& rcu) : idle_(idle), rcu_(rcu) { context_.index = index; }

  LcoreContext& context() { return context_; }
  const LcoreContext& context() const { return context_; }

  // When ports and rings are in the context.
  void build_graph();
  const Graph& graph() const { return *graph_; }

  void launch();   // on EAL lcore index + 1
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  void join();

 private:
  int run();
  void sleep(unsigned microseconds);

  IdlePolicy idle_;
  Rcu& rcu_;
  LcoreContext context_;
  std::unique_ptr<Graph> graph_;
  std::atomic<bool> stop_{false}, stopped_{false};
};

}  // namespace sluice::engine
