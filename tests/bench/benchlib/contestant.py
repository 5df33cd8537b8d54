"""A process that forwards packets on core 1, and how its rate is taken from outside.

Contestants start once, are stopped with SIGSTOP, and take turns on the core with SIGCONT. So rounds can be
short and alternate, and nobody pays for a start in the middle of a measurement.
"""

import contextlib
import dataclasses
import pathlib
import re
import signal
import subprocess
import time

from benchlib import process, telemetry

CORE = 1
CONTROL_CORE = 0
SOURCE_PORT, SINK_PORT = 0, 1


@dataclasses.dataclass(frozen=True)
class Setup:
    """What is the same for all contestants of a heat."""

    work: pathlib.Path  # folder for logs and files
    pcap: pathlib.Path  # the source's packets
    packets: int  # in that file
    hugepages: bool
    capture: pathlib.Path | None = None  # send each packet once and write the output here

    def devargs(self):
        # The file is named twice because the driver gives as many transmit queues as there are files, and
        # l3fwd-graph wants one for its main core too. Only the first receive queue is ever set up.
        source = f"net_pcap0,rx_pcap={self.pcap},rx_pcap={self.pcap}"
        if self.capture:
            return source, f"net_pcap1,tx_pcap={self.capture},tx_pcap={self.capture}.unused"
        return f"{source},infinite_rx=1", "net_null0,no-rx=1"

    def mbufs(self):
        # The source keeps one buffer a packet for itself; 8,192 are left to work with (DPDK's usual number).
        return self.packets + 8192

    def memory_mb(self):
        return 512 + self.mbufs() * 2560 // 2**20

    def eal(self, prefix, cores):
        memory = ["--in-memory"] if self.hugepages else ["--no-huge", "--no-shconf", "-m", str(self.memory_mb())]
        vdevs = [arg for devargs in self.devargs() for arg in ("--vdev", devargs)]
        return ["-l", cores, "--main-lcore", cores.split(",")[0], "--no-pci", "--file-prefix", prefix] + memory + vdevs


@dataclasses.dataclass(frozen=True)
class Sample:
    packets: int
    cpu_seconds: float
    wall_seconds: float

    @property
    def rate(self):
        """Packets a second of the core: what others take of a shared core does not count against anybody."""
        return self.packets / self.cpu_seconds

    @property
    def share(self):
        return self.cpu_seconds / self.wall_seconds


class Contestant:
    """Subclasses say `name`, how to `command` the process, and may say how to count."""

    name = "?"

    def __init__(self, setup):
        self.setup = setup
        self.prefix = f"sluice-bench-{self.name}"
        self._process = None

    def command(self):
        raise NotImplementedError

    def connect(self):
        """Called once when the process is started."""
        self._telemetry = telemetry.Telemetry(self.prefix, alive=self.alive)

    def disconnect(self):
        self._telemetry.close()

    def sent(self):
        return self._telemetry.sent(SINK_PORT)

    def alive(self):
        return self._process.poll() is None

    def start(self):
        telemetry.remove_socket(self.prefix)
        self._log_path = self.setup.work / f"{self.name}.log"
        with open(self._log_path, "wb") as log:
            self._process = process.start(
                self.command(), stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, cwd=self.setup.work
            )
        try:
            self.connect()
            self.wait_for(1, timeout=120)
        except Exception as error:
            last = self._log_path.read_text(errors="replace").splitlines()[-4:]
            self.stop()
            raise RuntimeError(f"{self.name} does not forward: {error}; its last words ({self._log_path}): {last}") from error

    def wait_for(self, packets, timeout):
        """Until so many packets are sent, or none was for two seconds."""
        deadline = time.monotonic() + timeout
        last, last_change = 0, time.monotonic()
        while (now := self.sent()) < packets:
            if now != last:
                last, last_change = now, time.monotonic()
            stalled = last and time.monotonic() > last_change + 2
            if stalled or time.monotonic() > deadline or not self.alive():
                raise TimeoutError(f"{now} of {packets} packets sent")
            time.sleep(0.05)

    def pause(self):
        self._process.send_signal(signal.SIGSTOP)

    def resume(self):
        self._process.send_signal(signal.SIGCONT)

    def stop(self):
        self.resume()
        with contextlib.suppress(AttributeError, OSError):
            self.disconnect()
        self._process.terminate()
        try:
            self._process.wait(timeout=15)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdin.close()

    def _cpu_seconds(self):
        """Of each thread that is pinned to the core."""
        used = {}
        for task in pathlib.Path(f"/proc/{self._process.pid}/task").iterdir():
            with contextlib.suppress(OSError):
                if re.search(rf"^Cpus_allowed_list:\s*{CORE}$", (task / "status").read_text(), re.M):
                    used[task.name] = int((task / "schedstat").read_text().split()[0]) / 1e9
        return used

    def measure(self, seconds, warm_up):
        """One turn on the core."""
        self.resume()
        time.sleep(warm_up)
        # The clocks enclose the counter: an answer that comes late on a busy machine makes a rate lower, never higher.
        wall, before, packets = -time.monotonic(), self._cpu_seconds(), -self.sent()
        time.sleep(seconds)
        packets, after, wall = packets + self.sent(), self._cpu_seconds(), wall + time.monotonic()
        self.pause()
        # One of them forwards; others, if any, wait for commands.
        return Sample(packets, max(after[thread] - before.get(thread, 0.0) for thread in after), wall)
