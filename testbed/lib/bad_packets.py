"""Packets that a router must refuse, each with the reason it must give.

Run inside a host's namespace: sends COUNT of every kind and prints, as JSON, how many were sent and
which ICMP errors came back. The list is data, so that a scenario, a test and a reader share it.
"""

import argparse
import json
import logging
import socket
import sys
import time

logging.getLogger("scapy").setLevel(logging.ERROR)
# pylint: disable=wrong-import-position
from scapy.layers.inet import ICMP, IP, UDP  # noqa: E402
from scapy.layers.inet6 import ICMPv6DestUnreach, ICMPv6PacketTooBig, ICMPv6TimeExceeded, IPv6  # noqa: E402
from scapy.layers.l2 import Ether  # noqa: E402
from scapy.packet import Raw  # noqa: E402

PORT = 9  # discard


class Kind:
    def __init__(self, name, reason, frame, answer=None):
        self.name, self.reason, self.frame, self.answer = name, reason, frame, answer


def kinds(source, gateway, here4, there4, here6, there6):
    """`there` is a host behind a link of 1400 bytes; `gateway` is the MAC of our end of the router."""

    def ether(**fields):
        return Ether(**{"src": source, "dst": gateway, **fields})

    def ip4(**fields):
        return IP(**{"src": here4, "dst": there4, **fields}) / UDP(sport=PORT, dport=PORT) / Raw(b"sluice")

    def ip6(**fields):
        return IPv6(**{"src": here6, "dst": there6, **fields}) / UDP(sport=PORT, dport=PORT) / Raw(b"sluice")

    neighbour4 = there4.rsplit(".", 1)[0] + ".250"
    return [
        Kind("IPv4 with TTL 1", "ttl_expired", ether() / ip4(ttl=1), "time exceeded"),
        Kind("IPv6 with hop limit 1", "ttl_expired", ether() / ip6(hlim=1), "time exceeded"),
        Kind("IPv4 to nowhere", "no_route", ether() / ip4(dst="198.51.100.1"), "unreachable"),
        Kind("IPv6 to nowhere", "no_route", ether() / ip6(dst="2001:db8:ffff::1"), "unreachable"),
        Kind("IPv4 of 1500 bytes with DF into a link of 1400", "mtu_exceeded",
             ether() / IP(src=here4, dst=there4, flags="DF") / UDP(sport=PORT, dport=PORT) / Raw(bytes(1472)), "too big"),
        Kind("IPv6 of 1500 bytes into a link of 1400", "mtu_exceeded",
             ether() / IPv6(src=here6, dst=there6) / UDP(sport=PORT, dport=PORT) / Raw(bytes(1452)), "too big"),
        Kind("IPv4 with a wrong header checksum", "ipv4_bad_checksum", ether() / ip4(chksum=0xBAD1)),
        Kind("IPv4 with version 5", "ipv4_bad_version", ether() / ip4(version=5)),
        Kind("IPv4 longer than its frame", "ipv4_bad_total_length", ether() / ip4(len=900)),
        Kind("IPv4 header of 16 bytes", "ipv4_bad_header_length", ether() / ip4(ihl=4)),
        Kind("IPv4 cut after 10 bytes", "ipv4_truncated", ether(type=0x0800) / Raw(bytes(ip4())[:10])),
        Kind("IPv4 from 127.0.0.1", "ipv4_bad_source", ether() / ip4(src="127.0.0.1")),
        Kind("frame to another machine's MAC", "not_for_us", ether(dst="02:00:00:00:00:99") / ip4()),
        Kind("frame from a group MAC", "source_mac_group", ether(src="03:00:00:00:00:01") / ip4()),
        Kind("EtherType that nobody handles", "unknown_ether_type", ether(type=0x88B5) / Raw(b"sluice")),
        Kind("IPv4 to a neighbour that is not there", "neighbour_unresolved", ether() / ip4(dst=neighbour4)),
    ]


def answer_name(frame):
    """The kind of ICMP error in a frame, or None."""
    if frame.haslayer(ICMPv6TimeExceeded):
        return "time exceeded"
    if frame.haslayer(ICMPv6DestUnreach):
        return "unreachable"
    if frame.haslayer(ICMPv6PacketTooBig):
        return "too big"
    if not frame.haslayer(ICMP):
        return None
    error = frame[ICMP]
    if error.type == 3:
        return "too big" if error.code == 4 else "unreachable"
    return "time exceeded" if error.type == 11 else None


def answers_within(wire, seconds, enough):
    """Counts ICMP errors until `enough` came, or none came for `seconds`."""
    found, deadline = 0, time.monotonic() + seconds
    while found < enough and time.monotonic() < deadline:
        wire.settimeout(max(0.001, deadline - time.monotonic()))
        try:
            frame, address = wire.recvfrom(2048)
        except socket.timeout:
            break
        if address[2] != socket.PACKET_OUTGOING and answer_name(Ether(frame)):
            found += 1
    return found


def send(kind, wire, count):
    # Malformed on purpose: bytes() builds exactly what the fields say.
    frame = bytes(kind.frame)
    for _ in range(count):
        wire.send(frame)
    return answers_within(wire, 2.0 if kind.answer else 0.1, count)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--device", default="eth0")
    parser.add_argument("--count", type=int, default=5)
    for name in ("source", "gateway", "here4", "there4", "here6", "there6"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x0003))
    wire.bind((options.device, 0))
    result = []
    for kind in kinds(options.source, options.gateway, options.here4, options.there4, options.here6, options.there6):
        answers = send(kind, wire, options.count)
        result.append({"name": kind.name, "reason": kind.reason, "sent": options.count,
                       "answer": kind.answer, "answers": answers})
    json.dump(result, sys.stdout)


if __name__ == "__main__":
    main()
