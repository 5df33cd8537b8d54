#!/usr/bin/python3
"""The judge of `forward` must find every kind of wrong output, and fittings of peers must not miss silently."""

import pathlib
import struct
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from benchlib import check, traffic  # noqa: E402
from contestants import peer  # noqa: E402

SIZE = 64
ROUTES = traffic.make_routes(100)
DESTINATIONS = traffic.make_destinations(ROUTES, 300)
REFERENCE = traffic.ReferenceLpm(ROUTES)


def right_frame(sequence):
    """What a router sends, made from the parts and not by the judge."""
    frame = traffic.make_frame(sequence, DESTINATIONS[sequence], SIZE)
    mac = traffic.next_hop_mac(REFERENCE.next_hop(DESTINATIONS[sequence]))
    header = frame[14:22] + bytes([frame[22] - 1]) + frame[23:24] + b"\0\0" + frame[26:34]
    header = header[:10] + struct.pack("!H", traffic.checksum(header)) + header[12:]
    return mac + traffic.ROUTER_OUT_MAC + frame[12:14] + header + frame[34:]


class Judge(unittest.TestCase):
    def judge(self, frames):
        with tempfile.NamedTemporaryFile(suffix=".pcap") as capture:
            capture.write(traffic.PCAP_HEADER)
            capture.writelines(struct.pack("<IIII", 0, 0, len(f), len(f)) + f for f in frames)
            capture.flush()
            return check.check_capture("x", capture.name, DESTINATIONS, ROUTES, SIZE, traffic.next_hop_mac)

    def refuses(self, frames, words):
        with self.assertRaisesRegex(check.WrongOutput, words):
            self.judge(frames)

    def setUp(self):
        self.frames = [right_frame(i) for i in range(len(DESTINATIONS))]

    def change(self, offset, by, fix_checksum=True):
        frame = bytearray(self.frames[7])
        frame[offset] = (frame[offset] + by) & 0xFF
        if fix_checksum:
            frame[24:26] = b"\0\0"
            frame[24:26] = struct.pack("!H", traffic.checksum(bytes(frame[14:34])))
        self.frames[7] = bytes(frame)

    def test_right_output_passes_in_any_order(self):
        self.assertEqual(self.judge(reversed(self.frames)), len(DESTINATIONS))

    def test_ttl_not_decremented_is_found(self):
        self.change(22, 1)
        self.refuses(self.frames, "TTL")

    def test_wrong_checksum_is_found(self):
        self.change(25, 1, fix_checksum=False)
        self.refuses(self.frames, "checksum")

    def test_packet_to_another_next_hop_is_found(self):
        self.change(5, 1)
        self.refuses(self.frames, "destination MAC")

    def test_wrong_source_mac_is_found(self):
        self.change(11, 1)
        self.refuses(self.frames, "source MAC")

    def test_changed_payload_is_found(self):
        self.change(60, 1)
        self.refuses(self.frames, "must not change")

    def test_packet_that_left_by_another_port_is_missed(self):
        self.refuses(self.frames[:-1], "1 of 300 packets did not leave")

    def test_packet_sent_twice_is_found(self):
        self.refuses(self.frames + self.frames[:1], "twice")


class Traffic(unittest.TestCase):
    def test_longest_prefix_wins(self):
        routes = [traffic.Route(0x0B000000, 8, 1), traffic.Route(0x0B010000, 16, 2)]
        lpm = traffic.ReferenceLpm(routes)
        self.assertEqual([lpm.next_hop(a) for a in (0x0B020000, 0x0B01FFFF, 0x0C000000)], [1, 2, None])

    def test_packets_visit_every_route_and_differ(self):
        visited = {REFERENCE.next_hop(d) for d in DESTINATIONS}
        self.assertEqual(visited, set(range(traffic.NEXT_HOPS)))
        for route in ROUTES:
            self.assertTrue(any(d >> (32 - route.depth) == route.prefix >> (32 - route.depth) for d in DESTINATIONS))
        self.assertEqual(len({traffic.make_frame(i, d, SIZE) for i, d in enumerate(DESTINATIONS)}), len(DESTINATIONS))


class Fittings(unittest.TestCase):
    def test_fitting_that_finds_nothing_stops_the_benchmark(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "main.c"
            path.write_text("#define POOL 8192\n")
            peer.fit(pathlib.Path(folder), [("main.c", "8192", "9000")])
            self.assertEqual(path.read_text(), "#define POOL 9000\n")
            with self.assertRaisesRegex(peer.PeerError, "has no '8192'"):
                peer.fit(pathlib.Path(folder), [("main.c", "8192", "9000")])


if __name__ == "__main__":
    unittest.main()
