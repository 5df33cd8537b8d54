"""ICMP, ICMPv6 and neighbour discovery against the oracles."""

from common import Format, canonical_ipv6, good, ipv6_text, mac_text, main, number, numbers, second, text
from ip import IPV6_PROTOCOLS, any_ip, any_ipv6, any_ipv6_packet, broken, ipv4_header_fields, ipv6_header_fields
from link import any_ether, any_ipv4, any_mac
from transport import checksum_ok, in_ipv6

from scapy.layers.inet import ICMP, IPerror
from scapy.layers.inet6 import (ICMPv6DestUnreach, ICMPv6EchoReply, ICMPv6EchoRequest, ICMPv6ND_NA, ICMPv6ND_NS,
                                ICMPv6ND_RA, ICMPv6ND_Redirect, ICMPv6ND_RS, ICMPv6NDOptDstLLAddr, ICMPv6NDOptMTU,
                                ICMPv6NDOptPrefixInfo, ICMPv6NDOptSrcLLAddr, ICMPv6PacketTooBig,
                                ICMPv6ParamProblem, ICMPv6TimeExceeded, IPerror6, _ICMPv6)
from scapy.packet import Raw
from scapy.utils import checksum

EXPERIMENTAL = 253

# ICMP.


def quoted(rng, packet, header_length):
    """The packet that an error is about: whole, or cut as RFC 792 allows."""
    data = bytes(packet / Raw(rng.randbytes(rng.randint(8, 60))))
    return Raw(data[:rng.randint(header_length + 8, len(data))])


def build_icmp(rng):
    kind = rng.choice((0, 8, 3, 5, 11, 12))
    if kind in (0, 8):
        icmp = ICMP(type=kind, id=rng.getrandbits(16), seq=rng.getrandbits(16)) / Raw(rng.randbytes(rng.randrange(60)))
    else:
        icmp = ICMP(type=kind, code=rng.randrange(16) if kind == 3 else rng.randrange(2))
        if kind == 3 and icmp.code == 4:
            icmp.nexthopmtu = rng.getrandbits(16)
        if kind == 5:
            icmp.gw = any_ipv4(rng)
        if kind == 12:
            icmp.ptr = rng.getrandbits(8)
        icmp /= quoted(rng, any_ip(rng, proto=EXPERIMENTAL), 20)
    if rng.random() < 0.1:
        icmp.chksum = rng.getrandbits(16)
    frame = bytes(any_ether(rng, type=0x0800) / any_ip(rng, proto=1) / icmp)
    if rng.random() < 0.05:  # the IP packet ends inside the ICMP header
        frame = broken(frame, 17, 20 + rng.randint(1, 3))
        frame = broken(frame, 16, 0)[:34 + frame[17] - 20]
    return frame


def icmp_fields(frame, out):
    if ICMP not in frame:
        return
    icmp = frame[ICMP]
    out["icmp.type"], out["icmp.code"], out["icmp.checksum"] = icmp.type, icmp.code, icmp.chksum
    out["icmp.checksum_ok"] = checksum(icmp.original) == 0
    if icmp.type in (0, 8):
        out["icmp.identifier"], out["icmp.sequence"] = icmp.id, icmp.seq
        out["icmp.data"] = bytes(icmp.payload).hex()
    if icmp.type == 3 and icmp.code == 4:
        out["icmp.mtu"] = icmp.nexthopmtu
    if icmp.type == 5:
        out["icmp.gateway"] = icmp.gw
    if icmp.type == 12:
        out["icmp.pointer"] = icmp.ptr
    if IPerror in icmp:
        ipv4_header_fields(icmp[IPerror], out, "quote.")
        out["quote.ipv4.payload_length"] = len(icmp[IPerror].payload)


icmp = Format(
    "icmp",
    build=build_icmp,
    scapy=icmp_fields,
    vary=lambda rng, frame: [*range(26, 34), 36, 37],  # addresses, and the checksum
    protocols=("ip", "icmp"),
    malformed=("_ws.malformed",),
    tshark={
        "icmp.type": ("icmp.type", number),
        "icmp.code": ("icmp.code", number),
        "icmp.checksum": ("icmp.checksum", number),
        "icmp.checksum_ok": ("icmp.checksum.status", good),
        "icmp.identifier": ("icmp.ident", number),
        "icmp.sequence": ("icmp.seq", number),
        "icmp.mtu": ("icmp.mtu", number),
        "icmp.gateway": ("icmp.redir_gw", text),
        "icmp.pointer": ("icmp.pointer", number),
        "quote.ipv4.header_length": ("ip.hdr_len", second(number)),
        "quote.ipv4.tos": ("ip.dsfield", second(number)),
        "quote.ipv4.total_length": ("ip.len", second(number)),
        "quote.ipv4.id": ("ip.id", second(number)),
        "quote.ipv4.ttl": ("ip.ttl", second(number)),
        "quote.ipv4.protocol": ("ip.proto", second(number)),
        "quote.ipv4.checksum": ("ip.checksum", second(number)),
        "quote.ipv4.src": ("ip.src", second(text)),
        "quote.ipv4.dst": ("ip.dst", second(text)),
    },
    tshark_lacks=("icmp.data", "quote.ipv4.payload_length"))


