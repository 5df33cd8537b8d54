"""IPv4 with options and fragments, IPv6 with extension headers, against the oracles."""

from common import Format, canonical_ipv6, good, ipv6_text, main, number, numbers, text
from link import ETHERNET_TSHARK, any_ether, any_ipv4, ethernet_fields

from scapy.layers.inet import (IP, IPOption_EOL, IPOption_NOP, IPOption_Router_Alert, IPOption_RR,
                               IPOption_Security, IPOption_Stream_Id, IPOption_Timestamp)
from scapy.layers.inet6 import (HBHOptUnknown, IPv6, IPv6ExtHdrDestOpt, IPv6ExtHdrFragment, IPv6ExtHdrHopByHop,
                                IPv6ExtHdrRouting, IPv6ExtHdrSegmentRouting, Pad1, PadN, RouterAlert,
                                _IPv6GuessPayload)
from scapy.layers.ipsec import AH
from scapy.packet import Padding, Raw
from scapy.utils import checksum

EXPERIMENTAL = 253  # RFC 3692: no dissector takes the payload for something

# scapy 2.5 knows AH, but not what may follow it.
AH.default_payload_class = _IPv6GuessPayload.default_payload_class


def any_ipv6(rng):
    return canonical_ipv6(":".join(f"{rng.getrandbits(16):x}" for _ in range(8)))


def broken(frame, offset, value):
    return frame[:offset] + bytes((value,)) + frame[offset + 1:]


def until_end(kinds):
    """An option list up to its end: what stands behind is padding, whatever a dissector calls it."""
    return kinds[:kinds.index(0) + 1] if 0 in kinds else kinds


# IPv4.


def any_ipv4_options(rng):
    makers = (
        lambda: IPOption_NOP(),
        lambda: IPOption_RR(routers=[any_ipv4(rng) for _ in range(rng.randint(1, 3))]),
        lambda: IPOption_Router_Alert(),
        lambda: IPOption_Timestamp(flg=0, timestamp=rng.getrandbits(32)),
        lambda: IPOption_Stream_Id(security=rng.getrandbits(16)),
        lambda: IPOption_Security())
    options = []
    while rng.random() < 0.7 and sum(len(option) for option in options) < 24:
        options.append(rng.choice(makers)())
    if options and rng.random() < 0.5:
        options.append(IPOption_EOL())
    return options


def any_ip(rng, **fields):
    return IP(src=any_ipv4(rng), dst=any_ipv4(rng), tos=rng.getrandbits(8), id=rng.getrandbits(16),
              ttl=rng.getrandbits(8), **fields)


def build_ipv4(rng):
    fragment = rng.random() < 0.4
    ip = any_ip(rng, proto=EXPERIMENTAL, options=any_ipv4_options(rng), flags=rng.randrange(4) if fragment else 0,
                frag=rng.getrandbits(13) if fragment else 0)
    if rng.random() < 0.1:
        ip.chksum = rng.getrandbits(16)
    built = bytes(any_ether(rng, type=0x0800) / ip / Raw(rng.randbytes(rng.randrange(80))))
    if rng.random() < 0.15:
        return break_ipv4(rng, built)
    return built + bytes(rng.choice((0, 0, rng.randrange(20))))


def break_ipv4(rng, frame):
    header_length, total_length = (frame[14] & 15) * 4, len(frame) - 14
    how = rng.randrange(6)
    if how == 5 and header_length > 20 and frame[34] > 1:  # an option without room for its own length
        return broken(frame, 35, rng.randrange(2))
    if how == 0:
        return frame[:14 + rng.randrange(1, 20)]
    if how == 1:
        return broken(frame, 14, 0x40 | rng.randrange(5))
    if how == 2:  # total length within the header
        return broken(broken(frame, 16, 0), 17, rng.randrange(header_length))
    if how == 3:  # total length beyond the frame
        return broken(frame, 16, (total_length >> 8) + rng.randint(1, 100))
    return frame[:14 + rng.randrange(20, max(21, header_length))] if header_length > 20 else frame[:14 + 19]


def without_padding(layer):
    padding = layer[Padding] if Padding in layer else None
    return len(layer.payload) - (len(padding) if padding is not None else 0)


def ipv4_header_fields(ip, out, prefix=""):
    flags = int(ip.flags)
    values = {
        "header_length": ip.ihl * 4, "tos": ip.tos, "total_length": ip.len, "id": ip.id,
        "dont_fragment": flags >> 1 & 1, "more_fragments": flags & 1, "fragment_offset": ip.frag * 8, "ttl": ip.ttl,
        "protocol": ip.proto, "checksum": ip.chksum, "checksum_ok": checksum(ip.original[:ip.ihl * 4]) == 0,
        "src": ip.src, "dst": ip.dst}
    out.update({f"{prefix}ipv4.{name}": value for name, value in values.items()})


