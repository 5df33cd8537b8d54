"""RoCEv2's headers and ICRC against the oracles, and the kernel's capture against tshark.

Where the oracles themselves are silent (scapy 2.5, tshark 4.0):
- scapy knows BTH, AETH and the congestion notification, over IPv4 alone: format bth. The other headers are
  tshark's alone: format roce.
- tshark verifies no ICRC and does not know the congestion notification; scapy computes the ICRC when it builds
  a packet over IPv4: format icrc, where each packet is rebuilt by scapy with the ICRC taken out.
"""

import struct
from pathlib import Path

import common
from common import Format, hex_text, number
from link import any_ether, any_ipv4

from scapy.contrib.roce import AETH, BTH, CNPPadding
from scapy.layers.inet import IP, UDP
from scapy.layers.inet6 import IPv6
from scapy.packet import Raw

CAPTURE = Path(__file__).resolve().parents[1] / "data" / "rxe-exchange.pcap"
PORT = 4791
ACKNOWLEDGE, NOTIFICATION = 0x11, 0x81
START, START6 = 42, 62  # of the BTH in a frame

# IBTA vol. 1, table 38: the headers behind the BTH, and whether data follow.
RETH, ATOMIC, ACK, ATOMIC_ACK, IMMEDIATE, DATA = range(6)
SHAPES = {
    0x00: (DATA,), 0x01: (DATA,), 0x02: (DATA,), 0x03: (IMMEDIATE, DATA), 0x04: (DATA,), 0x05: (IMMEDIATE, DATA),
    0x06: (RETH, DATA), 0x07: (DATA,), 0x08: (DATA,), 0x09: (IMMEDIATE, DATA), 0x0A: (RETH, DATA),
    0x0B: (RETH, IMMEDIATE, DATA), 0x0C: (RETH,), 0x0D: (ACK, DATA), 0x0E: (DATA,), 0x0F: (ACK, DATA),
    0x10: (ACK, DATA), 0x11: (ACK,), 0x12: (ACK, ATOMIC_ACK), 0x13: (ATOMIC,), 0x14: (ATOMIC,)}
SIZES = {RETH: 16, ATOMIC: 28, ATOMIC_ACK: 8, IMMEDIATE: 4}


# Way 1: what scapy builds.


def any_bth(rng, opcode, pad):
    return BTH(opcode=opcode, solicited=rng.getrandbits(1), migreq=rng.getrandbits(1), padcount=pad,
               pkey=rng.getrandbits(16), fecn=rng.getrandbits(1), becn=rng.getrandbits(1), resv6=rng.getrandbits(6),
               dqpn=rng.getrandbits(24), ackreq=rng.getrandbits(1), resv7=rng.getrandbits(7), psn=rng.getrandbits(24))


def any_aeth(rng):
    kind = rng.choice((0, 1, 3))
    return AETH(syndrome=kind << 5 | rng.randrange(5 if kind == 3 else 32), msn=rng.getrandbits(24))


def behind_bth(rng, opcode):
    """All that follows the BTH up to the ICRC, and the pad count."""
    if opcode == NOTIFICATION:
        return CNPPadding(), 0
    body, pad = b"", 0
    for part in SHAPES[opcode]:
        if part == ACK:
            body += bytes(any_aeth(rng))
        elif part == DATA:
            size = rng.randint(1, 300)
            pad = -size % 4
            # tshark takes data that begin with an EtherType and zeros for that protocol.
            body += bytes([rng.randint(0xF0, 0xFF)]) + rng.randbytes(size - 1) + bytes(pad)
        else:
            body += rng.randbytes(SIZES[part])
    return Raw(body), pad


def over_ipv4(rng):
    ip = IP(src=any_ipv4(rng), dst=any_ipv4(rng), id=rng.getrandbits(16), ttl=rng.randint(1, 255),
            tos=rng.getrandbits(8), flags=rng.choice(("DF", 0)))
    return any_ether(rng) / ip / UDP(sport=rng.randint(0xC000, 0xFFFF), dport=PORT)


def over_ipv6(rng):
    addresses = [":".join(f"{rng.getrandbits(16):x}" for _ in range(8)) for _ in range(2)]
    ip = IPv6(src=addresses[0], dst=addresses[1], hlim=rng.randint(1, 255), tc=rng.getrandbits(8))
    return any_ether(rng) / ip / UDP(sport=rng.randint(0xC000, 0xFFFF), dport=PORT)


def roce_frame(rng, opcode, below=over_ipv4):
    body, pad = behind_bth(rng, opcode)
    return bytes(below(rng) / any_bth(rng, opcode, pad) / body)


def build_bth(rng):
    return roce_frame(rng, rng.choice((ACKNOWLEDGE, 0x04, 0x07, NOTIFICATION)))


def build_roce(rng):
    # scapy's ICRC over IPv6 is zero; nobody looks at its value in this format.
    return roce_frame(rng, rng.choice(tuple(SHAPES)), rng.choice((over_ipv4, over_ipv6)))


def build_icrc(rng):
    return roce_frame(rng, rng.choice((*SHAPES, NOTIFICATION)))


def vary_bth(rng, frame):
    """The BTH behind its opcode and flags, and an acknowledgement's message number."""
    number_at = range(START + 13, START + 16) if frame[START] == ACKNOWLEDGE else ()
    return [*range(START + 2, START + 12), *number_at]


def vary_roce(rng, frame):
    start = START if frame[12:14] == b"\x08\x00" else START6
    headers = {RETH: 16, ATOMIC: 28}.get(SHAPES[frame[start]][0], 0)
    return [*range(start + 2, start + 12 + headers)]


