"""bmv2, p4lang's reference switch, as a switch of the testbed: the program `forwarding` on veth ports."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from network import TestbedError

PROGRAM = "simple_switch_grpc"
MISSING = f"{PROGRAM} is not on PATH"
PORTS = 4
CPU_PORT = 510
ADDRESS = "127.0.0.1:9559"  # in a namespace of its own every port is free


def is_installed():
    return shutil.which(PROGRAM) is not None


class Bmv2:
    """A running bmv2 and its driver, both in one namespace of `lab`. Use as a context manager; leaving stops both.

    Ports s0..s3 are the switch's, wires w0..w3 their other ends, through which the driver sends and receives.
    """

    START_SECONDS = 60

    def __init__(self, lab, messages):
        """messages: the folder of the P4Runtime messages in Python (CMake's target p4_proto_python)."""
        if not is_installed():
            raise TestbedError(MISSING)
        self.messages = messages
        self.namespace = lab.machine("bmv2")
        self.folder = tempfile.mkdtemp(prefix="sluice-")
        self.log = os.path.join(self.folder, "log")
        self.switch = self.driver = None

    def __enter__(self):
        try:
            for port in range(PORTS):
                self._wire(port)
            self._start_switch()
            self._start_driver()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for process in (self.driver, self.switch):
            if process is not None:
                process.kill()
                process.wait()
        if self.driver is not None:
            self.driver.stdin.close()
            self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, scenario):
        """What became of the packets of a scenario {entries, packets}: {sent, punted, drops}."""
        self.driver.stdin.write(json.dumps({key: scenario[key] for key in ("entries", "packets")}) + "\n")
        self.driver.stdin.flush()
        return self._answer()

    def _wire(self, port):
        ends = (f"s{port}", f"w{port}")
        self.namespace.run(["ip", "link", "add", ends[0], "type", "veth", "peer", "name", ends[1]])
        for end in ends:
            # The kernel itself says nothing on these wires, and leaves frames as they are.
            self.namespace.sysctl(**{f"net__ipv6__conf__{end}__disable_ipv6": 1})
            self.namespace.run(["ethtool", "-K", end, "tx", "off", "gso", "off", "gro", "off"])
            self.namespace.run(["ip", "link", "set", end, "mtu", "9000", "up"])

    def _start_switch(self):
        interfaces = [word for port in range(PORTS) for word in ("-i", f"{port}@s{port}")]
        with open(self.log, "w", encoding="utf-8") as log:
            self.switch = self.namespace.start(
                [PROGRAM, "--no-p4", *interfaces, "--device-id", "1",
                 "--", "--grpc-server-addr", ADDRESS, "--cpu-port", str(CPU_PORT)],
                stdout=log, stderr=subprocess.STDOUT)
        listening = ["ss", "-Hltn", f"sport = :{ADDRESS.rpartition(':')[2]}"]
        deadline = time.monotonic() + self.START_SECONDS
        while not self.namespace.run(listening).stdout:
            if self.switch.poll() is not None or time.monotonic() > deadline:
                raise TestbedError(f"{PROGRAM} does not listen: {self._last_words()}")
            time.sleep(0.05)

    def _start_driver(self):
        driver = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bmv2_driver.py")
        wires = [f"w{port}" for port in range(PORTS)]
        self.driver = subprocess.Popen(self.namespace.inside([sys.executable, "-B", driver, ADDRESS, self.messages, *wires]),
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._answer()

    def _answer(self):
        line = self.driver.stdout.readline()
        answer = json.loads(line) if line else {"error": "the driver ended (its words are above)"}
        if "error" in answer:
            raise TestbedError(f"bmv2: {answer['error']}")
        return answer

    def _last_words(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            lines = [line.strip() for line in log if line.strip()]
        return lines[-1] if lines else "no output"
