"""The scenarios of testbed/run, on this build's binaries, and what they leave behind."""

import os
import signal
import subprocess
import time

import support  # first: it adds testbed/lib to the path
import network
from support import BINARIES, ROOT, CommandTest, run

FORWARD = f"{ROOT}/testbed/scenarios/forward"


def namespaces_of(pid):
    return [line for line in run("ip", "netns", "list").stdout.splitlines() if line.startswith(f"sluice-{pid}-")]


class Scenario(CommandTest):
    def assert_passes(self, name):
        with subprocess.Popen([f"{ROOT}/testbed/scenarios/{name}", BINARIES], cwd="/", text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as scenario:
            output, _ = scenario.communicate(timeout=240)
        self.assertEqual(scenario.returncode, 0, output)
        self.assertRegex(output.splitlines()[-1], r"^PASS: \d+ checks$", output)
        self.assertEqual(namespaces_of(scenario.pid), [])

    def test_forward_passes(self):
        self.assert_passes("forward")

    def test_offload_passes(self):
        self.assert_passes("offload")

    def test_a_scenario_that_is_ended_leaves_nothing(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with subprocess.Popen([FORWARD, BINARIES], stdout=subprocess.PIPE, text=True, cwd="/") as scenario:
                for line in scenario.stdout:
                    if line.startswith("Good traffic"):
                        break
                self.assertEqual(len(namespaces_of(scenario.pid)), 3)
                daemons = run("ip", "netns", "pids", f"sluice-{scenario.pid}-router").stdout.split()
                self.assertEqual(len(daemons), 1)
                scenario.send_signal(number)
                scenario.communicate(timeout=60)
            self.assertNotEqual(scenario.returncode, 0)
            self.assertEqual(namespaces_of(scenario.pid), [])
            self.assertFalse(os.path.exists(f"/proc/{daemons[0]}"))

    def test_what_a_killed_scenario_leaves_the_next_one_removes(self):
        with subprocess.Popen([FORWARD, BINARIES], stdout=subprocess.PIPE, text=True, cwd="/") as scenario:
            while len(namespaces_of(scenario.pid)) < 3 and scenario.poll() is None:
                time.sleep(0.02)
            scenario.kill()
            scenario.communicate(timeout=60)
        self.assertNotEqual(namespaces_of(scenario.pid), [])
        with network.Lab():
            self.assertEqual(namespaces_of(scenario.pid), [])


if __name__ == "__main__":
    reason = network.missing_privilege()
    if reason:
        support.skip_all(reason)
    support.main()
