"""Short rounds, contestants in turn (A B C A B C ...), because the cores are shared with others."""

import contextlib
import dataclasses
import statistics

from benchlib.report import progress

ROUND_SECONDS = 0.4
WARM_UP_SECONDS = 0.15


@dataclasses.dataclass
class Result:
    name: str
    samples: list

    @property
    def best(self):
        """Packets a second of the core."""
        return max(sample.rate for sample in self.samples)

    @property
    def median(self):
        return statistics.median(sample.rate for sample in self.samples)

    @property
    def worst(self):
        return min(sample.rate for sample in self.samples)

    @property
    def share(self):
        """How much of the core it had, on average: the rest went to others of this machine."""
        return statistics.mean(sample.share for sample in self.samples)


def alternate(contestants, rounds):
    """Starts all, lets them take turns, stops all. Returns a Result for each, in order."""
    results = [Result(contestant.name, []) for contestant in contestants]
    with contextlib.ExitStack() as running:
        for contestant in contestants:
            progress(f"starting {contestant.name}")
            contestant.start()
            running.callback(contestant.stop)
            contestant.pause()
        for number in range(rounds):
            progress(f"round {number + 1} of {rounds}")
            for contestant, result in zip(contestants, results):
                result.samples.append(contestant.measure(ROUND_SECONDS, WARM_UP_SECONDS))
    return results
