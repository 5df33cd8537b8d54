"""Every command of sluice against a running sluiced: text, JSON, wrong use, exit codes; tracing changes nothing."""

import json
import os
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import time
from collections import Counter

import support
from support import NULL_PORTS, SLUICE, DaemonTest, run

CONFIG = """
eal { hugepages: false }
lcores { id: 0 idle: SLEEP }
ports { name: "left" devargs: "net_null0,no-rx=1" mode: ROUTED addresses: "10.0.1.1/24" addresses: "fd00:1::1/64" }
ports { name: "right" devargs: "net_null1,no-rx=1" mode: ROUTED addresses: "10.0.2.1/24" }
ports { name: "east" devargs: "net_null2,no-rx=1" mode: BRIDGED bridge: 7 }
ports { name: "west" devargs: "net_null3,no-rx=1" mode: BRIDGED bridge: 7 }
entries { table: "ipv4_neighbour" action: "rewrite"
          match { field: "port" value: "right" } match { field: "next_hop" value: "10.0.2.2" }
          params { name: "src_mac" value: "02:00:00:00:00:02" } params { name: "dst_mac" value: "02:00:00:00:02:02" }
          params { name: "mtu" value: "1500" } }
entries { table: "ipv4_lpm" match { field: "dst" value: "10.9.0.0/16" } action: "via"
          params { name: "port" value: "right" } params { name: "next_hop" value: "10.0.2.2" } }
entries { table: "ipv4_lpm" match { field: "dst" value: "10.66.0.0/16" } action: "discard" }
"""

SHOWING = [["status"], ["ports"], ["graph"], ["drops"], ["counters"], ["tables"], ["table", "dump"],
           ["table", "dump", "ipv4_lpm"]]


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def ipv4(mac, destination, ttl=64, source="10.0.1.5", wrong=0):
    """An Ethernet frame with an IPv4 packet that carries 32 bytes of UDP."""
    udp = struct.pack("!4H", 1000, 2000, 32, 0) + bytes(24)
    addresses = socket.inet_aton(source) + socket.inet_aton(destination)
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 0, 0, ttl, 17, 0) + addresses
    head = head[:10] + struct.pack("!H", checksum(head) ^ wrong) + head[12:]
    return bytes.fromhex(mac.replace(":", "")) + bytes.fromhex("0200000000550800") + head + udp


def pcap(frames):
    records = b"".join(struct.pack("<4I", 0, 0, len(frame), len(frame)) + frame for frame in frames)
    return struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1) + records


class CliTest(DaemonTest):
    """One daemon for all cases of a class."""

    CONFIG = CONFIG

    @classmethod
    def setUpClass(cls):
        cls.daemon = DaemonTest()
        cls.addClassCleanup(cls.daemon.doCleanups)
        cls.daemon.setUp()
        cls.daemon.start(cls.CONFIG)

    def setUp(self):
        self.folder, self.socket = self.daemon.folder, self.daemon.socket

    def say(self, *words, **options):
        done = run(SLUICE, "--socket", self.socket, *words, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""), words)
        return done.stdout

    def ask(self, *words):
        return json.loads(self.say("--json", *words))

    def file(self, name, content):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as out:
            out.write(content)
        return path

    def mac(self, port):
        return next(row["mac"] for row in self.ask("ports") if row["name"] == port)


