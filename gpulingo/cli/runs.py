"""What `simulate`, `build` and `compare` share: options become a plan, checked as a whole, and are played."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.guard import WrongUsage, wrong_usage
from gpulingo.cli.interrupts import late_interrupt
from gpulingo.cli.numbers import parsed_lengths
from gpulingo.cli.progress import progress_bar
from gpulingo.cli.sources import Source, found_sources
from gpulingo.cli.standing import kept_tree
from gpulingo.rules.lingo import Lingo
from gpulingo.trees.kept import BEST

if TYPE_CHECKING:
    import torch

    from gpulingo.play.simulate import Simulation
    from gpulingo.strategies.registry import Strategy
    from gpulingo.trees.tree import Tree
    from gpulingo.words.lists import WordList


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
    """

    sources: list[Source]
    strategy: str | None
    consistent: bool
    seed: int
    opening: str | None
    turns: int
    device: str
    kept: dict[str, Tree | None] = field(default_factory=dict)

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
        from gpulingo.strategies.followed import Followed
        from gpulingo.strategies.registry import named

        if self.strategy in (None, BEST) and self.opening is None and not self.consistent:
            tree = self.best(wordlist)
            if tree is not None:
                return Followed(tree)
        if self.strategy == BEST:
            if self.opening is not None or self.consistent:
                raise ValueError("best is a whole tree: leave out --opening and --consistent")
            what = f"the words of {wordlist.length} letters in {wordlist.source} and {self.turns} turns"
            raise ValueError(f"no tree is kept for {what}: make one with `gpulingo solve`, or name another")
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
    return Plan(sources, strategy, consistent, seed, first, turns, device)


def simulations(plan: Plan) -> Iterator[Simulation]:
    """Play every list of a plan, with a progress bar for each.

    Raises:
        WrongUsage: there is no such strategy or device. ValueError: a user's objective failed.
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
            yield _played(plan, source, device, check)
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
