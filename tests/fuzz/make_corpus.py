#!/usr/bin/python3
"""Writes the committed seeds tests/fuzz/corpus/TARGET/NAME from packets that scapy builds.

Run it after adding a seed; files that it does not name (findings that were fixed) stay.
"""

from itertools import chain
from pathlib import Path

from scapy.layers.inet import ICMP, IP, TCP, UDP
from scapy.layers.inet6 import (ICMPv6DestUnreach, ICMPv6EchoRequest, ICMPv6ND_NA, ICMPv6ND_NS, ICMPv6ND_RA,
                                ICMPv6ND_Redirect, ICMPv6ND_RS, ICMPv6NDOptDstLLAddr, ICMPv6NDOptMTU,
                                ICMPv6NDOptPrefixInfo, ICMPv6NDOptSrcLLAddr, ICMPv6PacketTooBig, IPv6,
                                IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop, IPv6ExtHdrRouting,
                                IPv6ExtHdrSegmentRouting, PadN, RouterAlert)
from scapy.layers.ipsec import AH
from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.packet import Raw

import tunnel_seeds

HERE = Path(__file__).resolve().parent
DATA = Raw(b"sluice seed data")

V4 = IP(src="192.0.2.1", dst="198.51.100.2", id=7)
V6 = IPv6(src="2001:db8::1", dst="2001:db8::2", fl=0x12345, tc=3)
TCP_OPTIONS = [("MSS", 1460), ("SAckOK", b""), ("Timestamp", (1, 2)), ("NOP", None), ("WScale", 7)]
NS = ICMPv6ND_NS(tgt="2001:db8::2") / ICMPv6NDOptSrcLLAddr(lladdr="02:00:00:00:00:01")
NA = ICMPv6ND_NA(tgt="2001:db8::2", R=1, S=1, O=1) / ICMPv6NDOptDstLLAddr(lladdr="02:00:00:00:00:02")
RA = (ICMPv6ND_RA(chlim=64, M=1, routerlifetime=1800, reachabletime=5, retranstimer=6)
      / ICMPv6NDOptSrcLLAddr(lladdr="02:00:00:00:00:01") / ICMPv6NDOptMTU(mtu=1400)
      / ICMPv6NDOptPrefixInfo(prefix="2001:db8::", prefixlen=64))
RS = ICMPv6ND_RS() / ICMPv6NDOptSrcLLAddr(lladdr="02:00:00:00:00:01")
REDIRECT = ICMPv6ND_Redirect(tgt="2001:db8::9", dst="2001:db8::2")

# What follows an Ethernet header, by name.
IPV4 = {
    "udp": V4 / UDP(sport=1, dport=2) / DATA,
    "udp_no_checksum": V4 / UDP(sport=1, dport=2, chksum=0) / DATA,
    "tcp": V4 / TCP(sport=1, dport=2, flags="S", options=TCP_OPTIONS),
    "icmp_echo": V4 / ICMP(type=8, id=3, seq=4) / DATA,
    "icmp_unreachable": V4 / ICMP(type=3, code=4, nexthopmtu=1400) / V4 / UDP(sport=1, dport=2),
    "options": IP(src="192.0.2.1", dst="198.51.100.2", options=b"\x07\x07\x04\x00\x00\x00\x00\x01\x94\x04\x00\x00")
               / UDP(sport=1, dport=2) / DATA,
    "first_fragment": IP(src="192.0.2.1", dst="198.51.100.2", flags="MF") / UDP(sport=1, dport=2, len=999) / DATA,
    "later_fragment": IP(src="192.0.2.1", dst="198.51.100.2", frag=100, proto=17) / DATA,
    "padded": V4 / UDP(sport=1, dport=2) / Raw(b"x"),
}
IPV6 = {
    "udp": V6 / UDP(sport=1, dport=2) / DATA,
    "tcp": V6 / TCP(sport=1, dport=2, flags="SA", options=TCP_OPTIONS),
    "hop_by_hop": V6 / IPv6ExtHdrHopByHop(options=[RouterAlert(), PadN(optdata=b"\0\0")]) / UDP(sport=1, dport=2) / DATA,
    "destination": V6 / IPv6ExtHdrDestOpt(options=[PadN(optdata=b"\0" * 4)]) / UDP(sport=1, dport=2),
    "routing": V6 / IPv6ExtHdrRouting(addresses=["2001:db8::3", "2001:db8::4"]) / UDP(sport=1, dport=2),
    "segment_routing": V6 / IPv6ExtHdrSegmentRouting(addresses=["2001:db8::3"]) / UDP(sport=1, dport=2),
    "ah": V6 / AH(nh=17, spi=1, seq=2, icv=b"0123456789ab", payloadlen=4) / UDP(sport=1, dport=2),
    "first_fragment": V6 / IPv6ExtHdrFragment(m=1, id=9, nh=17) / UDP(sport=1, dport=2, len=999) / DATA,
    "later_fragment": V6 / IPv6ExtHdrFragment(offset=10, id=9, nh=17) / DATA,
    "long_chain": V6 / IPv6ExtHdrHopByHop() / IPv6ExtHdrDestOpt() / IPv6ExtHdrRouting() / IPv6ExtHdrFragment(id=1)
                  / IPv6ExtHdrDestOpt() / ICMPv6EchoRequest(id=1, seq=2) / DATA,
    "mobility": IPv6(src="2001:db8::1", dst="2001:db8::2", nh=135) / Raw(b"\x3b\x00\x01\x00\xaa\xbb\x00\x00"),
    "icmpv6_echo": V6 / ICMPv6EchoRequest(id=1, seq=2) / DATA,
    "icmpv6_unreachable": V6 / ICMPv6DestUnreach(code=4) / V6 / UDP(sport=1, dport=2),
    "icmpv6_too_big": V6 / ICMPv6PacketTooBig(mtu=1400) / V6 / UDP(sport=1, dport=2),
    "ns": V6 / NS, "na": V6 / NA, "ra": V6 / RA, "rs": V6 / RS, "redirect": V6 / REDIRECT,
}
ARPS = {
    "request": ARP(op=1, hwsrc="02:00:00:00:00:01", psrc="192.0.2.1", pdst="192.0.2.2"),
    "reply": ARP(op=2, hwsrc="02:00:00:00:00:02", psrc="192.0.2.2", hwdst="02:00:00:00:00:01", pdst="192.0.2.1"),
    "other_hardware": ARP(hwtype=6),
}
MACS = dict(src="02:00:00:00:00:01", dst="02:00:00:00:00:02")
TAG, SERVICE_TAG = Dot1Q(vlan=5, prio=3), Dot1AD(vlan=100)


