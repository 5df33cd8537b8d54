"""UDP and TCP with options, over IPv4 and IPv6, against the oracles."""

from common import Format, good, hex_text, main, number, numbers
from ip import IPV6_PROTOCOLS, any_extensions, any_ip, any_ipv6_packet, broken, until_end
from link import any_ether

from scapy.layers.inet import IP, TCP, UDP, in4_chksum
from scapy.layers.inet6 import in6_chksum
from scapy.packet import Raw

OWN_PORTS = (2152, 4791)  # GTP-U and RoCEv2: their payload is a format of its own


def any_port(rng):
    port = rng.getrandbits(16)
    return port if port not in OWN_PORTS else 1


def in_ipv6(rng, segment, protocol):
    """A frame around an upper layer, half of them with extension headers."""
    packet = any_ipv6_packet(rng, any_extensions(rng) if rng.random() < 0.5 else ())
    packet.lastlayer().nh = protocol  # scapy does not fill in AH's
    return any_ether(rng, type=0x86DD) / packet / segment


def in_ip(rng, segment, protocol):
    if rng.random() < 0.5:
        return any_ether(rng, type=0x0800) / any_ip(rng) / segment
    return in_ipv6(rng, segment, protocol)


def checksum_ok(layer, protocol):
    """scapy's own sum over pseudo header and segment."""
    if isinstance(layer.underlayer, IP):
        return in4_chksum(protocol, layer.underlayer, layer.original) == 0
    return in6_chksum(protocol, layer.underlayer, layer.original) == 0


def vary_addresses(rng, frame):
    """The addresses of the IP packet, which the checksum covers: a variant's is wrong, and all must say so."""
    return range(26, 34) if frame[12:14] == b"\x08\x00" else range(22, 54)


# UDP.


def build_udp(rng):
    udp = UDP(sport=any_port(rng), dport=any_port(rng)) / Raw(rng.randbytes(rng.randrange(100)))
    if rng.random() < 0.2:
        udp.chksum = rng.getrandbits(16) if rng.random() < 0.5 else 0
    frame = bytes(in_ip(rng, udp, 17))
    return break_udp(rng, frame, len(udp)) if rng.random() < 0.1 else frame


def break_udp(rng, frame, length):
    at = len(frame) - length
    if rng.random() < 0.5:
        return broken(broken(frame, at + 4, 0), at + 5, rng.randrange(1, 8))
    return broken(frame, at + 4, rng.randint(1, 255))


def udp_fields(frame, out):
    if UDP not in frame:
        return
    udp = frame[UDP]
    out["udp.src_port"], out["udp.dst_port"] = udp.sport, udp.dport
    out["udp.length"], out["udp.checksum"] = udp.len, udp.chksum
    none = udp.chksum == 0
    out["udp.checksum_ok"] = IP in frame if none else checksum_ok(udp, 17)
    out["udp.payload"] = bytes(udp.payload).hex()


def udp_good(statuses):
    """Status 3 is "no checksum", and good; 4 is that over IPv6, and illegal."""
    return {"3": True, "4": False}.get(statuses[0], good(statuses))


UDP_TSHARK = {
    "udp.src_port": ("udp.srcport", number),
    "udp.dst_port": ("udp.dstport", number),
    "udp.length": ("udp.length", number),
    "udp.checksum": ("udp.checksum", number),
    "udp.checksum_ok": ("udp.checksum.status", udp_good),
}

udp = Format(
    "udp",
    build=build_udp,
    scapy=udp_fields,
    vary=vary_addresses,
    protocols=("ip", "udp", *IPV6_PROTOCOLS),
    malformed=("_ws.malformed", "udp.length.bad"),
    tshark=UDP_TSHARK | {"udp.payload": ("udp.payload", hex_text)})


# TCP.


def any_tcp_options(rng):
    makers = (
        lambda: ("NOP", None), lambda: ("MSS", rng.getrandbits(16)), lambda: ("WScale", rng.randrange(15)),
        lambda: ("SAckOK", b""), lambda: ("Timestamp", (rng.getrandbits(32), rng.getrandbits(32))),
        lambda: ("SAck", (rng.getrandbits(32), rng.getrandbits(32))), lambda: ("EOL", None))
    options = []
    while rng.random() < 0.8 and len(options) < 4:
        option = rng.choice(makers)()
        if option[0] == "NOP" or option[0] not in [name for name, _ in options]:
            options.append(option)
    return options