# ICMPv6.

SIMPLE_QUOTE = {  # of the quoted packet, which has no extension headers
    "quote.ipv6.traffic_class": ("ipv6.tclass", second(number)),
    "quote.ipv6.flow_label": ("ipv6.flow", second(number)),
    "quote.ipv6.payload_length": ("ipv6.plen", second(number)),
    "quote.ipv6.next_header": ("ipv6.nxt", second(number)),
    "quote.ipv6.hop_limit": ("ipv6.hlim", second(number)),
    "quote.ipv6.src": ("ipv6.src", second(ipv6_text)),
    "quote.ipv6.dst": ("ipv6.dst", second(ipv6_text)),
}


def any_icmpv6(rng):
    kind = rng.choice((ICMPv6EchoRequest, ICMPv6EchoReply, ICMPv6DestUnreach, ICMPv6PacketTooBig, ICMPv6TimeExceeded,
                       ICMPv6ParamProblem))
    if kind in (ICMPv6EchoRequest, ICMPv6EchoReply):
        return kind(id=rng.getrandbits(16), seq=rng.getrandbits(16), data=rng.randbytes(rng.randrange(60)))
    message = kind(code=rng.randrange(3))
    if kind is ICMPv6PacketTooBig:
        message.mtu = rng.getrandbits(32)
    if kind is ICMPv6ParamProblem:
        message.ptr = rng.getrandbits(32)
    packet = any_ipv6_packet(rng)
    packet.nh = EXPERIMENTAL
    return message / quoted(rng, packet, 40)


def build_icmpv6(rng):
    message = any_icmpv6(rng)
    if rng.random() < 0.1:
        message.cksum = rng.getrandbits(16)
    frame = bytes(in_ipv6(rng, message, 58))
    if rng.random() < 0.05 and frame[20] == 58:  # the packet ends inside the ICMPv6 header
        size = rng.randint(1, 3)
        frame = broken(broken(frame, 18, 0), 19, size)[:54 + size]
    return frame


def icmpv6_fields(frame, out):
    message = frame
    while message and not isinstance(message, _ICMPv6):
        message = message.payload
    if not message:
        return None
    out["icmpv6.type"], out["icmpv6.code"], out["icmpv6.checksum"] = message.type, message.code, message.cksum
    out["icmpv6.checksum_ok"] = checksum_ok(message, 58)
    if message.type in (128, 129):
        out["icmpv6.identifier"], out["icmpv6.sequence"] = message.id, message.seq
        out["icmpv6.data"] = bytes(message.data).hex()
    if message.type == 2:
        out["icmpv6.mtu"] = message.mtu
    if message.type == 4:
        out["icmpv6.pointer"] = message.ptr
    if IPerror6 in message:
        ipv6_header_fields(message[IPerror6], out, "quote.")
    return message


ICMPV6_TSHARK = {
    "icmpv6.type": ("icmpv6.type", number),
    "icmpv6.code": ("icmpv6.code", number),
    "icmpv6.checksum": ("icmpv6.checksum", number),
    "icmpv6.checksum_ok": ("icmpv6.checksum.status", good),
}

icmpv6 = Format(
    "icmpv6",
    build=build_icmpv6,
    scapy=icmpv6_fields,
    vary=lambda rng, frame: range(22, 54),  # the addresses, which the checksum covers
    protocols=("icmpv6", *IPV6_PROTOCOLS),
    malformed=("_ws.malformed",),
    tshark=ICMPV6_TSHARK | SIMPLE_QUOTE | {
        "icmpv6.identifier": ("icmpv6.echo.identifier", number),
        "icmpv6.sequence": ("icmpv6.echo.sequence_number", number),
        "icmpv6.mtu": ("icmpv6.mtu", number),
        "icmpv6.pointer": ("icmpv6.pointer", number),
    },
    tshark_lacks=("icmpv6.data",))


# Neighbour discovery.


def build_nd(rng):
    makers = (
        lambda: ICMPv6ND_RS(),
        lambda: ICMPv6ND_RA(chlim=rng.getrandbits(8), M=rng.getrandbits(1), O=rng.getrandbits(1),
                            routerlifetime=rng.getrandbits(16), reachabletime=rng.getrandbits(32),
                            retranstimer=rng.getrandbits(32)),
        lambda: ICMPv6ND_NS(tgt=any_ipv6(rng)),
        lambda: ICMPv6ND_NA(tgt=any_ipv6(rng), R=rng.getrandbits(1), S=rng.getrandbits(1), O=rng.getrandbits(1)),
        lambda: ICMPv6ND_Redirect(tgt=any_ipv6(rng), dst=any_ipv6(rng)))
    options = (
        lambda: ICMPv6NDOptSrcLLAddr(lladdr=any_mac(rng)),
        lambda: ICMPv6NDOptDstLLAddr(lladdr=any_mac(rng)),
        lambda: ICMPv6NDOptMTU(mtu=rng.getrandbits(32)),
        lambda: ICMPv6NDOptPrefixInfo(prefixlen=rng.randrange(129), L=rng.getrandbits(1), A=rng.getrandbits(1),
                                      validlifetime=rng.getrandbits(32), preferredlifetime=rng.getrandbits(32),
                                      prefix=any_ipv6(rng)))
    message = rng.choice(makers)()
    size = len(message)
    for option in rng.sample(options, rng.randrange(4)):
        message /= option()
    frame = bytes(in_ipv6(rng, message, 58))
    has_options = len(message) > size
    if has_options and rng.random() < 0.1:  # a length of zero, or beyond the message
        return broken(frame, len(frame) - len(message) + size + 1, rng.choice((0, 200)))
    return frame


