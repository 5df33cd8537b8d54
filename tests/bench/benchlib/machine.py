"""The machine as it is during a run, and the hugepages that a run borrows."""

import contextlib
import os
import pathlib
import platform
import re

HUGEPAGES = pathlib.Path("/proc/sys/vm/nr_hugepages")


def _read(path, default=""):
    try:
        return pathlib.Path(path).read_text()
    except OSError:
        return default


def _meminfo(key):
    found = re.search(rf"^{key}:\s+(\d+)", _read("/proc/meminfo"), re.M)
    return int(found.group(1)) if found else 0


def describe():
    cpu = _read("/proc/cpuinfo")
    model = re.search(r"^model name\s*:\s*(.+)$", cpu, re.M)
    megahertz = re.search(r"^cpu MHz\s*:\s*(.+)$", cpu, re.M)
    return {
        "cpu": model.group(1) if model else platform.machine(),
        "mhz": float(megahertz.group(1)) if megahertz else 0.0,
        "cores": os.cpu_count(),
        "memory_gb": round(_meminfo("MemTotal") / 2**20, 1),
        "hugepages_2m": _meminfo("HugePages_Total"),
        "kernel": platform.release(),
        "load_average": os.getloadavg()[0],
    }


def sentence(facts):
    return (
        f"{facts['cpu']}, {facts['cores']} cores at {facts['mhz']:.0f} MHz, {facts['memory_gb']} GB, "
        f"{facts['hugepages_2m']} hugepages of 2 MB, Linux {facts['kernel']}, load {facts['load_average']:.2f}"
    )


@contextlib.contextmanager
def hugepages(wanted_mb):
    """Reserves pages for one run and gives them back. Yields whether they could be had."""
    before = int(_read(HUGEPAGES, "0"))
    missing = max(0, wanted_mb // 2 - _meminfo("HugePages_Free"))
    borrowed = 0
    try:
        if missing:
            with contextlib.suppress(OSError):
                HUGEPAGES.write_text(str(before + missing))
            borrowed = int(_read(HUGEPAGES, "0")) - before
        yield _meminfo("HugePages_Free") >= wanted_mb // 2
    finally:
        if borrowed > 0:
            HUGEPAGES.write_text(str(max(before, int(_read(HUGEPAGES)) - borrowed)))
