// Is this a sound IPv4 packet, which way does it go, and what changes on the way?
// Native twins: dataplane/forwarding/ipv4_route.h, ipv4_forward.h.
#ifndef SLUICE_FORWARDING_IPV4_P4
#define SLUICE_FORWARDING_IPV4_P4

#include "../include/drop_reasons.p4"
#include "../include/punt_causes.p4"
#include "headers.p4"

// One's complement: the carry comes in again at the low end.
#define ADD_WORD(WORD) \
    meta.ipv4_sum = meta.ipv4_sum + WORD; \
    if (meta.ipv4_sum < WORD) meta.ipv4_sum = meta.ipv4_sum + 1;
#define ADD_OPTION(HEADER) \
    if (hdr.HEADER.isValid()) { \
        ADD_WORD(hdr.HEADER.high) \
        ADD_WORD(hdr.HEADER.low) \
    }

control Ipv4(inout headers_t hdr, inout metadata_t meta) {
    bit<32> header_length;
    bit<32> total_length;
    bit<32> frame_length;
    bit<8> version;
    bit<32> src_octet;
    bit<32> dst_octet;
    bit<32> dst_half;

    // Routes name a next hop, never its MAC.
    @name(".ipv4_lpm.via") action ipv4_via(port_number_t port, ipv4_address_t next_hop) {
        meta.route = ROUTE_VIA;
        meta.egress_port = port;
        LEAVE_BY(port)
        meta.ipv4_next_hop = next_hop;
    }
    @name(".ipv4_lpm.connected") action ipv4_connected(port_number_t port) {
        meta.route = ROUTE_CONNECTED;
        meta.egress_port = port;
        meta.ipv4_next_hop = hdr.ipv4.dst;
        LEAVE_BY(port)
    }
    @name(".ipv4_lpm.local") action ipv4_local() {
        meta.route = ROUTE_LOCAL;
    }
    @name(".ipv4_lpm.discard") action ipv4_discard() {
        meta.route = ROUTE_DISCARD;
    }
    @name(".ipv4_lpm") table ipv4_lpm {
        key = { hdr.ipv4.dst: lpm @name("dst"); }
        actions = { ipv4_via; ipv4_connected; ipv4_local; ipv4_discard; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 65536;
    }

    // The MACs of a next hop, and what fits on the way to it. A frame is rewritten only when nothing speaks against
    // sending it, so the addresses wait.
    @name(".ipv4_neighbour.rewrite") action ipv4_rewrite(mac_t src_mac, mac_t dst_mac, bit<16> mtu) {
        meta.src_mac = src_mac;
        meta.dst_mac = dst_mac;
        meta.mtu = mtu;
    }
    @name(".ipv4_neighbour") table ipv4_neighbour {
        key = {
            meta.egress_port: exact @name("port");
            meta.ipv4_next_hop: exact @name("next_hop");
        }
        actions = { ipv4_rewrite; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    apply {
        header_length = (bit<32>)hdr.ipv4.version_ihl;
        header_length = header_length & 0x0f;
        header_length = header_length << 2;
        total_length = (bit<32>)hdr.ipv4.total_length;
        frame_length = meta.packet_length - ETHERNET_BYTES;
        version = hdr.ipv4.version_ihl & 0xf0;
        src_octet = hdr.ipv4.src >> 24;
        dst_octet = hdr.ipv4.dst >> 24;
        dst_half = hdr.ipv4.dst >> 16;

        if (hdr.ipv4.version_ihl != 0x45) {
            ADD_OPTION(ipv4_option0)
            ADD_OPTION(ipv4_option1)
            ADD_OPTION(ipv4_option2)
            ADD_OPTION(ipv4_option3)
            ADD_OPTION(ipv4_option4)
            ADD_OPTION(ipv4_option5)
            ADD_OPTION(ipv4_option6)
            ADD_OPTION(ipv4_option7)
            ADD_OPTION(ipv4_option8)
            ADD_OPTION(ipv4_option9)
        }

        // RFC 1812, 5.2.2 and 5.3.4; addresses that are never a source or a destination: RFC 6890, RFC 3927.
        if (meta.dst_group != 0) DROP(DROP_l2_group_routed)
        else if (frame_length < IPV4_BYTES) DROP(DROP_ipv4_truncated)
        else if (version != 0x40) DROP(DROP_ipv4_bad_version)
        else if (header_length < IPV4_BYTES || header_length > frame_length) DROP(DROP_ipv4_bad_header_length)
        else if (total_length < header_length || total_length > frame_length) DROP(DROP_ipv4_bad_total_length)
        else if (meta.ipv4_sum != 0 && meta.ipv4_sum != 0xffff) DROP(DROP_ipv4_bad_checksum)
        else if (src_octet == 0 || src_octet == 127 || src_octet > 223) DROP(DROP_ipv4_bad_source)
        else if (dst_octet == 0 || dst_octet == 127 || dst_octet > 223 || dst_half == 0xa9fe)
            DROP(DROP_martian_destination)
        else {
            ipv4_lpm.apply();
            if (meta.route == ROUTE_NONE) PUNT(PUNT_no_route, DROP_no_route)
            else if (meta.route == ROUTE_LOCAL) PUNT(PUNT_local, DROP_punt_filtered)
            else if (meta.route == ROUTE_DISCARD) DROP(DROP_route_discard)
            else if (ipv4_neighbour.apply().miss) PUNT(PUNT_neighbour_unresolved, DROP_neighbour_unresolved)
            else if (hdr.ipv4.ttl <= 1) PUNT_WITHOUT_WAY(PUNT_ttl_expired, DROP_ttl_expired)
            else if (hdr.ipv4.total_length > meta.mtu) PUNT(PUNT_mtu_exceeded, DROP_mtu_exceeded)
            else {
                meta.verdict = VERDICT_FORWARD;
                hdr.ethernet.dst = meta.dst_mac;
                hdr.ethernet.src = meta.src_mac;
                hdr.ipv4.ttl = hdr.ipv4.ttl - 1;
                // RFC 1624, equation 3, with the TTL one less: 0x0100 more in one's complement.
                if (hdr.ipv4.checksum < 0xfeff) hdr.ipv4.checksum = hdr.ipv4.checksum + 0x0100;
                else hdr.ipv4.checksum = hdr.ipv4.checksum + 0x0101;
            }
        }
    }
}

#endif
