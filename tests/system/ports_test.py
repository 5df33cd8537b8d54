"""Each kind of port carries packets: the same ping, through other devargs."""

import json
import os
import time

import support  # first: it adds testbed/lib to the path
import network
import two_hosts
from daemon import Sluiced
from network import TestbedError
from support import BINARIES, DaemonTest

LEFT = 'addresses: "10.0.1.1/24" addresses: "fd00:1::1/64"'
RIGHT = 'addresses: "10.0.2.1/24" addresses: "fd00:2::1/64"'


def config(left, right, lcores="lcores { id: 0 idle: SLEEP }"):
    return f"""{lcores}
        ports {{ name: "left" devargs: "{left}" {LEFT} }}
        ports {{ name: "right" devargs: "{right}" {RIGHT} }}"""


class Ports(DaemonTest):
    def assert_pings(self, host, *targets):
        for target in targets:
            passed, words = two_hosts.ping(host, target)
            self.assertTrue(passed, f"{target}: {words}")

    def test_af_xdp(self):
        with network.Lab() as lab:
            hosts = two_hosts.TwoHosts(lab)
            try:
                with Sluiced(BINARIES, hosts.router, config("net_af_xdp0,iface=left", "net_af_xdp1,iface=right")):
                    self.assert_pings(hosts.left, two_hosts.RIGHT4, two_hosts.RIGHT6)
            except TestbedError as error:
                self.skipTest(f"no AF_XDP here: {error}")

    def test_tap(self):
        """The router's own namespace is the host behind a tap."""
        with network.Lab() as lab:
            hosts = two_hosts.TwoHosts(lab)
            router = hosts.router
            with Sluiced(BINARIES, router, config("net_tap0,iface=tapleft", "net_af_packet0,iface=right")) as sluiced:
                # The port has the interface's own MAC until the far end of the tap gets another one.
                router.run(["ip", "link", "set", "tapleft", "address", "02:00:00:00:00:99", "up"])
                router.run(["ethtool", "-K", "tapleft", "tx", "off"], check=False)
                router.address("tapleft", "10.0.1.2/24")
                router.route("10.0.2.0/24", "10.0.1.1")
                self.assert_pings(router, two_hosts.RIGHT4)
                self.assertEqual([port["driver"] for port in sluiced.ask("ports")], ["net_tap", "net_af_packet"])

    def test_memif_between_two_daemons(self):
        path = os.path.join(self.folder, "memif.sock")
        near = f"""lcores {{ id: 0 idle: SLEEP }}
            ports {{ name: "left" devargs: "net_af_packet0,iface=left" {LEFT} }}
            ports {{ name: "far" devargs: "net_memif0,role=server,socket={path},socket-abstract=no" addresses: "10.0.9.1/24" }}
            entries {{ table: "ipv4_lpm" match {{ field: "dst" value: "10.0.2.0/24" }} action: "via"
                params {{ name: "port" value: "far" }} params {{ name: "next_hop" value: "10.0.9.2" }} }}"""
        far = f"""lcores {{ id: 1 idle: SLEEP }}
            ports {{ name: "near" devargs: "net_memif0,role=client,socket={path},socket-abstract=no" addresses: "10.0.9.2/24" }}
            ports {{ name: "right" devargs: "net_af_packet0,iface=right" {RIGHT} }}
            entries {{ table: "ipv4_lpm" match {{ field: "dst" value: "10.0.1.0/24" }} action: "via"
                params {{ name: "port" value: "near" }} params {{ name: "next_hop" value: "10.0.9.1" }} }}"""
        with network.Lab() as lab:
            hosts = two_hosts.TwoHosts(lab)
            with Sluiced(BINARIES, hosts.router, near), Sluiced(BINARIES, hosts.router, far):
                self.assert_pings(hosts.left, two_hosts.RIGHT4)

    def test_two_lcores_with_two_queues_a_port(self):
        lcores = "lcores { id: 0 idle: SLEEP } lcores { id: 1 idle: SLEEP }"
        with network.Lab() as lab:
            hosts = two_hosts.TwoHosts(lab)
            text = config("net_af_packet0,iface=left,qpairs=2", "net_af_packet1,iface=right,qpairs=2", lcores)
            with Sluiced(BINARIES, hosts.router, text) as sluiced:
                self.assert_pings(hosts.left, two_hosts.RIGHT4, two_hosts.RIGHT6)
                arrived, words = two_hosts.iperf(hosts.left, hosts.right, two_hosts.RIGHT4)
                self.assertTrue(arrived, words)
                for port in sluiced.ask("ports"):
                    self.assertEqual((port["rx_queues"], port["tx_queues"], port["lcores"]), (2, 2, [0, 1]))

    def test_pcap_file_in_and_out(self):
        from scapy.all import IP, UDP, Ether, rdpcap, wrpcap
        source, sink = os.path.join(self.folder, "in.pcap"), os.path.join(self.folder, "out.pcap")
        neighbour = """entries { table: "ipv4_neighbour" match { field: "port" value: "left" }
            match { field: "next_hop" value: "10.0.1.9" } action: "rewrite" params { name: "src_mac" value: "02:00:00:00:00:01" }
            params { name: "dst_mac" value: "02:00:00:00:00:09" } params { name: "mtu" value: "1500" } }
            entries { table: "my_station" match { field: "port" value: "left" } priority: 1 action: "route" }"""
        wrpcap(source, [Ether(dst="02:00:00:00:00:01", src="02:00:00:00:00:02") / IP(src="10.0.2.2", dst="10.0.1.9", ttl=9)
                        / UDP(sport=i, dport=9) / (b"x" * 18) for i in range(1, 101)])
        text = f"""lcores {{ id: 0 idle: SLEEP }}
            ports {{ name: "left" devargs: "net_pcap0,rx_pcap={source},tx_pcap={sink}" {LEFT} }} {neighbour}"""
        process = self.start(text)
        for _ in range(600):
            totals = json.loads(self.sluice("--json", "counters").stdout)["totals"]
            if totals["received"] == 100 and totals["transmitted"] + totals["dropped"] + totals["punted"] == 100:
                break
            time.sleep(0.05)
        process.terminate()
        self.assertEqual(process.wait(30), 0)
        packets = rdpcap(sink)
        self.assertEqual(len(packets), 100, self.sluice("drops").stdout)
        for i, packet in enumerate(packets, 1):
            self.assertEqual((packet.dst, packet.src, packet[IP].ttl, packet[UDP].sport),
                             ("02:00:00:00:00:09", "02:00:00:00:00:01", 8, i))
            checksum = packet[IP].chksum
            del packet[IP].chksum
            self.assertEqual(Ether(bytes(packet))[IP].chksum, checksum)

    def test_ring_and_null_need_no_privilege(self):
        self.start('ports { name: "r" devargs: "net_ring0" } ports { name: "n" devargs: "net_null0,no-rx=1" }')
        self.assertEqual(self.sluice("ports").returncode, 0)


if __name__ == "__main__":
    reason = network.missing_privilege()
    if reason:
        support.skip_all(reason)
    support.main()
