"""Marks: the feedback that shows which letters are placed, misplaced or absent, one pair of words at a time.

Tensors handle batches of words; this is the reference rule that they must equal.
"""

from __future__ import annotations

from gpulingo.storage.faults import Fault

MARKS = "X?O"  # absent 0, misplaced 1, placed 2
noun, meaning, example = "marks", "G placed, Y misplaced, B absent", ("crane", "BYBBG")
_DIGITS = str.maketrans(MARKS, "012")
LETTERS = str.maketrans(MARKS, "BYG")  # black, yellow, green, which no shell interprets
NARROW = 19  # letters: 3**19 < 2**31 < 3**20, so patterns of longer words need 64 bits
LONGEST = 39  # letters: 3**39 < 2**63 < 3**40, so longer words have no patterns
NUMBERS = ("no", "one", "two", "three", *map(str, range(4, 256)))  # of copies of a letter


class ContradictionError(Fault):
    """Guesses and marks that contradict each other, the list or the rules: no word fits.

    >>> import gpulingo
    >>> gpulingo.position_after([("stole", "OOOO?")], gpulingo.find_words(5))
    Traceback (most recent call last):
    gpulingo.games.marks.ContradictionError: ...
    """


def lettered(text: str) -> str:
    """Return marks as people read and type them, also those of several boards; other feedback unchanged.

    >>> lettered("X?XXO"), lettered("XO,-"), lettered("_O__")
    ('BYBBG', 'BG,-', '_O__')
    """
    return text.translate(LETTERS) if {*text} <= {*MARKS, ",", "-"} else text


def feedback(guess: str, target: str) -> str:
    """Marks of a guess against a target.

    Placed letters are marked first. Then, from left to right, a letter is misplaced while the
    target still holds an unplaced copy of it that no earlier letter of the guess has used.

    Returns:
        One of ``X?O`` per letter of the guess.
    Raises:
        ValueError: the word lengths differ.
    Source: checkWord in game.go of noirotm/lingo.

    >>> feedback("dozes", "dents")
    'OXX?O'
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


def missing_hint(word: str, guess: str, text: str) -> str:
    """Return the first hint of a guess and its marks that a word does not use; empty: hard mode allows it.

    Placed letters stay, and every letter occurs at least as often as it was marked placed or
    misplaced. Absent letters may be used again, misplaced ones may stay at their place.

    >>> missing_hint("steed", guess="dozes", text="?XX??"), missing_hint("sends", guess="dozes", text="?XXO?")
    ('', 'sends has no e at place 4, where it was shown')
    >>> missing_hint("lemon", guess="llama", text="??XXX")
    'lemon has one l, two were shown'
    """
    counts: dict[str, int] = {}
    for place, (held, letter, mark) in enumerate(zip(word, guess, text, strict=True), 1):
        if mark == "O" and held != letter:
            return f"{word} has no {letter} at place {place}, where it was shown"
        if mark != "X":
            counts[letter] = counts.get(letter, 0) + 1
    for letter, count in counts.items():
        if (own_count := word.count(letter)) < count:
            what = f"{NUMBERS[count]} {'was' if count == 1 else 'were'} shown"
            return f"{word} has {NUMBERS[own_count]} {letter}, {what}"
    return ""


def fault(text: str, length: int) -> str:
    """Return what is wrong with the marks of a guess of `length` letters; empty if they are possible."""
    if len(text) != length:
        sizes = f"marks {text[:40]!r} have {len(text)} characters, the word has {length} letters"
        return f"{sizes}: send one of {MARKS} per letter"
    for place, mark in enumerate(text, 1):
        if mark not in MARKS:
            return f"marks {text!r} hold {mark!r} at place {place}: use only {MARKS}"
    return ""


def pattern(text: str) -> int:
    """Pattern of marks: base-3 digits, first letter most significant, in [0, 3**N); all placed is 3**N - 1.

    Raises:
        ValueError: empty text, or another character.

    >>> pattern("O?XXX")
    189
    """
    if not text:
        raise ValueError(f"marks are empty: send one of {MARKS} per letter")
    if wrong := fault(text, len(text)):
        raise ValueError(wrong)
    return int(text.translate(_DIGITS), 3)


def marks(pattern: int, length: int) -> str:
    """Marks of a pattern in [0, 3**length), of 1 to 39 letters; the inverse of `pattern`.

    Raises:
        ValueError: a pattern or a length out of range.

    >>> marks(189, 5)
    'O?XXX'
    """
    if not 1 <= length <= LONGEST:
        raise ValueError(f"length is {length}, expected 1 to {LONGEST} letters")
    if not 0 <= pattern < 3**length:
        raise ValueError(f"pattern {pattern} is not one of {length} letters: use 0 to {3**length - 1}")
    text = ""
    for _ in range(length):
        pattern, digit = divmod(pattern, 3)
        text = MARKS[digit] + text
    return text


def solved(length: int) -> int:
    """The pattern that ends a round: all letters placed; the greatest pattern of the length."""
    return 3**length - 1
