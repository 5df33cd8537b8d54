// What the architecture-neutral programs need of v1model (bmv2).
#ifndef SLUICE_ARCH_P4
#define SLUICE_ARCH_P4

#include <core.p4>
#include <v1model.p4>

#define PACKET_COUNTER(NAME, SIZE) counter((SIZE), CounterType.packets) NAME
#define COUNT(NAME, INDEX) NAME.count((bit<32>)(INDEX))

// v1model's wrapper sets the port once, at the end.
#define LEAVE_BY(PORT)

// Headers of the architecture itself, in front of the program's.
#define ARCH_HEADERS

// simple_switch_grpc --cpu-port
const bit<9> CPU_PORT = 510;

// The clone session that carries short copies of bridged frames to the controller, how short they are (bmv2 refuses a
// session with a length, so the program cuts them), and what such a copy remembers.
const bit<32> LEARN_SESSION = 1;
const bit<32> LEARN_BYTES = 64;
const bit<8> LEARN_FIELDS = 1;

// standard_metadata.instance_type of simple_switch.
const bit<32> INSTANCE_CLONE = 1;
const bit<32> INSTANCE_REPLICA = 5;

#endif