class Showing(CliTest):
    def test_json_may_stand_before_or_after_the_command_and_is_one_line(self):
        for command in SHOWING:
            before, after = self.say("--json", *command), self.say(*command, "--json")
            self.assertEqual(type(json.loads(before)), type(json.loads(after)), command)
            self.assertEqual(before.count("\n"), 1, command)

    def test_text_is_not_json_and_has_no_colours_where_there_is_no_terminal(self):
        for command in SHOWING:
            text = self.say(*command)
            self.assertNotIn("\x1b", text)
            self.assertNotIn("{", text)
            self.assertTrue(text.endswith("\n"), command)
            for line in text.splitlines():
                self.assertEqual(line, line.rstrip(), command)

    def test_the_socket_may_come_from_the_environment(self):
        done = run(SLUICE, "status", env={**os.environ, "SLUICE_SOCKET": self.socket})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(self.socket, done.stdout)

    def test_status_and_ports_are_of_this_daemon(self):
        status = self.ask("status")
        self.assertEqual((status["ports"], status["lcores"]), (4, 1))
        self.assertIn(f"process {status['pid']}", self.say("status"))
        text = self.say("ports")
        for row in self.ask("ports"):
            for value in (row["name"], row["mac"], row["mode"], *row["addresses"]):
                self.assertIn(value, text)

    def test_graph_is_the_same_each_time_and_holds_every_node(self):
        nodes = self.ask("graph")["nodes"]
        text, dot = self.say("graph"), self.say("graph", "--dot")
        self.assertEqual(text, self.say("graph"))
        for node in nodes:
            self.assertIn(node["name"], text)
            for edge in node["edges"]:
                self.assertIn(f"  {node['name']} -> {edge};\n", dot)

    def test_dot_reads_the_graph(self):
        if not shutil.which("dot"):
            self.skipTest("graphviz is not installed")
        done = run("dot", "-Tplain", input=self.say("graph", "--dot"), stdin=None)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_counters_have_every_node(self):
        counters, text = self.ask("counters"), self.say("counters")
        for node in counters["nodes"]:
            self.assertRegex(text, rf"(?m)^{node['node']} +[\d,]+ +[\d,]+ ")

    def test_tables_say_how_full_they_are(self):
        text = self.say("tables")
        for table in self.ask("tables"):
            self.assertIn(f"{table['name']}: {table['entries']:,} of {table['capacity']:,} entr", text)
            self.assertIn(table["update"], text)

    def test_dump_of_all_is_the_dump_of_each(self):
        dumps = self.ask("table", "dump")
        self.assertEqual([dump["table"] for dump in dumps], [table["name"] for table in self.ask("tables")])
        for dump in dumps:
            self.assertEqual(dump, self.ask("table", "dump", dump["table"]))
        self.assertRegex(self.say("table", "dump", "ipv4_lpm"),
                         r"(?m)^10\.9\.0\.0/16 +via +port=right next_hop=10\.0\.2\.2 +config$")

    def test_a_full_disk_is_no_success(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([SLUICE, "--socket", self.socket, "ports"], stdout=full, stderr=subprocess.PIPE,
                                  text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("stdout", done.stderr)


class Watching(CliTest):
    def watch(self, *words):
        process = subprocess.Popen([SLUICE, "--socket", self.socket, "counters", "--watch", *words],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd="/")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def assert_ends_cleanly(self, process):
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, errors), (0, ""))

    def test_rates_come_again_and_again_until_interrupted(self):
        process = self.watch("0.1")
        frames = 0
        while frames < 3:
            line = process.stdout.readline()
            self.assertNotEqual(line, "", "ended by itself")
            frames += "packets/s" in line
        self.assert_ends_cleanly(process)

    def test_json_is_one_reading_a_line_and_a_second_is_the_default(self):
        for words, seconds in ((("--json",), 1), (("0.3", "--json"), 0.3)):
            process = self.watch(*words)
            first, second = (json.loads(process.stdout.readline()) for _ in range(2))
            self.assertGreater(second["uptime_s"] - first["uptime_s"], 0.9 * seconds)
            self.assert_ends_cleanly(process)


