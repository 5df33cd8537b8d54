"""Forwarders side by side: the same routes and packets for all, the output judged, rates and cycles taken."""

import dataclasses
import statistics

from benchlib import check, traffic
from benchlib.contestant import Setup
from benchlib.report import progress, table
from benchlib.rounds import Result, alternate


@dataclasses.dataclass
class Load:
    """Routes and the packets that visit them, as files of one folder."""

    routes: list
    destinations: list
    folder: object
    written: set = dataclasses.field(default_factory=set)  # in this run: a file of another may have other packets

    @staticmethod
    def make(folder, routes, packets):
        made = traffic.make_routes(routes)
        return Load(made, traffic.make_destinations(made, packets), folder)

    def pcap(self, size):
        path = self.folder / f"source-{len(self.routes)}-{size}.pcap"
        if path not in self.written:
            traffic.write_pcap(path, self.destinations, size)
            self.written.add(path)
        return path

    def setup(self, size, hugepages, capture=None):
        return Setup(self.folder, self.pcap(size), len(self.destinations), hugepages, capture)


def check_output(make, load, hugepages):
    """Every packet once through a contestant, and every one compared with what a router must send."""
    capture = load.folder / "output.pcap"
    contestant = make(load.setup(64, hugepages, capture))
    progress(f"checking what {contestant.name} sends")
    contestant.start()
    try:
        contestant.wait_for(len(load.destinations), timeout=60)
    except TimeoutError as error:
        raise check.WrongOutput(f"{contestant.name}: {error}") from error
    finally:
        contestant.stop()
    check.check_capture(contestant.name, capture, load.destinations, load.routes, 64, contestant.expected_mac)
    capture.unlink()


@dataclasses.dataclass
class Heat:
    """Results of one packet size: rates, and cycles with and without the source's."""

    results: dict
    tsc_hz: float

    def mpps(self, name):
        return self.results[name].best / 1e6

    def cycles(self, name):
        return self.tsc_hz / self.results[name].best

    def net_cycles(self, name):
        return self.cycles(name) - self.cycles("io")

    def paired(self, name, peer):
        """Median over the rounds of our rate over the peer's a second later: what the whole machine does cancels out."""
        pairs = zip(self.results[name].samples, self.results[peer].samples)
        return statistics.median(ours.rate / theirs.rate for ours, theirs in pairs)

    def row(self, name):
        result = self.results[name]
        net = f"{self.net_cycles(name):.0f}" if name != "io" else "-"
        span = f"{result.worst / 1e6:.1f} .. {result.best / 1e6:.1f}"
        return [name, f"{self.mpps(name):.2f}", span, f"{result.median / 1e6:.2f}", f"{self.cycles(name):.0f}", net,
                f"{100 * result.share:.0f}%"]

    def table(self, title):
        columns = ["", "Mpps", "spread", "median", "cycles", "net", "core"]
        return table(title, columns, [self.row(name) for name in self.results])


def hold(makes, setup, rounds, starts, tsc_hz):
    """The rounds of all starts together."""
    results = {}
    for _ in range(starts):
        for result in alternate([make(setup) for make in makes], rounds):
            results.setdefault(result.name, Result(result.name, [])).samples.extend(result.samples)
    return Heat(results, tsc_hz)


def rounds_of(heats):
    return {
        title: {name: [dataclasses.asdict(s) for s in result.samples] for name, result in heat.results.items()}
        for title, heat in heats.items()
    }
