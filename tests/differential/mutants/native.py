#!/usr/bin/python3
"""Faults planted in copies of the native engine's sources: each is one expression that a number picks at run time.

usage: native.py SOURCE_DIR OUT_DIR    writes the changed copies and OUT_DIR/mutants.inc, the list of their names
"""
import pathlib
import sys

F = "dataplane/forwarding/"
# name, file, expression as it stands there, expression instead
MUTANTS = [
    ("source_group_not_dropped", F + "ether_input.h", "ethernet->src.is_group()", "false"),
    ("broadcast_ipv4_is_routed", F + "ether_input.h", "!ethernet->dst.is_group()", "true"),
    ("vlan_is_ignored", F + "ether_input.h", "tag->vlan_id()", "uint16_t{0}"),
    ("stale_vlan_of_the_packet_before", F + "ether_input.h", "packet.meta().vlan = vlan", "packet.meta().vlan = (vlan ? vlan : packet.meta().vlan)"),
    ("wrong_counter_for_ether_type", F + "ether_input.h", "wire::Drop::unknown_ether_type", "wire::Drop::not_for_us"),
    ("wrong_counter_for_short_tag", F + "ether_input.h", "wire::Drop::vlan_truncated", "wire::Drop::ethernet_truncated"),
    ("moved_station_is_not_learnt", F + "bridge.h", "state.fdb_source->port_at(source) != packet.in_port()", "state.fdb_source->port_at(source) == kNoPort"),
    ("frame_goes_back_where_it_came_from", F + "bridge.h", "if (port == packet.in_port())", "if (port == kNoPort)"),
    ("group_address_in_fdb_is_no_flood", F + "bridge.h", "ethernet->dst.is_group()", "false"),
    ("ipv4_version_not_checked", F + "ipv4_route.h", "header->version() != 4", "false"),
    ("ipv4_length_one_byte_too_long", F + "ipv4_route.h", "total_length > packet.l3_length()", "total_length > packet.l3_length() + 1"),
    ("ipv4_length_below_header", F + "ipv4_route.h", "total_length < header->header_length()", "false"),
    ("ipv4_checksum_not_checked", F + "ipv4_route.h", "!sum.verifies()", "false"),
    ("multicast_source_passes", F + "ipv4_route.h", "first >= 224", "first > 224"),
    ("loopback_is_routed", F + "ipv4_route.h", "first == 127", "false"),
    ("link_local_prefix_off_by_one", F + "ipv4_route.h", "0xa9fe", "0xa9ff"),
    ("ttl_of_one_is_forwarded", F + "ipv4_forward.h", "header->ttl.get() <= 1", "header->ttl.get() < 1"),
    ("mtu_off_by_one", F + "ipv4_forward.h", "header->total_length.get() > adjacency.mtu", "header->total_length.get() >= adjacency.mtu"),
    ("macs_not_rewritten", F + "ipv4_forward.h", "2 * sizeof(wire::MacAddress)", "sizeof(wire::MacAddress)"),
    ("ipv6_version_not_checked", F + "ipv6_route.h", "header->version() != 6", "false"),
    ("ipv6_payload_length_off_by_one", F + "ipv6_route.h", "header->payload_length.get() + sizeof *header > packet.l3_length()", "header->payload_length.get() + sizeof *header > packet.l3_length() + 1"),
    ("ipv6_loopback_source_passes", F + "ipv6_route.h", "header->src.is_loopback()", "false"),
    ("discovery_from_far_away", F + "ipv6_route.h", "header->hop_limit.get() != 255", "header->hop_limit.get() < 64"),
    ("redirect_is_no_discovery", F + "ipv6_route.h", "type <= wire::Icmpv6Type::redirect", "type < wire::Icmpv6Type::redirect"),
    ("hop_limit_of_one_is_forwarded", F + "ipv6_forward.h", "header->hop_limit.get() <= 1", "header->hop_limit.get() < 1"),
    ("discard_is_counted_as_no_route", F + "route_edges.h", "wire::Drop::route_discard", "wire::Drop::no_route"),
    ("punt_does_not_say_the_port", F + "route_edges.h", "meta.out_port = adjacency.port", "meta.out_port = kNoPort"),
    ("expired_packet_is_punted_for_another_cause", F + "ipv4_forward.h", "PuntCause::ttl_expired", "PuntCause::mtu_exceeded"),
    ("prefix_one_bit_short", F + "tables/route_table.cpp", "static_cast<uint64_t>(match.mask >> 64))", "static_cast<uint64_t>(match.mask >> 64) & ~1ull)"),
    ("host_route_off_by_one", F + "tables/route_table.cpp", "std::popcount(static_cast<uint64_t>(match.mask))", "(std::popcount(static_cast<uint64_t>(match.mask)) == 32 ? 31 : std::popcount(static_cast<uint64_t>(match.mask)))"),
    ("lowest_priority_wins", F + "tables/my_station_table.cpp", "a.priority > b.priority", "a.priority < b.priority"),
    ("station_of_any_port", F + "tables/my_station_table.cpp", "static_cast<PortNumber>(entry.key.match[0].value)", "static_cast<PortNumber>(entry.key.match[0].value / 2)"),
    ("checksum_update_wrong", "dataplane/wire/ipv4.h", "static_cast<uint16_t>(~header.checksum.get()) + kChange", "static_cast<uint16_t>(~header.checksum.get()) + kChange - 0x0100"),
    ("ttl_decremented_twice", "dataplane/wire/ipv4.h", "header.ttl.get() - 1", "header.ttl.get() - 2"),
]


def choice(text, number, original, changed):
    """`original` in `text` replaced by a choice: of an expression, or of the expression inside a statement."""
    prefix = suffix = ""
    for start in ("if (", "return ", "packet.meta().vlan = ", "meta.out_port = "):
        if original.startswith(start) and changed.startswith(start):
            prefix, original, changed = start, original[len(start):], changed[len(start):]
    if original.endswith(")") and original.count(")") > original.count("("):  # the end of a call or condition: keep its bracket
        original, changed, suffix = original[:-1], changed[:-1], ")"
    whole = prefix + original + suffix
    if text.count(whole) != 1:
        return None
    return text.replace(whole, f"{prefix}(::sluice::testing::planted({number}) ? ({changed}) : ({original})){suffix}")


def main():
    source, out = map(pathlib.Path, sys.argv[1:3])
    changed = {}
    for number, (name, file, original, instead) in enumerate(MUTANTS, 1):
        text = changed.get(file) or (source / file).read_text()
        text = choice(text, number, original, instead)
        if text is None:
            sys.exit(f"native.py: {name}: `{original}` stands not exactly once in {file}")
        changed[file] = text
    for file, text in changed.items():
        target = out / file
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text('#include "tests/differential/mutants/planted.h"\n' + text)
    (out / "mutants.inc").write_text("".join(f'MUTANT("{name}")\n' for name, *_ in MUTANTS))


if __name__ == "__main__":
    main()
