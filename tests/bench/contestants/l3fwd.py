"""DPDK's l3fwd with longest prefix match: one loop written for the purpose, the fastest there is."""

from benchlib.contestant import CORE, SINK_PORT, Contestant
from contestants import peer


def build(folder, mbufs, march):
    fittings = [
        # Virtual ports have no receive checksum offload, and l3fwd does not start without it.
        ("main.c", r"\.offloads = RTE_ETH_RX_OFFLOAD_CHECKSUM,", ""),
        ("main.c", r"\(unsigned\)8192\)", f"(unsigned){mbufs})"),
    ]
    return peer.build("l3fwd", folder, fittings, {}, march)


class L3fwd(Contestant):
    name = "l3fwd"

    def __init__(self, setup, program, routes):
        super().__init__(setup)
        self._program = program
        self._ipv4 = setup.work / "l3fwd-ipv4.cfg"
        self._ipv6 = setup.work / "l3fwd-ipv6.cfg"  # it reads both files or none
        self._ipv4.write_text("".join(f"R{route} {SINK_PORT}\n" for route in routes))
        self._ipv6.write_text(f"R2001:db8::/32 {SINK_PORT}\n")

    def command(self):
        eal = self.setup.eal(self.prefix, str(CORE))
        rules = [f"--rule_ipv4={self._ipv4}", f"--rule_ipv6={self._ipv6}"]
        # Virtual ports do not classify packets, so it parses the EtherType itself (--parse-ptype).
        return [self._program, *eal, "--", "-p", "3", "-P", "--parse-ptype", "--config", f"(0,0,{CORE})", *rules]

    @staticmethod
    def expected_mac(_next_hop):
        return bytes([0x02, 0, 0, 0, 0, SINK_PORT])


