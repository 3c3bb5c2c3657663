"""Counts: the feedback of Mastermind, how many letters are placed and how many held elsewhere, and of Jotto.

One pair of words at a time; batches are the tensors' business.
"""

from __future__ import annotations

PLACED = 256  # of a pattern: a placed letter; one that is held elsewhere is 1


class Counts:
    """How many letters of a guess are placed, and how many more the target holds at other places.

    Args:
        held: whether letters that are held elsewhere are counted; else the placed ones alone are shown.

    >>> Counts().feedback("1122", "2112"), Counts(held=False).feedback("1122", "2112")
    ('2,2', '2')
    """

    noun = "counts"  # what is shown

    def __init__(self, *, held: bool = True) -> None:
        self.held = held
        self.meaning = "how many are placed" + (" and how many held elsewhere" if held else "")
        self.example = "1122", "1,1" if held else "1"

    def forms(self, length: int) -> str:
        """How counts of a guess of `length` letters are written, one way or another."""
        return "2,1 or 2b1w or 2A1B" if self.held else "2"

    def numbers(self, text: str) -> list[str]:
        """What is counted, one by one."""
        return text.split(",")

    def feedback(self, guess: str, target: str) -> str:
        """The counts of a guess: `2,1` of two placed letters and one that is held elsewhere, or `2`.

        Raises:
            ValueError: the word lengths differ.
        """
        if len(guess) != len(target):
            sizes = f"guess {guess!r} has {len(guess)} letters, target {target!r} has {len(target)}"
            raise ValueError(f"{sizes}: use one length")
        placed = sum(map(str.__eq__, guess, target))
        common = sum(min(guess.count(letter), target.count(letter)) for letter in set(guess))
        return self._text(placed, common - placed)

    def fault(self, text: str, length: int) -> str:
        """What is wrong with counts of a guess of `length` letters, in one line; empty when nothing is."""
        own = "2,1 for two placed and one held elsewhere" if self.held else "2 for two placed"
        try:
            placed, held = self._read(text)
        except ValueError:
            return f"counts {text[:40]!r}: send {own}"
        if placed + held > length or (placed, held) == (length - 1, 1):
            return f"counts {text!r} of {length} signs cannot be: send {own}"
        return ""

    def pattern(self, text: str) -> int:
        """Pattern of counts, 256 x placed + held.

        Raises:
            ValueError: they are none.
        """
        placed, held = self._read(text)
        return PLACED * placed + held

    def marks(self, pattern: int, length: int) -> str:
        """Counts of a pattern; the twin of `pattern`.

        Raises:
            ValueError: a pattern out of range.
        """
        placed, held = divmod(pattern, PLACED)
        if pattern < 0 or placed + held > length:
            raise ValueError(f"pattern {pattern} is not one of {length} letters: use 0 to {PLACED * length}")
        return self._text(placed, held)

    def solved(self, length: int) -> int:
        """All letters placed; no pattern of so many letters is greater."""
        return PLACED * length

    def _text(self, placed: int, held: int) -> str:
        return f"{placed},{held}" if self.held else str(placed)

    def _read(self, text: str) -> tuple[int, int]:
        """Counts in any of the usual spellings: `2,1`, `2b1w`, `2A1B`, and `2` where none are held.

        Raises:
            ValueError: it is none.
        """
        plain = text.lower()
        for first, second in (("b", "w"), ("a", "b")):
            if plain.endswith(second) and plain.count(first) == 1:
                plain = plain[:-1].replace(first, ",")
        numbers = plain.split(",")
        if len(numbers) != 1 + self.held or not all(part.isascii() and part.isdigit() for part in numbers):
            raise ValueError(f"counts {text[:40]!r} are none")
        placed, held = (*map(int, numbers), 0)[:2]
        return placed, held


class Common(Counts):
    """How many letters guess and target have in common; an anagram is not the target.

    >>> rule = Common()
    >>> rule.feedback("steal", "tales"), rule.feedback("steal", "stale"), rule.feedback("steal", "steal")
    ('5', '5', '5!')
    """

    def __init__(self) -> None:
        super().__init__()
        self.meaning, self.example = "how many letters both words have in common", ("crane", "2")

    def forms(self, length: int) -> str:
        """How a number of a guess of `length` letters is written."""
        return f"2, or {length}! for the word itself"

    def feedback(self, guess: str, target: str) -> str:
        """The number of letters in common, with ``!`` behind it where the guess is the target.

        Raises:
            ValueError: the word lengths differ.
        """
        placed, held = map(int, super().feedback(guess, target).split(","))
        return f"{placed + held}{'!' * (guess == target)}"

    def fault(self, text: str, length: int) -> str:
        """What is wrong with the number of a guess of `length` letters, in one line; empty where none is."""
        own = f"send {self.forms(length)}"
        if not text.removesuffix("!").isdecimal() or not text.isascii():
            return f"counts {text[:40]!r}: {own}"
        number, itself = int(text.removesuffix("!")), text[-1] == "!"
        if number > length or (itself and number < length) or (not itself and number == length == 1):
            return f"counts {text[:40]!r} of {length} letters cannot be: {own}"
        return ""

    def pattern(self, text: str) -> int:
        """Pattern of a number: itself; one more of the target.

        Raises:
            ValueError: it is none.
        """
        return int(text.removesuffix("!")) + text.endswith("!")

    def marks(self, pattern: int, length: int) -> str:
        """Number of a pattern; the twin of `pattern`.

        Raises:
            ValueError: a pattern out of range.
        """
        if not 0 <= pattern <= length + 1:
            raise ValueError(f"pattern {pattern} is not one of {length} letters: use 0 to {length + 1}")
        return str(pattern) if pattern <= length else f"{length}!"

    def solved(self, length: int) -> int:
        """One more than all letters; no pattern of so many letters is greater."""
        return length + 1
