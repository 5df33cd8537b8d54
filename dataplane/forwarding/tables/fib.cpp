#include "dataplane/forwarding/tables/fib.h"

#include <fmt/format.h>
#include <rte_errno.h>
#include <rte_memory.h>

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

template <class Family>
Fib<Family>::Fib(const std::string& name, FibSize size) {
  for (size_t i = 0; i < 2; ++i) {
    copies_[i].reset(Family::create(fmt::format("{}_{}", name, i), size));
    if (!copies_[i])
      throw std::runtime_error(fmt::format("{}: no memory for {} routes ({}); give eal.memory_mb more", name,
                                           size.routes, std::strerror(rte_errno)));
  }
  active_.store(copies_[0].get(), std::memory_order_release);
}

template <class Family>
int Fib<Family>::perform(typename Family::Handle* fib, const Change& change) {
  return change.is_removal ? Family::remove(fib, change.prefix, change.length)
                           : Family::add(fib, change.prefix, change.length, change.next_hop);
}

template <class Family>
absl::Status Fib<Family>::set(tables::Value prefix, uint8_t length, uint64_t next_hop) {
  const Change change{prefix, length, false, next_hop};
  if (const int error = perform(copies_[spare_].get(), change); error != 0)
    return absl::ResourceExhaustedError(fmt::format("route does not fit: {}", std::strerror(-error)));
  changes_.push_back(change);
  return absl::OkStatus();
}

template <class Family>
void Fib<Family>::remove(tables::Value prefix, uint8_t length) {
  const Change change{prefix, length, true, 0};
  perform(copies_[spare_].get(), change);
  changes_.push_back(change);
}

template <class Family>
void Fib<Family>::publish() {
  if (changes_.empty()) return;
  active_.store(copies_[spare_].get(), std::memory_order_release);
  spare_ ^= 1;
}

template <class Family>
void Fib<Family>::reclaim() {
  // The same changes in the same order on the same state give the same result: no error can be new.
  for (const auto& change : changes_) perform(copies_[spare_].get(), change);
  changes_.clear();
}

template class Fib<FibV4>;
template class Fib<FibV6>;

}  // namespace sluice::forwarding
