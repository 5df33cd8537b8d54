// The program `forwarding` on v1model (bmv2).
#include "../arch/v1model.p4"
#include "forwarding.p4"

parser V1Parser(packet_in pkt, out headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    ForwardingParser() forwarding;
    state start {
        transition select(standard.ingress_port) {
            CPU_PORT: from_controller;
            default: from_wire;
        }
    }
    state from_controller {
        pkt.extract(hdr.packet_out);
        transition accept;
    }
    state from_wire {
        forwarding.apply(pkt, hdr);
        transition accept;
    }
}

control V1VerifyChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control V1Ingress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    Forwarding() forwarding;
    bit<32> sum;

    apply {
        if (standard.ingress_port == CPU_PORT) {
            standard.egress_spec = (bit<9>)hdr.packet_out.egress_port;
            hdr.packet_out.setInvalid();
        } else {
            meta.ingress_port = (port_number_t)standard.ingress_port;
            meta.packet_length = standard.packet_length;
            sum = (bit<32>)(hdr.ipv4.version_ihl ++ hdr.ipv4.tos) + (bit<32>)hdr.ipv4.total_length +
                  (bit<32>)hdr.ipv4.id + (bit<32>)hdr.ipv4.flags_fragment +
                  (bit<32>)(hdr.ipv4.ttl ++ hdr.ipv4.protocol) + (bit<32>)hdr.ipv4.checksum +
                  (bit<32>)hdr.ipv4.src[31:16] + (bit<32>)hdr.ipv4.src[15:0] +
                  (bit<32>)hdr.ipv4.dst[31:16] + (bit<32>)hdr.ipv4.dst[15:0];
            sum = (sum & 0xffff) + (sum >> 16);
            sum = (sum & 0xffff) + (sum >> 16);
            meta.ipv4_sum = (bit<16>)sum;

            forwarding.apply(hdr, meta);

            if (meta.verdict == VERDICT_FORWARD) {
                standard.egress_spec = (bit<9>)meta.egress_port;
            } else if (meta.verdict == VERDICT_FLOOD) {
                standard.mcast_grp = meta.bridge + 1;
            } else if (meta.verdict == VERDICT_PUNT) {
                standard.egress_spec = CPU_PORT;
            } else {
                mark_to_drop(standard);
            }
            if (meta.learn == 1) clone_preserving_field_list(CloneType.I2E, LEARN_SESSION, LEARN_FIELDS);
        }
    }
}

control V1Egress(inout headers_t hdr, inout metadata_t meta, inout standard_metadata_t standard) {
    apply {
        if (standard.instance_type == INSTANCE_CLONE) {
            hdr.packet_in.setValid();
            hdr.packet_in.ingress_port = meta.ingress_port;
            hdr.packet_in.egress_port = NO_PORT;
            hdr.packet_in.mtu = 0;
            hdr.packet_in.cause = PUNT_unknown_source;
            truncate(PACKET_IN_BYTES + LEARN_BYTES);
        } else if (standard.instance_type == INSTANCE_REPLICA && standard.egress_port == standard.ingress_port) {
            mark_to_drop(standard);
        }
    }
}

control V1ComputeChecksum(inout headers_t hdr, inout metadata_t meta) {
    apply {}
}

control V1Deparser(packet_out pkt, in headers_t hdr) {
    apply {
        EMIT_ALL(pkt, hdr)
    }
}

V1Switch(V1Parser(), V1VerifyChecksum(), V1Ingress(), V1Egress(), V1ComputeChecksum(), V1Deparser()) main;
