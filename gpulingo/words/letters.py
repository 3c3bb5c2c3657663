"""Letters of every language: a base character with its marks is one letter, and internally one character.

Every text that names words goes through `enter`; `leave` restores the letters for printing. Letters that a
list treats as equal share one character; for its words `leave` knows the written form. Standard library only,
for the light path. `listing` decides which lines are skipped.
"""

from __future__ import annotations

from collections.abc import Iterable

from gpulingo.games.positions import SIGNS
from gpulingo.storage.faults import UsageError

# CJK extension B, not private use: these are letters and printable, so no other code needs to know of them.
_FIRST, _NUMBER = 0x20000, 42_719
_RARE = chr(_FIRST), chr(_FIRST + _NUMBER)
_WRITTEN: dict[int, str] = {}  # stand-in -> the letter as written
_SAME: dict[str, dict[int, str]] = {}  # equal signs -> their table for str.translate
_WORDS: dict[str, str] = {}  # word with equal letters -> as written in its list; the list read last
DOTLESS = "ı", "İ", "I\u0307"  # a list that has these is lowered by Turkish rules
ACCENTS = "accents"
VOWELS = "aeiouyαεηιουωаеиоуыэюяі"  # noqa: RUF001
JOINERS = "\u200c\u200d"  # inside a word these belong to the letter before
CAPITALS = "I", "İ"  # their small letters depend on that
_DOTTED = str.maketrans("Iİ", "ıi")


def enter(text: str, turkish: bool = False, same: str = "") -> str:
    r"""Return text in lower case, composed (NFC), with one character for each letter that has marks.

    Args:
        turkish: I is the capital of ı, and İ that of i. same: see `equal_signs`.

    >>> enter("KA\u0308FIG") == "k\u00e4fig", len(enter("a\u0331bada")), enter("ISLAK", turkish=True)
    (True, 5, 'ıslak')
    """
    if same:
        return enter(text, turkish).translate(equal_signs(same))
    if not text.isascii():
        from unicodedata import normalize  # here: lists of a-z do not need it

        text = normalize("NFC", text)
    return joined((text.translate(_DOTTED) if turkish else text).lower())


def is_phrase(word: str) -> bool:
    """Return True if a text has letters, and otherwise only signs that hangman shows."""
    return any(map(str.isalpha, word)) and all(sign.isalpha() or sign in SIGNS for sign in word)


def is_sign_word(word: str) -> bool:
    """Return True if a line is a word of signs, such as a prime or an equation: digits, and no letter."""
    return (
        word.isprintable()
        and any(map(str.isdigit, word))
        and not any(sign.isalpha() or sign.isspace() or sign == ":" for sign in word)
    )


def is_turkish(text: str) -> bool:
    """Return True if more than one line of a thousand has a letter that only Turkish rules lower."""
    return 1000 * sum(map(text.count, DOTLESS)) > text.count("\n")


def equal_signs(same: str) -> dict[int, str]:
    r"""Return the character for each letter that is equal to others, for `str.translate`.

    Args:
        same: pairs such as `\u00e9=e,\u00e8=e`, and `accents` for all vowels with marks; a word of no list is
            printed with the second letter of each.
    Raises:
        UsageError: `same` has another form.

    >>> from gpulingo.words.letters import enter, leave
    >>> leave(enter("NO\u00c9", same="\u00e9=e"))
    'noe'
    """
    if same not in _SAME:
        chief: dict[str, str] = {}
        pairs = enter(same).split(",")
        table = _Vowels() if ACCENTS in pairs else dict[int, str]()
        for pair in filter(ACCENTS.__ne__, pairs):
            letters = [letter.strip() for letter in pair.split("=")]
            if len(letters) < 2 or not all(len(letter) == 1 and letter.isalpha() for letter in letters):
                what = f"equal signs {leave(pair)[:40]!r}"
                raise UsageError(f"{what}, expected pairs of letters: give them as in é=e,è=e, or accents")
            last = chief.get(letters[-1], letters[-1])
            ended = {chief.get(letter, letter) for letter in letters}
            letters += [letter for letter, standard in chief.items() if standard in ended]
            chief |= dict.fromkeys([*letters, last], last)
        table |= {ord(letter): _stand_in(leave(standard)) for letter, standard in chief.items()}
        _SAME[same] = table
    return _SAME[same]


