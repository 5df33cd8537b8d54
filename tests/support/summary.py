"""Reads ctest's JUnit file and prints time by group, what was skipped and why, and the count.

A gtest program counts as its cases, any other test as one. Exit: 0 when nothing failed.
"""

import re
import sys
import xml.etree.ElementTree as ET
from collections import defaultdict

GTEST_END = re.compile(r"^\[(?P<how>       OK |  FAILED  |  SKIPPED )\] (?P<case>\S+).* \(\d+ ms\)$", re.MULTILINE)
# gtest prints "FILE:LINE: Skipped", the message, then the case's closing line.
GTEST_SKIP = re.compile(r": Skipped\n(?P<reason>.*?)\n+\[  SKIPPED \] (?P<case>\S+)", re.DOTALL)


class Outcome:
    def __init__(self):
        self.passed, self.failed, self.skipped = [], [], []  # names; skipped: (name, reason)


def read_gtest(name, output, failed, outcome):
    """Adds the cases of one gtest program; False when the output is not gtest's."""
    reasons = {m["case"].rstrip(","): " ".join(m["reason"].split()) for m in GTEST_SKIP.finditer(output)}
    seen, seen_failed = False, False
    for match in GTEST_END.finditer(output):
        seen = True
        how, case = match["how"].strip(), match["case"].rstrip(",")
        full = f"{name} {case}"
        if how == "OK":
            outcome.passed.append(full)
        elif how == "SKIPPED":
            outcome.skipped.append((full, reasons.get(case, "no reason given")))
        else:
            seen_failed = True
            outcome.failed.append(full)
    if seen and failed and not seen_failed:  # crashed, or timed out, between two cases
        outcome.failed.append(name)
    return seen


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def read(path):
    outcome, seconds = Outcome(), defaultdict(float)
    for case in ET.parse(path).getroot().iter("testcase"):
        name, status = case.get("name"), case.get("status")
        output = case.findtext("system-out") or ""
        seconds[name.split(".")[0]] += float(case.get("time") or 0)
        failed = status == "fail"
        if status == "run" or failed:
            if read_gtest(name, output, failed, outcome):
                continue
            (outcome.failed if failed else outcome.passed).append(name)
        else:  # "notrun" (skip code 77, or the program is missing) or "disabled"
            skipped = case.find("skipped")
            message = skipped.get("message", "") if skipped is not None else ""
            if "SKIP_" in message:
                outcome.skipped.append((name, last_line(output)))
            elif status == "disabled":
                outcome.skipped.append((name, "disabled"))
            else:
                outcome.failed.append(f"{name} ({message or 'could not be started'})")
    return outcome, seconds


def main(path):
    outcome, seconds = read(path)
    print("\nTime by group")
    for group, spent in sorted(seconds.items(), key=lambda item: -item[1]):
        print(f"  {group:<10} {spent:8.1f} s")
    if outcome.skipped:
        print("\nSkipped")
        for name, reason in outcome.skipped:
            print(f"  {name}: {reason}")
    if outcome.failed:
        print("\nFailed")
        for name in outcome.failed:
            print(f"  {name}")
    print()
    print(f"{len(outcome.passed)} passed, {len(outcome.failed)} failed, {len(outcome.skipped)} skipped")
    return 1 if outcome.failed or not outcome.passed + outcome.skipped else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
