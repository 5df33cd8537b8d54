// The frames that the agent sends, as bytes: pure functions of what they answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dataplane/agent/interface.h"
#include "dataplane/wire/arp.h"
#include "dataplane/wire/bytes.h"
#include "dataplane/wire/ethernet.h"

namespace sluice::agent {

using Frame = std::vector<uint8_t>;

// What was wrong with a packet whose sender is to be told.
enum class IcmpFault : uint8_t { ttl_expired, no_route, host_unreachable, too_big };

Frame arp_request(const Interface& from, wire::Ipv4Address own, wire::Ipv4Address target,
                  const wire::MacAddress* unicast);
Frame arp_reply(const Interface& from, const wire::ArpHeader& request);

Frame neighbour_solicitation(const Interface& from, const wire::Ipv6Address& own, const wire::Ipv6Address& target,
                             const wire::MacAddress* unicast);
// Answers a solicitation that came in `frame`, whose Ethernet source is where the answer goes.
Frame neighbour_advertisement(const Interface& from, const wire::MacAddress& to_mac, const wire::Ipv6Address& to,
                              const wire::Ipv6Address& target);

// An echo request addressed to us, turned round. Nothing where it is not a good echo request.
std::optional<Frame> echo_reply(wire::Bytes frame);

// The error to send back the way the packet came. Nothing where none may be sent: about another error,
// a later fragment, to or from a group address (RFC 1122, 3.2.2; RFC 4443, 2.4), or without an own
// address to send from.
std::optional<Frame> icmp_error(const Interface& at, wire::Bytes frame, IcmpFault fault, uint16_t mtu);

}  // namespace sluice::agent