class Writing(CliTest):
    def routes(self):
        return {entry["match"]["dst"]: entry for entry in self.ask("table", "dump", "ipv4_lpm")["entries"]}

    def test_an_entry_is_inserted_modified_and_removed(self):
        before = self.routes()
        route = ("ipv4_lpm", "dst=10.8.0.0/16")
        self.assertEqual(self.say("table", "insert", *route, "via", "port=right", "next_hop=10.0.2.2"),
                         "ipv4_lpm: 1 entry inserted\n")
        entry = self.routes()["10.8.0.0/16"]
        self.assertEqual((entry["action"], entry["params"]), ("via", {"port": "right", "next_hop": "10.0.2.2"}))
        self.assertEqual(self.ask("table", "modify", *route, "discard"), {"applied": 1, "errors": []})
        self.assertEqual(self.routes()["10.8.0.0/16"]["action"], "discard")
        self.assertEqual(self.say("table", "remove", *route), "ipv4_lpm: 1 entry removed\n")
        self.assertEqual(self.routes(), before)

    def test_priority_tells_entries_of_one_match_apart(self):
        words = ("my_station", "port=left", "dst_mac=02:00:00:00:99:99")
        for priority in ("40", "50"):
            self.say("table", "insert", *words, "route", "--priority", priority)
        self.say("table", "remove", *words, "--priority", "40")
        left = [entry["priority"] for entry in self.ask("table", "dump", "my_station")["entries"]
                if entry["match"]["dst_mac"] == "02:00:00:00:99:99"]
        self.assertEqual(left, [50])
        self.say("table", "remove", *words, "--priority", "50")

    def test_what_the_daemon_refuses_is_one_line_and_code_1(self):
        for words, said in ((("insert", "nonsense", "a=b", "c"), "nonsense"),
                            (("insert", "ipv4_lpm", "dst=10.8.0.0/33", "discard"), "10.8.0.0/33"),
                            (("insert", "ipv4_lpm", "dst=10.8.0.0/16", "fly"), "fly"),
                            (("insert", "ipv4_lpm", "dst=10.8.0.0/16", "via", "port=right"), "next_hop"),
                            (("insert", "ipv4_lpm", "dst=10.9.0.0/16", "discard"), "10.9.0.0/16"),
                            (("modify", "ipv4_lpm", "dst=10.7.0.0/16", "discard"), "10.7.0.0/16"),
                            (("remove", "ipv4_lpm", "dst=10.7.0.0/16"), "10.7.0.0/16")):
            done = self.sluice("table", *words)
            self.assert_one_clear_line(done, 1, said)
            self.assertNotIn("entries[0]", done.stderr)


class Tracing(CliTest):
    def trace(self, frame, port="left"):
        return self.ask("trace", "--port", port, frame.hex())

    def test_a_packet_that_passes_shows_each_node_and_lookup(self):
        frame = ipv4(self.mac("left"), "10.9.1.1")
        text = self.say("trace", "--port", "left", frame.hex())
        way = ("ether_input", "my_station", "ipv4_route", "ipv4_lpm", "ipv4_forward", "transmitted on right")
        places = [text.index(word) for word in way]
        self.assertEqual(places, sorted(places), text)
        leaves = bytes.fromhex(self.trace(frame)["packet"])
        self.assertEqual(leaves[:6], bytes.fromhex("020000000202"))
        self.assertEqual(leaves[22], frame[22] - 1)

    def test_a_dropped_packet_names_the_node_and_the_reason(self):
        for frame, node, reason in ((ipv4(self.mac("left"), "10.9.1.1", wrong=1), "ipv4_route", "ipv4_bad_checksum"),
                                    (ipv4(self.mac("left"), "10.66.1.1"), "ipv4_route", "route_discard"),
                                    (ipv4("02:00:00:00:77:77", "10.9.1.1"), "ether_input", "not_for_us")):
            text, answer = self.say("trace", "--port", "left", frame.hex()), self.trace(frame)
            self.assertEqual((answer["outcome"], answer["dropped_by"]), ("drop", node), answer)
            self.assertTrue(answer["detail"].startswith(reason), answer)
            self.assertRegex(text, rf"(?m)^  dropped by {node}: {reason} \(.+\)$")

    def test_hex_is_taken_as_people_have_it(self):
        frame = ipv4(self.mac("left"), "10.9.1.1")
        wanted = self.say("trace", "--port", "left", frame.hex())
        for words in ([frame.hex(" ")], [frame.hex(":").upper()], frame.hex(" ").split(), [frame.hex("\n", 8)],
                      [self.file("frame.hex", frame.hex(" ", 2).encode())]):
            self.assertEqual(self.say("trace", "--port", "left", *words), wanted)
        by_number = self.say("trace", "--port", "0", "-", input=frame.hex(), stdin=None)
        self.assertEqual(by_number, wanted.replace("on left", "on 0"))

    def test_every_packet_of_a_capture_is_traced(self):
        frames = [ipv4(self.mac("left"), f"10.9.0.{i}", ttl=i) for i in (9, 1, 7)]
        path = self.file("three.pcap", pcap(frames))
        answers = [json.loads(line) for line in self.say("--json", "trace", "--port", "left", path).splitlines()]
        self.assertEqual([answer["number"] for answer in answers], [1, 2, 3])
        self.assertEqual([answer["outcome"] for answer in answers], ["transmit", "punt", "transmit"])
        with open(path, "rb") as capture:
            text = subprocess.run([SLUICE, "--socket", self.socket, "trace", "--port", "left", "-"], stdin=capture,
                                  capture_output=True, text=True, check=True).stdout
        self.assertEqual(text, self.say("trace", "--port", "left", path))
        self.assertEqual(text.count("\nPacket "), 2)

    def test_the_packet_that_leaves_is_shown_on_demand(self):
        frame = ipv4(self.mac("left"), "10.9.1.1")
        leaves = bytes.fromhex(self.trace(frame)["packet"])
        lines = self.say("trace", "--port", "left", "--hex", frame.hex()).splitlines()
        shown = [line for line in lines if line.startswith("  00")]
        self.assertEqual(bytes.fromhex("".join(line[8:] for line in shown)), leaves)


