"""Letters of every language: a base character with its marks is one letter, and inside one character.

`enter` is the door for every text that names words; `leave` gives the letters back where text is printed.
Standard library only and short of imports, for the light path. What a list skips is left to `listing`.
"""

# CJK extension B and not private use: those are letters and printable, so nothing else has to know of them.
_FIRST, _NUMBER = 0x20000, 42_719
_RARE = chr(_FIRST), chr(_FIRST + _NUMBER)
_WRITTEN: dict[int, str] = {}  # stand-in -> the letter as it is written
DOTLESS = "ı", "İ", "I\u0307"  # a list that has one is lowered by Turkish rules
CAPITALS = "I", "İ"  # of which the small letters depend on that
_DOTTED = str.maketrans("Iİ", "ıi")


def enter(text: str, turkish: bool = False) -> str:
    r"""Return text in lower case, composed (NFC), with one character for each letter that has marks.

    Args:
        turkish: I is the capital of ı, and İ that of i.

    >>> enter("KA\u0308FIG") == "k\u00e4fig", len(enter("a\u0331bada")), enter("ISLAK", turkish=True)
    (True, 5, 'ıslak')
    """
    if text.isascii():
        return (text.translate(_DOTTED) if turkish else text).lower()
    from unicodedata import normalize  # not worth a file to lists of a-z

    text = normalize("NFC", text)
    return joined((text.translate(_DOTTED) if turkish else text).lower())


def joined(text: str) -> str:
    """Return text as `enter` does, but with its capitals."""
    if text.isascii():
        return text
    from unicodedata import category, normalize

    text = normalize("NFC", text)
    signs = set(text)
    marks = {sign for sign in signs if category(sign) in ("Mn", "Mc")}
    if not marks and max(signs) < _RARE[0]:
        return text
    parts = [""]
    for sign in text:
        if sign in marks and parts[-1][:1].isalpha():
            parts[-1] += sign
        else:
            parts.append(sign)
    # In order, so that two letters that share a place get the same ones in every process that reads a list.
    names = {part: _stand_in(leave(part)) for part in sorted({*parts}) if len(part) > 1 or _is_rare(part)}
    return "".join([names.get(part, part) for part in parts])


def _is_rare(part: str) -> bool:
    """Return True if a part is a character of the range of stand-ins, and has not entered yet."""
    return _RARE[0] <= part < _RARE[1] and ord(part) not in _WRITTEN


def _stand_in(letter: str) -> str:
    """Return the stand-in of a letter."""
    place = int.from_bytes(letter.encode("utf-32-be"), "big")
    while _WRITTEN.setdefault(_FIRST + place % _NUMBER, letter) != letter:
        place += 1
    return chr(_FIRST + place % _NUMBER)


def leave(text: str) -> str:
    r"""Return text as it is written; the twin of `enter`.

    >>> from gpulingo.words.letters import enter
    >>> leave(enter("A\u0331bada")) == "a\u0331bada"
    True
    """
    return text.translate(_WRITTEN) if _WRITTEN and not text.isascii() else text


def capitals(text: str) -> str:
    """Return text as it is written, in capitals."""
    return leave(text).upper()
