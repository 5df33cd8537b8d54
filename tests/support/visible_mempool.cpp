#include "tests/support/visible_mempool.h"

#include <fmt/format.h>
#include <rte_common.h>
#include <rte_errno.h>
#include <rte_mbuf_pool_ops.h>
#include <rte_mempool.h>
#include <rte_ring.h>

#include <stdexcept>

namespace sluice::testing {
namespace {

rte_ring* ring_of(const rte_mempool* pool) { return static_cast<rte_ring*>(pool->pool_data); }

int make(rte_mempool* pool) {
  pool->pool_data = rte_ring_create(fmt::format("v_{}", pool->name).c_str(), rte_align32pow2(pool->size + 1),
                                    pool->socket_id, RING_F_MP_HTS_ENQ | RING_F_MC_HTS_DEQ);
  return pool->pool_data ? 0 : -rte_errno;
}

void destroy(rte_mempool* pool) { rte_ring_free(ring_of(pool)); }

int put(rte_mempool* pool, void* const* objects, unsigned count) {
  return rte_ring_enqueue_bulk(ring_of(pool), objects, count, nullptr) == 0 ? -ENOBUFS : 0;
}

int take(rte_mempool* pool, void** objects, unsigned count) {
  return rte_ring_dequeue_bulk(ring_of(pool), objects, count, nullptr) == 0 ? -ENOBUFS : 0;
}

unsigned available(const rte_mempool* pool) { return rte_ring_count(ring_of(pool)); }

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
