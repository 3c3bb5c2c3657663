"""The values of a position's guesses by rollouts, and the best of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product

from gpulingo.advice.outlook import PLAYED, SEARCHED, GuessStats, Order, limit_text, order, rolled_text
from gpulingo.games.game import Game
from gpulingo.words.wordlist import WordList

FEW = 200  # words of a set that is searched before any rollout
TRIED = 50  # guesses that are rolled out
FIRST = 0.2  # share of the time for the search before them
WARM = 5.0  # most seconds of the warm-up search of a few words, which takes some hundredths
MEMORY = 1 << 28  # bytes for stored values of sets
Progress = Callable[[list[GuessStats], str], None]


@dataclass(frozen=True)
class Rollout:
    """A guess that was rolled out."""

    guess: int
    turns: list[int]  # words found on each turn, or their weight
    classes: int
    largest: int
    bits: float
    target: bool = False  # whether it may be the answer
    exact: bool = False  # whether its value is optimal
    by: str = PLAYED  # method, see `GuessStats`

    def credits(self, game: Game) -> int:
        """Return the total payoff of the candidates."""
        return sum(game.credits(turn) * count for turn, count in enumerate(self.turns, 1))

    def order(self, game: Game) -> tuple[Order, int]:
        """Return a sort key, the best guess first."""
        turns, exact, target = self.turns, self.exact, self.target
        return order(game, turns, exact=exact, target=target, largest=self.largest), self.guess

    def stats(self, name: str, total: int, alike: int = 1) -> GuessStats:
        """Return them for a user; `total`: weight of all words, `alike`: number of equivalent guesses."""
        return GuessStats(
            name, self.turns, total, classes=self.classes, largest=self.largest, bits=self.bits,
            target=self.target, exact=self.exact, by=self.by, alike=alike,
        )  # fmt: skip


def best_of(guesses: Iterable[Rollout], game: Game) -> list[Rollout]:
    """Return guesses, the best first, each once with its best rollout, or its exact value.

    A guess as good as a best one that is proven is proven too.
    """
    by_guess: dict[int, Rollout] = {}
    for rollout in sorted(guesses, key=lambda rollout: (not rollout.exact, rollout.order(game))):
        by_guess.setdefault(rollout.guess, rollout)
    best = sorted(by_guess.values(), key=lambda rollout: rollout.order(game))
    proven = best[0].credits(game) if best and best[0].exact else None
    best = [replace(rollout, exact=True) if rollout.credits(game) == proven else rollout for rollout in best]
    return sorted(best, key=lambda rollout: rollout.order(game))


def found_text(best: Sequence[Rollout], game: Game, name: str, searched: str = SEARCHED) -> str:
    """Return how guesses were found: by a search, or by rollouts of what is named."""
    if not best:
        return "stopped before the first guess was rolled out"
    if not best[0].exact:
        return f"{rolled_text(name)}: {limit_text(game)}"
    return searched if all(rollout.exact for rollout in best) else f"{searched}; {limit_text(game)}"


def warm_words() -> WordList:
    """Return words whose search loads the kernels of a search."""
    return WordList("warm", ["".join(letters) for letters in product("abc", repeat=3)])
