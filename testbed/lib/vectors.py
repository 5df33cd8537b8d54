"""Test vectors (tests/differential/vector_file.h): what a switch on network interfaces can be asked of them, and what differs."""

import json
import pathlib
from collections import Counter

ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_PORT = 0xffff

# What is left out of a vector and why, for people. (bmv2's replication engine drops a copy for nobody silently.)
TOO_SHORT = "frames shorter than 14 bytes, which AF_PACKET does not send"
UNCOUNTED = "drops for bridge_no_member, which bmv2 does not count"
_SHORTEST = 14


def committed():
    """The vectors of tests/differential/vectors, by file name."""
    for file in sorted((ROOT / "tests" / "differential" / "vectors").glob("*.json")):
        yield json.loads(file.read_text(encoding="utf-8"))


def for_bmv2(vector):
    """(the vector without what bmv2 on veth cannot show, how much was left out by reason)."""
    carried = [packet for packet in vector["packets"] if len(packet["frame"]) // 2 >= _SHORTEST]
    left_out = Counter({TOO_SHORT: len(vector["packets"]) - len(carried)})
    drops = Counter(vector["drops"])
    drops["ethernet_truncated"] -= left_out[TOO_SHORT]
    left_out[UNCOUNTED] = drops.pop("bridge_no_member", 0)
    return {**vector, "packets": carried, "drops": dict(+drops)}, left_out


def _lines(outcome):
    """An outcome without order: each packet and each count as the line that a person reads."""
    lines = Counter(f"sent by port {packet['port']}: {packet['frame']}" for packet in outcome["sent"])
    lines.update(f"punted for {packet['cause']} from port {packet['ingress_port']} (way out {packet.get('egress_port', NO_PORT)}, "
                 f"mtu {packet.get('mtu', 0)}): {packet['frame']}" for packet in outcome["punted"])
    lines.update(f"dropped: {reason} {count}" for reason, count in outcome["drops"].items())
    return lines


def difference(expected, actual, name):
    """What `expected` and what `actual` (of the switch `name`) do not have in common; empty where they are equal."""
    wanted, got = _lines(expected), _lines(actual)
    return "".join(f"  only {who}: {line}\n" for who, only in (("expected", wanted - got), (name, got - wanted))
                   for line in only.elements())
