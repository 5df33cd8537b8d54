// Which port of its bridge domain does a frame leave by, and is its sender known? Native twin: dataplane/forwarding/bridge.h.
#ifndef SLUICE_FORWARDING_BRIDGE_P4
#define SLUICE_FORWARDING_BRIDGE_P4

#include "../include/drop_reasons.p4"
#include "headers.p4"

control Bridge(inout headers_t hdr, inout metadata_t meta) {
    // Who sent a bridged frame, and behind which port is he known?
    @name(".fdb_source.known") action source_known(port_number_t port) {
        meta.source_port = port;
    }
    @name(".fdb_source") table fdb_source {
        key = {
            meta.bridge: exact @name("bridge");
            meta.vlan: exact @name("vlan");
            hdr.ethernet.src: exact @name("mac");
        }
        actions = { source_known; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    // Behind which port is a bridged frame's destination?
    @name(".fdb.forward") action fdb_forward(port_number_t port) {
        meta.egress_port = port;
        LEAVE_BY(port)
    }
    @name(".fdb") table fdb {
        key = {
            meta.bridge: exact @name("bridge");
            meta.vlan: exact @name("vlan");
            hdr.ethernet.dst: exact @name("mac");
        }
        actions = { fdb_forward; @defaultonly NoAction; }
        const default_action = NoAction();
        size = 16384;
    }

    apply {
        // Untagged frames are a VLAN of their own.
        meta.vlan = 0;
        meta.verdict = VERDICT_FLOOD;
        if (hdr.ethernet.type == ETHER_TYPE_VLAN || hdr.ethernet.type == ETHER_TYPE_QINQ) {
            if (meta.packet_length < ETHERNET_BYTES + VLAN_BYTES) DROP(DROP_vlan_truncated)
            else meta.vlan = hdr.vlan.tci & 0x0fff;
        }
        if (meta.verdict == VERDICT_FLOOD) {
            fdb_source.apply();
            if (meta.source_port != meta.ingress_port) meta.learn = 1;
            if (meta.dst_group == 0) {
                if (fdb.apply().hit) {
                    if (meta.egress_port == meta.ingress_port) DROP(DROP_bridge_same_port)
                    else meta.verdict = VERDICT_FORWARD;
                }
            }
        }
    }
}

#endif
