// The ports that a P4 program sees (p4/arch/pna.p4). Below kMaxPorts they are Sluice's own; these have a
// meaning of their own.
#pragma once

#include "dataplane/graph/ids.h"

namespace sluice::p4 {

// Frames that begin with the header packet_in go to the controller.
inline constexpr PortNumber kControllerPort = kMaxPorts;
// Frames that begin with a group's number (4 bytes) go to every member but the one that they came from.
inline constexpr PortNumber kReplicationPort = kMaxPorts + 1;
// The first mirror sessions end here: the controller is shown a frame whose source is not known.
inline constexpr PortNumber kLearnPort = kMaxPorts + 2;
inline constexpr uint32_t kLearnSessions = 3;
// A way out that does not exist. DPDK's pipeline would follow any number: larger ones are turned into this
// one.
inline constexpr PortNumber kInvalidPort = kMaxPorts + 3;
// Dropped, for a reason that the program has counted. The instruction `drop` becomes a way out to here: DPDK
// has a sink of its own for it, where nobody could see the packet leave.
inline constexpr PortNumber kDropPort = kMaxPorts + 4;
inline constexpr PortNumber kOutputPorts = kDropPort + 1;

}  // namespace sluice::p4
