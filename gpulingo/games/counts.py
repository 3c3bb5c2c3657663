"""Counts: the feedback of Mastermind, how many letters are placed and how many are elsewhere, and of Jotto.

For one pair of words at a time; tensors handle batches.
"""

from __future__ import annotations

from typing import Any

Count = Any  # a number, or a tensor of numbers

PLACED = 256  # pattern of one placed letter; a letter elsewhere is 1


class Counts:
    """Counts of a guess: letters placed, and, if `held`, letters that the target has at other places.

    >>> Counts().feedback("1122", "2112"), Counts(held=False).feedback("1122", "2112")
    ('2,2', '2')
    """

    noun, signs = "counts", "signs"  # nouns of the feedback, and of its parts

    def __init__(self, *, held: bool = True) -> None:
        self.held = held
        self.meaning = "how many are placed" + (" and how many held elsewhere" if held else "")
        self.example = "1122", "1,1" if held else "1"

    def forms(self, length: int) -> str:
        """The forms of counts of a guess of `length` letters."""
        return "2,1 or 2b1w or 2A1B" if self.held else "2"

    def feedback(self, guess: str, target: str) -> str:
        """The feedback of a guess of the target's length, such as `2,1`, or `2`."""
        return self.marks(self.number(*self.counted(guess, target), len(guess)), len(guess))

    def number(self, placed: Count, held: Count, length: int) -> Count:
        """Pattern of the counts of a guess of `length` letters; for tensors, elementwise."""
        return PLACED * placed + (held if self.held else 0)

    def counted(self, guess: str, target: str) -> tuple[int, int]:
        """Return the letters of a guess that are placed, and others that the target has."""
        placed = sum(map(str.__eq__, guess, target))
        common = sum(min(guess.count(letter), target.count(letter)) for letter in set(guess))
        return placed, common - placed

    def fault(self, text: str, length: int) -> str:
        """Return what is wrong with the counts of a guess of `length` letters; empty if they are possible."""
        example = "2,1 for two placed and one held elsewhere" if self.held else "2 for two placed"
        try:
            placed, held = self._read(text)
        except ValueError:
            return f"counts {text[:40]!r}: send {example}"
        if placed + held > length or (placed, held) == (length - 1, 1):
            return f"counts {text!r} of {length} {self.signs} cannot be: send {example}"
        return ""

    def pattern(self, text: str) -> int:
        """Pattern of counts, 256 x placed + held; ValueError: the text has another form."""
        return self.number(*self._read(text), 0)

    def marks(self, pattern: int, length: int) -> str:
        """Counts of a pattern; the inverse of `pattern`."""
        placed, held = divmod(pattern, PLACED)
        return f"{placed},{held}" if self.held else str(placed)

    def solved(self, length: int) -> int:
        """The pattern of all letters placed; the greatest of this length."""
        return PLACED * length

    def _read(self, text: str) -> tuple[int, int]:
        """Counts in any common spelling: `2,1`, `2b1w`, `2A1B`, `2B1C`; `2` if only placed letters count."""
        plain = text.lower()
        for first, second in ("bw", "ab", "bc"):
            if plain.endswith(second) and plain.count(first) == 1:
                plain = plain[:-1].replace(first, ",")
        numbers = plain.split(",")
        if len(numbers) != 1 + self.held or not all(part.isascii() and part.isdigit() for part in numbers):
            raise ValueError(f"counts {text[:40]!r} have another form")
        placed, held = (*map(int, numbers), 0)[:2]
        return placed, held


class Common(Counts):
    """The number of letters in common, which is the pattern too; an anagram is not the target.

    >>> rule = Common()
    >>> rule.feedback("steal", "tales"), rule.feedback("steal", "stale"), rule.feedback("steal", "steal")
    ('5', '5', '5!')
    """

    signs = "letters"

    def __init__(self) -> None:
        super().__init__()
        self.meaning, self.example = "how many letters both words have in common", ("crane", "2")

    def number(self, placed: Count, held: Count, length: int) -> Count:
        """Pattern of both counts: their sum, plus one if all are placed."""
        return placed + held + (placed == length)

    def solved(self, length: int) -> int:
        """One more than all letters; the greatest pattern of this length."""
        return length + 1

    def forms(self, length: int) -> str:
        return f"2, or {length}! for the word itself"

    def fault(self, text: str, length: int) -> str:
        if text in [self.marks(number, length) for number in range(self.solved(length) + 1)]:
            return ""
        return f"counts {text[:40]!r} of {length} {self.signs} cannot be: send {self.forms(length)}"

    def pattern(self, text: str) -> int:
        """Pattern of a number: itself, plus one with ``!`` after it; ValueError for another form."""
        return int(text.removesuffix("!")) + text.endswith("!")

    def marks(self, pattern: int, length: int) -> str:
        """Number of a pattern, with ``!`` after it for the target itself; the inverse of `pattern`."""
        return f"{length}!" if pattern == self.solved(length) else str(pattern)
