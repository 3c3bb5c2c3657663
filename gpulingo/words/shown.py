"""A word with its revealed letters, `_ i _ _` on a line; the letter that a line names; counted nouns.

Standard library only, for the light path. Independent of which side guesses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from html import escape
from typing import Any

from gpulingo.games.positions import SIGNS
from gpulingo.words.letters import enter, leave

UNKNOWN = "_"  # a place whose letter is not revealed
QUOTES = "'\"`\u2018\u2019\u201c\u201d"
OUT, FOUND = "out of guesses", "guessed your word"  # last lines of a guesser of letters
ENDS = {OUT: OUT, FOUND: FOUND, "guessed the word": FOUND}
LONGEST_SEEN = 40  # characters of a line that a message repeats
LONGEST_BRIEF = 100  # characters of a repr
FIRST_ROWS = 10  # of the table that a notebook shows of a list or a batch


def shown(word: str, letters: Collection[str]) -> str:
    """Return the word with only some letters revealed, and its signs.

    >>> shown("fish", "ie"), shown("x-ray", "a")
    ('_i__', '_-_a_')
    """
    return "".join([letter if letter in letters or letter in SIGNS else UNKNOWN for letter in word])


def first_of(words: Sequence[str], most: int | None, remedy: str = "") -> str:
    """Return the first words in a line, and how many more there are; `remedy` shows them.

    >>> first_of(["dents", "dozes", "reads"], 2, "words all")
    'dents dozes .. and 1 more (words all)'
    """
    more = len(words) - len(words[:most])
    return " ".join(words[:most]) + (f" .. and {more:,} more{f' ({remedy})' * bool(remedy)}" if more else "")


def shown_line(text: str) -> str:
    """Return a word with revealed letters as a line, with blanks between; the inverse of `parsed_shown`.

    >>> shown_line("_i__")
    '_ i _ _'
    """
    return " ".join(text)


def parsed_shown(line: str) -> str:
    """Return the word with revealed letters in a line, in lower case; blanks between letters are optional.

    If every letter has one, three blanks are a blank of the word; if none has, one blank is.

    Raises:
        ValueError: the line is empty, or has a character other than letters, underscores and blanks.

    >>> parsed_shown("_ I _ _"), parsed_shown("_i__"), parsed_shown("_ _ _   _ _ _ e _")
    ('_i__', '_i__', '___ ___e_')
    """
    line = enter(line).strip().replace("\u2019", "'")
    parts = line.split()
    apart = len(parts) > 1 and not line[1::2].strip()
    text = line[::2] if apart else (" " if all(len(part) > 1 for part in parts) else "").join(parts)
    if not text:
        raise ValueError("the line is empty")
    letters = [sign for sign in text if sign not in SIGNS]
    wrong = sorted({sign for sign in letters or text if sign != UNKNOWN and not sign.isalpha()})
    wrong = wrong or ["-"] * ("--" in text)  # in no word: unknown letters, as hmg shows them
    if wrong:
        raise ValueError(f"{line[:LONGEST_SEEN]!r} holds {', '.join(map(repr, wrong[:9]))}")
    return text


def counted(number: int, noun: str) -> str:
    """Return a number with its noun.

    >>> counted(1, "word"), counted(2, "miss"), counted(3, "life")
    ('1 word', '2 misses', '3 lives')
    """
    more = "lives" if noun == "life" else f"{noun}{'es' if noun.endswith('s') else 's'}"
    return f"{number:,} {noun if number == 1 else more}"


def brief(kind: str, text: str) -> str:
    """Return a one-line repr: a type and some text in brackets, cut to LONGEST_BRIEF characters.

    >>> brief("Frontier", "2 sets, 5 members, cpu")
    'Frontier(2 sets, 5 members, cpu)'
    """
    line = " ".join(leave(text).split())
    room = LONGEST_BRIEF - len(kind) - 2
    return f"{kind}({line if len(line) <= room else line[: room - 2] + '..'})"


def html_table(thing: object, heads: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """Return a table below the repr of a thing; heads are text, cells numbers or already HTML."""

    def text(own: Any) -> str:
        return own if isinstance(own, str) else f"{own:,}" if isinstance(own, int) else f"{float(own):.3f}"

    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join("<tr>" + "".join(f"<td>{text(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{escape(repr(thing))}</caption><tr>{head}</tr>{body}</table>"


def named_letter(line: str, entered: Callable[[str], str] = enter) -> str:
    """Return the letter that a sentence names, in lower case: the one in quotes, or its only single letter.

    An `I` before other words does not count; a line with a revealed word, or with several letters, names no
    letter. For `entered` see `WordList.enter`.

    >>> [named_letter(line) for line in ("I guess the letter 'E'.", "I guess e", "e", "I wonder", "_ i _ _")]
    ['e', 'e', 'e', '', '']
    """
    says_i, line = line.split()[:1] == ["I"], entered(line)
    quoted = {
        letter
        for before, letter, after in zip(line, line[1:], line[2:], strict=False)
        if before in QUOTES and after in QUOTES and letter.isalpha()
    }
    if not quoted:
        if UNKNOWN in line:
            return ""
        plain = "".join([sign if sign.isalnum() or sign in QUOTES else " " for sign in line])
        words = [word.strip(QUOTES) for word in plain.split()]
        singles = words[1:] if len(words) > 1 and says_i else words
        quoted = {word for word in singles if len(word) == 1 and word.isalpha()}
    return quoted.pop() if len(quoted) == 1 else ""


def answer_of(line: str) -> str:
    """Return the letter that a line names, OUT, FOUND, or nothing.

    >>> answer_of("I guess the letter 'e'."), answer_of("I'm out of guesses!"), answer_of("Hello")
    ('e', 'out of guesses', '')
    """
    lowered = line.lower()
    return next((end for words, end in ENDS.items() if words in lowered), "") or named_letter(line)
