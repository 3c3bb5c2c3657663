"""What `simulate`, `build` and `compare` share: options become a plan, checked as a whole, and are played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.guard import WrongUsage, wrong_usage
from gpulingo.cli.interrupts import late_interrupt
from gpulingo.cli.limits import end_of, until
from gpulingo.cli.numbers import parsed_lengths
from gpulingo.cli.progress import progress_bar
from gpulingo.cli.sources import Source, found_sources
from gpulingo.rules.lingo import Lingo

if TYPE_CHECKING:
    import torch

    from gpulingo.play.simulate import Simulation
    from gpulingo.strategies.registry import Strategy
    from gpulingo.words.lists import WordList


@dataclass(frozen=True)
class Plan:
    """Lists to play and how.

    Attributes:
        sources: one for each length.
        strategy: its name; None: that of the list's checkpoint, or `parts` where none fits.
        consistent: guess candidates only. seed: of a random strategy.
        opening: first guess, or None.
        turns: of a round.
        device: as the user wrote it.
        ends: when the time is up, on the clock of `perf_counter`.
    """

    sources: list[Source]
    strategy: str | None
    consistent: bool
    seed: int
    opening: str | None
    turns: int
    device: str
    ends: float = math.inf

    def made_strategy(self, wordlist: WordList) -> Strategy:
        """The strategy, new for each list, so that no length draws from the random numbers of another.

        Raises:
            ValueError: there is none of that name.
        """
        from gpulingo.strategies.followed import Followed, best_tree
        from gpulingo.strategies.registry import named

        if self.strategy is None and self.opening is None and not self.consistent:
            tree = best_tree(wordlist, self.turns)
            if tree is not None:
                return Followed(tree)
        return named(self.strategy or "parts", consistent=self.consistent, seed=self.seed, wordlist=wordlist)


def planned(
    lengths: str,
    wordlist: Path | None,
    *,
    strategy: str | None,
    consistent: bool,
    seed: int,
    opening: str | None,
    turns: int,
    device: str,
    time: float | None = None,
) -> Plan:
    """Check the options of a run.

    Raises:
        WrongUsage: an option is wrong. WordListError: a list cannot be used.
    """
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    if opening is not None and len(numbers) > 1:
        raise WrongUsage(
            f"--opening {opening} with {len(numbers)} lengths: give one length, as in --length {len(opening)}"
        )
    sources = found_sources(numbers, wordlist)
    first = None if opening is None else opening.lower()
    if first is not None:
        with wrong_usage("--opening"):
            sources[0].wordlist.index(first)
    return Plan(sources, strategy, consistent, seed, first, turns, device, end_of(time))


def simulations(plan: Plan) -> Iterator[Simulation]:
    """Play every list of a plan, with a progress bar for each.

    Raises:
        WrongUsage: there is no such strategy or device. ValueError: a user's objective failed.
        TimeIsUp: the time is over.
    """
    with late_interrupt() as check:
        from gpulingo.tensors.device import find_device

        check()  # torch is in
        with wrong_usage("--strategy"):
            for source in plan.sources:
                plan.made_strategy(source.wordlist)
        with wrong_usage("--device"):
            device = find_device(plan.device)
        for source in plan.sources:
            yield _played(plan, source, device, until(plan.ends, check))
            check()


def _played(plan: Plan, source: Source, device: torch.device, check: Callable[[], None]) -> Simulation:
    """Play one list of a plan; Ctrl-C is looked for whenever progress is told."""
    from gpulingo.play.simulate import simulate

    game, strategy = Lingo(plan.turns), plan.made_strategy(source.wordlist)
    with progress_bar(f"{strategy.name}, {source.wordlist.length} letters") as shown:

        def report(turn: int, pairs: int, most: int) -> None:
            check()
            shown(turn, pairs, most)

        return simulate(source.wordlist, strategy, game, opening=plan.opening, device=device, report=report)
