"""IPv4 forwarding on one core beside l3fwd-graph, l3fwd and rte_lpm's bulk lookup."""

import contextlib
import os

from benchlib import bound, machine
from benchlib.heat import Load, check_output, hold, rounds_of
from benchlib.report import progress
from contestants import l3fwd, l3fwd_graph, sluiced, testpmd

TARGETS = ["sluiced", "lpm_bound"]
SIZES = [64, 512, 1500]
# Where a process's memory happens to lie decides some 10 %, so the figures that count take several starts.
STARTS = {64: 3}
FEW, MANY = 1_000, 500_000
FEW_PACKETS, MANY_PACKETS = 65_536, 524_288  # enough to visit every route
MARCH = "x86-64-v3"  # as cmake/SluiceOptions.cmake
HUGEPAGES_MB = 4096


def size_figures(heat, size):
    figures = {f"native_mpps_{size}": heat.mpps("sluiced"), f"native_cycles_net_{size}": heat.net_cycles("sluiced")}
    for peer in ("l3fwd-graph", "l3fwd"):
        key = peer.replace("-", "_")
        figures[f"ratio_{key}_{size}"] = heat.mpps("sluiced") / heat.mpps(peer)
        figures[f"ratio_{key}_paired_{size}"] = heat.paired("sluiced", peer)
        figures[f"ratio_{key}_net_{size}"] = heat.net_cycles(peer) / heat.net_cycles("sluiced")
    return figures


def many_routes(load, program, rounds, hugepages, limits):
    """The share that forwarding leaves of the lookup alone, with and without the source's cycles."""
    setup = load.setup(64, hugepages)
    native = lambda setup: sluiced.Sluiced(setup, program, load.routes)  # noqa: E731
    heat = hold([testpmd.Io, native], setup, rounds, 1, limits["tsc_hz"])
    limit = max(limits["burst_32"] + limits["burst_256"])
    lookup_cycles = limits["tsc_hz"] / limit
    figures = {
        "lpm_bound_mlps_500k": limit / 1e6,
        "native_mpps_500k": heat.mpps("sluiced"),
        "ratio_lpm_500k": lookup_cycles / heat.net_cycles("sluiced"),
        "ratio_lpm_gross_500k": lookup_cycles / heat.cycles("sluiced"),
    }
    worst = min(limits["burst_32"] + limits["burst_256"])
    text = heat.table(f"{len(load.routes):,} routes, 64 bytes, {len(load.destinations):,} packets")
    text += f"\n  rte_lpm bulk lookup alone: {limit / 1e6:.1f} M/s ({worst / 1e6:.1f} .. {limit / 1e6:.1f}),"
    text += f" {lookup_cycles:.0f} cycles"
    return figures, text, heat


def run(context):
    if os.geteuid() != 0:
        raise RuntimeError("needs root, for DPDK's ports and to borrow hugepages")
    with contextlib.ExitStack() as stack:
        hugepages = stack.enter_context(machine.hugepages(HUGEPAGES_MB))
        return measure(context, hugepages)


def measure(context, hugepages):
    progress("making routes and packets, building l3fwd and l3fwd-graph")
    few = Load.make(context.work, FEW, FEW_PACKETS)
    many = Load.make(context.work, MANY, MANY_PACKETS)
    mbufs = few.setup(64, hugepages).mbufs()
    graph_program = l3fwd_graph.build(context.peers, mbufs, few.routes, MARCH)
    l3fwd_program = l3fwd.build(context.peers, mbufs, MARCH)
    daemon = context.binary("sluiced")
    native = lambda setup: sluiced.Sluiced(setup, daemon, few.routes)  # noqa: E731
    graph = lambda setup: l3fwd_graph.L3fwdGraph(setup, graph_program)  # noqa: E731
    plain = lambda setup: l3fwd.L3fwd(setup, l3fwd_program, few.routes)  # noqa: E731

    for make in (native, graph, plain):
        check_output(make, few, hugepages)
    check_output(lambda setup: sluiced.Sluiced(setup, daemon, many.routes), many, hugepages)

    progress("rte_lpm bulk lookup alone")
    limits = bound.run(context.binary("lpm_bound"), context.work, many.routes, many.destinations, context.rounds, hugepages)

    figures, text, heats = {}, [], {}
    for size in SIZES:
        progress(f"{size} bytes, {FEW:,} routes")
        field = [testpmd.Io, testpmd.Macswap, plain, graph, native]
        heat = hold(field, few.setup(size, hugepages), context.rounds, STARTS.get(size, 1), limits["tsc_hz"])
        heats[f"{FEW}-{size}"] = heat
        figures.update(size_figures(heat, size))
        text.append(heat.table(f"{size} bytes, {FEW:,} routes, {FEW_PACKETS:,} packets"))
    more, many_text, heats[f"{MANY}-64"] = many_routes(many, daemon, context.rounds, hugepages, limits)
    figures.update(more)
    memory = "hugepages of 2 MB" if hugepages else "4 KB pages (hugepages could not be had)"
    text += [many_text, "", notes(memory, limits["tsc_hz"])]
    return figures, "\n".join(text), {"rounds": rounds_of(heats), "bound": limits}


def notes(memory, tsc_hz):
    return (
        f"All on {memory}, core 1, TSC {tsc_hz / 1e6:.0f} MHz. Mpps is packets a second of the core: best round, and\n"
        "spread over all. `core` is how much of the core a contestant had. io is the source and sink alone; net is\n"
        "without it; macswap is the least that touches a packet. Every packet of sluiced, l3fwd-graph and l3fwd was\n"
        "checked before: TTL, checksum, MACs, port, payload."
    )
