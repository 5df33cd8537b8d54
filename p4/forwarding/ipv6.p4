// Is this a sound IPv6 packet, which way does it go, and what changes on the way?
// Native twins: dataplane/forwarding/ipv6_route.h, ipv6_forward.h.
#ifndef SLUICE_FORWARDING_IPV6_P4
#define SLUICE_FORWARDING_IPV6_P4

#include "../include/drop_reasons.p4"
#include "../include/punt_causes.p4"
#include "headers.p4"

// How far an address reaches, as far as a router cares (RFC 4291, 2.5 and 2.7).
const bit<8> SCOPE_ROUTED = 0;
const bit<8> SCOPE_MULTICAST = 1;
const bit<8> SCOPE_LINK_LOCAL = 2;
const bit<8> SCOPE_NOWHERE = 3;         // loopback, or unspecified
const bit<8> SCOPE_NO_SOURCE = 4;       // routed, but from the unspecified address

control Ipv6(inout headers_t hdr, inout metadata_t meta) {
    bit<32> version;
    bit<32> packet_length;
    bit<32> frame_length;
    bit<64> src_octet;
    bit<64> dst_octet;
    bit<64> dst_ten_bits;
    bit<8> scope;
    bit<8> is_discovery;

    @name(".ipv6_lpm.via") action ipv6_via(port_number_t port, ipv6_address_t next_hop) {
        meta.route = ROUTE_VIA;
        meta.egress_port = port;
        LEAVE_BY(port)
        meta.ipv6_next_hop = next_hop;
    }
    @name(".ipv6_lpm.connected") action ipv6_connected(port_number_t port) {
        meta.route = ROUTE_CONNECTED;
        meta.egress_port = port;
        meta.ipv6_next_hop = hdr.ipv6.dst;
        LEAVE_BY(port)
    }
    @name(".ipv6_lpm.local") action ipv6_local() {
        meta.route = ROUTE_LOCAL;
    }
    @name(".ipv6_lpm.discard") action ipv6_discard() {
        meta.route = ROUTE_DISCARD;
    }
    @name(".ipv6_lpm") table ipv6_lpm {
        key = { hdr.ipv6.dst: lpm @name("dst"); }
        actions = { ipv6_via; ipv6_connected; ipv6_local; ipv6_discard; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    @name(".ipv6_neighbour.rewrite") action ipv6_rewrite(mac_t src_mac, mac_t dst_mac, bit<16> mtu) {
        meta.src_mac = src_mac;
        meta.dst_mac = dst_mac;
        meta.mtu = mtu;
    }
    @name(".ipv6_neighbour") table ipv6_neighbour {
        key = {
            meta.egress_port: exact @name("port");
            meta.ipv6_next_hop: exact @name("next_hop");
        }
        actions = { ipv6_rewrite; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    apply {
        version = hdr.ipv6.version_class_flow >> 28;
        packet_length = (bit<32>)hdr.ipv6.payload_length;
        packet_length = packet_length + IPV6_BYTES;
        frame_length = meta.packet_length - ETHERNET_BYTES;
        src_octet = hdr.ipv6_halves.src_high >> 56;
        dst_octet = hdr.ipv6_halves.dst_high >> 56;
        dst_ten_bits = hdr.ipv6_halves.dst_high >> 54;

        scope = SCOPE_ROUTED;
        if (dst_octet == 0xff) scope = SCOPE_MULTICAST;
        else if (dst_ten_bits == 0x3fa) scope = SCOPE_LINK_LOCAL;
        else if (hdr.ipv6_halves.dst_high == 0 && hdr.ipv6_halves.dst_low <= 1) scope = SCOPE_NOWHERE;
        else if (hdr.ipv6_halves.src_high == 0 && hdr.ipv6_halves.src_low == 0) scope = SCOPE_NO_SOURCE;

        // RFC 4861, 6.1 and 7.1: from this link only, hence hop limit 255.
        is_discovery = 0;
        if (hdr.ipv6.next_header == IP_PROTOCOL_ICMPV6 && hdr.ipv6.hop_limit == 255 &&
            frame_length >= IPV6_BYTES + ICMPV6_BYTES) {
            if (hdr.icmpv6.type >= 133 && hdr.icmpv6.type <= 137) is_discovery = 1;
        }

        if (frame_length < IPV6_BYTES) DROP(DROP_ipv6_truncated)
        else if (meta.dst_group != 0 && dst_octet != 0xff) DROP(DROP_l2_group_routed)
        else if (version != 6) DROP(DROP_ipv6_bad_version)
        else if (packet_length > frame_length) DROP(DROP_ipv6_bad_payload_length)
        else if (src_octet == 0xff) DROP(DROP_ipv6_bad_source)
        else if (hdr.ipv6_halves.src_high == 0 && hdr.ipv6_halves.src_low == 1) DROP(DROP_ipv6_bad_source)
        else if (scope == SCOPE_MULTICAST && is_discovery == 1) PUNT(PUNT_neighbour_discovery, DROP_punt_filtered)
        else if (scope == SCOPE_LINK_LOCAL && is_discovery == 1) PUNT(PUNT_neighbour_discovery, DROP_punt_filtered)
        else if (scope == SCOPE_LINK_LOCAL) PUNT(PUNT_local, DROP_punt_filtered)
        else if (scope == SCOPE_NO_SOURCE) DROP(DROP_ipv6_bad_source)
        else if (scope != SCOPE_ROUTED) DROP(DROP_martian_destination)
        else {
            ipv6_lpm.apply();
            if (meta.route == ROUTE_NONE) PUNT(PUNT_no_route, DROP_no_route)
            else if (meta.route == ROUTE_LOCAL) PUNT(PUNT_local, DROP_punt_filtered)
            else if (meta.route == ROUTE_DISCARD) DROP(DROP_route_discard)
            else if (ipv6_neighbour.apply().miss) PUNT(PUNT_neighbour_unresolved, DROP_neighbour_unresolved)
            else if (hdr.ipv6.hop_limit <= 1) PUNT_WITHOUT_WAY(PUNT_ttl_expired, DROP_ttl_expired)
            else if (packet_length > (bit<32>)meta.mtu) PUNT(PUNT_mtu_exceeded, DROP_mtu_exceeded)
            else {
                meta.verdict = VERDICT_FORWARD;
                hdr.ethernet.dst = meta.dst_mac;
                hdr.ethernet.src = meta.src_mac;
                hdr.ipv6.hop_limit = hdr.ipv6.hop_limit - 1;
            }
        }
    }
}

#endif
