// What the port layer puts in front of every packet for a program whose parser begins with `extract
// h.arrival`: PNA gives a program neither the packet's length nor a check of it, so that this takes the place
// of a NIC's metadata.
#pragma once

#include <cstddef>
#include <string_view>

#include "dataplane/wire/bytes.h"

namespace sluice::p4 {

inline constexpr std::string_view kArrivalHeader = "arrival";

struct Arrival {
  wire::Be32 packet_length;  // of the frame, without this header
  wire::Be8 truncated;       // 0, or 1 + the number of the drop reason where the frame ends inside a header
};
static_assert(sizeof(Arrival) == 5 && offsetof(Arrival, truncated) == 4);

// What a frame for the controller begins with (p4/: header packet_in).
struct PacketInHeader {
  wire::Be32 ingress_port, egress_port;
  wire::Be16 mtu;
  wire::Be8 cause;
};
static_assert(sizeof(PacketInHeader) == 11 && offsetof(PacketInHeader, cause) == 10);

// What a frame for the replication port begins with.
struct GroupHeader {
  wire::Be32 group;
};
static_assert(sizeof(GroupHeader) == 4);

}  // namespace sluice::p4
