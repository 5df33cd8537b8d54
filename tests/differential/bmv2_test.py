"""bmv2, which p4lang wrote, beside our engines: the committed vectors, and random states with what native made of them."""

import importlib.util
import json
import os
import subprocess
import sys
import unittest
from collections import Counter

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "system"))
import support  # noqa: E402  (adds testbed/lib to the path)
import bmv2  # noqa: E402
import vectors  # noqa: E402
from network import Lab, missing_privilege  # noqa: E402

MESSAGES = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(support.ROOT, "build", "dev", "python")
STATES = 1000 if os.environ.get("SLUICE_LONG") else 100
PACKETS_A_STATE = 60
# What differential_vectors leaves out itself, because only the engine's tables could say what becomes of it.
CUT_TAGS = "frames that end within 6 bytes of a VLAN EtherType, which the kernel drops"


class Bmv2(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.switch = self.enterContext(bmv2.Bmv2(self.enterContext(Lab()), MESSAGES))
        self.packets, self.states, self.left_out = 0, 0, Counter()

    def compare(self, vector):
        asked, left_out = vectors.for_bmv2(vector)
        self.left_out += left_out
        self.packets += len(asked["packets"])
        self.states += 1
        different = vectors.difference(asked, self.switch.run(asked), "bmv2")
        self.assertEqual(different, "", f"{vector['name']}, after {self.packets} packets; as a vector:\n{json.dumps(asked)}")

    def report(self):
        print(f"{self.packets} packets in {self.states} states: equal")
        for reason, count in self.left_out.items():
            print(f"  left out: {reason}: {count}")

    def test_agrees_with_the_committed_vectors(self):
        for vector in vectors.committed():
            self.compare(vector)
        self.report()
        self.assertGreaterEqual(self.states, 10)

    def test_agrees_with_native_on_random_states(self):
        program = os.path.join(support.BINARIES, "differential_vectors")
        with subprocess.Popen([program, "1", str(STATES), str(PACKETS_A_STATE)], stdout=subprocess.PIPE, text=True) as native:
            for line in native.stdout:
                vector = json.loads(line)
                self.left_out[CUT_TAGS] += vector.pop("left_out")
                self.compare(vector)
        self.report()
        self.assertEqual(native.returncode, 0)
        self.assertEqual(self.states, STATES)
        self.assertGreater(self.packets, STATES * PACKETS_A_STATE * 9 // 10)


if __name__ == "__main__":
    if not bmv2.is_installed():
        support.skip_all(bmv2.MISSING)
    for module in ("grpc", "google.protobuf"):
        if importlib.util.find_spec(module) is None:
            support.skip_all(f"no Python module {module}: install python3-grpcio and python3-protobuf")
    if reason := missing_privilege():
        support.skip_all(reason)
    support.main()
