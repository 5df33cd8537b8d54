"""Bridging between namespaces: learning, flooding, VLANs, and what the fdb says of it."""

import sys
import time

import support  # first: it adds testbed/lib to the path
import network
import two_hosts
from daemon import Sluiced
from support import BINARIES, CommandTest

HOSTS = ("one", "two", "three")
CONFIG = "lcores { id: 0 idle: SLEEP }\n" + "".join(
    f'ports {{ name: "{name}" devargs: "net_af_packet{i},iface={name}" mode: BRIDGED bridge: 7 }}\n'
    for i, name in enumerate(HOSTS))


class Bridge(CommandTest):
    def test_hosts_of_a_bridge_reach_each_other_and_are_learnt(self):
        with network.Lab() as lab:
            switch = lab.machine("switch")
            hosts = {name: lab.host(name, switch, name, addresses=[f"10.0.7.{i}/24", f"fd00:7::{i}/64"], gateways=[])
                     for i, name in enumerate(HOSTS, 1)}
            with Sluiced(BINARIES, switch, CONFIG) as sluiced:
                for source, target in (("one", "10.0.7.2"), ("two", "fd00:7::3"), ("three", "10.0.7.1")):
                    passed, words = two_hosts.ping(hosts[source], target)
                    self.assertTrue(passed, f"{source} to {target}: {words}")
                self.assert_learnt(sluiced, hosts)
                self.assert_unicast_is_not_flooded(hosts, sluiced)
                self.assert_vlans_pass_tagged(hosts, sluiced)

    def assert_learnt(self, sluiced, hosts):
        entries = sluiced.ask("table", "dump", "fdb")["entries"]
        learnt = {(entry["match"]["mac"], entry["params"]["port"]) for entry in entries if entry["match"]["vlan"] == "0"}
        self.assertEqual(learnt, {(host.mac("eth0"), name) for name, host in hosts.items()})
        self.assertEqual({entry["origin"] for entry in entries}, {"agent"})

    def assert_unicast_is_not_flooded(self, hosts, sluiced):
        """The first pings the second: the third port sends nothing of it."""
        before = self.sent(sluiced, "three")
        passed, words = two_hosts.ping(hosts["one"], "10.0.7.2", count=50)
        self.assertTrue(passed, words)
        self.assertLess(self.sent(sluiced, "three") - before, 25)

    def assert_vlans_pass_tagged(self, hosts, sluiced):
        """Tagged frames keep their tag, and a MAC is learnt for its VLAN alone."""
        before = {name: self.sent(sluiced, name) for name in HOSTS}
        one, two = hosts["one"].mac("eth0"), hosts["two"].mac("eth0")
        self.send_tagged(hosts["one"], "ff:ff:ff:ff:ff:ff", one)
        self.wait_for(lambda: (one, "one") in self.tagged(sluiced))
        for _ in range(10):
            self.send_tagged(hosts["two"], one, two)
        self.wait_for(lambda: self.sent(sluiced, "one") - before["one"] >= 10)
        self.assertEqual(self.tagged(sluiced), {(one, "one"), (two, "two")})
        self.assertGreaterEqual(self.sent(sluiced, "two") - before["two"], 1)
        self.assertLess(self.sent(sluiced, "three") - before["three"], 10)

    def wait_for(self, condition):
        deadline = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    @staticmethod
    def tagged(sluiced):
        return {(entry["match"]["mac"], entry["params"]["port"])
                for entry in sluiced.ask("table", "dump", "fdb")["entries"] if entry["match"]["vlan"] == "42"}

    @staticmethod
    def send_tagged(host, target, source):
        """A frame of VLAN 42 straight to the wire: a vlan device would need a kernel module."""
        frame = (target + source).replace(":", "") + "8100002a88b5" + "00" * 46
        host.run([sys.executable, "-c", "import socket; wire = socket.socket(socket.AF_PACKET, socket.SOCK_RAW); "
                  f"wire.bind(('eth0', 0)); wire.send(bytes.fromhex('{frame}'))"])

    @staticmethod
    def sent(sluiced, name):
        return next(port["tx_packets"] for port in sluiced.ask("ports") if port["name"] == name)


if __name__ == "__main__":
    reason = network.missing_privilege()
    if reason:
        support.skip_all(reason)
    support.main()
