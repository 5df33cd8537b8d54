"""sluiced as a scenario sees it: started in a namespace, asked through the sluice command, stopped."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections import Counter

from network import TestbedError, run


class Sluiced:
    """A running sluiced. Use as a context manager; leaving stops it."""

    START_SECONDS = 60  # a busy machine of two cores may take long to give it a turn
    STOP_SECONDS = 30

    def __init__(self, binaries, namespace, config):
        self.binaries = binaries
        self.namespace = namespace
        self.folder = tempfile.mkdtemp(prefix="sluice-")
        self.socket = os.path.join(self.folder, "sluiced.sock")
        self.config = os.path.join(self.folder, "config.textproto")
        self.log = os.path.join(self.folder, "sluiced.log")
        self.process = None
        with open(self.config, "w", encoding="utf-8") as out:
            out.write(f'socket: "{self.socket}"\n{config}')

    def command(self, *arguments):
        return [os.path.join(self.binaries, "sluiced"), "--config", self.config, *arguments]

    def __enter__(self):
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self):
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = self.namespace.start(self.command(), stdout=log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + self.START_SECONDS
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise TestbedError(f"sluiced ended with code {self.process.returncode}: {self.last_words()}")
            if os.path.exists(self.socket) and self.cli("ports", check=False).returncode == 0:
                return
            time.sleep(0.05)
        raise TestbedError(f"sluiced did not answer within {self.START_SECONDS} s: {self.last_words()}")

    def stop(self):
        """SIGTERM and wait; returns the exit code."""
        if self.process is None:
            return None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(self.STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        return self.process.returncode

    def last_words(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            lines = [line.strip() for line in log if line.strip()]
        return lines[-1] if lines else "no output"

    def cli(self, *arguments, **options):
        return run([os.path.join(self.binaries, "sluice"), "--socket", self.socket, *arguments], **options)

    def ask(self, *arguments):
        """The JSON answer of a sluice command."""
        return json.loads(self.cli("--json", *arguments).stdout)

    def drops(self):
        """Packets by reason, as a Counter: a reason that never occurred is 0."""
        result = Counter()
        for row in self.ask("drops"):  # one row for each node and reason
            result[row["reason"]] += row["packets"]
        return result

    def wait_for_drops(self, expected, seconds=30):
        """The drops once each reason of `expected` has its count, or what there is when time is up.

        A packet to a neighbour that is not there waits some seconds before it is given up.
        """
        deadline = time.monotonic() + seconds
        while True:
            now = self.drops()
            if not expected - now or time.monotonic() > deadline:
                return now
            time.sleep(0.1)