def vary_icrc(rng, frame):
    """One octet anywhere between the IP header's lengths and the end, but what makes it RoCEv2: covered, so that
    the ICRC is wrong then, or masked, so that it is not."""
    free = [15, 18, 19, 22, 24, 25, *range(26, 36), 40, 41, *range(START + 2, START + 12)]
    return [rng.choice((*free, len(frame) - rng.randint(1, 4)))]


# How scapy reads.


def bth_fields(frame, out):
    bth = frame[BTH]
    out["bth.opcode"], out["bth.solicited"], out["bth.migrated"] = bth.opcode, bth.solicited, bth.migreq
    out["bth.pad"], out["bth.version"], out["bth.partition_key"] = bth.padcount, bth.version, bth.pkey
    out["bth.fecn"], out["bth.becn"], out["bth.destination"] = bth.fecn, bth.becn, bth.dqpn
    out["bth.wants_ack"], out["bth.psn"] = bth.ackreq, bth.psn
    out["roce.icrc"] = struct.pack("!I", bth.icrc).hex()
    if bth.opcode == ACKNOWLEDGE:
        out["aeth.syndrome"], out["aeth.msn"] = bth[AETH].syndrome, bth[AETH].msn


def icrc_fields(frame, out):
    found = struct.pack("!I", frame[BTH].icrc)
    frame[BTH].icrc = None
    computed = bytes(frame)[-4:]
    out["bth.opcode"], out["roce.icrc_ok"] = frame[BTH].opcode, found == computed
    out["roce.icrc"], out["roce.icrc_expected"] = found.hex(), computed.hex()


# How tshark reads. It uses the names of RETH's address and key for AtomicETH's too.


def with_length(texts, lengths):
    return number(texts) if lengths else None


def without_length(texts, lengths):
    return None if lengths else number(texts)


BTH_TSHARK = {
    "bth.opcode": ("infiniband.bth.opcode", number),
    "bth.solicited": ("infiniband.bth.se", number),
    "bth.migrated": ("infiniband.bth.m", number),
    "bth.pad": ("infiniband.bth.padcnt", number),
    "bth.version": ("infiniband.bth.tver", number),
    "bth.partition_key": ("infiniband.bth.p_key", number),
    "bth.fecn": ("infiniband.reserved", lambda texts: int(texts[0][:2], 16) >> 7),
    "bth.becn": ("infiniband.reserved", lambda texts: int(texts[0][:2], 16) >> 6 & 1),
    "bth.destination": ("infiniband.bth.destqp", number),
    "bth.wants_ack": ("infiniband.bth.a", number),
    "bth.psn": ("infiniband.bth.psn", number),
    "aeth.syndrome": ("infiniband.aeth.syndrome", number),
    "aeth.msn": ("infiniband.aeth.msn", number),
}
ONLY_TSHARK = {
    "aeth.kind": ("infiniband.aeth.syndrome.opcode", number),
    "aeth.credits": ("infiniband.aeth.syndrome.credit_count", number),
    "aeth.timer": ("infiniband.aeth.syndrome.timer", number),
    "aeth.nak_code": ("infiniband.aeth.syndrome.error_code", number),
    "reth.address": (("infiniband.reth.va", "infiniband.reth.dmalen"), with_length),
    "reth.key": (("infiniband.reth.r_key", "infiniband.reth.dmalen"), with_length),
    "reth.length": ("infiniband.reth.dmalen", number),
    "atomic.address": (("infiniband.reth.va", "infiniband.reth.dmalen"), without_length),
    "atomic.key": (("infiniband.reth.r_key", "infiniband.reth.dmalen"), without_length),
    "atomic.swap_or_add": ("infiniband.atomiceth.swapdt", number),
    "atomic.compare": ("infiniband.atomiceth.cmpdt", number),
    "atomic_ack.original": ("infiniband.atomicacketh.origremdt", number),
    "immediate.value": ("infiniband.immdt", hex_text),
    "roce.data": ("data.data", hex_text),
}
ICRC_PLACE = {"roce.icrc": ("infiniband.invariant.crc", lambda texts: f"{number(texts):08x}")}
OPCODE = {"bth.opcode": BTH_TSHARK["bth.opcode"]}
PROTOCOLS = ("ip", "ipv6", "udp", "infiniband")

def compare_capture(fmt, tools, work, report):
    """What the kernel sent: each field by tshark, each ICRC right."""
    copy = work / "roce_capture.pcap"
    copy.write_bytes(CAPTURE.read_bytes())
    ours, frames = common.read_by_sluice(copy, tools), common.read_pcap(copy)
    sent = [name for name in fmt.names() if name not in ("aeth.timer", "immediate.value")]  # it holds none
    report.compare("kernel sends, tshark reads", frames, ours, common.read_by_tshark(copy, fmt), sent)
    for index, reading in enumerate(ours):
        if reading.get("roce.icrc_ok") is not True:
            report.fail(f"kernel's frame {index + 1}: {reading}")


bth = Format("bth", build=build_bth, scapy=bth_fields, tshark=BTH_TSHARK, vary=vary_bth, protocols=PROTOCOLS,
             tshark_lacks=["roce.icrc"])

roce = Format("roce", build=build_roce, scapy=lambda frame, out: None, tshark=BTH_TSHARK | ONLY_TSHARK | ICRC_PLACE,
              vary=vary_roce, protocols=PROTOCOLS, scapy_lacks=(*BTH_TSHARK, *ONLY_TSHARK, *ICRC_PLACE), also=compare_capture)

icrc = Format("icrc", build=build_icrc, scapy=icrc_fields, tshark=OPCODE, vary=vary_icrc, protocols=PROTOCOLS,
              tshark_lacks=["roce.icrc", "roce.icrc_expected", "roce.icrc_ok"])


if __name__ == "__main__":
    common.main([bth, roce, icrc])
