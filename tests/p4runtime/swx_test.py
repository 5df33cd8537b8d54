"""The engine swx as a user meets it: P4Runtime as over native, what it cannot do, local commands, settings."""

import json
import os
import re
import struct

import controller  # first: it sets the path
import grpc
import server_test
import support
from controller import code_pb2, p4, update_errors
from support import run

Code = grpc.StatusCode
CAPABILITIES = os.path.join(support.ROOT, "dataplane", "p4runtime", "capabilities.def")
ARP = 0  # position in dataplane/graph/punt_causes.def

HEAD = """
engine: SWX
eal { hugepages: false }
lcores { id: 0 idle: SLEEP }
"""
PORTS = """
ports { name: "left" devargs: "net_null0,no-rx=1" }
ports { name: "right" devargs: "net_null1,no-rx=1" }
"""
STATION = """
entries { table: "my_station" match { field: "port" value: "left" } priority: 1 action: "route" }
"""


class OverSwx:
    engine, ports = "swx", HEAD + PORTS + STATION


class Rpcs(OverSwx, server_test.Rpcs):
    pass


class Arbitration(OverSwx, server_test.Arbitration):
    pass


class PacketOut(OverSwx, server_test.PacketOut):
    pass


class Robustness(OverSwx, server_test.Robustness):
    pass


def features():
    """Of capabilities.def: name to (text, whether swx can do it)."""
    with open(CAPABILITIES, encoding="utf-8") as file:
        rows = re.findall(r'^FEATURE\((\w+), "([^"]+)", \w+, (\w+)\)$', file.read(), re.M)
    return {name: (text, swx == "yes") for name, text, swx in rows}


class Capabilities(OverSwx, server_test.ServerTest):
    """capabilities.def beside the engine itself; features_test.cpp compares the whole table over a fake one."""

    ENTITIES = {
        "direct_counter": p4.Entity(direct_counter_entry=p4.DirectCounterEntry()),
        "meter": p4.Entity(meter_entry=p4.MeterEntry()),
        "register_array": p4.Entity(register_entry=p4.RegisterEntry()),
        "clone_session": p4.Entity(packet_replication_engine_entry=p4.PacketReplicationEngineEntry(
            clone_session_entry=p4.CloneSessionEntry())),
        "action_profile": p4.Entity(action_profile_group=p4.ActionProfileGroup()),
        "value_set": p4.Entity(value_set_entry=p4.ValueSetEntry()),
        "digest": p4.Entity(digest_entry=p4.DigestEntry()),
        "extern_entry": p4.Entity(extern_entry=p4.ExternEntry()),
    }

    def test_what_the_engine_cannot_do_is_unimplemented_by_name(self):
        self.serve()
        who = self.primary()
        who.push()
        table = features()
        for name, entity in self.ENTITIES.items():
            text, can = table[name]
            with self.subTest(name):
                self.assertFalse(can)
                error = self.assert_refused(Code.UNKNOWN, who.write, entity, kind=p4.Update.MODIFY)
                self.assertEqual(update_errors(error), [code_pb2.UNIMPLEMENTED])
                refused = self.assert_refused(Code.UNIMPLEMENTED, who.read, entity)
                self.assertIn(f"engine swx does not support {text}", refused.details())

    def test_multicast_groups_are_written_and_read(self):
        self.assertTrue(features()["multicast_group"][1])
        self.serve()
        who = self.primary()
        who.push()
        replicas = [p4.Replica(port=bytes([port]), instance=1) for port in (0, 1)]
        group = p4.Entity(packet_replication_engine_entry=p4.PacketReplicationEngineEntry(
            multicast_group_entry=p4.MulticastGroupEntry(multicast_group_id=7, replicas=replicas)))
        who.write(group)
        self.assertEqual(who.read(group), [group])
        who.write(group, kind=p4.Update.DELETE)
        self.assertEqual(who.read(group), [])

    def test_packets_for_the_controller_reach_it(self):
        self.assertTrue(features()["packet_in"][1])
        frame = b"\xff" * 6 + b"\x02\0\0\0\0\1" + b"\x08\x06" + bytes(46)
        path = os.path.join(self.folder, "arp.pcap")
        with open(path, "wb") as out:
            out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
            out.write(struct.pack("<IIII", 0, 0, len(frame), len(frame)) + frame)
        self.ports = (HEAD + PORTS.replace("net_null0,no-rx=1", f"net_pcap0,rx_pcap={path},infinite_rx=1") + STATION +
                      'entries { table: "punt" match { field: "cause" value: "arp" } action: "to_agent"'
                      ' params { name: "rate" value: "20" } }')
        self.serve()
        who = self.primary()
        who.push()
        packet = who.expect("packet")
        self.assertEqual(packet.payload, frame)
        metadata = who.program.packet_in(packet)
        self.assertEqual((metadata["ingress_port"], metadata["cause"]), (0, ARP))
        drops = who.program.counters["drops"]
        cells = who.read(p4.Entity(counter_entry=p4.CounterEntry(counter_id=drops.preamble.id)))
        self.assertGreater(sum(cell.counter_entry.data.packet_count for cell in cells), 0)


