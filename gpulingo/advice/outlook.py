"""The outlook of a guess: chances by turn, the expected result, the split of the words left, similar guesses.

If every code is possible at first, places and colours may be permuted, the colours of each place alone if
only placed pegs are shown; after some guesses, by the permutations that fix each of them. In Jotto anagrams
may be swapped. Of codes that a symmetry maps to each other only one is shown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import permutations
from math import log2, perm, prod
from types import ModuleType
from typing import Any, TypeVar

from gpulingo.games.catalogue import repeats_colours, shows_common_alone, shows_placed_alone
from gpulingo.games.game import Game
from gpulingo.games.units import UNITS, mean_of
from gpulingo.hosts.host import classes_of
from gpulingo.words.shown import brief
from gpulingo.words.wordlist import WordList

Order = tuple[int, bool, int, bool, int]
# Methods that find a value. In a large set, rollouts guess only candidates.
TREE, EXACT, AHEAD, PLAYED = "tree", "exact", "lookahead", "played out"
OPENING = "opening"  # exact, but other first guesses may be better
AMONG = f"{PLAYED} among candidates"
SEARCHED = "by a search of every guess: proven best"


def called(game: Game) -> str:
    """Return the name of a game, without turns if a host does not limit them.

    >>> from gpulingo.games.catalogue import absurdle, lingo
    >>> called(lingo()), called(absurdle()), measure(absurdle())
    ('lingo5', 'absurdle', 'total guesses')
    """
    return game.code if game.opponent == "chance" else game.name


def measure(game: Game) -> str:
    """Return the measure of a guess: an expectation, or against a host the number it forces."""
    unit = UNITS[game.shown]
    return unit.name if game.opponent == "chance" else unit.counted


def limit_text(game: Game) -> str:
    """Return the meaning of the * at a value that is not proven: best play may do better.

    >>> from gpulingo.games.catalogue import lingo, wordle
    >>> limit_text(lingo()), limit_text(wordle())
    ('* is a lower limit', '* is an upper limit')
    """
    return "* is a lower limit" if UNITS[game.shown].rises else "* is an upper limit"


def rolled_text(name: str) -> str:
    """Return how guesses were drawn and valued by rollouts of a strategy.

    >>> rolled_text("entropy")
    'of the guesses of most bits, each rolled out by entropy'
    """
    most = "bits" if name.startswith("entropy") else "classes"
    return f"of the guesses of most {most}, each rolled out by {name}"


@dataclass(slots=True, eq=False, repr=False)
class GuessStats:
    """A guess in a position, and the results of the guesses that follow it.

    Attributes:
        guess: the word or letter.
        turns: number of words found on turn 1, 2, .. of the game, or their weight.
        total: number of words left, or their weight.
        classes: number of classes that the guess makes of them.
        largest: words of the largest class.
        bits: information of its marks on average: the entropy of the classes.
        target: True if the guess is one of the words left.
        exact: True if its value is proven; otherwise best play may do better.
        by: the method that found its value; see TREE.
        alike: number of guesses, itself included, that a symmetry of the position maps to it.
        number: its index in the position that a search gave it in.

    >>> GuessStats("dents", [0, 1, 1, 0, 0], 2, classes=2, largest=1, target=True)
    GuessStats(dents: found by turn 0 1 1 0 0 of 2, classes 2, largest 1)
    """

    guess: str
    turns: Sequence[int]
    total: int
    _: KW_ONLY
    classes: int
    largest: int
    target: bool
    exact: bool = False
    by: str = ""
    alike: int = 1
    bits: float = 0.0
    number: int = -1

    def __repr__(self) -> str:
        exact = ", exact" * self.exact
        sizes = f"classes {self.classes:,}, largest {self.largest:,}{exact}"
        turns = " ".join(map(str, self.turns))
        return brief("GuessStats", f"{self.guess}: found by turn {turns} of {self.total:,}, {sizes}")

    def expected(self, game: Game) -> float:
        """Return the value in the game's unit: mean points, guesses or misses, or per cent won.

        >>> from gpulingo.games.catalogue import lingo
        >>> guess = GuessStats("dents", [0, 1, 1, 0, 0], 2, classes=2, largest=1, target=True)
        >>> guess.expected(lingo()), guess.chances()
        (350.0, [0.0, 0.5, 1.0, 1.0, 1.0])
        """
        return expected(game, self.turns, self.total)

    def order(self, game: Game) -> Order:
        """Return a sort key: the value, then whether it is proven; then the turns or misses of words found,
        where each word found pays the same; then whether it may be the answer.

        Letters, and guesses against a host, have one value more often: then by the fewest words left.
        """
        paid = sum(game.credits(turn) * count for turn, count in enumerate(self.turns, 1))
        flat = game.credits(1) == game.credits(game.turns)
        late = sum(turn * count for turn, count in enumerate(self.turns, 1)) if flat else 0
        alike = game.opponent != "chance" or game.counts_misses
        return -paid, not self.exact, late, not self.target, self.largest if alike else 0

    def cost(self, best: GuessStats, game: Game) -> float | None:
        """Return the cost against the best guess, in the game's unit; None for values of different methods.

        >>> from gpulingo.games.catalogue import wordle
        >>> first = GuessStats("dents", [1, 1, 0], 2, classes=2, largest=1, target=True, by="lookahead")
        >>> other = GuessStats("zones", [0, 2, 0], 2, classes=2, largest=1, target=False, by="lookahead")
        >>> tree = GuessStats("zones", [0, 2, 0], 2, classes=2, largest=1, target=False, by="tree")
        >>> other.cost(first, wordle()), tree.cost(first, wordle())
        (0.5, None)
        """
        if self.by != best.by and not (self.exact and best.exact):
            return None
        cost = self.expected(game) - best.expected(game)
        cost = -cost if UNITS[game.shown].rises else cost
        return cost + 0.0 if cost >= 0 else None  # below 0 if fewest lost words come first

    def chances(self) -> list[float]:
        """Return the chance that the word is found by the end of each turn."""
        counts = [sum(self.turns[: turn + 1]) for turn in range(len(self.turns))]
        return [count / self.total for count in counts]

    def entry(self, game: Game, best: GuessStats) -> dict[str, Any]:
        """Return the guess as a JSON object, with its cost against the best one."""
        return {
            "guess": self.guess,
            "expected": self.expected(game),
            "exact": self.exact,
            "by": self.by,
            "cost": self.cost(best, game),
            "alike": self.alike,
            "found_by_turn": self.chances() if game.opponent == "chance" else [],
            "classes": self.classes,
            "largest": self.largest,
            "bits": round(self.bits, 6),
            "candidate": self.target,
        }


def found_text(best: Sequence[GuessStats], game: Game, name: str, searched: str = SEARCHED) -> str:
    """Return how guesses were found: by a search, or by rollouts of what is named."""
    if not best:
        return "stopped before the first guess was rolled out"
    if not best[0].exact:
        return f"{rolled_text(name)}: {limit_text(game)}"
    return searched if all(stats.exact for stats in best) else f"{searched}; {limit_text(game)}"


def expected(game: Game, turns: Sequence[int], total: int) -> float:
    """Return the value of `turns` and a `total` as those of `GuessStats`, in the game's unit."""
    if game.bonus and not game.counts_misses:
        game = game.plain  # otherwise the weight of lost words would hide all else
    credits = sum(game.credits(turn) * count for turn, count in enumerate(turns, 1))
    mean, weight = mean_of(game, credits + game.payoff[0] * (total - sum(turns)), total)
    return mean / weight


