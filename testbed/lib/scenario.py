"""How a scenario begins and ends: python3 testbed/scenarios/NAME FOLDER_OF_BINARIES."""

import os
import sys

from network import TestbedError, exit_on_signals
from report import Report


def main(scenario):
    """Runs scenario(binaries, report) and exits with the verdict."""
    exit_on_signals()
    report = Report()
    try:
        scenario(os.path.abspath(sys.argv[1]), report)
    except TestbedError as error:
        print(f"\nFAIL: {error}", flush=True)
        sys.exit(1)
    except KeyboardInterrupt:
        print("\nFAIL: interrupted", flush=True)
        sys.exit(130)
    sys.exit(report.verdict())
