// The ports of each bridge domain, which are also the multicast groups of P4Runtime. Replaced as a whole: lcores read one
// list or the other, and the old one is freed after a grace period.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "dataplane/graph/ids.h"

namespace sluice::forwarding {

class BridgeMembers {
 public:
  // By domain. There are a handful of domains, so that a search from the front is quick.
  using Domains = std::vector<std::pair<uint16_t, std::vector<PortNumber>>>;

  // `synchronize` returns when no lcore can still see the old list.
  void set(Domains domains, const std::function<void()>& synchronize) {
    auto next = std::make_unique<const Domains>(std::move(domains));
    published_.store(next.get(), std::memory_order_release);
    synchronize();
    owned_ = std::move(next);
  }

  // Nobody for a domain that is not there.
  const std::vector<PortNumber>& of(uint16_t domain) const {
    static const std::vector<PortNumber> nobody;
    for (const auto& [id, ports] : *published_.load(std::memory_order_acquire))
      if (id == domain) return ports;
    return nobody;
  }

 private:
  std::unique_ptr<const Domains> owned_ = std::make_unique<const Domains>();
  std::atomic<const Domains*> published_{owned_.get()};
};

}  // namespace sluice::forwarding
