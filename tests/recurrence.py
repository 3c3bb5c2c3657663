"""The recurrence that every search solves, in plain Python: the reference for searches, on short lists.

    value(S, k) = payoff[k] * weight            if S is one word
                = payoff[0] * weights           if no turn is left
                = best over the legal guesses g of FOLD over the classes c of g in S of value(c, k - cost)

If words are guessed, each guess except the target costs a turn; if letters are guessed, each miss costs one.
FOLD is the sum if the target is random, the minimum if an adversary chooses the class, and the value of the
kept class if a host follows a rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gpulingo.games.catalogue import feedback_of, legal_after
from gpulingo.games.game import Game
from gpulingo.words.letters import in_order
from gpulingo.words.wordlist import WordList

Classes = Mapping[str, int]  # feedback of a guess -> the targets with this feedback, as bits


@dataclass
class Recurrence:
    """Values of sets of a list's targets in a game; a set is a number, a bit for each word of the list."""

    words: WordList
    game: Game
    _known: dict[tuple[int, int, int], int] = field(default_factory=dict)
    # (guess, feedback) -> guesses that stay legal after it; filled on demand.
    _allowed: dict[tuple[int, str], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._rule, self._letters = feedback_of(self.game), self.game.costs == "miss"
        self._weights = self.words.weights or []
        self._folds = self.game.opponent != "chance"
        self.guesses = in_order("".join(self.words.words)) if self._letters else self.words.words

    @cached_property
    def targets(self) -> int:
        """All targets."""
        return self.bits(self.words.targets)

    @cached_property
    def every_guess(self) -> int:
        """All guesses, a bit for each of `guesses`."""
        return (1 << len(self.guesses)) - 1

    @cached_property
    def _classes(self) -> list[list[tuple[str, int, int]]]:
        """Marks of each guess, the words with these marks, and the turns that they cost, 0 or 1."""
        return [self._shown(guess) for guess in self.guesses]

    def bits(self, words: Iterable[str]) -> int:
        """Words of the list as a set."""
        return sum(1 << self.words.index(word) for word in words)

    def value(self, members: int | None = None, left: int | None = None, legal: int | None = None) -> int:
        """Credits of the best strategy, summed over the members or as the opponent leaves them.

        Args:
            members: a set; None: all targets. left: turns or lives; None: all of the game.
            legal: guesses that the rule allows of all hints so far, as bits; None: all.
        """
        members = self.targets if members is None else members
        left = self.game.turns if left is None else left
        return self._value(members, left, self.every_guess if legal is None else legal)

    def value_after(
        self, guess: int, members: int | None = None, left: int | None = None, legal: int | None = None
    ) -> int:
        """The same for strategies whose first guess, given by its number, is fixed."""
        members = self.targets if members is None else members
        left = self.game.turns if left is None else left
        return self._value_after(guess, members, left, self.every_guess if legal is None else legal)

    def least(self, members: int | None = None, legal: int | None = None) -> int:
        """The fewest misses, or guesses, that suffice to find every target."""
        members = self.targets if members is None else members
        for turns in range(1, len(self.guesses) + 2):
            payoff, own = (0, *[1] * turns), self.game
            game = Game(own.name, turns, payoff, feedback=own.feedback, costs=own.costs,
                        opponent=own.opponent, legal=own.legal, since=own.since)  # fmt: skip
            found = Recurrence(self.words, game).value(members, legal=legal)
            if found == self._weight(members):
                return turns - self._letters
        raise AssertionError("a guess for each word finds all of them")

    def _shown(self, guess: str) -> list[tuple[str, int, int]]:
        """Return the classes of a guess; see `_classes`."""
        classes: dict[str, int] = {}
        for place, word in enumerate(self.words.words):
            text = self._rule.feedback(guess, word)
            classes[text] = classes.get(text, 0) | 1 << place
        solved = {} if self._letters else {guess: 0}
        cost = {text: 1 - self.game.left_after(1, self._rule.pattern(text)) for text in classes}
        return [
            (text, own, solved.get(self.words.words[own.bit_length() - 1], cost[text]))
            for text, own in classes.items()
        ]

    def _weight(self, members: int) -> int:
        """Return the total weight of the members of a set; 1 if an opponent chooses the class."""
        if self._folds:
            return 1
        if not self._weights:
            return members.bit_count()
        return sum(self._weights[place] for place in _places(members))

    def _value(self, members: int, left: int, legal: int) -> int:
        if left <= 0 or members & (members - 1) == 0:
            return self.game.payoff[max(left, 0)] * self._weight(members)
        key = members, left, legal if self.game.legal != "any" else 0
        if key not in self._known:
            most, best = self._most(members, left), -1
            for guess in _places(legal if left <= self.game.ruled_left else self.every_guess):
                if any(own & members == members for _, own, _ in self._classes[guess]):
                    continue  # it separates nothing
                best = max(best, self._value_after(guess, members, left, legal))
                if best == most:
                    break
            self._known[key] = best
        return self._known[key]

    def _most(self, members: int, left: int) -> int:
        """Return an upper bound on the value of any guess: at most one word is found by this guess."""
        payoff = self.game.payoff
        if self._letters or self._folds:
            return payoff[left if self._letters else left - 1] * self._weight(members)
        heaviest = (
            max((self._weights[place] for place in _places(members)), default=0) if self._weights else 1
        )
        return payoff[left] * heaviest + payoff[left - 1] * (self._weight(members) - heaviest)

    def _value_after(self, guess: int, members: int, left: int, legal: int) -> int:
        classes = [(text, own & members, cost) for text, own, cost in self._classes[guess] if own & members]
        if self.game.opponent == "largest":
            kept = largest(self, self.guesses[guess], {text: own for text, own, _ in classes})
            classes = [(text, own, cost) for text, own, cost in classes if text == kept]
        values = [
            self._value(own, left - cost, self.still_legal(guess, text, legal)) for text, own, cost in classes
        ]
        return min(values) if self._folds else sum(values)

    def still_legal(self, guess: int, text: str, legal: int) -> int:
        """The legal guesses, among those in `legal`, after the feedback of a guess."""
        if self.game.legal == "any":
            return legal
        if (guess, text) not in self._allowed:
            own = (legal_after(self.game, self.guesses[guess], text, word) for word in self.guesses)
            self._allowed[guess, text] = sum(1 << place for place, is_legal in enumerate(own) if is_legal)
        return legal & self._allowed[guess, text]


def largest(recurrence: Recurrence, guess: str, classes: Classes) -> str:
    """Return the largest class; on ties that with fewest letters placed, then misplaced, then by pattern."""
    return min(classes, key=lambda text: (-classes[text].bit_count(), *_ties(recurrence, text)))


def _ties(recurrence: Recurrence, text: str) -> tuple[int, int, int]:
    """Return the key that breaks ties between classes of equally many words."""
    return text.count("O"), text.count("?"), feedback_of(recurrence.game).pattern(text)


def _places(bits: int) -> Iterable[int]:
    """Yield the places of the bits of a number, ascending."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
