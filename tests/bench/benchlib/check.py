"""Is what a contestant sent the right packet, to the right neighbour, out of the right port?"""

import struct

from benchlib import traffic

ROUTER_MAC = traffic.ROUTER_OUT_MAC


class WrongOutput(RuntimeError):
    pass


CHECKSUM = slice(24, 26)
HEADER = slice(14, 34)
FIELDS = {"destination MAC": (0, 6), "source MAC": (6, 12), "TTL": (22, 23)}


def expected_frame(sequence, destination, size, mac):
    """All but the checksum."""
    frame = bytearray(traffic.make_frame(sequence, destination, size))
    frame[0:6], frame[6:12] = mac, ROUTER_MAC
    frame[22] -= 1
    return bytes(frame)


def _what_differs(got, wanted):
    if len(got) != len(wanted):
        return f"length is {len(got)}, not {len(wanted)}"
    for name, (start, end) in FIELDS.items():
        if got[start:end] != wanted[start:end]:
            return f"{name} is {got[start:end].hex()}, not {wanted[start:end].hex()}"
    return "bytes that must not change have changed"


def check_capture(name, path, destinations, routes, size, mac_of):
    """All packets must have left by the sink's port, each once, each as the router's rules say."""
    reference = traffic.ReferenceLpm(routes)
    seen = set()
    for frame in traffic.read_pcap(path):
        sequence = struct.unpack_from("!I", frame, traffic.HEADERS)[0] if len(frame) >= traffic.HEADERS + 4 else -1
        if not 0 <= sequence < len(destinations) or sequence in seen:
            raise WrongOutput(f"{name}: a packet that nobody sent, or twice: {frame[:64].hex()}")
        seen.add(sequence)
        destination = destinations[sequence]
        wanted = expected_frame(sequence, destination, size, mac_of(reference.next_hop(destination)))
        # As a receiver judges it: l3fwd-graph's arithmetic gives ffff where the sum itself would be 0000 (RFC 1624).
        if traffic.checksum(frame[HEADER]) != 0:
            raise WrongOutput(f"{name}: packet {sequence}: IPv4 checksum {frame[CHECKSUM].hex()} is wrong")
        if frame[:24] != wanted[:24] or frame[26:] != wanted[26:]:
            raise WrongOutput(f"{name}: packet {sequence}: {_what_differs(frame, wanted)}")
    if len(seen) != len(destinations):
        raise WrongOutput(f"{name}: {len(destinations) - len(seen)} of {len(destinations)} packets did not leave by the sink")
    return len(seen)
