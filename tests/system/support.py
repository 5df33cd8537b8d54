"""What the system tests share: where things are, and how a test program ends."""

import os
import subprocess
import sys
import time
import unittest

# The tests write nothing into the source tree, not even compiled Python.
sys.dont_write_bytecode = True

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "testbed", "lib"))
BINARIES = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(ROOT, "build", "dev", "bin")


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
