"""What `simulate`, `build` and `compare` share: options become a plan, checked as a whole, and are played."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.checkpoints import kept_tree
from gpulingo.cli.errors import Interrupted, WrongUsage, wrong_usage
from gpulingo.cli.limits import end_of, until
from gpulingo.cli.lists import Source, found_sources
from gpulingo.cli.parse import numbers_text, parsed_lengths
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.games.catalogue import lingo
from gpulingo.trees.kept import BEST

if TYPE_CHECKING:
    import torch

    from gpulingo.strategies.registry import Strategy
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList


@dataclass(frozen=True)
class Plan:
    """Lists to play and how.

    Attributes:
        sources: one for each length.
        strategy: its name; None: `best`, or `parts` where no tree is kept for the list.
        consistent: guess candidates only. seed: of a random strategy.
        opening: first guess, or None.
        turns: of a round.
        device: as the user wrote it.
        kept: fingerprint -> the best tree that is kept for a list, as far as it was looked for.
        ends: when the time is up, on the clock of `tensors.clock`.
    """

    sources: list[Source]
    strategy: str | None
    consistent: bool
    seed: int
    opening: str | None
    turns: int
    device: str
    ends: float = math.inf
    kept: dict[str, Tree | None] = field(default_factory=dict)

    def interrupted(self, played: int) -> Interrupted:
        """What to tell after Ctrl-C, when the first so many lists were played."""
        rest = numbers_text(sorted(source.wordlist.length for source in self.sources[played:]))
        on = f"; the rest is --length {rest}" if rest and played else ""
        return Interrupted(f"interrupted after {played} of {len(self.sources)} lengths{on}")

    def best(self, wordlist: WordList) -> Tree | None:
        """The best tree that is kept for a list; looked for once."""
        if wordlist.fingerprint not in self.kept:
            found = kept_tree(wordlist, self.turns)
            self.kept[wordlist.fingerprint] = None if found is None else found[1]
        return self.kept[wordlist.fingerprint]

    def made_strategy(self, wordlist: WordList) -> Strategy:
        """The strategy, new for each list, so that no length draws from the random numbers of another.

        Raises:
            ValueError: there is none of that name.
        """
        from gpulingo.strategies.registry import named
        from gpulingo.strategies.replay import Followed

        if self.strategy in (None, BEST) and self.opening is None and not self.consistent:
            tree = self.best(wordlist)
            if tree is not None:
                return Followed(tree)
        if self.strategy == BEST:
            if self.opening is not None or self.consistent:
                raise ValueError("best is a whole tree: leave out --opening and --consistent")
            what = f"the words of {wordlist.length} letters in {wordlist.source} and {self.turns} turns"
            raise ValueError(f"no tree is kept for {what}: make one with `gpulingo solve`, or name another")
        name = "parts" if self.strategy is None else self.strategy
        return named(
            name, consistent=self.consistent, seed=self.seed, wordlist=wordlist, game=lingo(self.turns)
        )


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


def simulations(command: str, *plans: Plan) -> Iterator[Simulation]:
    """Play every list of every plan, with one bar over all of them.

    Args:
        command: name of it. plans: for one device.
    Raises:
        WrongUsage: there is no such strategy or device. ValueError: a user's objective failed.
        TimeIsUp: the time is over. KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP.
    """
    with interrupted_by_sigterm(), late_interrupt() as check:
        from gpulingo.tensors.device import find_device

        check()  # torch is in
        games = [(plan, source) for plan in plans for source in plan.sources]
        with wrong_usage("--strategy"):
            for plan, source in games:
                plan.made_strategy(source.wordlist)
        if not games:
            return
        with wrong_usage("--device"):
            device = find_device(plans[0].device)
        total, ends = sum(work(source.wordlist) for _, source in games), plans[0].ends
        with total_bar(command, total, ends=ends) as bar:
            for plan, source in games:
                simulation = _played(plan, source, device, until(plan.ends, check), bar)
                with bar.hidden():
                    yield simulation
                check()


def work(wordlist: WordList) -> float:
    """What a list takes, for a bar: its pairs of words, because all are looked at on the first turn."""
    return float(len(wordlist)) ** 2


def _played(
    plan: Plan, source: Source, device: torch.device, check: Callable[[], None], bar: Bar
) -> Simulation:
    """Play one list of a plan; Ctrl-C is looked for whenever progress is told."""
    from gpulingo.strategies.simulation import simulate

    game, strategy, words = lingo(plan.turns), plan.made_strategy(source.wordlist), source.wordlist
    before, whole, pairs = bar.done, work(words), [0] * (plan.turns + 1)

    def report(turn: int, more: int, most: int) -> None:
        check()
        pairs[turn] += more
        # A turn takes half as long as the one before, as a rule: fewer words are left.
        share = 1 - 0.5 ** (turn - 1) * (1 - 0.5 * min(1.0, pairs[turn] / max(1, most)))
        bar.reach(before + share * whole, f"{strategy.name}, {words.length} letters, turn {turn}")

    simulation = simulate(words, strategy, game, opening=plan.opening, device=device, report=report)
    bar.reach(before + whole)
    return simulation
