// What the program `forwarding` parses and remembers about a packet.
#ifndef SLUICE_FORWARDING_HEADERS_P4
#define SLUICE_FORWARDING_HEADERS_P4

#include "../include/headers.p4"

struct headers_t {
    ARCH_HEADERS
    packet_in_t packet_in;
    packet_out_t packet_out;
    ethernet_t ethernet;
    vlan_t vlan;
    ipv4_t ipv4;
    ipv4_option_t ipv4_option0;
    ipv4_option_t ipv4_option1;
    ipv4_option_t ipv4_option2;
    ipv4_option_t ipv4_option3;
    ipv4_option_t ipv4_option4;
    ipv4_option_t ipv4_option5;
    ipv4_option_t ipv4_option6;
    ipv4_option_t ipv4_option7;
    ipv4_option_t ipv4_option8;
    ipv4_option_t ipv4_option9;
    ipv6_halves_t ipv6_halves;
    ipv6_t ipv6;
    icmpv6_t icmpv6;
}

// What becomes of a packet. Exactly one of them.
const bit<8> VERDICT_DROP = 0;     // counted in drops[reason]
const bit<8> VERDICT_FORWARD = 1;  // to egress_port
const bit<8> VERDICT_FLOOD = 2;    // to the multicast group of its bridge domain
const bit<8> VERDICT_PUNT = 3;     // to the controller, for `cause`; dropped for `reason` if it is not wanted

const bit<8> ROUTE_NONE = 0;
const bit<8> ROUTE_VIA = 1;
const bit<8> ROUTE_CONNECTED = 2;
const bit<8> ROUTE_LOCAL = 3;
const bit<8> ROUTE_DISCARD = 4;

const port_number_t NO_PORT = 0xffff;

struct metadata_t {
    // Set by the architecture's wrapper.
    @field_list(1) port_number_t ingress_port;  // a copy for the controller remembers it (LEARN_FIELDS)
    bit<32> packet_length;  // of the frame as it came in
    bit<16> ipv4_sum;       // one's complement sum of the IPv4 header without options

    // Set by the program.
    bit<8> verdict;
    bit<8> reason;
    bit<8> cause;
    bit<8> learn;
    bit<8> dst_group;
    bit<8> route;
    bit<16> mtu;
    bit<32> punt_rate;
    port_number_t source_port;
    bit<16> bridge;
    bit<16> vlan;
    mac_t src_mac;
    mac_t dst_mac;
    port_number_t egress_port;
    ipv4_address_t ipv4_next_hop;
    ipv6_address_t ipv6_next_hop;
}

#define DROP(REASON) { meta.verdict = VERDICT_DROP; meta.reason = REASON; }
#define PUNT(CAUSE, REASON_IF_UNWANTED) \
    { meta.verdict = VERDICT_PUNT; meta.cause = CAUSE; meta.reason = REASON_IF_UNWANTED; }
// The controller answers the sender: where the packet would have gone is of no use to it.
#define PUNT_WITHOUT_WAY(CAUSE, REASON_IF_UNWANTED) \
    { PUNT(CAUSE, REASON_IF_UNWANTED) meta.egress_port = NO_PORT; meta.mtu = 0; }

#endif
