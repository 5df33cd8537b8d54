"""p4lang's own p4runtime-shell against sluiced: as Python finds it, or in the folder that P4RUNTIME_SHELL names (with
p4runtime_sh/ and p4lang's Python messages)."""

import contextlib
import io
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "system"))
import support  # noqa: E402

if folder := os.environ.get("P4RUNTIME_SHELL"):
    sys.path.insert(0, folder)
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"  # as in controller.py
try:
    import grpc
    from p4runtime_sh import shell
    from p4runtime_sh.p4runtime import P4RuntimeClient, P4RuntimeWriteException
except ImportError as missing:
    support.skip_all(f"no p4runtime-shell ({missing}): install p4lang's, or set P4RUNTIME_SHELL to the folder of a copy")

import network  # noqa: E402
import two_hosts  # noqa: E402
from daemon import Sluiced  # noqa: E402

P4INFO = os.path.join(support.ROOT, "p4", "compiled", "forwarding.p4info.txtpb")


class Shell(support.CommandTest):
    def setUp(self):
        hosts = two_hosts.TwoHosts(self.enterContext(network.Lab()))
        self.left = hosts.left
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.address = f"unix:{folder}/p4runtime.sock"
        config = two_hosts.CONFIG + f'p4runtime {{ listen: "{self.address}" }}'
        self.enterContext(Sluiced(support.BINARIES, hosts.router, config))
        bundle = os.path.join(folder, "forwarding.bundle")
        with open(bundle, "wb") as out:
            subprocess.run([os.path.join(support.ROOT, "p4", "bundle"), "forwarding"], stdout=out, check=True)
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))  # the shell prints every field that is set
        shell.setup(device_id=1, grpc_addr=self.address, election_id=(0, 1), config=shell.FwdPipeConfig(P4INFO, bundle))
        self.addCleanup(shell.teardown)

    @staticmethod
    def route(prefix):
        entry = shell.TableEntry("ipv4_lpm")(action="ipv4_lpm.via")
        entry.match["dst"] = prefix
        entry.action["port"] = "1"
        entry.action["next_hop"] = "10.0.2.2"
        return entry

    def test_entries_are_inserted_modified_read_and_deleted(self):
        entry = self.route("10.9.0.0/16")
        entry.insert()
        with self.assertRaisesRegex(P4RuntimeWriteException, "ALREADY_EXISTS") as caught:
            entry.insert()
        self.assertIn("10.9.0.0/16", str(caught.exception))
        entry.action["next_hop"] = "10.0.2.3"
        entry.modify()
        self.assertEqual([str(found) for found in entry.read()], [str(entry)])
        entry.delete()
        self.assertEqual(list(entry.read()), [])
        self.assertEqual(len(list(shell.CounterEntry("drops").read())), 64)

    def test_packets_come_in_and_go_out(self):
        packets = shell.PacketIn()
        self.left.run(["ping", "-c", "1", "-W", "1", "10.77.0.1"], check=False)
        got = []
        packets.sniff(got.append, timeout=5)
        self.assertIn(b"\x08\x00", {bytes(message.packet.payload[12:14]) for message in got})
        shell.PacketOut(bytes(60), egress_port="1").send()

    def test_a_higher_election_id_takes_over(self):
        other = P4RuntimeClient(1, self.address, (0, 2))
        self.addCleanup(other.tear_down)
        with self.assertRaises(grpc.RpcError) as caught:
            self.route("10.8.0.0/16").insert()
        self.assertEqual(caught.exception.code(), grpc.StatusCode.PERMISSION_DENIED)


if __name__ == "__main__":
    reason = network.missing_privilege()
    if reason:
        support.skip_all(reason)
    support.main()
