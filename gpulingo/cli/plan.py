"""Options of `simulate` and `compare` become a plan, checked as a whole."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from gpulingo.cli.checkpoints import check_same, keep_solved, kept_tree, standing_tree
from gpulingo.cli.errors import Interrupted, WrongUsage, tell, wrong_usage
from gpulingo.cli.limits import end_of
from gpulingo.cli.lists import Source
from gpulingo.cli.parse import numbers_text, parsed_lengths
from gpulingo.trees.kept import BEST, none_kept
from gpulingo.trees.text import guess_index

if TYPE_CHECKING:
    from gpulingo.cli.options import LetterRules, Playing, Run, Words
    from gpulingo.games.game import Game
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
        strategy: its name; None: `best`, or `usual` if no tree is stored for the list.
        seed: of a random strategy.
        opening: first guess, or None.
        game: that is played.
        device: as the user wrote it.
        ends: when the time is up, on the clock of `tensors.clock`.
        ray: address of the cluster that plays; None: this process does.
        kept: fingerprint -> the best stored tree of a list, as far as it was looked for.
    """

    sources: list[Source]
    strategy: str | None
    seed: int
    opening: str | None
    game: Game
    device: str
    ends: float = math.inf
    ray: str | None = None
    kept: dict[str, Tree | None] = field(default_factory=dict)

    @property
    def takes_kept(self) -> bool:
        """Return True if a stored tree is played where the list has one."""
        return self.strategy in (None, BEST) and self.opening is None

    def interrupted(self, played: Collection[int]) -> Interrupted:
        """The message after Ctrl-C, when the lists of these lengths were played."""
        lengths = [source.wordlist.length for source in self.sources]
        rest = numbers_text(sorted(length for length in lengths if length not in played))
        remedy = f"; the rest is --length {rest}" if rest and played else ""
        return Interrupted(f"interrupted after {len(played)} of {len(lengths)} lengths{remedy}")

    def best(self, wordlist: WordList) -> Tree | None:
        """The best stored tree of a list; looked for once."""
        if wordlist.fingerprint not in self.kept:
            path_and_tree = kept_tree(wordlist, self.game)
            self.kept[wordlist.fingerprint] = None if path_and_tree is None else path_and_tree[1]
        return self.kept[wordlist.fingerprint]

    def check_replaceable(self, path: Path, wordlist: WordList, change: str) -> None:
        """Check that the file at a path may be replaced by the result of a list.

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
            WrongUsage: there is no strategy of that name.
        """
        with wrong_usage(option):
            return [Play(source, self._strategy(source.wordlist)) for source in self.sources]

    def _strategy(self, wordlist: WordList) -> Strategy:
        """The strategy of a list.

        Raises:
            ValueError: there is no strategy of that name.
        """
        from gpulingo.strategies.simulation import TreeReplay

        if self.takes_kept and (tree := self.best(wordlist)) is not None:
            return TreeReplay(tree)
        if self.strategy == BEST:
            if not self.takes_kept:
                raise ValueError("best is a whole tree: leave out --opening")
            raise ValueError(none_kept(wordlist, self.game))
        from gpulingo.strategies.registry import named, usual_name

        name = usual_name(self.game) if self.strategy is None else self.strategy
        return named(name, seed=self.seed, wordlist=wordlist, game=self.game, report=tell)


def planned(
    lengths: str, words: Words, rules: LetterRules, run: Run, playing: Playing | None = None,
    *, ray: str | None = None,
) -> Plan:  # fmt: skip
    """Check the options of a run.

    Raises:
        WrongUsage: an option is wrong. WordListError: a list cannot be used.
    """
    game, opening = rules.chosen(rules.turns, gives=True), playing.opening if playing else None
    with wrong_usage("--length"):
        numbers = parsed_lengths(lengths)
    if opening is not None and len(numbers) > 1:
        raise WrongUsage(
            f"--opening {opening} with {len(numbers)} lengths: give one length, as in --length {len(opening)}"
        )
    sources = words.sources(numbers, game)
    first = None if opening is None else sources[0].wordlist.enter(opening)
    if first is not None:
        with wrong_usage("--opening"):
            guess_index(first, sources[0].wordlist, game)
    if game.guesses_letters and numbers[0] < 2:
        raise WrongUsage("--length 1 of hangman, expected 2 or more: there is nothing to show but the word")
    strategy = playing.strategy if playing else None
    return Plan(sources, strategy, run.seed, first, game, run.device, end_of(run.time), ray)
