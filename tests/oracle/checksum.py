"""Checksums: frames with right and wrong ones, of every protocol, and ours after incremental updates.

Here every bit of a packet may be flipped behind the sender's back, so what is compared is above all
whether everybody finds the same checksums right and wrong.
"""

from common import Format, canonical_ipv6, ipv6_text, main
from ip import IPV4_TSHARK, IPV6_PROTOCOLS, any_ip, any_ipv6_packet, ipv4_fields
from link import any_ether
from transport import TCP_TSHARK, UDP_TSHARK, any_port, tcp_fields, udp_fields

from scapy.layers.inet import IP, TCP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Raw


def build(rng):
    upper = UDP(sport=rng.getrandbits(16), dport=any_port(rng)) if rng.random() < 0.5 else \
        TCP(sport=rng.getrandbits(16), dport=rng.getrandbits(16), seq=rng.getrandbits(32), flags="A")
    upper /= Raw(rng.randbytes(rng.randrange(60)))
    if rng.random() < 0.5:
        return bytes(any_ether(rng, type=0x0800) / any_ip(rng) / upper)
    return bytes(any_ether(rng, type=0x86DD) / any_ipv6_packet(rng) / upper)


def fields(frame, out):
    if IP in frame:
        ipv4_fields(frame, out)
    if IPv6 in frame:
        out["ipv6.src"] = canonical_ipv6(frame[IPv6].src)
    udp_fields(frame, out)
    tcp_fields(frame, out)


def vary(rng, frame):
    """Bytes that a checksum covers and that no length depends on: addresses, checksums, ports, payload."""
    v4 = frame[12:14] == b"\x08\x00"
    upper = 34 if v4 else 54
    udp = frame[23 if v4 else 20] == 17
    ip = [15, 18, 19, 22, 24, 25, *range(26, 34)] if v4 else [15, 16, 17, *range(22, 54)]
    covered = ip + [upper, upper + 1] + ([upper + 6, upper + 7] if udp else [upper + 16, upper + 17, upper + 4])
    covered += range(upper + (8 if udp else 20), len(frame))
    return rng.sample(covered, min(len(covered), rng.choice((0, 1, 2))))


NAMES = ("ipv4.ttl", "ipv4.src", "ipv4.checksum", "ipv4.checksum_ok", "udp.src_port", "udp.checksum",
         "udp.checksum_ok", "tcp.src_port", "tcp.checksum", "tcp.checksum_ok")

checksum = Format(
    "checksum",
    build=build,
    scapy=fields,
    vary=vary,
    protocols=("ip", "udp", "tcp", *IPV6_PROTOCOLS),
    tshark={name: source for name, source in (IPV4_TSHARK | UDP_TSHARK | TCP_TSHARK).items() if name in NAMES}
    | {"ipv6.src": ("ipv6.src", ipv6_text)})

if __name__ == "__main__":
    main([checksum])