class _Vowels(dict[int, str]):
    """A table that makes vowels with marks equal to those without, and leaves all other letters."""

    def __missing__(self, sign: int) -> str:
        from unicodedata import normalize

        base = normalize("NFD", _WRITTEN.get(sign, chr(sign)))[0]
        if base not in VOWELS or chr(sign) in "йў":  # consonants, although they have a mark
            raise LookupError
        return self.setdefault(sign, self.get(ord(base)) or _stand_in(base))


def entered_words(words: list[str], same: str) -> list[str]:
    """Return words with one character for equal letters; `leave` restores the first of equal words."""
    table, first = equal_signs(same), dict[str, str]()
    for word in words:
        first.setdefault(word.translate(table), word)
    _WORDS.update({word: as_compared(original) for word, original in first.items() if word != original})
    return list(first)


def is_simple(signs: str) -> bool:
    """Return True if a text without other signs than these and ASCII is entered by `lower` alone."""
    from unicodedata import normalize

    low = signs.lower()
    composing = any(_is_mark(sign) or "\u1100" <= sign <= "\u11ff" for sign in low)  # jamo: with what follows
    return not composing and normalize("NFC", low) == low and max(low, default="") < _RARE[0]


def _is_mark(sign: str) -> bool:
    from unicodedata import category

    return category(sign) in ("Mn", "Mc") or sign in JOINERS


def joined(text: str) -> str:
    """Return text as `enter` does, but keep its capitals."""
    if text.isascii():
        return text
    from unicodedata import normalize

    text = normalize("NFC", text)
    signs = set(text)
    marks = set(filter(_is_mark, signs))
    if not marks and max(signs) < _RARE[0]:
        return text
    parts = [""]
    for sign in text:
        if sign in marks and parts[-1][:1].isalpha():
            parts[-1] += sign
        else:
            parts.append(sign)
    names = {  # also of a character that is in the range of stand-ins and is not one yet
        part: _stand_in(as_compared(part))
        for part in {*parts}
        if len(part) > 1 or (_RARE[0] <= part < _RARE[1] and ord(part) not in _WRITTEN)
    }
    return "".join([names.get(part, part) for part in parts])


def _stand_in(letter: str) -> str:
    place = int.from_bytes(letter.encode("utf-32-be"), "big")
    while _WRITTEN.setdefault(_FIRST + place % _NUMBER, letter) != letter:
        place += 1
    return chr(_FIRST + place % _NUMBER)


def leave(text: str) -> str:
    r"""Return text as it is written; the inverse of `enter`.

    >>> from gpulingo.words.letters import enter
    >>> leave(enter("A\u0331bada")) == "a\u0331bada"
    True
    """
    if not _WRITTEN or text.isascii():
        return text
    if _WORDS:
        from re import sub  # here: lists without equal letters do not need it

        part = r"[^\W\d_]+"
        # First with the signs between words, for hangman's phrases; then word by word.
        text = sub(
            rf"{part}(?:[{SIGNS.replace('-', '')}-]{part})*",
            lambda run: _WORDS.get(run[0]) or sub(part, lambda word: _WORDS.get(word[0], word[0]), run[0]),
            text,
        )
    return text.translate(_WRITTEN)


def equalled(text: str, same: str) -> str:
    """Return entered text with one character for equal letters."""
    return text.translate(equal_signs(same)) if same else text


def as_compared(text: str) -> str:
    """Return text as `leave` does, but with one letter for equal letters."""
    return text.translate(_WRITTEN) if _WRITTEN and not text.isascii() else text


def in_order(letters: Iterable[str]) -> list[str]:
    """Return different letters, signs first, by their written form: stand-ins depend on reading order."""
    return sorted(set(letters), key=lambda letter: (letter not in SIGNS, as_compared(letter)))


def capitals(text: str) -> str:
    """Return text as written, in capitals."""
    return leave(text).upper()
