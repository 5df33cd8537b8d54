// Read-copy-update by DPDK's QSBR: lcores say when they hold no reference, a writer waits for that.
#pragma once

#include <rte_rcu_qsbr.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <thread>

namespace sluice {

class Rcu {
 public:
  explicit Rcu(unsigned max_readers) {
    const size_t size = rte_rcu_qsbr_get_memsize(max_readers);
    qsbr_.reset(static_cast<rte_rcu_qsbr*>(std::aligned_alloc(RTE_CACHE_LINE_SIZE, size)));
    if (!qsbr_ || rte_rcu_qsbr_init(qsbr_.get(), max_readers) != 0) throw std::bad_alloc();
  }

  void enter(unsigned reader) {
    rte_rcu_qsbr_thread_register(qsbr_.get(), reader);
    online(reader);
  }
  void leave(unsigned reader) {
    offline(reader);
    rte_rcu_qsbr_thread_unregister(qsbr_.get(), reader);
  }
  void online(unsigned reader) { rte_rcu_qsbr_thread_online(qsbr_.get(), reader); }
  void offline(unsigned reader) { rte_rcu_qsbr_thread_offline(qsbr_.get(), reader); }
  void quiescent(unsigned reader) { rte_rcu_qsbr_quiescent(qsbr_.get(), reader); }

  // Start and check are inline, unlike rte_rcu_qsbr_synchronize, so that TSan sees the ordering.
  void synchronize() {
    const uint64_t token = rte_rcu_qsbr_start(qsbr_.get());
    while (rte_rcu_qsbr_check(qsbr_.get(), token, false) == 0) std::this_thread::yield();
  }

 private:
  struct Free {
    void operator()(rte_rcu_qsbr* qsbr) const { std::free(qsbr); }
  };
  std::unique_ptr<rte_rcu_qsbr, Free> qsbr_;
};

}  // namespace sluice
