"""rte_lpm's bulk lookup alone, on the same routes and addresses (lpm_bound.cpp)."""

import array
import json
import subprocess

from benchlib import process
from benchlib.contestant import CORE


def run(program, work, routes, destinations, rounds, hugepages):
    """Returns {"tsc_hz": ..., "burst_32": [rates], "burst_256": [rates]}."""
    routes_file, addresses_file = work / "bound-routes.txt", work / "bound-addresses.bin"
    routes_file.write_text("".join(f"{r.prefix} {r.depth} {r.next_hop}\n" for r in routes))
    addresses_file.write_bytes(array.array("I", destinations).tobytes())
    memory = ["--in-memory"] if hugepages else ["--no-huge", "--no-shconf", "-m", "1024"]
    eal = ["-l", str(CORE), "--no-pci", "--no-telemetry", "--log-level=4", "--file-prefix", "sluice-bench-bound", *memory]
    command = [program, routes_file, addresses_file, str(rounds), *eal]
    with process.start(command, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        out, err = running.communicate()
    if running.returncode != 0:
        raise RuntimeError(f"{program}: {err.strip()}")
    return json.loads(out.splitlines()[-1])
