"""Marks as people write them: X?O, BYG, 012, coloured squares, in either case; and their guesses.

The game's own form is that of `games.marks` and `games.positions`.
"""

from __future__ import annotations

from gpulingo.games import positions

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than this module
if TYPE_CHECKING:
    from types import ModuleType

ABSENT, MISPLACED, PLACED = "X", "?", "O"  # as `games.marks` has them
# Black, grey, yellow and green; orange and blue are those of the colour-blind.
WRITTEN = (
    dict.fromkeys("Xx0Bb.-_\u2b1b\u2b1c\u25fc\u25fb", ABSENT)
    | dict.fromkeys("?1Yy\U0001f7e8\U0001f7e6", MISPLACED)
    | dict.fromkeys("Oo2Gg\U0001f7e9\U0001f7e7", PLACED)
)
VARIANT = "\ufe0f"  # says that a square is to be drawn in colour
FORMS = "X?O, BYG, 012 or coloured squares"


class NotationError(ValueError):
    """A text that is no history."""


def read_marks(text: str, guess: str) -> str:
    """The marks of a guess, as `games.marks` has them, in whichever form they are written.

    Raises:
        NotationError: another number of marks than letters, or another character.

    >>> read_marks("bygBB", "crane"), read_marks("01200", "crane")
    ('X?OXX', 'X?OXX')
    """
    row = text.replace(VARIANT, "")
    if len(row) != len(guess):
        sizes = f"marks {row[:40]!r} of {guess[:40]!r} are {len(row)}, it has {len(guess)} letters"
        raise NotationError(f"{sizes}: write one of {FORMS} per letter")
    for place, mark in enumerate(row, 1):
        if mark not in WRITTEN:
            seen = f"marks {row!r} of {guess} hold {mark!r} at place {place}"
            raise NotationError(f"{seen}: write {FORMS}")
    return "".join(WRITTEN[mark] for mark in row)


def read_positions(text: str, guess: str) -> str:
    """The places of a guessed letter, as `games.positions` has them; it may stand for itself.

    Raises:
        NotationError: another character.

    >>> read_positions("..e.", "e")
    '__O_'
    """
    row = ""
    for place, mark in enumerate(text, 1):
        known = WRITTEN.get(mark)
        if mark.lower() == guess or known == PLACED:
            row += positions.THERE
        elif known == ABSENT:
            row += positions.ABSENT
        else:
            seen = f"places {text[:40]!r} of the letter {guess!r} hold {mark!r} at place {place}"
            raise NotationError(f"{seen}: write {guess} or O where it is, _ elsewhere")
    return row


def read_history(parts: list[str], rule: ModuleType) -> list[tuple[str, str]]:
    """Guesses and their marks, of parts such as crane:X?XXO.

    Args:
        rule: of what a guess shows, `games.marks` or `games.positions`.
    Raises:
        NotationError: a part of another form, or guesses of several lengths.

    >>> from gpulingo.games import marks
    >>> read_history(["crane:X?XXO"], marks)
    [('crane', 'X?XXO')]
    """
    history = []
    read = read_positions if rule is positions else read_marks
    example = "e:_O__" if rule is positions else "crane:X?XXO"
    for part in parts:
        guess, colon, row = part.partition(":")
        guess = guess.lower()
        if not colon or not guess or not row:
            raise NotationError(f"{part[:60]!r} is no guess with its marks: write it as {example}")
        if not guess.isalpha():
            raise NotationError(f"guess {guess[:40]!r} has more than letters: write it as {example}")
        if rule is positions and len(guess) > 1:
            raise NotationError(f"guess {guess[:40]!r} has {len(guess)} letters, expected one: as {example}")
        history.append((guess, read(row, guess)))
    lengths = {len(row): guess for guess, row in history}
    if len(lengths) > 1:
        sizes = " and ".join(f"{length} ({guess})" for length, guess in lengths.items())
        raise NotationError(f"words of {sizes} letters: give guesses of one round")
    return history
