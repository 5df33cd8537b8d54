// The multicast groups that a configuration's bridges are.
#pragma once

#include "dataplane/config/config.h"
#include "dataplane/engine/engine.h"

namespace sluice::engine {

// 0 is no group (P4Runtime, 9.5.1), and a domain may be 0.
inline uint32_t group_of(uint32_t bridge_domain) { return bridge_domain + 1; }

inline Engine::Groups configured_groups(const config::Config& config) {
  Engine::Groups groups;
  for (int i = 0; i < config.ports_size(); ++i)
    if (config.ports(i).mode() == config::BRIDGED)
      groups[group_of(config.ports(i).bridge())].push_back(static_cast<PortNumber>(i));
  return groups;
}

}  // namespace sluice::engine
