"""Work of a certificate's check, for estimates of the time left and for splitting it into parts.

Checks nothing.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from torch import Tensor

from gpulingo.bounds.certificate import Certificate

Report = Callable[[float, float], None]  # work done, all work
# What steps take, in counts of supersets: from the times of `gpulingo prove` at 4 to 7 letters of the pit's
# list, where a class that is looked at takes 0.03 to 0.1 of them, and three turns of an opening 60 to 350.
SUPERSET, SEEN, OTHER, OPENING, LOOKED, SEARCHED, THREE = 1.0, 8.0, 2.0, 0.04, 0.06, 10.0, 100.0
BALANCE = 0.01  # a part takes so much more, for each that it is ahead of the least, to have an opening


class Effort:
    """The work done so far.

    Args:
        report: told it, and all work, after each step.
    """

    def __init__(self, report: Report | None) -> None:
        self.report, self.done, self.total = report, 0.0, 0.0

    def begin(self, certificate: Certificate, rest: Tensor, counted: bool = True) -> None:
        """Set the total work.

        Args:
            certificate, rest: see `work`.
            counted: whether bounds rest on counts of classes; otherwise every opening is searched.
        """
        self.total = work(certificate, rest) + (0.0 if counted else SEARCHED * rest.shape[0])
        self.step(0.0)

    def step(self, amount: float) -> None:
        """Add to the work done."""
        self.done += amount
        if self.report:
            self.report(self.done, self.total)


def work(certificate: Certificate, rest: Tensor) -> float:
    """All work of a check.

    Args:
        certificate: to be checked.
        rest: [R] int64, openings whose bounds do not follow from the sizes of their classes; on the CPU.
    """
    openings = set(rest.tolist())
    if not openings:
        return 0.0
    evidence, left = certificate.evidence, certificate.turns - 1
    near = evidence.neighbours
    others = {int(other) for opening in openings & near.keys() for other in near[opening]}
    twofold = {opening for opening in openings | others if left >= 3 and bool(evidence.two_guesses[opening])}
    seen = evidence.bounds.shape[0] if twofold else len(others)
    shared = SUPERSET * len(evidence.supersets) + SEEN * seen + OTHER * (len(others) + len(twofold))
    return shared + sum(alone(certificate, opening) for opening in openings)


def alone(certificate: Certificate, opening: int) -> float:
    """Return the work of an opening that no other opening shares, except for a bound by two more guesses."""
    evidence = certificate.evidence
    searched = SEARCHED * (opening in evidence.searched) + THREE * (opening in evidence.three_turns)
    return OPENING + LOOKED * int(evidence.looked[opening]) + searched


def parted(certificate: Certificate, rest: Tensor, parts: int) -> list[list[int]]:
    """Split openings into parts that take about equal work; those that name the same neighbours are together.

    Each opening goes to the part that has least additional work for it, and is in one part only.

    Args:
        certificate, rest: see `work`.
    """
    neighbours, openings = certificate.evidence.neighbours, rest.tolist()
    if parts == 1:
        return [openings]
    seen = np.zeros((certificate.bounds.shape[0], parts), np.bool_)
    totals, chosen = np.zeros(parts), [list[int]() for _ in range(parts)]
    for opening in openings:
        named = [int(other) for other in neighbours.get(opening, [])]
        more = alone(certificate, opening) + (SEEN + OTHER) * (~seen[named]).sum(0)
        part = int((more + BALANCE * (totals + more - totals.min())).argmin())
        seen[named, part] = True
        totals[part] += more[part]
        chosen[part].append(opening)
    return chosen
