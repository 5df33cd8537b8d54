"""Ethernet, VLAN tags and ARP against the oracles."""

from common import Format, mac_text, main, number, numbers, text

from scapy.layers.l2 import ARP, Dot1AD, Dot1Q, Ether
from scapy.packet import Raw

EXPERIMENTAL = 0x88B5  # no dissector takes the payload for something


def any_mac(rng):
    return ":".join(f"{rng.getrandbits(8):02x}" for _ in range(6))


def any_ipv4(rng):
    return ".".join(str(rng.getrandbits(8)) for _ in range(4))


def any_ether(rng, **fields):
    return Ether(dst=any_mac(rng), src=any_mac(rng), **fields)


def payload(rng, least=46, most=200):
    return Raw(rng.randbytes(rng.randint(least, most)))


def ethernet_fields(frame, out):
    out["ethernet.dst"], out["ethernet.src"], out["ethernet.type"] = frame.dst, frame.src, frame.type


ETHERNET_TSHARK = {
    "ethernet.dst": ("eth.dst", mac_text),
    "ethernet.src": ("eth.src", mac_text),
    "ethernet.type": ("eth.type", number),
}

ethernet = Format(
    "ethernet",
    build=lambda rng: bytes(any_ether(rng, type=EXPERIMENTAL) / payload(rng)),
    scapy=ethernet_fields,
    tshark=ETHERNET_TSHARK)


def build_vlan(rng):
    frame, count = any_ether(rng), rng.randint(1, 4)
    services = rng.randint(0, count)  # outside the customers' tags (IEEE 802.1Q, 6.13)
    for index in range(count):
        tag = Dot1AD if index < services else Dot1Q
        frame /= tag(vlan=rng.getrandbits(12), prio=rng.getrandbits(3), id=rng.getrandbits(1))
    frame.lastlayer().type = EXPERIMENTAL
    built = bytes(frame / payload(rng))
    return built[:14 + 4 * rng.randrange(count) + rng.randrange(4)] if rng.random() < 0.05 else built


def vlan_fields(frame, out):
    ethernet_fields(frame, out)
    layer, kind = frame.payload, frame.type
    while isinstance(layer, (Dot1Q, Dot1AD)):
        which = "vlan.service." if isinstance(layer, Dot1AD) else "vlan.customer."
        out.setdefault("vlan.types", []).append(kind)
        out.setdefault(which + "ids", []).append(layer.vlan)
        out.setdefault(which + "priorities", []).append(layer.prio)
        out.setdefault(which + "drop_eligible", []).append(layer.id)
        kind, layer = layer.type, layer.payload
    if "vlan.types" in out:
        out["vlan.payload_type"] = kind


def service_ids(outer, inner, alone):
    """tshark calls two service tags in a row svid and cvid, and one that stands alone id."""
    pairs = [number for pair in zip(outer, inner) for number in pair]
    return numbers(pairs + alone)


vlan = Format(
    "vlan",
    build=build_vlan,
    scapy=vlan_fields,
    protocols=("vlan", "ieee8021ad"),
    malformed=("_ws.malformed",),
    tshark=ETHERNET_TSHARK | {
        "vlan.customer.ids": ("vlan.id", numbers),
        "vlan.customer.priorities": ("vlan.priority", numbers),
        "vlan.customer.drop_eligible": ("vlan.dei", numbers),
        "vlan.service.ids": (("ieee8021ad.svid", "ieee8021ad.cvid", "ieee8021ad.id"), service_ids),
        "vlan.service.priorities": ("ieee8021ad.priority", numbers),
        "vlan.service.drop_eligible": ("ieee8021ad.dei", numbers),
        "vlan.payload_type": (("vlan.etype", "ieee8021ah.etype"),
                              lambda customer, service: int((customer or service)[-1], 0)),
    },
    tshark_lacks=("vlan.types",))


def build_arp(rng):
    arp = ARP(op=rng.choice((1, 2, rng.getrandbits(16))), hwsrc=any_mac(rng), psrc=any_ipv4(rng),
              hwdst=any_mac(rng), pdst=any_ipv4(rng))
    built = bytes(any_ether(rng, type=0x0806) / arp)
    if rng.random() < 0.05:
        return built[:14 + rng.randrange(28)]
    return built + bytes(rng.choice((0, 18)))


def arp_fields(frame, out):
    ethernet_fields(frame, out)
    arp = frame[ARP] if ARP in frame else None
    if arp is not None:
        out["arp.operation"] = arp.op
        out["arp.sender_mac"], out["arp.sender_ip"] = arp.hwsrc, arp.psrc
        out["arp.target_mac"], out["arp.target_ip"] = arp.hwdst, arp.pdst


arp = Format(
    "arp",
    build=build_arp,
    scapy=arp_fields,
    vary=lambda rng, frame: [*range(0, 12), *range(20, 42)],
    protocols=("arp",),
    malformed=("_ws.malformed",),
    tshark=ETHERNET_TSHARK | {
        "arp.operation": ("arp.opcode", number),
        "arp.sender_mac": ("arp.src.hw_mac", mac_text),
        "arp.sender_ip": ("arp.src.proto_ipv4", text),
        "arp.target_mac": ("arp.dst.hw_mac", mac_text),
        "arp.target_ip": ("arp.dst.proto_ipv4", text),
    })

if __name__ == "__main__":
    main([ethernet, vlan, arp])