def build_tcp(rng):
    flags = rng.getrandbits(9)
    # Nothing behind a reset: tshark shows that as text, the cause of the reset.
    data = b"" if flags & 4 else rng.randbytes(rng.randrange(60))
    tcp = TCP(sport=rng.getrandbits(16), dport=rng.getrandbits(16), seq=rng.getrandbits(32), ack=rng.getrandbits(32),
              reserved=rng.getrandbits(3), flags=flags, window=rng.getrandbits(16), urgptr=rng.getrandbits(16),
              options=any_tcp_options(rng)) / Raw(data)
    if rng.random() < 0.1:
        tcp.chksum = rng.getrandbits(16)
    frame = bytes(in_ip(rng, tcp, 6))
    return break_tcp(rng, frame, len(tcp)) if rng.random() < 0.1 else frame


def break_tcp(rng, frame, length):
    at = len(frame) - length + 12
    if frame[at] >> 4 > 5 and frame[at + 8] > 1 and rng.random() < 0.3:  # an option without room for its length
        return broken(frame, at + 9, rng.randrange(2))
    if rng.random() < 0.5 or length >= 60:
        return broken(frame, at, rng.randrange(5) << 4)
    return broken(frame, at, rng.randint(length // 4 + 1, 15) << 4)


def tcp_fields(frame, out):
    if TCP not in frame:
        return
    tcp = frame[TCP]
    flags = int(tcp.flags)
    out.update({
        "tcp.src_port": tcp.sport, "tcp.dst_port": tcp.dport, "tcp.sequence": tcp.seq, "tcp.acknowledgement": tcp.ack,
        "tcp.header_length": tcp.dataofs * 4, "tcp.flags": tcp.reserved << 9 | flags, "tcp.fin": flags & 1,
        "tcp.syn": flags >> 1 & 1, "tcp.rst": flags >> 2 & 1, "tcp.ack": flags >> 4 & 1, "tcp.window": tcp.window,
        "tcp.checksum": tcp.chksum, "tcp.checksum_ok": checksum_ok(tcp, 6), "tcp.urgent_pointer": tcp.urgptr,
        "tcp.payload": bytes(tcp.payload).hex()})
    kinds = {"EOL": 0, "NOP": 1, "MSS": 2, "WScale": 3, "SAckOK": 4, "SAck": 5, "Timestamp": 8}
    out["tcp.options"] = until_end([kinds[name] for name, _ in tcp.options])
    for name, value in tcp.options[:len(out["tcp.options"])]:
        if name == "MSS":
            out["tcp.option.mss"] = value
        if name == "WScale":
            out["tcp.option.window_scale"] = value
        if name == "Timestamp":
            out["tcp.option.timestamp"], out["tcp.option.timestamp_echo"] = value
        if name == "SAck":
            out["tcp.option.sack_left"], out["tcp.option.sack_right"] = [value[0]], [value[1]]


TCP_TSHARK = {
    "tcp.src_port": ("tcp.srcport", number),
    "tcp.dst_port": ("tcp.dstport", number),
    "tcp.sequence": ("tcp.seq_raw", number),
    "tcp.acknowledgement": ("tcp.ack_raw", number),
    "tcp.header_length": ("tcp.hdr_len", number),
    "tcp.flags": ("tcp.flags", number),
    "tcp.fin": ("tcp.flags.fin", number),
    "tcp.syn": ("tcp.flags.syn", number),
    "tcp.rst": ("tcp.flags.reset", number),
    "tcp.ack": ("tcp.flags.ack", number),
    "tcp.window": ("tcp.window_size_value", number),
    "tcp.checksum": ("tcp.checksum", number),
    "tcp.checksum_ok": ("tcp.checksum.status", good),
    "tcp.urgent_pointer": ("tcp.urgent_pointer", number),
}

tcp = Format(
    "tcp",
    build=build_tcp,
    scapy=tcp_fields,
    vary=vary_addresses,
    protocols=("ip", "tcp", *IPV6_PROTOCOLS),
    malformed=("_ws.malformed", "tcp.bogus_header_length", "tcp.option.len.invalid"),
    tshark=TCP_TSHARK | {
        "tcp.payload": ("tcp.payload", hex_text),
        "tcp.options": ("tcp.option_kind", lambda texts: until_end(numbers(texts))),
        "tcp.option.mss": ("tcp.options.mss_val", number),
        "tcp.option.window_scale": ("tcp.options.wscale.shift", number),
        "tcp.option.timestamp": ("tcp.options.timestamp.tsval", number),
        "tcp.option.timestamp_echo": ("tcp.options.timestamp.tsecr", number),
        "tcp.option.sack_left": ("tcp.options.sack_le", numbers),
        "tcp.option.sack_right": ("tcp.options.sack_re", numbers),
    })

if __name__ == "__main__":
    main([udp, tcp])
