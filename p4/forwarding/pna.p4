// The program `forwarding` on PNA (DPDK's SWX pipeline).
#include "../arch/pna.p4"
#include "forwarding.p4"

control PnaPreControl(in headers_t hdr, inout metadata_t meta, in pna_pre_input_metadata_t istd,
                      inout pna_pre_output_metadata_t ostd) {
    apply {}
}

parser PnaParser(packet_in pkt, out headers_t hdr, inout metadata_t meta, in pna_main_parser_input_metadata_t istd) {
    ForwardingParser() forwarding;
    state start {
        pkt.extract(hdr.arrival);
        forwarding.apply(pkt, hdr);
        transition accept;
    }
}

control PnaControl(inout headers_t hdr, inout metadata_t meta, in pna_main_input_metadata_t istd,
                   inout pna_main_output_metadata_t ostd) {
    Forwarding() forwarding;
    InternetChecksum() checksum;

    apply {
        meta.ingress_port = (port_number_t)istd.input_port;
        meta.packet_length = hdr.arrival.packet_length;
        if (hdr.ipv4.isValid()) {
            checksum.clear();
            checksum.add(hdr.ipv4);
            meta.ipv4_sum = checksum.get();
            meta.ipv4_sum = meta.ipv4_sum ^ 0xffff;
        }

        forwarding.apply(hdr, meta);

        // Before the verdict: SWX drops at once.
        if (meta.learn == 1) mirror_packet(LEARN_SLOT, LEARN_SESSION);
        if (meta.verdict == VERDICT_FLOOD) {
            hdr.replication.setValid();
            hdr.replication.group = (bit<32>)meta.bridge + 1;
            send_to_port((PortId_t)REPLICATION_PORT);
        } else if (meta.verdict == VERDICT_PUNT) {
            send_to_port((PortId_t)CPU_PORT);
        } else if (meta.verdict == VERDICT_DROP) {
            drop_packet();
        }
    }
}

control PnaDeparser(packet_out pkt, in headers_t hdr, in metadata_t meta, in pna_main_output_metadata_t ostd) {
    apply {
        pkt.emit(hdr.replication);
        EMIT_ALL(pkt, hdr)
    }
}

PNA_NIC(PnaParser(), PnaPreControl(), PnaControl(), PnaDeparser()) main;
