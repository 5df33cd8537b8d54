// Longest-prefix match by DPDK's rte_fib (DIR-24-8) and rte_fib6 (trie), kept in two copies.
//
// rte_fib has no RCU in DPDK 22.11: a freed tbl8 group may be reused while a reader is in it. So
// readers use one copy while the writer changes the other; publish() swaps them, and after the grace
// period reclaim() repeats the changes on the copy that is now unused. rte_lpm has RCU, but finds a
// rule by linear search: 500,000 routes take it minutes, and rte_fib under a second.
//
// rte_fib's count of tbl8 groups in use is wrong in 22.11 (later releases have mended it): rte_fib6 takes
// nothing off when a route goes, and rte_fib takes off what it never put on for a prefix longer than 24
// bits with its parent's next hop. Sooner or later every such prefix is refused for lack of room. So a
// copy that says that it is full, and has lost a route since it was made, is made anew from its routes.
//
// rte_fib also loses its way at the end of the address space: a prefix that reaches it (0/0, 128/1, ...)
// is written over everything when longer ones cover its end without a gap. So the default route is kept
// beside rte_fib, and the few other such prefixes come and go by making the copy anew, shorter ones first.
#pragma once

#include <absl/status/status.h>
#include <rte_fib.h>
#include <rte_fib6.h>
#include <rte_rib.h>
#include <rte_rib6.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "dataplane/tables/value.h"

namespace sluice::forwarding {

struct FibSize {
  uint32_t routes;
  uint32_t tbl8_groups;
};

struct FibRoute {
  tables::Value prefix;
  uint8_t length;
  uint64_t next_hop;
};

// DPDK's two families behind the same names. Next hops are two bytes, so that half as much cache
// holds the first level as with rte_lpm's four.
struct FibV4 {
  static constexpr unsigned kBits = 32;
  using Handle = rte_fib;
  using LookupKey = uint32_t;
  static Handle* create(const std::string& name, FibSize size);
  static void destroy(Handle* fib) { rte_fib_free(fib); }
  static int add(Handle* fib, const FibRoute& route);
  static int remove(Handle* fib, const FibRoute& route) {
    return rte_fib_delete(fib, static_cast<uint32_t>(route.prefix), route.length);
  }
  // In ascending order, a prefix before the longer ones in it.
  static void for_each(Handle* fib, const std::function<void(const FibRoute&)>& visit);
  static void lookup(Handle* fib, LookupKey* keys, uint64_t* next_hops, int count) {
    rte_fib_lookup_bulk(fib, keys, next_hops, count);
  }
};

struct FibV6 {
  static constexpr unsigned kBits = 128;
  using Handle = rte_fib6;
  using LookupKey = uint8_t[RTE_FIB6_IPV6_ADDR_SIZE];
  static Handle* create(const std::string& name, FibSize size);
  static void destroy(Handle* fib) { rte_fib6_free(fib); }
  static int add(Handle* fib, const FibRoute& route) {
    return rte_fib6_add(fib, tables::to_ipv6(route.prefix).octets.data(), route.length, route.next_hop);
  }
  static int remove(Handle* fib, const FibRoute& route) {
    return rte_fib6_delete(fib, tables::to_ipv6(route.prefix).octets.data(), route.length);
  }
  static void for_each(Handle* fib, const std::function<void(const FibRoute&)>& visit);
  static void lookup(Handle* fib, LookupKey* keys, uint64_t* next_hops, int count) {
    rte_fib6_lookup_bulk(fib, keys, next_hops, count);
  }
};

template <class Family>
class Fib {
 public:
  using LookupKey = typename Family::LookupKey;

  Fib(const std::string& name, FibSize size);

  absl::Status set(tables::Value prefix, uint8_t length, uint64_t next_hop);
  void remove(tables::Value prefix, uint8_t length);
  void publish();
  void reclaim();

  // Next hop 0 where no prefix matches.
  void lookup(LookupKey* keys, uint64_t* next_hops, int count) const {
    const Copy* copy = active_.load(std::memory_order_acquire);
    Family::lookup(copy->fib.get(), keys, next_hops, count);
    if (const uint64_t otherwise = copy->default_next_hop)
      for (int i = 0; i < count; ++i) next_hops[i] = next_hops[i] ? next_hops[i] : otherwise;
  }

 private:
  struct Change {
    FibRoute route;
    bool is_removal;
  };
  struct Destroy {
    void operator()(typename Family::Handle* fib) const { Family::destroy(fib); }
  };
  using HandlePtr = std::unique_ptr<typename Family::Handle, Destroy>;
  struct Copy {
    HandlePtr fib;
    uint64_t default_next_hop = 0;
    bool has_lost_routes = false;  // since it was made
  };

  HandlePtr make() const;
  int perform(Copy& copy, const Change& change);
  int rebuild(Copy& copy, const Change& change);

  std::string name_;
  FibSize size_;
  std::array<Copy, 2> copies_;
  size_t spare_ = 1;  // the copy that no lcore reads
  std::atomic<const Copy*> active_;
  std::vector<Change> changes_;  // made on the spare copy and not yet on the other
};

extern template class Fib<FibV4>;
extern template class Fib<FibV6>;

}  // namespace sluice::forwarding
