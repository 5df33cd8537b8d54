// Faults planted in the text of the compiled program: what to find in forwarding.spec, and what to put there.
#pragma once

#include <array>

namespace sluice::testing {

struct SpecMutant {
  const char *name, *original, *changed;
};

inline constexpr auto kSpecMutants = std::to_array<SpecMutant>({
    {"source_group_not_dropped", "and m.MainControlT_forwarding_group_bit 0x10000000000\n\tjmplt", "and m.MainControlT_forwarding_group_bit 0x0\n\tjmplt"},
    {"any_frame_is_long_enough", "jmplt LABEL_TRUE_0 m.local_metadata_packet_length 0xE", "jmplt LABEL_TRUE_0 m.local_metadata_packet_length 0xD"},
    {"short_vlan_tag_is_bridged", "m.local_metadata_packet_length 0x12", "m.local_metadata_packet_length 0x11"},
    {"vlan_keeps_its_priority_bits", "and m.local_metadata_vlan 0xFFF", "and m.local_metadata_vlan 0xFFFF"},
    {"moved_station_is_not_learnt", "jmpeq LABEL_END_7 m.local_metadata_source_port m.local_metadata_ingress_port", "jmpneq LABEL_END_7 m.local_metadata_source_port 0xFFFF"},
    {"frame_goes_back_where_it_came_from", "m.local_metadata_egress_port m.local_metadata_ingress_port\n\tmov m.local_metadata_verdict 0x0", "m.local_metadata_egress_port m.local_metadata_ingress_port\n\tmov m.local_metadata_verdict 0x1"},
    {"ipv4_version_not_checked", "m.MainControlT_forwarding_ipv4_version 0x40", "m.MainControlT_forwarding_ipv4_version m.MainControlT_forwarding_ipv4_version"},
    {"header_length_off_by_one", "m.MainControlT_forwarding_ipv4_header_length 0x14", "m.MainControlT_forwarding_ipv4_header_length 0x10"},
    {"ttl_of_one_is_forwarded", "h.ipv4.ttl 0x1\n", "h.ipv4.ttl 0x0\n"},
    {"ttl_decremented_twice", "add h.ipv4.ttl 0xFF", "add h.ipv4.ttl 0xFE"},
    {"checksum_update_wrong", "add h.ipv4.checksum 0x101", "add h.ipv4.checksum 0x100"},
    {"checksum_corner_off_by_one", "h.ipv4.checksum 0xFEFF", "h.ipv4.checksum 0xFF00"},
    {"multicast_source_passes", "m.MainControlT_forwarding_ipv4_src_octet 0xDF", "m.MainControlT_forwarding_ipv4_src_octet 0xE0"},
    {"loopback_is_routed", "m.MainControlT_forwarding_ipv4_dst_octet 0x7F", "m.MainControlT_forwarding_ipv4_dst_octet 0x7E"},
    {"link_local_prefix_off_by_one", "m.MainControlT_forwarding_ipv4_dst_half 0xA9FE", "m.MainControlT_forwarding_ipv4_dst_half 0xA9FF"},
    {"unwanted_punts_pass", "mov m.local_metadata_punt_rate 0x0\n\treturn", "mov m.local_metadata_punt_rate 0x1\n\treturn"},
    {"stale_source_port", "mov m.local_metadata_source_port 0xFFFF\n", ""},
    {"macs_swapped", "mov h.ethernet.dst m.local_metadata_dst_mac", "mov h.ethernet.dst m.local_metadata_src_mac"},
    {"wrong_counter_for_no_route", "mov m.local_metadata_cause 0x4\n\tmov m.local_metadata_reason 0x30", "mov m.local_metadata_cause 0x4\n\tmov m.local_metadata_reason 0x31"},
    {"discard_is_a_punt", "mov m.local_metadata_verdict 0x0\n\tmov m.local_metadata_reason 0x31", "mov m.local_metadata_verdict 0x3\n\tmov m.local_metadata_reason 0x31"},
    {"hop_limit_of_one_is_forwarded", "h.ipv6.hop_limit 0x1\n", "h.ipv6.hop_limit 0x0\n"},
    {"ipv6_version_not_checked", "m.MainControlT_forwarding_ipv6_version 0x6", "m.MainControlT_forwarding_ipv6_version m.MainControlT_forwarding_ipv6_version"},
    {"discovery_from_far_away", "h.ipv6.hop_limit 0xFF", "h.ipv6.hop_limit 0x40"},
    {"redirect_is_no_discovery", "h.icmpv6.type 0x89", "h.icmpv6.type 0x88"},
    {"learnt_frames_are_not_shown", "mov m.local_metadata_learn 0x1", "mov m.local_metadata_learn 0x0"},
    {"flood_into_another_group", "add h.replication.group 0x1", "add h.replication.group 0x2"},
});

}  // namespace sluice::testing
