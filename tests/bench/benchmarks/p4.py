"""The P4 program `forwarding` on one core: engine native beside engine swx, same entries and packets."""

import os

from benchlib import bound, machine
from benchlib.heat import Load, check_output, hold, rounds_of
from benchlib.report import progress
from contestants import sluiced, testpmd

TARGETS = ["sluiced", "lpm_bound"]
SIZE = 64
ROUTES, PACKETS = 1_000, 65_536  # as `forward`
# Where a process's memory happens to lie decides some 10 %.
STARTS = 3
HUGEPAGES_MB = 4096
SWX_FLOOR_MPPS = 3.0  # on an otherwise idle core


def figures_of(heat):
    return {
        "native_mpps": heat.mpps("native"),
        "swx_mpps": heat.mpps("swx"),
        "ratio_native_swx": heat.mpps("native") / heat.mpps("swx"),
        "ratio_native_swx_paired": heat.paired("native", "swx"),
        "native_cycles": heat.cycles("native"),
        "swx_cycles": heat.cycles("swx"),
    }


def notes(figures, memory, tsc_hz):
    held = "held" if figures["swx_mpps"] >= SWX_FLOOR_MPPS else "MISSED"
    return (
        f"On {memory}, core 1, TSC {tsc_hz / 1e6:.0f} MHz; swx interprets the program's .spec. Mpps is packets a second\n"
        "of the core: best round, and spread over all. io is the source and sink alone; net is without it. Every packet of\n"
        f"both engines was checked before. The floor of swx, {SWX_FLOOR_MPPS:.0f} Mpps, is {held}."
    )


def run(context):
    if os.geteuid() != 0:
        raise RuntimeError("needs root, for DPDK's ports and to borrow hugepages")
    with machine.hugepages(HUGEPAGES_MB) as hugepages:
        return measure(context, hugepages)


def measure(context, hugepages):
    progress("making routes and packets")
    load = Load.make(context.work, ROUTES, PACKETS)
    daemon = context.binary("sluiced")
    engines = [lambda setup, make=make: make(setup, daemon, load.routes) for make in (sluiced.Native, sluiced.Swx)]
    for make in engines:
        check_output(make, load, hugepages)
    # One short round, for the frequency of the time stamp counter.
    tsc_hz = bound.run(context.binary("lpm_bound"), context.work, load.routes, load.destinations, 1, hugepages)["tsc_hz"]
    heat = hold([testpmd.Io, *engines], load.setup(SIZE, hugepages), context.rounds, STARTS, tsc_hz)
    figures = figures_of(heat)
    memory = "hugepages of 2 MB" if hugepages else "4 KB pages (hugepages could not be had)"
    text = [heat.table(f"{SIZE} bytes, {ROUTES:,} routes, {PACKETS:,} packets"), "", notes(figures, memory, tsc_hz)]
    return figures, "\n".join(text), {"rounds": rounds_of({f"{ROUTES}-{SIZE}": heat}), "tsc_hz": tsc_hz}