def of(packets, protocol, skip=()):
    """The seeds of an upper layer: what the packets carry from that layer on."""
    return {name: bytes(p[protocol]) for name, p in packets.items() if p.haslayer(protocol) and name not in skip}


def seeds():
    ipv4 = {name: bytes(p) for name, p in IPV4.items()}
    ipv6 = {name: bytes(p) for name, p in IPV6.items()}
    yield "ipv4", ipv4 | {"padded": ipv4["padded"] + bytes(17)}
    yield "ipv6", ipv6 | {"padded": ipv6["udp"] + bytes(6)}
    yield "udp", of(IPV4, UDP, skip=("icmp_unreachable",)) | {"surplus": bytes(UDP(sport=1, dport=2, len=10) / DATA)}
    yield "tcp", of(IPV4, TCP) | {"no_options": bytes(TCP(sport=1, dport=2) / DATA), "bad_offset": bytes(TCP(dataofs=2))}
    yield "icmp", of(IPV4, ICMP) | {"extended": bytes(ICMP(type=11, length=5)) + bytes(V4) + bytes(8)}
    upper = {name: data[40:] for name, data in ipv6.items() if IPV6[name].nh == 58}
    yield "icmpv6", upper
    yield "nd", {name: upper[name] for name in ("ns", "na", "ra", "rs", "redirect")}
    yield "option_list", {
        "tcp": bytes(TCP(options=TCP_OPTIONS))[20:], "ipv4": ipv4["options"][20:32],
        "end_and_padding": b"\x01\x01\x00\xff\xff", "length_zero": b"\x08\x00\x01\x01", "length_beyond": b"\x08\x09\x01"}
    yield "ipv6_options", {
        "router_alert": bytes(ipv6["hop_by_hop"])[42:48], "pad1": b"\x00\x00\x00", "beyond": b"\x05\x09\x00"}
    yield "arp", {name: bytes(p) for name, p in ARPS.items()} | {"padded": bytes(ARPS["request"]) + bytes(18)}
    tagged = {"one": bytes(TAG / V4 / UDP()), "two": bytes(TAG / TAG / ARPS["request"]),
              "five": bytes(TAG / TAG / TAG / TAG / TAG / V4), "cut": bytes(TAG)[:2]}
    yield "vlan", tagged
    frames = ({f"ipv4_{n}": p for n, p in IPV4.items()} | {f"ipv6_{n}": p for n, p in IPV6.items()}
              | {f"arp_{n}": p for n, p in ARPS.items()})
    frames = {name: bytes(Ether(**MACS) / p) for name, p in frames.items()}
    frames["tagged"] = bytes(Ether(**MACS) / SERVICE_TAG / TAG / IPV4["udp"])
    yield "frame", frames
    yield "ethernet", {"untagged": frames["ipv4_udp"], "tagged": frames["tagged"], "short": frames["ipv4_udp"][:13]}
    addresses4, addresses6 = bytes(range(1, 13)), bytes(range(1, 49))
    yield "checksum", {
        "udp4": addresses4 + bytes(IPV4["udp"][UDP]), "tcp4": addresses4 + bytes(IPV4["tcp"][TCP]),
        "udp6": addresses6 + bytes(IPV6["udp"][UDP]), "tcp6": addresses6 + bytes(IPV6["tcp"][TCP]),
        "ipv4": ipv4["options"], "icmp": bytes(IPV4["icmp_echo"][ICMP])}


def main():
    for target, files in chain(seeds(), tunnel_seeds.seeds()):
        folder = HERE / "corpus" / target
        folder.mkdir(parents=True, exist_ok=True)
        for name, data in files.items():
            (folder / name).write_bytes(data)


if __name__ == "__main__":
    main()
