"""DPDK's l3fwd-graph: the same job on rte_graph with the nodes of Debian's librte_node."""

from benchlib import traffic
from benchlib.contestant import CONTROL_CORE, CORE, SINK_PORT, Contestant
from contestants import peer


def build(folder, mbufs, routes, march):
    hop = f"i % {traffic.NEXT_HOPS}"  # librte_node holds 64 next hops, not one a route
    mac = f"rewrite_data[4] = 1; rewrite_data[5] = {hop};"
    fittings = [
        ("main.c", r"\t\{RTE_IPV4\(198, 18, [^\n]*\n", ""),
        ("main.c", r"lpm_route_array\[\] = \{", 'lpm_route_array[] = {\n#include "routes.inc"\n'),
        ("main.c", r"8192u\)", f"{mbufs}u)"),
        # Its bursts of 256 run past a cache of 256 buffers into the shared ring. With 512 it is faster.
        ("main.c", r"MEMPOOL_CACHE_SIZE 256", "MEMPOOL_CACHE_SIZE 512"),
        ("main.c", r"\.depth, i,", f".depth, {hop},"),
        ("main.c", r"memcpy\(rewrite_data, val_eth \+ dst_port, rewrite_len\);",
         f"memcpy(rewrite_data, val_eth + dst_port, rewrite_len); {mac}"),
        ("main.c", r"rte_node_ip4_rewrite_add\(i,", f"rte_node_ip4_rewrite_add({hop},"),
    ]
    table = "".join(f"{{{route.prefix:#x}, {route.depth}, {SINK_PORT}}},\n" for route in routes)
    return peer.build("l3fwd-graph", folder, fittings, {"routes.inc": table}, march)


class L3fwdGraph(Contestant):
    name = "l3fwd-graph"

    def __init__(self, setup, program):
        super().__init__(setup)
        self._program = program

    def command(self):
        # It refuses to forward on its main core; that one only prints statistics once a second.
        eal = self.setup.eal(self.prefix, f"{CONTROL_CORE},{CORE}")
        return [self._program, *eal, "--log-level=4", "--", "-p", "3", "-P", "--config", f"(0,0,{CORE})"]

    @staticmethod
    def expected_mac(next_hop):
        return traffic.next_hop_mac(next_hop)
