"""dpdk-testpmd: `io` is the cost of source and sink alone, `macswap` the least that touches a packet."""

from benchlib.contestant import CONTROL_CORE, CORE, Contestant


class Testpmd(Contestant):
    mode = "?"

    def command(self):
        eal = self.setup.eal(self.prefix, f"{CONTROL_CORE},{CORE}")
        pool = ["--mbcache=256", f"--total-num-mbufs={self.setup.mbufs()}"]
        # It forwards until a line comes on its standard input, and ours never sends one.
        return ["dpdk-testpmd", *eal, "--", f"--forward-mode={self.mode}", "--nb-cores=1", "--burst=32", *pool]


class Io(Testpmd):
    name = "io"
    mode = "io"


class Macswap(Testpmd):
    name = "macswap"
    mode = "macswap"