class TracingChangesNothing(CliTest):
    """Packets that would be counted, learnt, resolved, punted and dropped if they were real."""

    def state(self):
        """All that the daemon lets us see, but for its clock and its polling of empty ports."""
        counters = self.ask("counters")
        sources = [node["name"] for node in self.ask("graph")["nodes"] if node["source"]]
        for name in ("uptime_s", "tsc"):
            del counters[name]
        for node in counters["nodes"]:
            if node["node"] in sources:
                del node["calls"], node["cycles"]
        return [counters, self.ask("drops"), self.ask("ports"), self.ask("table", "dump")]

    def settled_state(self):
        """What the agent sends when ports come up is not of our doing."""
        deadline = time.monotonic() + 60
        state = self.state()
        while time.monotonic() < deadline:
            time.sleep(0.5)
            before, state = state, self.state()
            if before == state:
                return state
        self.fail("the daemon does not come to rest")

    def test_no_counter_table_or_cache(self):
        mac = self.mac("left")
        arp = bytes.fromhex("ffffffffffff" + "020000000055" + "0806" + "0001080006040001" + "020000000055") + \
            socket.inet_aton("10.0.1.5") + bytes(6) + socket.inet_aton("10.0.1.1") + bytes(18)
        packets = {"left": [ipv4(mac, "10.9.1.1"), ipv4(mac, "10.9.1.1", ttl=1), ipv4(mac, "10.9.1.1", wrong=1),
                            ipv4(mac, "10.0.2.77"), ipv4(mac, "10.0.1.1"), ipv4(mac, "172.16.0.1"),
                            ipv4(mac, "10.66.0.1"), arp, bytes(5)],
                   "east": [ipv4("02:00:00:00:00:88", "10.9.1.1"), arp]}
        before = self.settled_state()
        outcomes = set()
        for port, frames in packets.items():
            path = self.file(f"{port}.pcap", pcap(frames))
            answers = [json.loads(line) for line in self.say("--json", "trace", "--port", port, path).splitlines()]
            self.assertEqual(len(answers), len(frames))
            outcomes |= {answer["outcome"] for answer in answers}
        self.assertEqual(outcomes, {"transmit", "drop", "punt", "flood"})
        self.assertEqual(self.state(), before)
        self.say("table", "insert", "ipv4_lpm", "dst=10.5.0.0/16", "discard")
        self.assertNotEqual(self.state(), before, "the comparison sees nothing")


