#include "tests/support/visible_mempool.h"

#include <fmt/format.h>
#include <rte_mbuf_pool_ops.h>
#include <rte_mempool.h>

#include <mutex>
#include <stdexcept>
#include <vector>

namespace sluice::testing {
namespace {

struct Store {
  std::mutex mutex;
  std::vector<void*> objects;
};

Store& store_of(const rte_mempool* pool) { return *static_cast<Store*>(pool->pool_data); }

int make(rte_mempool* pool) {
  pool->pool_data = new Store;
  return 0;
}

void destroy(rte_mempool* pool) { delete &store_of(pool); }

int put(rte_mempool* pool, void* const* objects, unsigned count) {
  auto& store = store_of(pool);
  const std::lock_guard lock(store.mutex);
  store.objects.insert(store.objects.end(), objects, objects + count);
  return 0;
}

int take(rte_mempool* pool, void** objects, unsigned count) {
  auto& store = store_of(pool);
  const std::lock_guard lock(store.mutex);
  if (store.objects.size() < count) return -ENOBUFS;
  std::copy(store.objects.end() - count, store.objects.end(), objects);
  store.objects.resize(store.objects.size() - count);
  return 0;
}

unsigned available(const rte_mempool* pool) {
  auto& store = store_of(pool);
  const std::lock_guard lock(store.mutex);
  return static_cast<unsigned>(store.objects.size());
}

}  // namespace

void use_visible_mempool() {
  rte_mempool_ops ops{};
  fmt::format_to_n(ops.name, sizeof ops.name - 1, "sluice_visible");
  ops.alloc = make;
  ops.free = destroy;
  ops.enqueue = put;
  ops.dequeue = take;
  ops.get_count = available;
  if (rte_mempool_register_ops(&ops) < 0 || rte_mbuf_set_user_mempool_ops("sluice_visible") < 0)
    throw std::runtime_error("the mempool driver for ThreadSanitizer is refused");
}

}  // namespace sluice::testing
