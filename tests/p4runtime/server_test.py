"""Every RPC of P4Runtime against a running sluiced with ports that lead nowhere."""

import json
import shutil
import socket
import time
import unittest

import controller  # first: it sets the path
import garbage
import grpc
import support
from controller import Controller, code_pb2, p4, update_errors
from support import NULL_PORTS, DaemonTest, run

Set = p4.SetForwardingPipelineConfigRequest
Get = p4.GetForwardingPipelineConfigRequest
Code = grpc.StatusCode


class ServerTest(DaemonTest):
    engine, ports = "native", NULL_PORTS

    def setUp(self):
        super().setUp()
        self.address = f"unix:{self.folder}/p4runtime.sock"

    def serve(self, more=""):
        return self.start(self.ports + f'p4runtime {{ listen: "{self.address}" {more} }}\n')

    def controller(self, election_id=1, **options):
        made = Controller(self.address, election_id, **options)
        self.addCleanup(made.__exit__)
        return made

    def primary(self, election_id=1, **options):
        made = self.controller(election_id, **options)
        self.assertEqual(made.become(), code_pb2.OK)
        return made

    def assert_refused(self, code, call, *arguments, **options):
        with self.assertRaises(grpc.RpcError) as caught:
            answer = call(*arguments, **options)
            list(answer) if hasattr(answer, "__iter__") else None
        self.assertEqual(caught.exception.code(), code, caught.exception.details())
        return caught.exception

    def wait_for(self, condition):
        deadline = time.monotonic() + controller.WAIT
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    @staticmethod
    def route(who, number, port=1):
        return who.program.entry("ipv4_lpm", {"dst": (0x14000000 | number << 8, 24)}, "connected", [port])


class Rpcs(ServerTest):
    def test_capabilities_gives_the_version(self):
        self.serve()
        who = self.controller()
        self.assertRegex(who.stub.Capabilities(p4.CapabilitiesRequest()).p4runtime_api_version, r"^1\.\d+\.\d+$")
        self.assert_refused(Code.NOT_FOUND, who.stub.Capabilities, p4.CapabilitiesRequest(device_id=99))

    def test_the_pipeline_is_set_and_read_back(self):
        self.serve("device_id: 1")
        who = self.primary()
        self.assertFalse(who.stub.GetForwardingPipelineConfig(Get(device_id=1)).HasField("config"))
        self.assert_refused(Code.FAILED_PRECONDITION, who.write, self.route(who, 1))
        self.assert_refused(Code.FAILED_PRECONDITION, who.read, p4.Entity(table_entry=p4.TableEntry()))
        self.assert_refused(Code.NOT_FOUND, who.push, Set.COMMIT)
        for action in (Set.VERIFY, Set.VERIFY_AND_SAVE, Set.COMMIT, Set.RECONCILE_AND_COMMIT, Set.VERIFY_AND_COMMIT):
            who.push(action)
        everything = who.stub.GetForwardingPipelineConfig(Get(device_id=1)).config
        self.assertEqual(everything.p4info, who.program.p4info)
        self.assertEqual(everything.p4_device_config, controller.forwarding_bundle().SerializeToString())
        for kind, fields in ((Get.COOKIE_ONLY, {"cookie"}), (Get.P4INFO_AND_COOKIE, {"p4info", "cookie"}),
                             (Get.DEVICE_CONFIG_AND_COOKIE, {"p4_device_config", "cookie"})):
            config = who.stub.GetForwardingPipelineConfig(Get(device_id=1, response_type=kind)).config
            self.assertEqual({field.name for field, _ in config.ListFields()}, fields)

    def test_a_p4info_that_is_not_the_engines_is_refused_by_what_differs(self):
        self.serve()
        who = self.primary()
        other = controller.forwarding_p4info()
        other.tables[0].match_fields[0].bitwidth = 9
        error = self.assert_refused(Code.INVALID_ARGUMENT, who.push, p4info=other)
        self.assertIn("9 bits in the p4info", error.details())
        bundle = controller.forwarding_bundle()
        bundle.spec.content += b"!"
        self.assertIn("SHA-256", self.assert_refused(Code.INVALID_ARGUMENT, who.push, bundle=bundle).details())

    def test_entries_are_written_and_read_with_wildcards(self):
        self.serve()
        who = self.primary()
        who.push()
        routes = [self.route(who, number) for number in range(600)]
        who.write(*routes)
        all_routes = p4.Entity(table_entry=p4.TableEntry(table_id=who.program.tables["ipv4_lpm"].preamble.id))
        read = who.read(all_routes)
        self.assertLessEqual({route.SerializeToString() for route in routes}, {entity.SerializeToString() for entity in read})
        self.assertGreater(len(who.read(p4.Entity(table_entry=p4.TableEntry()))), len(read))
        self.assertEqual(who.read(routes[5]), [routes[5]])
        changed = who.program.entry("ipv4_lpm", {"dst": (0x14000500, 24)}, "via", [0, 0x0a000102])
        who.write(changed, kind=p4.Update.MODIFY)
        self.assertEqual(who.read(routes[5]), [])  # its action is a filter, too
        self.assertEqual(who.read(changed), [changed])
        who.write(*routes, kind=p4.Update.DELETE)
        self.assertEqual(len(who.read(all_routes)), len(read) - len(routes))
        listed = self.sluice("table", "dump", "ipv4_lpm")
        self.assertEqual(listed.returncode, 0, listed.stderr)

    def test_a_batch_with_one_bad_entry_reports_it_and_does_the_others(self):
        self.serve()
        who = self.primary()
        who.push()
        error = self.assert_refused(Code.UNKNOWN, who.write, self.route(who, 1), self.route(who, 2, port=77), self.route(who, 3),
                                    self.route(who, 1))
        self.assertEqual(update_errors(error), [code_pb2.OK, code_pb2.INVALID_ARGUMENT, code_pb2.OK, code_pb2.ALREADY_EXISTS])
        self.assertEqual([len(who.read(self.route(who, n))) for n in (1, 2, 3)], [1, 0, 1])

    def test_other_atomicities_are_not_implemented_and_say_so(self):
        self.serve()
        who = self.primary()
        who.push()
        for atomicity in (p4.WriteRequest.ROLLBACK_ON_ERROR, p4.WriteRequest.DATAPLANE_ATOMIC):
            error = self.assert_refused(Code.UNIMPLEMENTED, who.write, self.route(who, 1), atomicity=atomicity)
            self.assertIn(f"engine {self.engine}", error.details())
        error = self.assert_refused(Code.UNKNOWN, who.write, p4.Entity(meter_entry=p4.MeterEntry()))
        self.assertEqual(update_errors(error), [code_pb2.UNIMPLEMENTED])

    def test_counters_are_read(self):
        self.serve()
        who = self.primary()
        who.push()
        drops = who.program.counters["drops"]
        cells = who.read(p4.Entity(counter_entry=p4.CounterEntry(counter_id=drops.preamble.id)))
        self.assertEqual([cell.counter_entry.index.index for cell in cells], list(range(drops.size)))
        beyond = p4.Entity(counter_entry=p4.CounterEntry(counter_id=drops.preamble.id, index=p4.Index(index=drops.size)))
        self.assert_refused(Code.OUT_OF_RANGE, who.read, beyond)


