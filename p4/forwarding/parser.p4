// Every header that the program looks at. A frame that ends inside one is told by its length in the control, which
// knows what a router says about it.
#ifndef SLUICE_FORWARDING_PARSER_P4
#define SLUICE_FORWARDING_PARSER_P4

#include "headers.p4"

#define PARSE_IPV4_OPTION(STATE, HEADER, LAST, NEXT) \
    state STATE { \
        pkt.extract(hdr.HEADER); \
        transition select(hdr.ipv4.version_ihl) { \
            LAST: accept; \
            default: NEXT; \
        } \
    }

parser ForwardingParser(packet_in pkt, inout headers_t hdr) {
    state start {
        pkt.extract(hdr.ethernet);
        transition select(hdr.ethernet.type) {
            ETHER_TYPE_IPV4: parse_ipv4;
            ETHER_TYPE_IPV6: parse_ipv6;
            ETHER_TYPE_VLAN: parse_vlan;
            ETHER_TYPE_QINQ: parse_vlan;
            default: accept;
        }
    }
    state parse_vlan {
        pkt.extract(hdr.vlan);
        transition accept;
    }
    state parse_ipv4 {
        pkt.extract(hdr.ipv4);
        transition select(hdr.ipv4.version_ihl) {
            0x46 &&& 0xfe: parse_ipv4_option0;
            0x48 &&& 0xf8: parse_ipv4_option0;
            default: accept;
        }
    }
    PARSE_IPV4_OPTION(parse_ipv4_option0, ipv4_option0, 0x46, parse_ipv4_option1)
    PARSE_IPV4_OPTION(parse_ipv4_option1, ipv4_option1, 0x47, parse_ipv4_option2)
    PARSE_IPV4_OPTION(parse_ipv4_option2, ipv4_option2, 0x48, parse_ipv4_option3)
    PARSE_IPV4_OPTION(parse_ipv4_option3, ipv4_option3, 0x49, parse_ipv4_option4)
    PARSE_IPV4_OPTION(parse_ipv4_option4, ipv4_option4, 0x4a, parse_ipv4_option5)
    PARSE_IPV4_OPTION(parse_ipv4_option5, ipv4_option5, 0x4b, parse_ipv4_option6)
    PARSE_IPV4_OPTION(parse_ipv4_option6, ipv4_option6, 0x4c, parse_ipv4_option7)
    PARSE_IPV4_OPTION(parse_ipv4_option7, ipv4_option7, 0x4d, parse_ipv4_option8)
    PARSE_IPV4_OPTION(parse_ipv4_option8, ipv4_option8, 0x4e, parse_ipv4_option9)
    state parse_ipv4_option9 {
        pkt.extract(hdr.ipv4_option9);
        transition accept;
    }
    state parse_ipv6 {
        hdr.ipv6_halves = pkt.lookahead<ipv6_halves_t>();
        pkt.extract(hdr.ipv6);
        transition select(hdr.ipv6.next_header) {
            IP_PROTOCOL_ICMPV6: parse_icmpv6;
            default: accept;
        }
    }
    state parse_icmpv6 {
        pkt.extract(hdr.icmpv6);
        transition accept;
    }
}

// In the order of the wire. A frame that was too short for a header has it invalid, or gets back the bytes it came with.
#define EMIT_ALL(PKT, HDR) \
    PKT.emit(HDR.packet_in); \
    PKT.emit(HDR.ethernet); \
    PKT.emit(HDR.vlan); \
    PKT.emit(HDR.ipv4); \
    PKT.emit(HDR.ipv4_option0); \
    PKT.emit(HDR.ipv4_option1); \
    PKT.emit(HDR.ipv4_option2); \
    PKT.emit(HDR.ipv4_option3); \
    PKT.emit(HDR.ipv4_option4); \
    PKT.emit(HDR.ipv4_option5); \
    PKT.emit(HDR.ipv4_option6); \
    PKT.emit(HDR.ipv4_option7); \
    PKT.emit(HDR.ipv4_option8); \
    PKT.emit(HDR.ipv4_option9); \
    PKT.emit(HDR.ipv6); \
    PKT.emit(HDR.icmpv6);

#endif
