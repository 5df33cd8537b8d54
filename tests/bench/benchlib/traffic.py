"""Routes and packets that every contestant gets: made from a seed, the same on every machine."""

import dataclasses
import ipaddress
import random
import struct

NEXT_HOPS = 16
SOURCE_MAC = bytes.fromhex("020000000a0a")  # who sends to us
ROUTER_IN_MAC = bytes.fromhex("027063617000")  # pcap driver's first port: "\2pcap\0"
ROUTER_OUT_MAC = bytes.fromhex("027063617001")  # its second
ETHERNET_IPV4 = b"\x08\x00"
UDP = 17
HEADERS = 14 + 20 + 8

# Shares of prefix lengths. Like a backbone's table it has mostly /24 down to /18 and a few longer ones (which
# need the second level of the lookup). No length has more than a quarter of the rules because rte_lpm
# scans all rules of a length for each one added.
DEPTH_SHARES = {24: 24, 23: 20, 22: 18, 21: 14, 20: 12, 19: 8, 18: 3, 26: 1}


@dataclasses.dataclass(frozen=True)
class Route:
    prefix: int
    depth: int
    next_hop: int  # 0 .. NEXT_HOPS-1

    def __str__(self):
        return f"{ipaddress.IPv4Address(self.prefix)}/{self.depth}"


def next_hop_mac(next_hop):
    return bytes([0x02, 0, 0, 0, 1, next_hop])


def next_hop_address(next_hop):
    return f"10.255.1.{2 + next_hop}"


def _usable(prefix):
    """Not our own links (10/8), and nothing that a router must not forward (RFC 6890)."""
    first = prefix >> 24
    return 1 <= first <= 223 and first not in (10, 127) and prefix >> 16 != 0xA9FE


def make_routes(count, seed=1):
    rng = random.Random(seed)
    total = sum(DEPTH_SHARES.values())
    routes = []
    for depth, share in DEPTH_SHARES.items():
        wanted = count * share // total
        if depth == 24:  # what rounding left over
            wanted = count - sum(count * s // total for d, s in DEPTH_SHARES.items() if d != 24)
        seen = set()
        while len(seen) < wanted:
            prefix = rng.getrandbits(depth) << (32 - depth)
            if _usable(prefix):
                seen.add(prefix)
        routes += [(prefix, depth) for prefix in sorted(seen)]
    return [Route(prefix, depth, i % NEXT_HOPS) for i, (prefix, depth) in enumerate(routes)]


class ReferenceLpm:
    """Longest prefix match in its plainest form: what the contestants' outputs are checked against."""

    def __init__(self, routes):
        self._by_depth = {}
        for route in routes:
            self._by_depth.setdefault(route.depth, {})[route.prefix] = route.next_hop
        self._depths = sorted(self._by_depth, reverse=True)

    def next_hop(self, address):
        for depth in self._depths:
            found = self._by_depth[depth].get(address >> (32 - depth) << (32 - depth))
            if found is not None:
                return found
        return None


def make_destinations(routes, count, seed=2):
    """Addresses that visit all routes in a shuffled order, as often as `count` allows."""
    rng = random.Random(seed)
    order = list(routes)
    destinations = []
    while len(destinations) < count:
        rng.shuffle(order)
        destinations += [r.prefix | rng.getrandbits(32 - r.depth) for r in order[: count - len(destinations)]]
    return destinations


def checksum(header):
    total = sum(struct.unpack(f"!{len(header) // 2}H", header))
    total = (total & 0xFFFF) + (total >> 16)
    total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def make_frame(sequence, destination, size):
    """`size` counts the Ethernet header but not the FCS: the bytes that DPDK sees."""
    ttl = 2 + sequence % 254  # all of them, but never one that must expire
    source = 0x0B000000 + (sequence * 2654435761 & 0xFFFFFF)
    ip = struct.pack("!BBHHHBBHII", 0x45, 0, size - 14, sequence & 0xFFFF, 0, ttl, UDP, 0, source, destination)
    ip = ip[:10] + struct.pack("!H", checksum(ip)) + ip[12:]
    udp = struct.pack("!HHHH", 1024 + sequence % 60000, 4791, size - 34, 0)
    payload = struct.pack("!I", sequence).ljust(size - HEADERS, b"\x5a")
    return ROUTER_IN_MAC + SOURCE_MAC + ETHERNET_IPV4 + ip + udp + payload


PCAP_HEADER = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)


def write_pcap(path, destinations, size):
    record = struct.pack("<IIII", 0, 0, size, size)
    with open(path, "wb") as out:
        out.write(PCAP_HEADER)
        out.writelines(record + make_frame(i, dst, size) for i, dst in enumerate(destinations))


def read_pcap(path):
    """Frames of a little-endian pcap (what DPDK's driver writes, with µs or ns stamps)."""
    with open(path, "rb") as source:
        data = source.read()
    if data[:4] not in (b"\xd4\xc3\xb2\xa1", b"\x4d\x3c\xb2\xa1"):
        raise ValueError(f"{path}: not a little-endian pcap file")
    offset = 24
    while offset + 16 <= len(data):
        captured = struct.unpack_from("<I", data, offset + 8)[0]
        frame = data[offset + 16 : offset + 16 + captured]
        if len(frame) < captured:
            return  # its writer was ended in the middle of a record
        yield frame
        offset += 16 + captured