class Arbitration(ServerTest):
    def test_a_backup_is_refused_takes_over_and_no_entry_is_lost(self):
        self.serve()
        first = self.primary(5)
        first.push()
        first.write(*(self.route(first, number) for number in range(50)))
        second = self.controller(4)
        self.assertEqual(second.become(), code_pb2.ALREADY_EXISTS)
        self.assert_refused(Code.PERMISSION_DENIED, second.write, self.route(second, 51))
        self.assert_refused(Code.PERMISSION_DENIED, second.push)
        self.assertEqual(len(second.read(self.route(second, 7))), 1)
        first.leave()
        self.assertEqual(second.expect("arbitration").status.code, code_pb2.NOT_FOUND)
        self.assert_refused(Code.PERMISSION_DENIED, second.write, self.route(second, 51))
        self.assertEqual(second.become(6), code_pb2.OK)
        second.write(self.route(second, 51))
        self.assertEqual([len(second.read(self.route(second, n))) for n in (0, 49, 50, 51)], [1, 1, 0, 1])

    def test_a_higher_id_of_128_bits_wins_and_the_old_primary_is_told(self):
        self.serve()
        first = self.primary(2**64 - 1)
        second = self.primary(2**64)
        self.assertEqual(first.expect("arbitration").status.code, code_pb2.ALREADY_EXISTS)
        second.push()
        self.assert_refused(Code.PERMISSION_DENIED, first.write, self.route(first, 1))

    def test_named_roles_have_primaries_of_their_own(self):
        self.serve()
        self.primary(9).push()
        other = self.primary(1, role="routes")
        other.write(self.route(other, 1))
        self.assertEqual(len(other.read(self.route(other, 1))), 1)

    def test_a_wrong_arbitration_ends_the_stream_with_its_code(self):
        self.serve()
        self.primary(5)
        for options, code in (({"device": 99}, Code.NOT_FOUND), ({}, Code.INVALID_ARGUMENT)):
            intruder = self.controller(5, **options)
            self.assertIsNone(intruder.become())
            self.assertEqual(intruder.ended.code(), code)