def ipv4_fields(frame, out):
    ethernet_fields(frame, out)
    if IP not in frame:
        return
    ip = frame[IP]
    ipv4_header_fields(ip, out)
    out["ipv4.payload_length"] = without_padding(ip)
    kinds, lengths = [], []
    for option in ip.options:
        kind = option.copy_flag << 7 | option.optclass << 5 | option.option
        kinds.append(kind)
        if kind == 0:
            break
        if kind != 1:
            lengths.append(option.length)
    out["ipv4.options"], out["ipv4.option_lengths"] = kinds, lengths


IPV4_TSHARK = ETHERNET_TSHARK | {
    "ipv4.header_length": ("ip.hdr_len", number),
    "ipv4.tos": ("ip.dsfield", number),
    "ipv4.total_length": ("ip.len", number),
    "ipv4.id": ("ip.id", number),
    "ipv4.dont_fragment": ("ip.flags.df", number),
    "ipv4.more_fragments": ("ip.flags.mf", number),
    "ipv4.fragment_offset": ("ip.frag_offset", lambda texts: number(texts) * 8),
    "ipv4.ttl": ("ip.ttl", number),
    "ipv4.protocol": ("ip.proto", number),
    "ipv4.checksum": ("ip.checksum", number),
    "ipv4.checksum_ok": ("ip.checksum.status", good),
    "ipv4.src": ("ip.src", text),
    "ipv4.dst": ("ip.dst", text),
}

ipv4 = Format(
    "ipv4",
    build=build_ipv4,
    scapy=ipv4_fields,
    # TOS, identification, TTL, checksum, addresses.
    vary=lambda rng, frame: [15, 18, 19, 22, *range(26, 34)] + ([24, 25] if rng.random() < 0.5 else []),
    protocols=("ip",),
    malformed=("_ws.malformed", "ip.bogus_ip_length", "ip.bogus_header_length", "ip.bogus_ip_version",
               "ip.opt.len.invalid"),
    tshark=IPV4_TSHARK | {
        "ipv4.options": ("ip.opt.type", lambda texts: until_end(numbers(texts))),
        "ipv4.option_lengths": ("ip.opt.len", numbers),
    },
    tshark_lacks=("ipv4.payload_length",))


# IPv6.

EXTENSIONS = (IPv6ExtHdrHopByHop, IPv6ExtHdrDestOpt, IPv6ExtHdrRouting, IPv6ExtHdrSegmentRouting,
              IPv6ExtHdrFragment, AH)
TSHARK_EXTENSIONS = {"ipv6.hopopts": 0, "ipv6.routing": 43, "ipv6.fraghdr": 44, "ah": 51, "ipv6.dstopts": 60}


def any_ipv6_options(rng):
    makers = (lambda: RouterAlert(value=rng.getrandbits(16)),
              lambda: HBHOptUnknown(otype=0x1E, optdata=rng.randbytes(rng.randrange(8))),
              lambda: PadN(optdata=bytes(rng.randrange(4))),
              lambda: Pad1())
    return [rng.choice(makers)() for _ in range(rng.randrange(4))]


def any_extensions(rng, whole=True):
    """Extension headers over IPv6 in RFC 8200's order. Of a packet that is not whole, AH is left out."""
    chain = []
    if rng.random() < 0.4:
        chain.append(IPv6ExtHdrHopByHop(options=any_ipv6_options(rng)))
    if rng.random() < 0.3:
        chain.append(IPv6ExtHdrDestOpt(options=any_ipv6_options(rng)))
    kind = rng.randrange(6)
    addresses = [any_ipv6(rng) for _ in range(rng.randint(1, 3))]
    if kind == 0:
        chain.append(IPv6ExtHdrRouting(addresses=addresses, segleft=rng.randint(0, len(addresses))))
    if kind == 1:
        chain.append(IPv6ExtHdrSegmentRouting(addresses=addresses, segleft=rng.randrange(len(addresses)),
                                              lastentry=len(addresses) - 1))
    if rng.random() < 0.3:
        chain.append(IPv6ExtHdrFragment(id=rng.getrandbits(32), offset=0 if whole else rng.getrandbits(13),
                                        m=0 if whole else rng.getrandbits(1)))
    if whole and rng.random() < 0.2:
        chain.append(AH(spi=rng.getrandbits(32), seq=rng.getrandbits(32), icv=rng.randbytes(12), payloadlen=4))
    return chain


def any_ipv6_packet(rng, chain=()):
    packet = IPv6(src=any_ipv6(rng), dst=any_ipv6(rng), tc=rng.getrandbits(8), fl=rng.getrandbits(20),
                  hlim=rng.getrandbits(8))
    for extension in chain:
        packet /= extension
    return packet