def class_sizes(rule: ModuleType, guess: str, left: list[str]) -> list[int]:
    """The numbers of words of the classes that a guess makes."""
    return [len(words) for words in classes_of(rule, guess, left).values()]


def entropy(weights: Sequence[int]) -> float:
    """Return the entropy of classes with these weights, in bits.

    >>> entropy([1, 1, 2]), entropy([3])
    (1.5, 0.0)
    """
    total = sum(weights)
    return sum(weight * log2(total / weight) for weight in weights if weight) / total if total else 0.0


def best_first(guesses: Iterable[GuessStats], game: Game) -> list[GuessStats]:
    """Return guesses, the best first; one as good as a best one that is proven is proven too."""
    best = sorted(guesses, key=lambda stats: stats.order(game))
    if best and best[0].exact and best[0].by != OPENING:
        value = best[0].order(game)[0]
        best = [replace(one, exact=True) if one.order(game)[0] == value else one for one in best]
    return sorted(best, key=lambda stats: stats.order(game))


def best_of(
    kept: Sequence[GuessStats], searched: Sequence[GuessStats], game: Game, count: int
) -> tuple[list[GuessStats], list[str]]:
    """Return the best of a stored tree's guesses and of a search's, and which of them are the tree's.

    Each guess comes once. A search may find more than the tree has, even for the tree's own guess.
    """
    new = {stats.guess: stats for stats in searched}
    stay = {
        old.guess: old
        for old in kept
        if (other := new.get(old.guess)) is None or not (other.exact or other.order(game) < old.order(game))
    }
    best = best_first([*stay.values(), *(one for one in searched if one.guess not in stay)], game)[:count]
    return best, [stats.guess for stats in best if stats.guess in stay]


