"""What the system tests share: where things are, and how a test program ends."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

# The tests write nothing into the source tree, not even compiled Python.
sys.dont_write_bytecode = True

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "testbed", "lib"))
BINARIES = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, "build", "dev", "bin")
SLUICED, SLUICE = os.path.join(BINARIES, "sluiced"), os.path.join(BINARIES, "sluice")


def run(*command, **options):
    """Runs a command from the root folder `/`, because no command may depend on where it is called."""
    options = {"cwd": "/", "timeout": 60, "stdin": subprocess.DEVNULL, **options}
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


class CommandTest(unittest.TestCase):
    maxDiff = None

    def assert_one_clear_line(self, done, code, *words):
        """Refused: exit code, one line on stderr that holds all the words, nothing on stdout."""
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(len(done.stderr.strip().splitlines()), 1, done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)
        self.assertEqual(done.stdout, "")


# Ports that need neither privileges nor interfaces.
NULL_PORTS = """
eal { hugepages: false }
lcores { id: 0 idle: SLEEP }
ports { name: "left" devargs: "net_null0,no-rx=1" mode: ROUTED addresses: "10.0.1.1/24" }
ports { name: "right" devargs: "net_null1,no-rx=1" mode: ROUTED addresses: "10.0.2.1/24" }
"""


class DaemonTest(CommandTest):
    """A folder of its own, configurations written there, and sluiced started on them."""

    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.socket = os.path.join(self.folder, "sluiced.sock")

    def config(self, text, name="config.textproto"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def sluiced(self, text=NULL_PORTS):
        return [SLUICED, "--config", self.config(text), "--socket", self.socket]

    def sluice(self, *words):
        return run(SLUICE, "--socket", self.socket, *words)

    def start(self, text=NULL_PORTS):
        """A sluiced that answers; it ends with the test."""
        log = open(os.path.join(self.folder, "log"), "w+", encoding="utf-8")
        self.addCleanup(log.close)
        process = subprocess.Popen(self.sluiced(text), stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/")
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while self.sluice("ports").returncode != 0:
            log.seek(0)
            self.assertIsNone(process.poll(), log.read())
            self.assertLess(time.monotonic(), deadline, log.read())
            time.sleep(0.05)
        return process


def skip_all(reason):
    print(reason)
    sys.exit(77)


class GtestStyle(unittest.TestResult):
    """Prints cases as gtest does, so that tests/support/summary.py counts them and shows why one was skipped."""

    began = 0.0

    def startTest(self, test):
        super().startTest(test)
        self.began = time.monotonic()
        print(f"[ RUN      ] {self.name(test)}", flush=True)

    def name(self, test):
        return ".".join(test.id().split(".")[-2:])

    def end(self, how, test, words=""):
        if words:
            print(words)
        print(f"[{how}] {self.name(test)} ({(time.monotonic() - self.began) * 1000:.0f} ms)", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.end("       OK ", test)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.end("  SKIPPED ", test, f"{test.id()}: Skipped\n{reason}\n")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.end("  FAILED  ", test, self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.end("  FAILED  ", test, self.errors[-1][1])


def main():
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules["__main__"])
    result = GtestStyle()
    suite.run(result)
    sys.exit(0 if result.wasSuccessful() and result.testsRun else 1)
