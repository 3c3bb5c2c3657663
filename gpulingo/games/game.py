"""A guessing game as data: what a guess shows and costs, the payoff of a found word, who chooses the answer.

The value of a set of candidates with k turns left is the greatest, over the legal guesses, of the sum over
its classes: payoff[k] for the solved one, for each other its value with the turns left after the guess. With
an adversary or a host, one class counts instead of the sum. No search depends on a game's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, replace

MOST_TURNS = 255
CREDIT = 100  # points per credit, where values are shown as points
FIRST = 1 << 24  # credits of a found word if finding comes first: more than the turns of all words together
TIE = 1 << 32  # the same where misses cost and only finding pays, in searches
MOST_TIED = 1 << 26  # total weight of words up to which the lives of all are fewer than that
CHOICES = {
    "feedback": ("marks", "positions", "counts", "placed", "common"),
    "costs": ("guess", "miss"),
    "opponent": ("chance", "largest", "adversary"),
    "legal": ("any", "candidates", "consistent", "hard"),
    "shown": ("points", "guesses", "words", "misses"),
    "given": ("", "letter"),
}
HINTS = ("hard", "consistent")  # what may be guessed depends on what was shown
LETTER_GIVEN = "letter"  # rule of a game that gives the first letter
OBJECTIVES = {"lost": (FIRST, 1), "found": (1, 0)}  # credits of finding a word, and of each turn left


@dataclass(frozen=True, slots=True, repr=False)
class Game:
    """The rules that differ between guessing games.

    Attributes:
        name: of the family, such as `lingo`; with the turns it names the game (`code`).
        feedback: what a guess shows: `marks` of a word, or the `positions` of a letter; `counts` of placed
            letters and others elsewhere, or of the `placed` ones alone; or how many letters are in `common`.
        turns: turns of a round, 1 or more; the lives, if misses cost.
        costs: what uses up a turn: every `guess`, or a `miss`: a guess of pattern 0. If misses cost, turn
            t is the time after miss t - 1, and a target that is the only candidate is found at no cost.
        payoff: [turns + 1] credits; `payoff[k]` of a target found with k turns left, including the guess;
            `payoff[0]` of a lost one.
        opponent: who chooses the answer: `chance`, so that values are sums over the targets; or a host that
            keeps the `largest` class, or as an `adversary` the one that takes most guesses.
        legal: the legal guesses: `any` word of the pool; `candidates` only; `consistent`, any word
            of the pool that all marks so far allow; words that use every hint so far, in `hard` mode; or
            words that begin with the given letter, from the `start`.
        shown: how values are shown: as mean `points`, 100 per credit; as mean `guesses`, where a lost word
            counts one more than a round allows; as `words` found; or as mean `misses`, where a lost
            word has all that a round allows.
        given: what is known of the target before the first guess: nothing, or its first `letter`.
        since: the first turn on which `legal` applies, to everything shown until then; before it any
            word of the pool may be guessed.
        boards: words of a round, each on its board. A guess counts on every board whose word is not found,
            and the round is won on the turn of the last.
    Raises:
        ValueError: no turns, a payoff of another length, an unknown choice, or guesses that begin
            with a letter that is not given.

    >>> Game("lingo", turns=3, payoff=[0, 1, 2, 3]).points(turn=1)
    300
    """

    name: str
    turns: int
    payoff: Sequence[int]
    _: KW_ONLY
    feedback: str = "marks"
    costs: str = "guess"
    opponent: str = "chance"
    legal: str = "any"
    shown: str = "points"
    given: str = ""
    since: int = 1
    boards: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.turns <= MOST_TURNS:
            raise ValueError(f"turns is {self.turns}, expected 1 to {MOST_TURNS}")
        object.__setattr__(self, "payoff", tuple(self.payoff))
        if len(self.payoff) != self.turns + 1:
            what = f"payoff has {len(self.payoff)} values, expected {self.turns + 1}"
            raise ValueError(f"{what}: of 0 to {self.turns} left")
        for field, choices in CHOICES.items():
            if (value := getattr(self, field)) not in choices:
                raise ValueError(f"{field} is {value!r}: use {' or '.join(filter(None, choices))}")

    def __repr__(self) -> str:
        return f"<Game {self.code}>"

    def under(self, rule: str) -> Game:
        """Return the same game under a rule, which its name has: of legal guesses, such as `hard` or
        `from3-hard`, or `letter`, which gives the first letter of the target.
        """
        if rule == LETTER_GIVEN:
            return replace(self, name=f"{self.name}-{rule}", given=rule)
        family, _, objective = self.name.rpartition("-")
        name = f"{family}-{rule}-{objective}" if objective in OBJECTIVES else f"{self.name}-{rule}"
        since, _, legal = rule.removeprefix("from").rpartition("-")
        return replace(self, name=name, legal=legal, since=int(since or 1))

    def seeking(self, objective: str) -> Game:
        """Return the same game with another objective, which its name has: `wordle-lost`.

        Args:
            objective: `lost`, fewest lost words, on ties the mean; `found`, fewest lost words alone.
        Raises:
            ValueError: the objective is unknown.

        >>> Game("wordle", turns=3, payoff=[0, 1, 2, 3]).seeking("found").payoff
        (0, 1, 1, 1)
        """
        if objective not in OBJECTIVES:
            raise ValueError(f"objective is {objective!r}: use {' or '.join(OBJECTIVES)}")
        bonus, pace = OBJECTIVES[objective]
        payoff = (0, *(bonus + pace * left for left in range(1, self.turns + 1)))
        return replace(self, name=f"{self.name}-{objective}", payoff=payoff)

    @property
    def guesses_letters(self) -> bool:
        """Return True if guesses are letters, False if words."""
        return self.feedback == "positions"

    @property
    def shows_marks(self) -> bool:
        """Return True if guesses show for each letter whether it is placed, misplaced or absent."""
        return self.feedback == "marks"

    @property
    def counts_misses(self) -> bool:
        """Return True if only misses use up a turn, False if every guess does."""
        return self.costs == "miss"

    @property
    def rule(self) -> str:
        """The rule in the game's name, see `under`, or the `letter` it gives.

        >>> Game("lingo", turns=1, payoff=[0, 1]).under("letter").rule
        'letter'
        """
        if self.since > 1:
            return f"from{self.since}-{self.legal}"
        return self.given if self.given and self.legal == "any" else self.legal

    @property
    def ruled_left(self) -> int:
        """The most turns left with which `legal` applies; 0 if it begins after the last turn.

        >>> Game("lingo", turns=5, payoff=range(6)).under("from3-hard").ruled_left
        3
        """
        return max(self.turns - self.since + 1, 0)

    @property
    def plain(self) -> Game:
        """The same rules with a payoff of one credit per turn left and 0 for a lost word."""
        return replace(self, payoff=tuple(range(self.turns + 1)))

    def tie_broken(self, weight: int) -> Game:
        """Return the same game in which on ties of the payoff the fewest misses decide; for searches.

        A payoff that tells misses apart stays. So does any for words of too great a total weight.

        >>> Game("hangman", 2, [0, 1, 1], feedback="positions", costs="miss").tie_broken(weight=9).payoff
        (0, 4294967297, 4294967298)
        """
        tied = self.counts_misses and len({*self.payoff}) <= self.turns and weight < MOST_TIED
        payoff = [TIE * credits + left for left, credits in enumerate(self.payoff)]
        return replace(self, payoff=payoff) if tied else self

    @property
    def terms(self) -> tuple[int, int] | None:
        """Credits of finding a word, and of each turn left then, if these make up the payoff.

        >>> Game("lingo", turns=3, payoff=[0, 1, 2, 3]).terms
        (0, 1)
        """
        pace = self.payoff[2] - self.payoff[1] if self.turns > 1 else 1
        bonus = self.payoff[1] - pace
        paid = (0, *(bonus + pace * left for left in range(1, self.turns + 1)))
        return (bonus, pace) if paid == self.payoff else None

    @property
    def bonus(self) -> int:
        """Credits of finding a word, see `terms`; 0 without terms."""
        return 0 if self.terms is None else self.terms[0]

    @property
    def code(self) -> str:
        """Name and turns in one word, as in file names and `--game`: `lingo5`, `lingo-hard5`."""
        return f"{self.name}{self.turns}"

    def left_after(self, left: int, pattern: int) -> int:
        """Turns left after a guess with `left` turns left that showed a pattern.

        >>> Game("hangman", 2, [0, 1, 1], feedback="positions", costs="miss").left_after(2, pattern=5)
        2
        """
        return left if self.costs == "miss" and pattern else left - 1

    @property
    def rises_by_one(self) -> bool:
        """Return True if each turn left pays one credit and a lost word nothing.

        If so, and the target is random, the best guess with two turns left is the one of most
        classes, plus one for a candidate.
        """
        return self.payoff == tuple(range(self.turns + 1))

    def credits(self, turn: int) -> int:
        """Credits of a word found on `turn`, 1-based; turn 0 is a lost word.

        Raises:
            ValueError: a turn that the game does not have.
        """
        if not 0 <= turn <= self.turns:
            what = f"turn {turn} is not in a game of {self.turns} turns"
            raise ValueError(f"{what}: use 0 (lost) to {self.turns}")
        return self.payoff[self.turns + 1 - turn if turn else 0]

    def points(self, turn: int) -> int:
        """Points of a word found on `turn`, see `credits`."""
        return CREDIT * self.credits(turn)

    def mean_points(self, counts: Sequence[int], words: int) -> float:
        """Mean points over `words` words of which `counts[t - 1]` are found on turn t, the others lost."""
        return CREDIT * self.credits_of(counts, words) / words

    def credits_of(self, counts: Sequence[int], words: int) -> int:
        """Credits summed over such words."""
        lost = self.credits(0) * (words - sum(counts))
        return lost + sum(self.credits(turn) * count for turn, count in enumerate(counts, 1))

    def points_of(self, value: float, words: int) -> float:
        """Mean points of a value (credits, summed over `words` words)."""
        return CREDIT * value / words

    def value_of(self, mean_points: float, words: int) -> int:
        """Credits, summed over `words` words, of their mean points; the inverse of `points_of`."""
        return round(mean_points * words / CREDIT)

    def mean_guesses(self, mean_points: float) -> float:
        """Mean guesses per word, 1 to turns + 1, where a lost word counts one more than a round allows.

        This is the mean of the turns on which the words are found, if a credit is a guess.
        """
        return self.turns + 1 - mean_points / CREDIT

    def turn_name(self, turn: int) -> str:
        """Return the heading of the words found on a turn."""
        return f"{turn - 1} miss" + "es" * (turn != 2) if self.counts_misses else f"turn {turn}"

    def turn_cells(self, turns: Sequence[int], lost: int) -> dict[str, str]:
        """Return column -> cell of the words found on each turn, and of those lost."""
        cells = {self.turn_name(turn): f"{count:,}" for turn, count in enumerate(turns, 1)}
        return cells | {"lost": f"{lost:,}"}

    def mean_misses(self, turn_counts: Sequence[int], words: int) -> float:
        """Mean misses over `words` words of which `turn_counts[t - 1]` are found on turn t, with t - 1
        misses; the others are lost, with as many as there are turns.
        """
        total = sum(misses * count for misses, count in enumerate(turn_counts))
        return (total + self.turns * (words - sum(turn_counts))) / words
