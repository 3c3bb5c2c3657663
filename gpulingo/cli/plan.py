"""What `simulate`, `build` and `compare` share: options become a plan, checked as a whole, and are played."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.checkpoints import check_same, keep_solved, kept_tree, standing_tree
from gpulingo.cli.errors import Interrupted, WrongUsage, tell, wrong_usage
from gpulingo.cli.games import chosen_game
from gpulingo.cli.limits import end_of, until
from gpulingo.cli.lists import Source, found_sources
from gpulingo.cli.parse import numbers_text, parsed_lengths
from gpulingo.cli.progress import Bar, total_bar
from gpulingo.cli.signals import interrupted_by_sigterm, late_interrupt
from gpulingo.trees.kept import BEST, none_kept
from gpulingo.trees.text import guess_index

if TYPE_CHECKING:
    import torch

    from gpulingo.games.game import Game
    from gpulingo.strategies.simulation import Simulation
    from gpulingo.strategies.strategy import Strategy
    from gpulingo.trees.tree import Tree
    from gpulingo.words.listing import WordList


@dataclass(frozen=True)
class Play:
    """One list and the strategy that plays it; no other list has the same object."""

    source: Source
    strategy: Strategy


@dataclass(frozen=True)
class Plan:
    """Lists to play and how.

    Attributes:
        sources: one for each length.
        strategy: its name; None: `best`, or `usual` where no tree is kept for the list.
        seed: of a random strategy.
        opening: first guess, or None.
        game: that is played.
        device: as the user wrote it.
        ends: when the time is up, on the clock of `tensors.clock`.
        kept: fingerprint -> the best tree that is kept for a list, as far as it was looked for.
    """

    sources: list[Source]
    strategy: str | None
    seed: int
    opening: str | None
    game: Game
    device: str
    ends: float = math.inf
    kept: dict[str, Tree | None] = field(default_factory=dict)

    @property
    def takes_kept(self) -> bool:
        """Whether the tree that is kept for a list is what is played, where there is one."""
        return self.strategy in (None, BEST) and self.opening is None

    def interrupted(self, played: int) -> Interrupted:
        """What to say after Ctrl-C, when the first so many lists were played."""
        rest = numbers_text(sorted(source.wordlist.length for source in self.sources[played:]))
        remedy = f"; the rest is --length {rest}" if rest and played else ""
        return Interrupted(f"interrupted after {played} of {len(self.sources)} lengths{remedy}")

    def best(self, wordlist: WordList) -> Tree | None:
        """The best tree that is kept for a list; looked for once."""
        if wordlist.fingerprint not in self.kept:
            path_and_tree = kept_tree(wordlist, self.game)
            self.kept[wordlist.fingerprint] = None if path_and_tree is None else path_and_tree[1]
        return self.kept[wordlist.fingerprint]

    def check_replaceable(self, path: Path, wordlist: WordList, change: str) -> None:
        """Check that what stands at a path may give way to what is played of a list.

        Args:
            change: what to do instead.
        Raises:
            WrongUsage: it is for another list or other turns, or a solved tree and another is to be made.
        """
        standing = standing_tree(path)
        check_same(path, standing, wordlist, self.game, change=change)
        if not self.takes_kept:
            keep_solved(path, standing, change)

    def plays(self, option: str = "--strategy") -> list[Play]:
        """A strategy for each list, so that no length draws from the random numbers of another.

        Raises:
            WrongUsage: there is none of the name that the option has.
        """
        with wrong_usage(option):
            return [Play(source, self._strategy(source.wordlist)) for source in self.sources]

    def _strategy(self, wordlist: WordList) -> Strategy:
        """The strategy of a list.

        Raises:
            ValueError: there is none of that name.
        """
        from gpulingo.strategies.replay import TreeReplay

        if self.takes_kept and (tree := self.best(wordlist)) is not None:
            return TreeReplay(tree)
        if self.strategy == BEST:
            if not self.takes_kept:
                raise ValueError("best is a whole tree: leave out --opening")
            raise ValueError(none_kept(wordlist, self.game))
        from gpulingo.strategies.registry import named

        name = usual_strategy(self.game) if self.strategy is None else self.strategy
        return named(name, seed=self.seed, wordlist=wordlist, game=self.game, report=tell)


def planned(
    lengths: str,
    wordlist: Path | None,
    targets: str | None = None,
    weights: str | None = None,
    *,
    strategy: str | None = None,
    seed: int,
    opening: str | None = None,
    game: str,
    hard: bool = False,
    consistent: bool = False,
    first_letter: bool = False,
    must_start: bool = False,
    turns: int | None,
    device: str,
    time: float | None,
) -> Plan:
    """Check the options of a run.

    Raises:
        WrongUsage: an option is wrong. WordListError: a list cannot be used.
    """
    rules = chosen_game(
        game, turns, hard=hard, consistent=consistent, first_letter=first_letter, must_start=must_start
    )
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    if opening is not None and len(numbers) > 1:
        raise WrongUsage(
            f"--opening {opening} with {len(numbers)} lengths: give one length, as in --length {len(opening)}"
        )
    sources = found_sources(numbers, wordlist, targets, rules, weights)
    first = None if opening is None else opening.lower()
    if first is not None:
        with wrong_usage("--opening"):
            guess_index(first, sources[0].wordlist, rules)
    if rules.feedback == "positions" and numbers[0] < 2:
        raise WrongUsage("--length 1 of hangman, expected 2 or more: there is nothing to show but the word")
    return Plan(sources, strategy, seed, first, rules, device, end_of(time))


def usual_strategy(game: Game) -> str:
    """The strategy of a game where none is named and no tree is kept."""
    return "parts" if game.feedback == "marks" else "frequency"


def simulations(command: str, plan: Plan, plays: Sequence[Play] | None = None) -> Iterator[Simulation]:
    """Play lists, with one bar over all of them.

    Args:
        command: name of it. plan: how to play.
        plays: what to play; all of the plan when None.
    Raises:
        WrongUsage: there is no such strategy or device. ValueError: a user's objective failed.
        TimeIsUp: the time is over. KeyboardInterrupt: Ctrl-C, SIGTERM or SIGHUP.
    """
    with interrupted_by_sigterm(), late_interrupt() as check:
        if plays is None:
            plays = plan.plays()
        if not plays:
            return
        with wrong_usage("--device"):
            device = _device(plan.device, plays)
        check()  # torch is in, if it is needed
        total = sum(work(play.source.wordlist) for play in plays)
        with total_bar(command, total, ends=plan.ends) as bar:
            for play in plays:
                simulation = _played(plan, play, device, bar, check=until(plan.ends, check))
                with bar.hidden():
                    yield simulation
                check()


def work(wordlist: WordList) -> float:
    """What a list takes, for a bar: its pairs of words, because all are looked at on the first turn."""
    return float(len(wordlist)) * wordlist.target_count


def _device(name: str, plays: Sequence[Play]) -> torch.device | str:
    """Where strategies are searched; stored trees are not, and need no torch."""
    from gpulingo.strategies.replay import TreeReplay

    if name in ("auto", "cpu") and all(isinstance(play.strategy, TreeReplay) for play in plays):
        return "cpu"
    from gpulingo.tensors.device import find_device

    return find_device(name)


def _played(
    plan: Plan, play: Play, device: torch.device | str, bar: Bar, *, check: Callable[[], None]
) -> Simulation:
    """Play one list; Ctrl-C is looked for whenever progress is reported."""
    from gpulingo.strategies.replay import TreeReplay
    from gpulingo.strategies.simulation import stored_simulation

    strategy, words = play.strategy, play.source.wordlist
    before, whole, pairs = bar.done, work(words), Counter[int]()
    if isinstance(strategy, TreeReplay):
        simulation = replace(stored_simulation(words, strategy.tree, plan.game), device=device)
        bar.reach(before + whole)
        return simulation
    from gpulingo.strategies.build import simulate

    def report(turn: int, more: int, most: int) -> None:
        check()
        pairs[turn] += more
        # A turn takes half as long as the one before, as a rule: fewer words are left.
        share = 1 - 0.5 ** (turn - 1) * (1 - 0.5 * min(1.0, pairs[turn] / max(1, most)))
        bar.reach(before + share * whole, f"{strategy.name}, {words.length} letters, turn {turn}")

    simulation = simulate(words, strategy, plan.game, opening=plan.opening, device=device, report=report)
    bar.reach(before + whole)
    return simulation
