// The ports that a P4 program sees. Below kMaxPorts they are Sluice's own; these have a meaning of their own.
#pragma once

#include "dataplane/graph/ids.h"

namespace sluice::p4 {

// Frames that begin with the header packet_in go to the controller.
inline constexpr PortNumber kControllerPort = kMaxPorts;
// Frames that begin with a group's number (4 bytes) go to every member but the one that they came from.
inline constexpr PortNumber kReplicationPort = kMaxPorts + 1;
// Where the mirror session kLearnSession ends: the controller is shown a frame whose source is not known.
inline constexpr PortNumber kLearnPort = kMaxPorts + 2;
inline constexpr uint32_t kLearnSession = 1;  // p4c keeps 0 for itself
// A way out that does not exist. DPDK's pipeline would follow any number: larger ones are turned into this one.
inline constexpr PortNumber kFirstSink = kMaxPorts + 3;
inline constexpr PortNumber kInvalidPort = kFirstSink;
// What the instruction `drop` becomes: DPDK has a sink of its own for it, which nobody could count.
inline constexpr PortNumber kDropPort = kFirstSink + 1;
inline constexpr PortNumber kOutputPorts = kDropPort + 1;

}  // namespace sluice::p4
