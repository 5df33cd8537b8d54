// What the agent knows of a port.
#pragma once

#include <string>
#include <vector>

#include "dataplane/config/config.h"
#include "dataplane/graph/ids.h"
#include "dataplane/wire/address.h"

namespace sluice::agent {

struct Interface {
  PortNumber number;
  std::string name;
  wire::MacAddress mac;
  uint16_t mtu;
  bool is_routed;
  uint16_t bridge;
  std::vector<config::InterfaceAddress> addresses;

  // The port's own address that the sender in `like` shares a prefix with, else the first of the family.
  const config::InterfaceAddress* source_for(bool ipv4, tables::Value like) const {
    const config::InterfaceAddress* first = nullptr;
    for (const auto& address : addresses) {
      if (address.is_ipv4 != ipv4) continue;
      if (on_link(address, like)) return &address;
      if (!first) first = &address;
    }
    return first;
  }

  bool owns(bool ipv4, tables::Value address) const {
    for (const auto& own : addresses)
      if (own.is_ipv4 == ipv4 && own.address == address) return true;
    return !ipv4 && is_routed && address == tables::value_of(link_local());
  }

  // Is the address a neighbour's, by one of the port's prefixes? Link-local always is (RFC 4291, 2.5.6).
  bool is_neighbour(bool ipv4, tables::Value address) const {
    if (owns(ipv4, address)) return false;
    if (!ipv4 && tables::to_ipv6(address).is_link_local()) return true;
    for (const auto& own : addresses)
      if (own.is_ipv4 == ipv4 && on_link(own, address)) return true;
    return false;
  }

  // RFC 4291, appendix A: the modified EUI-64 of the MAC behind fe80::/64.
  wire::Ipv6Address link_local() const {
    const auto& m = mac.octets;
    return {{0xfe, 0x80, 0, 0, 0, 0, 0, 0, static_cast<uint8_t>(m[0] ^ 2), m[1], m[2], 0xff, 0xfe, m[3], m[4], m[5]}};
  }

 private:
  static bool on_link(const config::InterfaceAddress& own, tables::Value address) {
    return (address & tables::prefix_mask(own.bits(), own.prefix_length)) == own.network();
  }
};

}  // namespace sluice::agent
