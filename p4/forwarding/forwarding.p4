// IPv4 and IPv6 routing and L2 bridging: the contract that dataplane/forwarding obeys, decision for decision.
#ifndef SLUICE_FORWARDING_P4
#define SLUICE_FORWARDING_P4

#include "../include/drop_reasons.p4"
#include "../include/punt_causes.p4"
#include "headers.p4"
#include "bridge.p4"
#include "ipv4.p4"
#include "ipv6.p4"
#include "parser.p4"

const bit<8> STATION_NONE = 0;
const bit<8> STATION_ROUTE = 1;
const bit<8> STATION_BRIDGE = 2;

control Forwarding(inout headers_t hdr, inout metadata_t meta) {
    mac_t group_bit;
    bit<8> station;
    bit<8> is_unwanted;
    Bridge() bridging;
    Ipv4() ipv4;
    Ipv6() ipv6;

    @name(".drops") PACKET_COUNTER(drops, DROP_COUNT);

    // Is a frame for the router, for a bridge, or for nobody here?
    @name(".my_station.route") action station_route() {
        station = STATION_ROUTE;
    }
    @name(".my_station.bridge") action station_bridge(bit<16> bridge) {
        station = STATION_BRIDGE;
        meta.bridge = bridge;
    }
    @name(".my_station") table my_station {
        key = {
            meta.ingress_port: exact @name("port");
            hdr.ethernet.dst: ternary @name("dst_mac");
        }
        actions = { station_route; station_bridge; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 1024;
    }

    // Does the controller want packets of this cause? The rate is kept where they leave the pipeline.
    @name(".punt.to_agent") action punt_to_agent(bit<32> rate) {
        meta.punt_rate = rate;
    }
    @name(".punt.drop") action punt_drop() {
        meta.punt_rate = 0;
    }
    @name(".punt") table punt {
        key = { meta.cause: exact @name("cause"); }
        actions = { punt_to_agent; punt_drop; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 8;
    }

    apply {
        // SWX clears nothing between packets.
        meta.cause = PUNT_unknown_source;
        meta.learn = 0;
        meta.bridge = 0;
        meta.vlan = 0;
        meta.mtu = 0;
        meta.punt_rate = 0;
        meta.egress_port = NO_PORT;
        meta.source_port = NO_PORT;
        meta.route = ROUTE_NONE;
        station = STATION_NONE;

        group_bit = hdr.ethernet.src & 0x010000000000;
        if (meta.packet_length < ETHERNET_BYTES) DROP(DROP_ethernet_truncated)
        else if (group_bit != 0) DROP(DROP_source_mac_group)
        else {
            my_station.apply();
            meta.dst_group = 0;
            group_bit = hdr.ethernet.dst & 0x010000000000;
            if (group_bit != 0) meta.dst_group = 1;
            if (station == STATION_BRIDGE) bridging.apply(hdr, meta);
            else if (station == STATION_NONE) DROP(DROP_not_for_us)
            else if (hdr.ethernet.type == ETHER_TYPE_IPV4) ipv4.apply(hdr, meta);
            else if (hdr.ethernet.type == ETHER_TYPE_IPV6) ipv6.apply(hdr, meta);
            else if (hdr.ethernet.type == ETHER_TYPE_ARP) PUNT(PUNT_arp, DROP_punt_filtered)
            else DROP(DROP_unknown_ether_type)
        }

        // The controller is asked once a packet: for the packet itself, or for a copy of a bridged one.
        if (meta.verdict == VERDICT_PUNT || meta.learn == 1) {
            punt.apply();
            is_unwanted = 0;
            if (meta.punt_rate == 0) is_unwanted = 1;
            if (is_unwanted == 1 && meta.learn == 1) {
                meta.learn = 0;
                COUNT(drops, DROP_punt_filtered);
            }
            if (meta.verdict == VERDICT_PUNT) {
                if (is_unwanted == 1) {
                    meta.verdict = VERDICT_DROP;
                } else {
                    hdr.packet_in.setValid();
                    hdr.packet_in.ingress_port = meta.ingress_port;
                    hdr.packet_in.egress_port = meta.egress_port;
                    hdr.packet_in.mtu = meta.mtu;
                    hdr.packet_in.cause = meta.cause;
                }
            }
        }
        if (meta.verdict == VERDICT_DROP) COUNT(drops, meta.reason);
    }
}

#endif