class LocalCommands(OverSwx, support.DaemonTest):
    def ask(self, *words):
        done = self.sluice("--json", *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout) if done.stdout else None

    def setUp(self):
        super().setUp()
        self.start(self.ports)

    def test_status_ports_drops_and_counters_answer(self):
        status = self.ask("status")
        self.assertEqual((status["engine"], status["ports"], status["lcores"]), ("swx", 2, 1))
        self.assertEqual([(port["name"], port["lcores"]) for port in self.ask("ports")], [("left", [0]), ("right", [0])])
        self.assertEqual(self.ask("drops"), [])
        counters = self.ask("counters")
        self.assertEqual(set(counters["totals"].values()), {0})
        self.assertIn("ipv4_lpm", [node["node"] for node in counters["nodes"]])
        self.assertEqual(self.sluice("counters").returncode, 0)

    def test_tables_are_listed_written_and_dumped_as_people_write_them(self):
        self.assertIn("ipv6_neighbour", [table["name"] for table in self.ask("tables")])
        route = ["ipv4_lpm", "dst=10.1.0.0/16"]
        for words in (["insert", *route, "via", "port=right", "next_hop=10.0.2.2"], ["modify", *route, "connected", "port=left"]):
            done = self.sluice("table", *words)
            self.assertEqual(done.returncode, 0, done.stderr)
        entries = self.ask("table", "dump", "ipv4_lpm")["entries"]
        self.assertEqual([(entry["match"], entry["action"], entry["params"]) for entry in entries],
                         [({"dst": "10.1.0.0/16"}, "connected", {"port": "left"})])
        done = self.sluice("table", "remove", *route)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.ask("table", "dump", "ipv4_lpm")["entries"], [])

    def test_what_needs_the_graph_says_that_the_engine_has_none(self):
        for words in (["graph"], ["trace", "--port", "left", "00" * 60]):
            self.assert_one_clear_line(self.sluice(*words), 1, f"engine swx does not support {words[0]}")


class Settings(support.DaemonTest):
    def check(self, text):
        return run(support.SLUICED, "--check", "--config", self.config(text))

    def test_a_good_configuration_is_good(self):
        done = self.check(HEAD + PORTS + STATION)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_wrong_settings_are_named(self):
        addresses = PORTS.replace(" }", ' addresses: "10.0.1.1/24" }')
        for text, words in ((HEAD + PORTS + "lcores { id: 1 }", ["lcores", "SWX"]),
                            (HEAD + addresses, ["ports[0].addresses", "agent"]),
                            (HEAD + PORTS + 'program: "../x"', ["program", "../x"]),
                            (HEAD + PORTS + 'program: "absent"', ["p4_folder", "absent.spec"]),
                            (HEAD + PORTS + f'p4_folder: "{self.folder}"', ["p4_folder", f"{self.folder}/forwarding.spec"]),
                            (HEAD + PORTS + STATION.replace("my_station", "stations"), ["entries[0]", "stations"]),
                            (PORTS + 'program: "other"', ["program", "NATIVE", "other"])):
            with self.subTest(text):
                self.assert_one_clear_line(self.check(text), 1, *words)

    def test_a_program_that_is_damaged_is_named_with_its_line(self):
        for name in ("forwarding.spec", "forwarding.p4info.txtpb"):
            with open(os.path.join(support.ROOT, "p4", "compiled", name), encoding="utf-8") as file:
                self.config(file.read(), name)
        folder = f'p4_folder: "{self.folder}"'
        self.assertEqual(self.check(HEAD + PORTS + folder).returncode, 0)
        self.config("nonsense\n", "forwarding.spec")
        self.assert_one_clear_line(self.check(HEAD + PORTS + folder), 1, f"{self.folder}/forwarding.spec:1")


if __name__ == "__main__":
    support.main()