class PacketOut(ServerTest):
    def sent(self, name):
        ports = json.loads(self.sluice("--json", "ports").stdout)
        return next(port["tx_packets"] for port in ports if port["name"] == name)

    def test_a_packet_out_leaves_and_a_bad_one_is_reported(self):
        self.serve()
        who = self.primary()
        who.push()
        frame = bytes(60)
        who.send(packet=p4.PacketOut(payload=frame, metadata=[p4.PacketMetadata(metadata_id=1, value=b"\1")]))
        self.wait_for(lambda: self.sent("right") >= 1)
        for metadata in ([], [p4.PacketMetadata(metadata_id=2, value=b"\1")], [p4.PacketMetadata(metadata_id=1, value=b"\x09")],
                         [p4.PacketMetadata(metadata_id=1, value=b"")]):
            who.send(packet=p4.PacketOut(payload=frame, metadata=metadata))
            self.assertEqual(who.expect("error").canonical_code, code_pb2.INVALID_ARGUMENT)
        backup = self.controller(0)
        backup.become()
        backup.send(packet=p4.PacketOut(payload=frame, metadata=[p4.PacketMetadata(metadata_id=1, value=b"\1")]))
        self.assertEqual(backup.expect("error").canonical_code, code_pb2.PERMISSION_DENIED)


class Robustness(ServerTest):
    def test_garbage_of_every_kind_leaves_the_server_answering(self):
        process = self.serve()
        who = self.primary()
        who.push()
        seeds = [p4.WriteRequest(device_id=1, election_id=who.id_message(),
                                 updates=[p4.Update(type=p4.Update.INSERT, entity=self.route(who, 9))]).SerializeToString(),
                 p4.ReadRequest(device_id=1, entities=[self.route(who, 9)]).SerializeToString(),
                 p4.StreamMessageRequest(packet=p4.PacketOut(payload=b"x")).SerializeToString()]
        self.assertGreater(garbage.flood(self.address, seeds, seconds=3), 50)
        self.assertIsNone(process.poll())
        who.write(self.route(who, 1))
        self.assertEqual(len(who.read(self.route(who, 1))), 1)

    def test_an_open_stream_does_not_keep_the_daemon_from_ending(self):
        process = self.serve()
        self.primary()
        process.terminate()
        self.assertEqual(process.wait(30), 0)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Settings(ServerTest):
    def check(self, text):
        return run(support.SLUICED, "--check", "--config", self.config(NULL_PORTS + text))

    def test_wrong_settings_are_named(self):
        for text, words in (('listen: "9559"', ["p4runtime.listen", "9559"]), ('listen: "host:70000"', ["p4runtime.listen"]),
                            ('certificate: "a"', ["p4runtime.private_key"]), ('client_ca: "a"', ["p4runtime.client_ca"])):
            self.assert_one_clear_line(self.check(f"p4runtime {{ {text} }}"), 1, *words)

    def test_a_port_that_is_taken_is_named(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            listen = f"127.0.0.1:{taken.getsockname()[1]}"
            done = run(*self.sluiced(NULL_PORTS + f'p4runtime {{ listen: "{listen}" }}'))
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"p4runtime.listen: '{listen}'", done.stderr.splitlines()[-1])

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_tls_asks_clients_for_a_certificate(self):
        self.make_certificates()
        self.address = f"localhost:{free_port()}"
        folder = self.folder
        self.serve(f'certificate: "{folder}/server.pem" private_key: "{folder}/server.key" client_ca: "{folder}/ca.pem"')
        read = lambda name: open(f"{folder}/{name}", "rb").read()  # noqa: E731
        trusted = grpc.ssl_channel_credentials(read("ca.pem"), read("client.key"), read("client.pem"))
        self.primary(credentials=trusted)
        for credentials in (grpc.ssl_channel_credentials(read("ca.pem")), None):
            stranger = self.controller(2, credentials=credentials)
            self.assertIsNone(stranger.become())
            self.assertEqual(stranger.ended.code(), Code.UNAVAILABLE)

    def make_certificates(self):
        def openssl(*words):
            done = run("openssl", *words, cwd=self.folder)
            self.assertEqual(done.returncode, 0, done.stderr)

        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "ca.key",
                "-out", "ca.pem", "-subj", "/CN=ca", "-days", "2")
        self.config("subjectAltName=DNS:localhost", "names")
        for name in ("server", "client"):
            openssl("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key",
                    "-out", f"{name}.csr", "-subj", f"/CN={name}")
            openssl("x509", "-req", "-in", f"{name}.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2",
                    "-out", f"{name}.pem", "-extfile", "names")


if __name__ == "__main__":
    support.main()
