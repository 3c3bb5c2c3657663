"""Positions: the feedback that shows where a word has a guessed letter, one letter and one word at a time.

A guess is a letter, or at last the word itself. Tensors handle batches; this is the reference rule that they
must equal.
"""

from __future__ import annotations

SIGNS = " '-·"  # in words: shown from the start and never guessed; sorted before every letter
_DIGITS = str.maketrans(f"_O{SIGNS}", "01" + "0" * len(SIGNS))
example = "e", "_O__"
ABSENT, THERE, NAMED = "_", "O", "!"  # at a place; NAMED at all places: the guess is the word itself


def feedback(guess: str, target: str) -> str:
    """Return the places of a guessed letter, or for a word whether it is the target.

    Returns:
        ``_``, ``O`` or the word's sign per place; ``!`` at all of them if the guess is the target, with two
        letters or more.
    Raises:
        ValueError: a guess of another length.
    Source: the quiz's hangman, where all places of a letter are shown.

    >>> feedback("s", "guess"), feedback("x", "guess"), feedback("guess", "guess")
    ('___OO', '_____', '!!!!!')
    """
    if len(guess) == 1 and guess not in target and target.isalpha():
        return ABSENT * len(target)
    if len(guess) == 1:
        return "".join(
            THERE if letter == guess else letter if letter in SIGNS else ABSENT for letter in target
        )
    if len(guess) != len(target):
        sizes = f"guess {guess!r} has {len(guess)} letters, target {target!r} has {len(target)}"
        raise ValueError(f"{sizes}: guess one letter, or a word of that length")
    return (NAMED if guess == target else ABSENT) * len(target)


def fault(text: str, length: int) -> str:
    """Return what is wrong with the positions of a guess for `length` letters; empty if they are possible."""
    if len(text) != length:
        sizes = f"positions {text[:40]!r} have {len(text)} characters, the word has {length} letters"
        return f"{sizes}: send one of {ABSENT}{THERE} per letter"
    if text == NAMED * length:
        return ""
    for place, mark in enumerate(text, 1):
        if mark not in (ABSENT, THERE, *SIGNS):
            return f"positions {text!r} hold {mark!r} at place {place}: use only {ABSENT}{THERE}"
    return ""


def pattern(text: str) -> int:
    """Pattern of positions: binary digits, first place most significant; 2**N if the word was guessed.

    >>> pattern("___OO")
    3
    """
    if text[0] == NAMED:
        return solved(len(text))
    return int(text.translate(_DIGITS), 2)


def marks(pattern: int, length: int) -> str:
    """Positions of a pattern in [0, 2**length]; the inverse of `pattern`.

    >>> marks(3, 5)
    '___OO'
    """
    if pattern == solved(length):
        return NAMED * length
    return "".join(THERE if pattern >> place & 1 else ABSENT for place in reversed(range(length)))


def outline(text: str) -> str:
    """Return a word, or its revealed letters, without the letters.

    >>> outline("x-_ay")
    '_-___'
    """
    return "".join(sign if sign in SIGNS else ABSENT for sign in text)


def solved(length: int) -> int:
    """The pattern that ends a round: the word was guessed; the greatest pattern of the length."""
    return 1 << length
