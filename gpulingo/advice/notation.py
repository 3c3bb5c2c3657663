"""Marks as people write them: X?O, BYG, 012, coloured squares, in either case; and their guesses.

The game's own form is that of `games.marks`, `games.positions` and `games.counts`.
"""

from __future__ import annotations

from gpulingo.games import positions
from gpulingo.games.counts import Counts
from gpulingo.games.marks import ContradictionError
from gpulingo.words.letters import enter
from gpulingo.words.shown import counted

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

ABSENT, MISPLACED, PLACED = "X", "?", "O"  # as `games.marks` has them
# Black, grey, yellow and green; orange and blue are those of the colour-blind.
WRITTEN = (
    dict.fromkeys("Xx0Bb.-_\u2b1b\u2b1c\u25fc\u25fb", ABSENT)
    | dict.fromkeys("?1Yy\U0001f7e8\U0001f7e6", MISPLACED)
    | dict.fromkeys("Oo2Gg\U0001f7e9\U0001f7e7", PLACED)
)
VARIANT = "\ufe0f"  # says that a square is to be drawn in colour
FORMS = "X?O, BYG, 012 or coloured squares"  # of marks


class NotationError(ContradictionError):
    """A text that is not a history."""


def read_marks(text: str, guess: str) -> str:
    """Read the marks of a guess, in whichever form, into that of `games.marks`.

    Raises:
        NotationError: another number of marks than letters, or another character.

    >>> read_marks("bygBB", "crane"), read_marks("01200", "crane")
    ('X?OXX', 'X?OXX')
    """
    row = text.replace(VARIANT, "")
    if len(row) != len(guess):
        sizes = f"marks {row[:40]!r} of {guess[:40]!r} are {len(row)}, it has {counted(len(guess), 'letter')}"
        raise NotationError(f"{sizes}: write one of {FORMS} per letter")
    for place, mark in enumerate(row, 1):
        if mark not in WRITTEN:
            seen = f"marks {row!r} of {guess} hold {mark!r} at place {place}"
            raise NotationError(f"{seen}: write {FORMS}")
    return "".join(WRITTEN[mark] for mark in row)


def read_positions(text: str, guess: str) -> str:
    """Read the places of a guessed letter, shown by `O` or the letter, into the form of `games.positions`.

    Raises:
        NotationError: another character.

    >>> read_positions("..e.", "e")
    '__O_'
    """
    row = ""
    for place, mark in enumerate(enter(text), 1):
        known = WRITTEN.get(mark)
        if mark == guess or known == PLACED:
            row += positions.THERE
        elif mark in positions.SIGNS and positions.ABSENT in text:  # otherwise - is an absent letter
            row += mark
        elif known == ABSENT:
            row += positions.ABSENT
        else:
            seen = f"places {text[:40]!r} of the letter {guess!r} hold {mark!r} at place {place}"
            raise NotationError(f"{seen}: write {guess} or O where it is, _ elsewhere")
    return row


def read_counts(text: str, guess: str, rule: Counts) -> str:
    """Read the counts of a guess, 2,1 or 2b1w or 2A1B, into the form of `games.counts`.

    Raises:
        NotationError: they have another form.

    >>> read_counts("2b1w", "1122", Counts())
    '2,1'
    """
    if wrong := rule.fault(text, len(guess)):
        raise NotationError(f"{guess}: {wrong}")
    return rule.marks(rule.pattern(text), len(guess))


def read_shown(text: str, guess: str, rule: Any) -> str:
    """The marks of a guess by the rule of a game, in the game's own form.

    Raises:
        NotationError: it cannot show that.
    """
    if isinstance(rule, Counts):
        return read_counts(text, guess, rule)
    return read_positions(text, guess) if rule is positions else read_marks(text, guess)


def is_shown(text: str, length: int, rule: Any) -> bool:
    """Return True if a text looks like marks; counts must be possible for the length."""
    if isinstance(rule, Counts):
        return not rule.fault(text, length)
    return all(sign in WRITTEN for sign in text)


def forms_of(rule: Any, length: int) -> str:
    """The forms in which marks of a guess of `length` letters are written."""
    return rule.forms(length) if isinstance(rule, Counts) else FORMS


def meaning_of(rule: Any) -> str:
    """The meaning of the marks."""
    return rule.meaning if isinstance(rule, Counts) else "O placed, ? misplaced, X absent"


def word_length(guess: str, row: str, rule: Any) -> int:
    """Letters of the word of which a guess has shown something."""
    return len(row) if rule is positions else len(guess)


def is_spelled(text: str, rule: Any) -> bool:
    """Return True if a text may be a word: letters alone, or signs without letters; a code may have both."""
    if not text.isprintable() or any(map(str.isspace, text)):
        return False
    if isinstance(rule, Counts):
        return text.isalnum()
    return bool(text) and (text.isalpha() or not any(map(str.isalpha, text)))


def read_history(parts: list[str], rule: Any, entered: Callable[[str], str] = enter) -> list[tuple[str, str]]:
    """Guesses and their marks, of parts such as crane:X?XXO.

    Args:
        rule: the feedback, see `games.catalogue.feedback_of`.
        entered: see `WordList.enter`.
    Raises:
        NotationError: a part of another form, or guesses of several lengths.

    >>> from gpulingo.games import marks
    >>> read_history(["crane:X?XXO"], marks)
    [('crane', 'X?XXO')]
    """
    history = []
    example = ":".join(rule.example) if isinstance(rule, Counts) else "crane:X?XXO"
    example = "e:_O__" if rule is positions else example
    for part in parts:
        guess, colon, row = part.partition(":")
        guess = entered(guess)
        if not colon or not guess or not row:
            raise NotationError(f"{part[:60]!r} is not a guess with its marks: write it as {example}")
        if not is_spelled(guess, rule):
            raise NotationError(f"guess {guess[:40]!r} has more than letters: write it as {example}")
        if rule is positions and len(guess) > 1:
            raise NotationError(f"guess {guess[:40]!r} has {len(guess)} letters, expected one: as {example}")
        history.append((guess, read_shown(row, guess, rule)))
    lengths = {word_length(guess, row, rule): guess for guess, row in history}
    if len(lengths) > 1:
        sizes = " and ".join(f"{length} ({guess})" for length, guess in lengths.items())
        raise NotationError(f"words of {sizes} letters: give guesses of one round")
    return history
