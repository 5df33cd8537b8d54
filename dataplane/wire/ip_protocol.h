// Protocol numbers that IPv4's protocol and IPv6's next header fields share (IANA, "Protocol Numbers").
#pragma once

#include <cstdint>

namespace sluice::wire {

enum class IpProtocol : uint8_t {
  hop_by_hop = 0,
  icmp = 1,
  tcp = 6,
  udp = 17,
  routing = 43,
  fragment = 44,
  esp = 50,
  ah = 51,
  icmpv6 = 58,
  none = 59,
  destination = 60,
  mobility = 135,
  hip = 139,
  shim6 = 140,
};

}  // namespace sluice::wire