def build_ipv6(rng):
    packet = any_ipv6_packet(rng, any_extensions(rng, whole=rng.random() < 0.5))
    packet.lastlayer().nh = EXPERIMENTAL
    # Never empty: tshark 4.0 does not show a Pad1 that is the packet's last byte.
    built = bytes(any_ether(rng, type=0x86DD) / packet / Raw(rng.randbytes(rng.randint(1, 80))))
    if rng.random() < 0.1:
        return break_ipv6(rng, built)
    return built + bytes(rng.choice((0, 0, rng.randrange(20))))


def break_ipv6(rng, frame):
    if rng.random() < 0.5:
        return frame[:14 + rng.randrange(1, 40)]
    if frame[20] in (0, 43, 60):  # the first extension header says that it is longer than the packet
        return broken(frame, 14 + 41, 0xFF)
    return frame[:14 + 39]


def extension_length(layer):
    if isinstance(layer, IPv6ExtHdrFragment):
        return 8
    return (layer.payloadlen + 2) * 4 if isinstance(layer, AH) else (layer.len + 1) * 8


def ipv6_header_fields(ip, out, prefix=""):
    values = {"traffic_class": ip.tc, "flow_label": ip.fl, "payload_length": ip.plen, "next_header": ip.nh,
              "hop_limit": ip.hlim, "src": canonical_ipv6(ip.src), "dst": canonical_ipv6(ip.dst)}
    out.update({f"{prefix}ipv6.{name}": value for name, value in values.items()})


def ipv6_fields(frame, out):
    ethernet_fields(frame, out)
    if IPv6 not in frame:
        return
    ip = frame[IPv6]
    ipv6_header_fields(ip, out)
    kind, layer = ip.nh, ip.payload
    kinds, lengths, options, option_lengths = [], [], [], []
    while isinstance(layer, EXTENSIONS):
        kinds.append(kind)
        lengths.append(extension_length(layer))
        for option in getattr(layer, "options", []):
            options.append(option.otype)
            if option.otype != 0:
                option_lengths.append(option.optlen)
        if isinstance(layer, IPv6ExtHdrFragment):
            out["ipv6.fragment.offset"] = layer.offset * 8
            out["ipv6.fragment.more"], out["ipv6.fragment.id"] = layer.m, layer.id
        if isinstance(layer, (IPv6ExtHdrRouting, IPv6ExtHdrSegmentRouting)):
            out["ipv6.routing.type"], out["ipv6.routing.segments_left"] = layer.type, layer.segleft
        if isinstance(layer, AH):
            out["ipv6.ah.spi"], out["ipv6.ah.sequence"] = layer.spi, layer.seq
        kind, layer = layer.nh, layer.payload
    out["ipv6.extensions"], out["ipv6.extension_lengths"], out["ipv6.upper"] = kinds, lengths, kind
    out["ipv6.options"], out["ipv6.option_lengths"] = options, option_lengths


def tshark_extensions(texts):
    return [TSHARK_EXTENSIONS[name] for name in texts[0].split(":") if name in TSHARK_EXTENSIONS]


IPV6_PROTOCOLS = ("ipv6", *TSHARK_EXTENSIONS)
IPV6_TSHARK = ETHERNET_TSHARK | {
    "ipv6.traffic_class": ("ipv6.tclass", number),
    "ipv6.flow_label": ("ipv6.flow", number),
    "ipv6.payload_length": ("ipv6.plen", number),
    "ipv6.next_header": ("ipv6.nxt", number),
    "ipv6.hop_limit": ("ipv6.hlim", number),
    "ipv6.src": ("ipv6.src", ipv6_text),
    "ipv6.dst": ("ipv6.dst", ipv6_text),
    "ipv6.extensions": ("frame.protocols", tshark_extensions),
}

ipv6 = Format(
    "ipv6",
    build=build_ipv6,
    scapy=ipv6_fields,
    # Traffic class and flow label (the low half), hop limit, addresses.
    vary=lambda rng, frame: [15, 16, 17, 21, *range(22, 54)],
    protocols=IPV6_PROTOCOLS,
    malformed=("_ws.malformed", "ipv6.bogus_ipv6_version"),
    tshark=IPV6_TSHARK | {
        "ipv6.options": ("ipv6.opt.type", numbers),
        "ipv6.option_lengths": ("ipv6.opt.length", numbers),
        "ipv6.fragment.offset": ("ipv6.fraghdr.offset", lambda texts: number(texts) * 8),
        "ipv6.fragment.more": ("ipv6.fraghdr.more", number),
        "ipv6.fragment.id": ("ipv6.fraghdr.ident", number),
        "ipv6.routing.type": ("ipv6.routing.type", number),
        "ipv6.routing.segments_left": ("ipv6.routing.segleft", number),
        "ipv6.ah.spi": ("ah.spi", number),
        "ipv6.ah.sequence": ("ah.sequence", number),
    },
    tshark_lacks=("ipv6.extension_lengths", "ipv6.upper"))

if __name__ == "__main__":
    main([ipv4, ipv6])
