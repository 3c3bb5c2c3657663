"""What the check of a certificate takes, so that the time left can be told; checks nothing."""

from __future__ import annotations

from collections.abc import Callable

from torch import Tensor

from gpulingo.bounds.certificate import Certificate

Report = Callable[[float, float], None]  # work done, all work
# What steps take, in counts of supersets: from the times of `gpulingo prove` at 4 and 5 letters of the
# embedded list.
SUPERSET, SEEN, OTHER, OPENING, LOOKED, SEARCHED = 1.0, 8.0, 2.0, 0.04, 0.1, 10.0


class Effort:
    """The work done so far.

    Args:
        report: told it, and all work, after each step.
    """

    def __init__(self, report: Report | None) -> None:
        self.report, self.done, self.total = report, 0.0, 0.0

    def begin(self, certificate: Certificate, rest: Tensor, counted: bool = True) -> None:
        """Now the work is known; arguments as of `work`.

        Args:
            counted: whether bounds rest on counts of classes; else every opening is searched.
        """
        self.total = work(certificate, rest) if counted else SEARCHED * rest.shape[0]

    def step(self, amount: float) -> None:
        """So much more is done."""
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
    evidence, left = certificate.evidence, certificate.turns - 1
    near = evidence.neighbours
    others = {int(other) for opening in openings & near.keys() for other in near[opening]}
    threes = {opening for opening in openings | others if left >= 3 and bool(evidence.two_guesses[opening])}
    seen = evidence.bounds.shape[0] if threes else len(others)
    looked = int((evidence.looked.cpu()[rest] > 0).sum())
    known = SUPERSET * len(evidence.supersets) + SEEN * seen + OTHER * (len(others) + len(threes))
    searched = SEARCHED * len(openings & evidence.searched.keys())
    searched += SEARCHED * len(openings & evidence.three_turns.keys())
    return known + OPENING * len(openings) + LOOKED * looked + searched