class Dropping(CliTest):
    """A port that receives a capture once; what trace says of each packet is what has happened to it."""

    UNKNOWN_TYPE = bytes.fromhex("ffffffffffff" + "020000000055" + "88b5") + bytes(46)
    FRAMES = [ipv4("02:00:00:00:77:77", "10.9.1.1")] * 5 + [ipv4("ff:ff:ff:ff:ff:ff", "10.9.1.1")] * 12 + [UNKNOWN_TYPE] * 3

    @classmethod
    def setUpClass(cls):
        folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, folder)
        cls.capture = os.path.join(folder, "received.pcap")
        with open(cls.capture, "wb") as out:
            out.write(pcap(cls.FRAMES))
        cls.CONFIG = NULL_PORTS.replace("net_null0,no-rx=1", f"net_pcap0,rx_pcap={cls.capture}")
        super().setUpClass()

    def setUp(self):
        super().setUp()
        deadline = time.monotonic() + 60
        while self.ask("counters")["totals"]["dropped"] < len(self.FRAMES):
            self.assertLess(time.monotonic(), deadline, self.ask("drops"))
            time.sleep(0.05)

    def test_drops_are_those_that_trace_foretells(self):
        traced = (json.loads(line) for line in self.say("--json", "trace", "--port", "left", self.capture).splitlines())
        foretold = Counter((trace["dropped_by"], trace["detail"].split(" ")[0]) for trace in traced)
        self.assertEqual(sorted(foretold.values()), [3, 5, 12])
        self.assertEqual({(row["node"], row["reason"]): row["packets"] for row in self.ask("drops")}, foretold)

    def test_most_packets_come_first(self):
        rows = self.ask("drops")
        self.assertEqual([row["packets"] for row in rows], [12, 5, 3])
        lines = self.say("drops").splitlines()[1:]
        for row, line in zip(rows, lines, strict=True):
            self.assertRegex(line, rf"^ *{row['packets']}  {row['reason']} +{row['node']} +{row['text']}$")

    def test_counters_show_them(self):
        self.assertRegex(self.say("counters"), r"(?m)^ether_input +20 +20 +[\d.]+ +[\d.]+$")


class ManyEntries(CliTest):
    ROUTES = 20_500  # more than two pages of the protocol
    PREFIXES = [f"11.{i >> 8}.{i & 255}.0/24" for i in range(ROUTES)]
    CONFIG = NULL_PORTS + "".join(
        f'entries {{ table: "ipv4_lpm" match {{ field: "dst" value: "{prefix}" }} action: "discard" }}\n'
        for prefix in PREFIXES)

    def test_a_table_of_many_pages_is_dumped_whole(self):
        dump = self.ask("table", "dump", "ipv4_lpm")
        found = [entry["match"]["dst"] for entry in dump["entries"]]
        self.assertEqual(len(found), dump["size"])
        self.assertEqual(len(set(found)), len(found))
        self.assertLessEqual(set(self.PREFIXES), set(found))
        lines = self.say("table", "dump", "ipv4_lpm").splitlines()
        self.assertEqual(lines[0], f"ipv4_lpm: {len(found):,} entries")
        self.assertEqual({line.split()[0] for line in lines[2:]}, set(found))


class WrongUse(DaemonTest):
    WRONG = (
        ("", "command"), ("nonsense", "nonsense"), ("--nonsense", "--nonsense"), ("drops extra", "extra"),
        ("--socket", "--socket"), ("table", "table"), ("table nonsense", "nonsense"),
        ("table insert", "TABLE"), ("table insert t", "ENTRY"), ("table insert t a=b", "action"),
        ("table insert t a=b act oops", "oops"), ("table insert t a=b a=c act", "twice"),
        ("table insert t a=b act --priority x", "priority"), ("table remove t a=b act", "act"),
        ("trace 00", "--port"), ("trace --port left", "PACKET"), ("trace --port left 001", "3 hexadecimal"),
        ("trace --port left /nonexistent.pcap", "/nonexistent.pcap"), ("trace --port left -", "stdin"),
        ("counters --watch 0", "--watch"), ("counters --watch soon", "soon"),
        ("completion", "SHELL"), ("completion tcsh", "tcsh"))

    def test_usage_is_one_line_and_code_2_and_needs_no_daemon(self):
        for line, said in self.WRONG:
            self.assert_one_clear_line(self.sluice(*line.split()), 2, "sluice: ", said)

    def test_help_tells_the_exit_codes(self):
        done = run(SLUICE, "--help")
        self.assertEqual(done.returncode, 0)
        for line in ("0  done", "1  sluiced answered with an error", "2  wrong usage",
                     "3  sluiced cannot be reached", "SLUICE_SOCKET"):
            self.assertIn(line, done.stdout)