T = TypeVar("T")
Sign = Hashable  # a colour; with its place, where each place's colours may be permuted alone
Pattern = tuple[Sign | int, ...]
Symmetry = tuple[tuple[int, ...], dict[Sign, Sign]]  # source of each place; images of colours


MOST_PLACES = 6  # all orders of so many places are tried, 720; in longer codes only colours are permuted


class Alike:
    """The symmetries of a position."""

    def __init__(self, words: WordList, game: Game, history: Sequence[tuple[str, str]] = ()) -> None:
        repeated = repeats_colours(game)
        colours = set[str]() if repeated is None else {*"".join(words.words)}
        count = len(colours) ** words.length if repeated else perm(len(colours), words.length)
        whole = len(words) == len(words.targets) == count and words.weights is None
        self._by_place = shows_placed_alone(game) and bool(repeated)
        guesses = [self._signs(guess) for guess, _ in history]
        self._kept = _kept(guesses, words.length) if repeated is not None and whole else []
        guessed = {sign for signs in guesses for sign in signs}
        every = zip(*(self._signs(colour * words.length) for colour in colours), strict=True)
        self._free = [sum(sign not in guessed for sign in signs) for signs in every]  # at each place
        self._twins = _anagrams(words, history) if shows_common_alone(game) else {}
        self._copies = Counter(self._twins.values())
        self.several = len(self._kept) > 0 or len(self._copies) < len(self._twins)
        self._first: dict[Pattern, tuple[str, int]] = {}

    def first(self, guess: str) -> tuple[str, int]:
        """Return the first code found among equivalent ones, and their number.

        >>> from gpulingo.games.catalogue import find_game
        >>> from gpulingo.words.targets import words_of
        >>> alike = Alike(words_of(4, find_game("mastermind")), find_game("mastermind"))
        >>> [alike.first(guess) for guess in ("1123", "6465")]
        [('1123', 720), ('1123', 720)]
        """
        if guess in self._twins:
            return self._first.setdefault(self._twins[guess], (guess, self._copies[self._twins[guess]]))
        if not self._kept:
            return guess, 1
        if (pattern := _pattern(self._signs(guess), *self._kept[0])) not in self._first:
            patterns = {_pattern(self._signs(guess), *kept) for kept in self._kept}
            entry = guess, sum(map(self._codes, patterns))
            self._first |= dict.fromkeys(patterns, entry)
        return self._first[pattern]

    def _signs(self, guess: str) -> tuple[Sign, ...]:
        return tuple(enumerate(guess)) if self._by_place else tuple(guess)

    def _codes(self, pattern: Pattern) -> int:
        """Return the number of codes of a pattern."""
        if self._by_place:
            return prod(free for free, sign in zip(self._free, pattern, strict=True) if isinstance(sign, int))
        return perm(self._free[0], len({sign for sign in pattern if isinstance(sign, int)}))

    def one_of_each(self, guesses: Iterable[T], name: Callable[[T], str]) -> list[T]:
        """Return the first of each set of equivalent guesses."""
        first: dict[str, T] = {}
        for guess in guesses:
            first.setdefault(self.first(name(guess))[0], guess)
        return list(first.values())


def _anagrams(words: WordList, history: Sequence[tuple[str, str]]) -> dict[str, Pattern]:
    """Return a key of each word not guessed yet: words of one key differ only if one of them is guessed."""
    targets, past = set(words.targets), {guess for guess, _ in history}
    weights = [1] * len(words) if words.weights is None else words.weights
    pairs = zip(words.words, weights, strict=True)
    return {word: (*sorted(word), word in targets, weight) for word, weight in pairs if word not in past}


def _kept(guesses: Sequence[Sequence[Sign]], length: int) -> list[Symmetry]:
    """Return the symmetries that fix all guesses, the identity first."""
    orders = permutations(range(length)) if length <= MOST_PLACES else [tuple(range(length))]
    kept = []
    for order in orders:
        pairs = {(guess[source], guess[place]) for guess in guesses for place, source in enumerate(order)}
        image = dict(pairs)
        if len(image) == len(pairs) == len(set(image.values())):
            kept.append((order, image))
    return kept


def _pattern(guess: Sequence[Sign], order: Sequence[int], image: dict[Sign, Sign]) -> Pattern:
    """Return the image of a guess; colours that no guess had are numbered in order."""
    free: dict[Sign, int] = {}
    moved = [guess[source] for source in order]
    return tuple(image[sign] if sign in image else free.setdefault(sign, len(free)) for sign in moved)
