#include "dataplane/forwarding/tables/fib.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_memory.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace sluice::forwarding {

FibV4::Handle* FibV4::create(const std::string& name, FibSize size) {
  rte_fib_conf conf{};
  conf.type = RTE_FIB_DIR24_8;
  conf.default_nh = 0;
  conf.max_routes = static_cast<int>(size.routes);
  conf.rib_ext_sz = 0;
  conf.dir24_8.nh_sz = RTE_FIB_DIR24_8_2B;
  conf.dir24_8.num_tbl8 = size.tbl8_groups;
  return rte_fib_create(name.c_str(), SOCKET_ID_ANY, &conf);
}

FibV6::Handle* FibV6::create(const std::string& name, FibSize size) {
  rte_fib6_conf conf{};
  conf.type = RTE_FIB6_TRIE;
  conf.default_nh = 0;
  conf.max_routes = static_cast<int>(size.routes);
  conf.rib_ext_sz = 0;
  conf.trie.nh_sz = RTE_FIB6_TRIE_2B;
  conf.trie.num_tbl8 = size.tbl8_groups;
  return rte_fib6_create(name.c_str(), SOCKET_ID_ANY, &conf);
}

int FibV4::add(Handle* fib, const FibRoute& route) {
  // Long prefixes come in with a next hop that nobody has, so that rte_fib puts their group on its count
  // whatever their parent's next hop is.
  constexpr uint64_t kNobodys = 0x7fff;
  const auto prefix = static_cast<uint32_t>(route.prefix);
  if (route.length > 24)
    if (const int error = rte_fib_add(fib, prefix, route.length, kNobodys); error != 0) return error;
  return rte_fib_add(fib, prefix, route.length, route.next_hop);
}

void FibV4::for_each(Handle* fib, const std::function<void(const FibRoute&)>& visit) {
  rte_rib* rib = rte_fib_get_rib(fib);
  const auto tell = [&visit](const rte_rib_node* node) {
    uint32_t prefix = 0;
    FibRoute route{};
    rte_rib_get_ip(node, &prefix);
    rte_rib_get_depth(node, &route.length);
    rte_rib_get_nh(node, &route.next_hop);
    route.prefix = prefix;
    visit(route);
  };
  rte_rib_node* node = nullptr;
  while ((node = rte_rib_get_nxt(rib, 0, 0, node, RTE_RIB_GET_NXT_ALL))) tell(node);
}

void FibV6::for_each(Handle* fib, const std::function<void(const FibRoute&)>& visit) {
  rte_rib6* rib = rte_fib6_get_rib(fib);
  const auto tell = [&visit](const rte_rib6_node* node) {
    wire::Ipv6Address prefix;
    FibRoute route{};
    rte_rib6_get_ip(node, prefix.octets.data());
    rte_rib6_get_depth(node, &route.length);
    rte_rib6_get_nh(node, &route.next_hop);
    route.prefix = tables::value_of(prefix);
    visit(route);
  };
  const uint8_t zero[RTE_FIB6_IPV6_ADDR_SIZE] = {};
  rte_rib6_node* node = nullptr;
  while ((node = rte_rib6_get_nxt(rib, zero, 0, node, RTE_RIB6_GET_NXT_ALL))) tell(node);
}

template <class Family>
Fib<Family>::Fib(const std::string& name, FibSize size) : name_(name), size_(size) {
  for (auto& copy : copies_) {
    copy.fib = make();
    if (!copy.fib)
      throw std::runtime_error(fmt::format("{}: no memory for {} routes ({}); give eal.memory_mb more", name,
                                           size.routes, std::strerror(rte_errno)));
  }
  active_.store(&copies_[0], std::memory_order_release);
}

template <class Family>
typename Fib<Family>::HandlePtr Fib<Family>::make() const {
  // DPDK's names are global.
  static std::atomic<unsigned> next{0};
  return HandlePtr(Family::create(fmt::format("{}_{}", name_, next++), size_));
}

template <class Family>
int Fib<Family>::perform(Copy& copy, const Change& change) {
  const auto& route = change.route;
  if (route.length == 0) {
    copy.default_next_hop = change.is_removal ? 0 : route.next_hop;
    return 0;
  }
  const auto last = route.prefix | tables::low_mask(Family::kBits - route.length);
  if (route.length < Family::kBits && last == tables::low_mask(Family::kBits)) return rebuild(copy, change);
  if (change.is_removal) {
    copy.has_lost_routes = true;
    return Family::remove(copy.fib.get(), route);
  }
  const int error = Family::add(copy.fib.get(), route);
  return error == -ENOSPC && copy.has_lost_routes ? rebuild(copy, change) : error;
}

template <class Family>
int Fib<Family>::rebuild(Copy& copy, const Change& change) {
  auto fresh = make();
  if (!fresh) return -ENOSPC;
  int error = change.is_removal ? 0 : Family::add(fresh.get(), change.route);
  Family::for_each(copy.fib.get(), [&](const FibRoute& old) {
    const bool replaced = old.prefix == change.route.prefix && old.length == change.route.length;
    if (error == 0 && !replaced) error = Family::add(fresh.get(), old);
  });
  if (error != 0) return error;
  copy.fib = std::move(fresh);
  copy.has_lost_routes = false;
  return 0;
}

template <class Family>
absl::Status Fib<Family>::set(tables::Value prefix, uint8_t length, uint64_t next_hop) {
  const Change change{{prefix, length, next_hop}, false};
  if (const int error = perform(copies_[spare_], change); error != 0)
    return absl::ResourceExhaustedError(fmt::format("route does not fit: {}", std::strerror(-error)));
  changes_.push_back(change);
  return absl::OkStatus();
}

template <class Family>
void Fib<Family>::remove(tables::Value prefix, uint8_t length) {
  const Change change{{prefix, length, 0}, true};
  perform(copies_[spare_], change);
  changes_.push_back(change);
}

template <class Family>
void Fib<Family>::publish() {
  if (changes_.empty()) return;
  active_.store(&copies_[spare_], std::memory_order_release);
  spare_ ^= 1;
}

template <class Family>
void Fib<Family>::reclaim() {
  // The same changes in the same order on the same state give the same result: no error can be new.
  for (const auto& change : changes_) perform(copies_[spare_], change);
  changes_.clear();
}

template class Fib<FibV4>;
template class Fib<FibV6>;

}  // namespace sluice::forwarding
