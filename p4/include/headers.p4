// Headers as they lie on the wire, one to one with dataplane/wire. Fields are whole bytes, because DPDK's
// SWX pipeline knows no others.
#ifndef SLUICE_HEADERS_P4
#define SLUICE_HEADERS_P4

typedef bit<48> mac_t;
typedef bit<32> ipv4_address_t;
typedef bit<128> ipv6_address_t;

// Sluice's own port number, the same on every architecture; wrappers cast it to theirs.
typedef bit<32> port_number_t;

const bit<16> ETHER_TYPE_IPV4 = 0x0800;
const bit<16> ETHER_TYPE_ARP = 0x0806;
const bit<16> ETHER_TYPE_VLAN = 0x8100;
const bit<16> ETHER_TYPE_IPV6 = 0x86dd;
const bit<16> ETHER_TYPE_QINQ = 0x88a8;

const bit<8> IP_PROTOCOL_ICMPV6 = 58;

const bit<32> ETHERNET_BYTES = 14;
const bit<32> VLAN_BYTES = 4;
const bit<32> IPV4_BYTES = 20;
const bit<32> IPV6_BYTES = 40;
const bit<32> ICMPV6_BYTES = 8;
const bit<32> PACKET_IN_BYTES = 11;

// dataplane/wire/ethernet.h
header ethernet_t {
    mac_t dst;
    mac_t src;
    bit<16> type;
}

// dataplane/wire/vlan.h
header vlan_t {
    bit<16> tci;
    bit<16> type;
}

// dataplane/wire/ipv4.h
header ipv4_t {
    bit<8> version_ihl;
    bit<8> tos;
    bit<16> total_length;
    bit<16> id;
    bit<16> flags_fragment;
    bit<8> ttl;
    bit<8> protocol;
    bit<16> checksum;
    ipv4_address_t src;
    ipv4_address_t dst;
}

// Four bytes of IPv4 options, whatever they mean.
header ipv4_option_t {
    bit<16> high;
    bit<16> low;
}

// dataplane/wire/ipv6.h
header ipv6_t {
    bit<32> version_class_flow;
    bit<16> payload_length;
    bit<8> next_header;
    bit<8> hop_limit;
    ipv6_address_t src;
    ipv6_address_t dst;
}

// The same bytes in pieces that every target can compare: SWX computes with 64 bits at most. Looked ahead, never emitted.
header ipv6_halves_t {
    bit<64> first;
    bit<64> src_high;
    bit<64> src_low;
    bit<64> dst_high;
    bit<64> dst_low;
}

// dataplane/wire/icmpv6.h
header icmpv6_t {
    bit<8> type;
    bit<8> code;
    bit<16> checksum;
    bit<32> body;
}

// A packet for the controller: where it came from, where it would have gone, and why it is here.
@controller_header("packet_in")
header packet_in_t {
    port_number_t ingress_port;
    port_number_t egress_port;
    bit<16> mtu;
    bit<8> cause;
}

// A packet from the controller, which leaves by the port it names, past all tables.
@controller_header("packet_out")
header packet_out_t {
    port_number_t egress_port;
}

#endif