class Unreachable(DaemonTest):
    def assert_unreachable(self, *words, done=None):
        self.assert_one_clear_line(done or self.sluice("ports"), 3, "sluice: ", self.socket, *words)

    def test_no_daemon(self):
        others = ["trace", "--port", "0", "00"], ["table", "insert", "t", "a=b", "c"], ["counters", "--watch"]
        for command in (*SHOWING, *others):
            self.assert_unreachable("no sluiced runs here", "--socket", done=self.sluice(*command))

    def test_a_daemon_that_was_killed(self):
        process = self.start()
        process.kill()
        process.wait()
        self.assert_unreachable("has ended")

    def test_a_daemon_of_somebody_else(self):
        self.start()
        os.chmod(self.folder, 0o755)
        copy = os.path.join(self.folder, "sluice")
        shutil.copy(SLUICE, copy)
        other = {"user": 65534, "group": 65534, "extra_groups": []} if os.geteuid() == 0 else {}
        if not other:
            os.chmod(self.socket, 0)
        self.assert_unreachable("permission denied", done=run(copy, "--socket", self.socket, "ports", **other))

    def answering(self, answer):
        """A server on the socket that is no sluiced."""
        server = socket.socket(socket.AF_UNIX)
        self.addCleanup(server.close)
        server.bind(self.socket)
        server.listen()

        def serve():
            client, _ = server.accept()
            with client:
                client.recv(65536)
                client.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        self.addCleanup(thread.join, 10)

    def test_a_server_that_is_no_sluiced(self):
        self.answering(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        self.assert_unreachable("no sluiced")

    def test_an_answer_that_lacks_its_fields(self):
        self.answering(b'{"ok": true, "result": [{"name": "left"}]}\n')
        done = self.sluice("ports")
        self.assert_one_clear_line(done, 3, "sluice: ", "version")

    def test_a_server_that_hangs_up(self):
        self.answering(b"")
        self.assert_unreachable("closed")

    def test_a_path_that_is_too_long(self):
        done = run(SLUICE, "--socket", "/tmp/" + "x" * 200, "ports")
        self.assert_one_clear_line(done, 3, "longer")


class Completion(CliTest):
    def complete(self, *words):
        """What bash would offer for a line that ends in the last word."""
        line = " ".join(("sluice", "--socket", self.socket, *words))
        script = ('source <(sluice completion bash); COMP_LINE="$1" COMP_POINT=${#1}; _sluice; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        path = os.path.dirname(SLUICE) + os.pathsep + os.environ["PATH"]
        done = run("bash", "-c", script, "bash", line, env={**os.environ, "PATH": path})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash_offers_commands_options_tables_ports_and_fields(self):
        self.assertIn("counters", self.complete(""))
        self.assertNotIn("__complete", self.complete(""))
        self.assertEqual(self.complete("gr"), ["graph"])
        self.assertEqual(self.complete("counters", "--w"), ["--watch"])
        self.assertEqual(self.complete("table", "dump", "ipv4"), ["ipv4_lpm", "ipv4_neighbour"])
        self.assertEqual(self.complete("trace", "--port", ""), ["left", "right", "east", "west"])
        self.assertEqual(self.complete("table", "insert", "ipv4_lpm", "d"), ["dst=", "discard"])
        self.assertEqual(self.complete("table", "insert", "ipv4_lpm", "dst=10.0.0.0/8", "via", "port=ri"), ["right"])
        self.assertEqual(self.complete("table", "insert", "ipv6_neighbour", "next_hop=fd00::1", "re"), ["rewrite"])

    def test_it_is_quiet_without_a_daemon(self):
        done = run(SLUICE, "__complete", "--socket", "/nonexistent", "table", "dump", "")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_scripts_are_of_their_shell(self):
        for shell in ("bash", "zsh", "fish"):
            script = self.say("completion", shell)
            self.assertIn("__complete", script)
            if shutil.which(shell):
                done = run(shell, "-n", self.file(f"completion.{shell}", script.encode()))
                self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    support.main()