def nd_fields(frame, out):
    message = icmpv6_fields(frame, out)
    if message is None:
        return
    if isinstance(message, (ICMPv6ND_NS, ICMPv6ND_NA, ICMPv6ND_Redirect)):
        out["nd.target"] = canonical_ipv6(message.tgt)
    if isinstance(message, ICMPv6ND_NA):
        out["nd.router"], out["nd.solicited"], out["nd.override"] = message.R, message.S, message.O
    if isinstance(message, ICMPv6ND_RA):
        out["nd.hop_limit"], out["nd.managed"], out["nd.other"] = message.chlim, message.M, message.O
        out["nd.router_lifetime"], out["nd.reachable_time"] = message.routerlifetime, message.reachabletime
        out["nd.retrans_timer"] = message.retranstimer
    if isinstance(message, ICMPv6ND_Redirect):
        out["nd.destination"] = canonical_ipv6(message.dst)
    option = message.payload
    while isinstance(option, (ICMPv6NDOptSrcLLAddr, ICMPv6NDOptDstLLAddr, ICMPv6NDOptMTU, ICMPv6NDOptPrefixInfo)):
        nd_option_fields(option, out)
        option = option.payload


def nd_option_fields(option, out):
    out.setdefault("nd.options", []).append(option.type)
    out.setdefault("nd.option_lengths", []).append(option.len * 8)
    if isinstance(option, ICMPv6NDOptSrcLLAddr):  # and the target's, its subclass
        out["nd.source_mac" if option.type == 1 else "nd.target_mac"] = option.lladdr
    if isinstance(option, ICMPv6NDOptMTU):
        out["nd.mtu"] = option.mtu
    if isinstance(option, ICMPv6NDOptPrefixInfo):
        out["nd.prefix"], out["nd.prefix_length"] = canonical_ipv6(option.prefix), option.prefixlen
        out["nd.on_link"], out["nd.autonomous"] = option.L, option.A
        out["nd.valid_lifetime"], out["nd.preferred_lifetime"] = option.validlifetime, option.preferredlifetime


def nd_target(*lists):
    return ipv6_text(next(texts for texts in lists if texts))


nd = Format(
    "nd",
    build=build_nd,
    scapy=nd_fields,
    vary=lambda rng, frame: range(22, 54),
    protocols=("icmpv6", *IPV6_PROTOCOLS),
    malformed=("_ws.malformed", "icmpv6.invalid_option_length"),
    tshark=ICMPV6_TSHARK | {
        "nd.target": (("icmpv6.nd.ns.target_address", "icmpv6.nd.na.target_address", "icmpv6.nd.rd.target_address"),
                      nd_target),
        "nd.router": ("icmpv6.nd.na.flag.r", number),
        "nd.solicited": ("icmpv6.nd.na.flag.s", number),
        "nd.override": ("icmpv6.nd.na.flag.o", number),
        "nd.hop_limit": ("icmpv6.nd.ra.cur_hop_limit", number),
        "nd.managed": ("icmpv6.nd.ra.flag.m", number),
        "nd.other": ("icmpv6.nd.ra.flag.o", number),
        "nd.router_lifetime": ("icmpv6.nd.ra.router_lifetime", number),
        "nd.reachable_time": ("icmpv6.nd.ra.reachable_time", number),
        "nd.retrans_timer": ("icmpv6.nd.ra.retrans_timer", number),
        "nd.destination": ("icmpv6.rd.na.destination_address", ipv6_text),
        "nd.options": ("icmpv6.opt.type", numbers),
        "nd.option_lengths": ("icmpv6.opt.length", lambda texts: [8 * units for units in numbers(texts)]),
        "nd.source_mac": ("icmpv6.opt.src_linkaddr", mac_text),
        "nd.target_mac": ("icmpv6.opt.target_linkaddr", mac_text),
        "nd.mtu": ("icmpv6.opt.mtu", number),
        "nd.prefix": ("icmpv6.opt.prefix", ipv6_text),
        "nd.prefix_length": ("icmpv6.opt.prefix.length", number),
        "nd.on_link": ("icmpv6.opt.prefix.flag.l", number),
        "nd.autonomous": ("icmpv6.opt.prefix.flag.a", number),
        "nd.valid_lifetime": ("icmpv6.opt.prefix.valid_lifetime", number),
        "nd.preferred_lifetime": ("icmpv6.opt.prefix.preferred_lifetime", number),
    })

if __name__ == "__main__":
    main([icmp, icmpv6, nd])
