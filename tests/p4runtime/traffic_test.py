"""A controller beside real traffic: routes that it writes carry packets, packets come to it, and garbage stops nothing."""

import sys
import tempfile
import threading

import controller  # first: it sets the path
import garbage
import network
import support
import two_hosts
from controller import Controller, code_pb2, p4
from daemon import Sluiced
from support import BINARIES, CommandTest

ARP, NO_ROUTE = 0, 4  # positions in dataplane/graph/punt_causes.def
LEFT, RIGHT = 0, 1    # ports
BEHIND_RIGHT = "10.9.0.1"

# Prints the first frame of an experimental EtherType that comes to eth0.
LISTEN = """
import socket
wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(0x88b5))
wire.bind(("eth0", 0x88b5))
wire.settimeout(30)
print("listening", flush=True)
print(wire.recv(2000).hex(), flush=True)
"""


class Traffic(CommandTest):
    def setUp(self):
        self.lab = self.enterContext(network.Lab())
        self.hosts = two_hosts.TwoHosts(self.lab)
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.address = f"unix:{folder}/p4runtime.sock"
        self.sluiced = self.enterContext(Sluiced(BINARIES, self.hosts.router, two_hosts.CONFIG + f'p4runtime {{ listen: "{self.address}" }}'))
        self.who = self.enterContext(Controller(self.address, 1))
        self.assertEqual(self.who.become(), code_pb2.OK)
        self.who.push()

    def packet_in(self, cause, ingress):
        """The first packet-in with this cause and port."""
        while (packet := self.who.expect("packet")) is not None:
            metadata = self.who.program.packet_in(packet)
            if (metadata["cause"], metadata["ingress_port"]) == (cause, ingress):
                return packet
        self.fail(f"no packet-in of cause {cause}")

    def test_a_route_written_by_the_controller_carries_packets(self):
        self.hosts.right.address("lo", f"{BEHIND_RIGHT}/32")
        self.assertFalse(two_hosts.ping(self.hosts.left, BEHIND_RIGHT, count=2)[0])
        self.assertEqual(self.packet_in(NO_ROUTE, LEFT).payload[12:14], b"\x08\x00")
        via = self.who.program.entry("ipv4_lpm", {"dst": (0x0a090000, 16)}, "via", [RIGHT, 0x0a000202])
        self.who.write(via)
        passed, words = two_hosts.ping(self.hosts.left, BEHIND_RIGHT)
        self.assertTrue(passed, words)
        self.who.write(via, kind=p4.Update.DELETE)
        self.assertFalse(two_hosts.ping(self.hosts.left, BEHIND_RIGHT, count=2)[0])

    def test_the_counter_drops_counts_what_sluice_drops_shows(self):
        two_hosts.ping(self.hosts.left, BEHIND_RIGHT, count=3)
        drops = self.who.program.counters["drops"]
        cells = self.who.read(p4.Entity(counter_entry=p4.CounterEntry(counter_id=drops.preamble.id)))
        counted = sum(cell.counter_entry.data.packet_count for cell in cells)
        self.assertGreaterEqual(counted, 3)
        self.assertLessEqual(counted, sum(self.sluiced.drops().values()))

    def test_packets_reach_the_controller_and_leave_by_it(self):
        self.hosts.left.run(["ping", "-c", "1", "-W", "5", two_hosts.RIGHT4], check=False)
        arp = self.packet_in(ARP, LEFT)
        self.assertEqual(arp.payload[12:14], b"\x08\x06")
        self.assertEqual(self.who.program.packet_in(arp)["egress_port"], 0xffff)
        listener = self.hosts.right.start([sys.executable, "-c", LISTEN], stdout=-1)
        self.addCleanup(listener.kill)
        self.assertEqual(listener.stdout.readline(), "listening\n")
        frame = b"\xff" * 6 + b"\x02\0\0\0\0\1" + b"\x88\xb5" + b"from the controller".ljust(46, b"\0")
        self.who.send(packet=p4.PacketOut(payload=frame, metadata=[p4.PacketMetadata(metadata_id=1, value=b"\1")]))
        self.assertEqual(listener.stdout.readline().strip(), frame.hex())
        listener.communicate()

    def test_a_flood_of_malformed_requests_does_not_stop_traffic(self):
        self.assertTrue(two_hosts.ping(self.hosts.left, two_hosts.RIGHT4)[0])
        route = self.who.program.entry("ipv4_lpm", {"dst": (0x0b000000, 8)}, "connected", [RIGHT])
        # Of another role and id, so that a request that happens to be good cannot change what is measured.
        seeds = [p4.WriteRequest(device_id=1, role="x", updates=[p4.Update(type=p4.Update.INSERT, entity=route)]).SerializeToString(),
                 p4.ReadRequest(device_id=1, entities=[route]).SerializeToString(),
                 p4.StreamMessageRequest(packet=p4.PacketOut(payload=b"x" * 100)).SerializeToString()]
        sent = []
        floods = [threading.Thread(target=lambda n=n: sent.append(garbage.flood(self.address, seeds, 6, n))) for n in range(2)]
        for flood in floods:
            flood.start()
        passed, words = two_hosts.ping(self.hosts.left, two_hosts.RIGHT4, count=100)
        for flood in floods:
            flood.join()
        self.assertTrue(passed, words)
        self.assertGreater(sum(sent), 100)
        self.who.write(route)
        self.assertEqual(len(self.who.read(route)), 1)


if __name__ == "__main__":
    reason = network.missing_privilege()
    if reason:
        support.skip_all(reason)
    support.main()
