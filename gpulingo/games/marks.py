"""The rules of Lingo: marks, turns and points, one word at a time.

Batches of words are the tensors' business; this is the plain rule that they must equal.
"""

from __future__ import annotations

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from collections.abc import Sequence

MARKS = "X?O"  # absent 0, misplaced 1, placed 2


class ContradictionError(ValueError):
    """No word fits the marks."""


def feedback(guess: str, target: str) -> str:
    """Marks of a guess against a target.

    Placed letters are marked first. Then, from left to right, a letter is misplaced while the
    target still holds an unplaced copy of it that no earlier letter of the guess has used.

    Args:
        guess: the word proposed.
        target: the word to find, of the same length.
    Returns:
        One of ``X?O`` per letter of the guess.
    Raises:
        ValueError: the word lengths differ.
    Source: checkWord in game.go of noirotm/lingo.
    """
    if len(guess) != len(target):
        sizes = f"guess {guess!r} has {len(guess)} letters, target {target!r} has {len(target)}"
        raise ValueError(f"{sizes}: use one length")
    supply = [t for g, t in zip(guess, target, strict=True) if g != t]
    text = ""
    for g, t in zip(guess, target, strict=True):
        if g == t:
            text += "O"
        elif g in supply:
            supply.remove(g)
            text += "?"
        else:
            text += "X"
    return text


def fault(text: str, length: int) -> str:
    """What is wrong with the marks of a guess of `length` letters, in one line; empty when nothing is."""
    if len(text) != length:
        sizes = f"marks {text[:40]!r} have {len(text)} characters, the word has {length} letters"
        return f"{sizes}: send one of {MARKS} per letter"
    for place, mark in enumerate(text, 1):
        if mark not in MARKS:
            return f"marks {text!r} hold {mark!r} at place {place}: use only {MARKS}"
    return ""


def pattern(text: str) -> int:
    """Pattern of marks: base-3 digits, first letter most significant.

    Args:
        text: marks, one of ``X?O`` per letter.
    Returns:
        An integer in [0, 3**N); all placed is 3**N - 1.
    Raises:
        ValueError: no marks, or another character.
    """
    if not text:
        raise ValueError(f"marks are empty: send one of {MARKS} per letter")
    wrong = fault(text, len(text))
    if wrong:
        raise ValueError(wrong)
    code = 0
    for mark in text:
        code = 3 * code + MARKS.index(mark)
    return code


def marks(pattern: int, length: int) -> str:
    """Marks of a pattern; the twin of `pattern`.

    Args:
        pattern: an integer in [0, 3**length).
        length: number of letters, at least 1.
    Raises:
        ValueError: a pattern or a length out of range.
    """
    if length < 1:
        raise ValueError(f"length is {length}: marks need at least 1 letter")
    if not 0 <= pattern < 3**length:
        raise ValueError(f"pattern {pattern} is not one of {length} letters: use 0 to {3**length - 1}")
    text = ""
    for _ in range(length):
        pattern, digit = divmod(pattern, 3)
        text = MARKS[digit] + text
    return text


class Lingo:
    """The game of the Lingo pit: a guess must stand in the list, and any word of the list may be the target.

    No dataclass: importing `dataclasses` costs the light path more than reading a checkpoint.

    Attributes:
        turns: guesses a round allows.
    """

    __slots__ = ("turns",)
    name = "lingo"
    turns: int

    def __init__(self, turns: int = 5) -> None:
        if turns < 1:
            raise ValueError(f"turns is {turns}: a round needs at least 1")
        object.__setattr__(self, "turns", turns)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Lingo is frozen: make a new one instead of changing {name}")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Lingo) and self.turns == other.turns

    def __hash__(self) -> int:
        return hash((self.name, self.turns))

    def __repr__(self) -> str:
        return f"Lingo(turns={self.turns})"

    def points(self, turn: int) -> int:
        """Points (0..100 x turns) of a word found on `turn`, 1-based; turn 0 is a lost word and has none.

        Raises:
            ValueError: a turn that the game does not have.
        """
        if not 0 <= turn <= self.turns:
            raise ValueError(
                f"turn {turn} is not in a game of {self.turns} turns: use 0 (lost) to {self.turns}"
            )
        return 100 * (self.turns + 1 - turn) if turn else 0

    def mean_points(self, counts: Sequence[int], words: int) -> float:
        """Mean points (0..100 x turns) over `words` words of which `counts[t - 1]` are found on turn t."""
        return sum(self.points(turn) * count for turn, count in enumerate(counts, 1)) / words

    def mean_guesses(self, mean_points: float) -> float:
        """Mean guesses of a word, 1 to turns + 1, where a lost word counts one more than a round allows.

        That is the mean of the turns on which the words are found; 100 points are one guess.
        """
        return self.turns + 1 - mean_points / 100
