// What the architecture-neutral programs need of PNA (DPDK's SWX pipeline).
#ifndef SLUICE_ARCH_P4
#define SLUICE_ARCH_P4

#include <core.p4>
#include <pna.p4>

#define PACKET_COUNTER(NAME, SIZE) Counter<bit<64>, bit<32>>((SIZE), PNA_CounterType_t.PACKETS) NAME
#define COUNT(NAME, INDEX) NAME.count((bit<32>)(INDEX))

// PNA takes a port from an action's data only, so actions that choose a port say so at once; whoever drops or punts the
// packet later has the last word.
#define LEAVE_BY(PORT) send_to_port((PortId_t)(PORT));

// PNA tells a program neither the length of a packet nor that it ended inside a header. Sluice's port layer puts this
// header in front of every packet, as hardware does with its intrinsic metadata (dataplane/p4/arrival.h).
header arrival_t {
    bit<32> packet_length;
    bit<8> truncated;
}
#define ARCH_HEADERS arrival_t arrival; replication_t replication;

// In front of a packet for the replication port.
header replication_t {
    bit<32> group;
}

// Ports behind those of the configuration (dataplane/p4/virtual_ports.h).
const bit<32> CPU_PORT = 64;
const bit<32> REPLICATION_PORT = 65;

// The mirror session for short copies to the controller. p4c keeps number 0 for itself.
const MirrorSlotId_t LEARN_SLOT = (MirrorSlotId_t)0;
const MirrorSessionId_t LEARN_SESSION = (MirrorSessionId_t)1;

#endif
