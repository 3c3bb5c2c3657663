"""Marks as people write them: BYG, X?O, 012, coloured squares, in either case; and their guesses.

The internal form is that of `games.marks`, `games.positions` and `games.counts`. `pairs` is the only reader
of guesses with marks, for commands, the page, `play` and Python.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from gpulingo.games import marks, positions
from gpulingo.games.catalogue import feedback_of, guessed, lettered
from gpulingo.games.counts import Counts
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.words.letters import enter, joined, leave
from gpulingo.words.shown import UNKNOWN, counted

History = Sequence[tuple[str, str]]  # guesses and their marks
Entered = Callable[[str], str]  # enters words of a text, see `WordList.enter`
ABSENT, MISPLACED, PLACED = "X", "?", "O"  # as in `games.marks`
# Squares, circles and hearts; blue and orange are those of the high-contrast palette, purple is Nerdle's.
COLOURS = (
    dict.fromkeys("\u2b1b\u2b1c\u25fc\u25fb\u25fe\u25fd\u25aa\u25ab\u26ab\u26aa\U0001f5a4\U0001f90d", ABSENT)
    | dict.fromkeys("\U0001f7e8\U0001f7e6\U0001f7e1\U0001f535\U0001f49b\U0001f499", MISPLACED)
    | dict.fromkeys("\U0001f7ea\U0001f7e3\U0001f49c", MISPLACED)
    | dict.fromkeys("\U0001f7e9\U0001f7e7\U0001f7e2\U0001f7e0\U0001f49a\U0001f9e1", PLACED)
)
WRITTEN = (
    dict.fromkeys("Xx0Bb.-_", ABSENT)
    | dict.fromkeys("?1Yy", MISPLACED)
    | dict.fromkeys("Oo2Gg", PLACED)
    | COLOURS
)
# Marks separated from their word by a blank are of one kind, otherwise `goby` would be marks.
KINDS = [frozenset(signs) for signs in ("Bb.-_YyGg", "Xx.-_YyGg", "Xx.-_?Oo", "012", COLOURS)]
# Characters that colour a square, and characters that set the direction of a line.
UNSEEN = dict.fromkeys([0xFE0F, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)])
PLACES = re.compile(r"\S(\s+\S)+")  # signs with blanks between them
SHOWN = dict.fromkeys(map(ord, UNKNOWN + positions.SIGNS))  # other than letters in a word of hangman
FORMS = "BYG, X?O, 012 or coloured squares"  # of marks
# Names of squares in Slack and Discord, and of those whose colour is no mark.
NAMED = re.compile(
    r":(?:large_)?(black|white|yellow|blue|green|orange|purple|red)_(?:\w+_)?(?:square|circle|heart):",
    re.IGNORECASE,
)
NAMES = dict(zip("black white yellow blue green orange purple red".split(), "⬛⬜🟨🟦🟩🟧🟪🟥", strict=True))
# Expression for all signs of a text -> what they mean in another palette: orange beside green, as in Handle,
# whose circles are characters that are absent; red beside blue, as on television and in SUTOM.
PALETTES = {
    "(?=.*[🟧🟠🧡])(?=.*🟩)": str.maketrans("🟧🟠🟡", "🟨⬜⬜"),
    "(?=.*[🟧🟠🧡])(?=.*[🟢💚])": str.maketrans("🟧🟠🧡", "🟨🟡💛"),
    "^(?=.*[🟥🔴])(?=.*[🟦🔵])[🟥🔴🟨🟡🟦🔵]*$": str.maketrans("🟥🔴🟦🔵", "🟩🟢⬛⚫"),
}
SQUARE = f"[{''.join(COLOURS)}🟥🔴]"
RUNS = re.compile(f"{SQUARE}{{2,}}")
SPACED = re.compile(rf"(?<!\S){SQUARE}(?:[ \t]+{SQUARE}){{2,}}(?!\S)")  # a row with blanks
# As programs print them: an array (wordlepro 0.2.0, bullsandcows 1.4), at least three names, as those of the
# New York Times' page, counts with their nouns (TextArena 0.7.4).
MARKS = dict.fromkeys(("absent", "gray", "grey", "black"), "X") | {"present": "?", "yellow": "?"}
MARKS |= {"correct": "O", "green": "O"}
NAME = f"(?:{'|'.join(MARKS)})"
ROW = rf"\b({NAME}(?:(?:\s*,\s*{NAME}){{2,}}|(?:\s+{NAME}){{2,}}))\b"
ARRAY = re.compile(rf"[\[(]([^][()]+)[\])]|{ROW}", re.IGNORECASE)
COUNTED = re.compile(
    r"\b(\d+) ?(?:bulls?|blacks?)(?: peg\S*)?,? ?(\d+) ?(?:cows?|whites?)(?: peg\S*)?", re.IGNORECASE
)
# Each letter with its mark, maybe after the guess: C(x) R(-) A(✓), where - is misplaced; c<red>; C🟩.
SPELLED = rf"([^\W\d_])(?:[(<\[]({NAME}|red|[✓XxGgYyBb?012-])[)>\]]|({SQUARE}))"
SPELLED_ROW = re.compile(
    rf"(?:(?:guess \d+: ?)?\w+ ?(?:→|->) ?)?(?:\b\w+: ?)?(?<!\w){SPELLED}(?:[, ]*{SPELLED}){{2,}}",
    re.IGNORECASE,
)
# What separates a guess from its marks, or the start of an equation, whose first = does not.
SEPARATOR = re.compile(r"((?<!\S)[\d()]+[-+*/][^:=\s]*=(?=\d))|=")
STRANGE = re.compile(r":\w+_(?:square|circle):", re.IGNORECASE)


class RoundError(ContradictionError):
    """An impossible round, in one line."""


class NotationError(RoundError):
    """A text that is not a history."""


def plain(text: str) -> str:
    """Return a text without invisible characters, its blanks single, squares for their names.

    >>> plain(":large_green_square::black_large_square:  crane")
    '🟩⬛ crane'
    """
    return " ".join(usual_colours(text).split())


def usual_colours(text: str) -> str:
    """Return a text without invisible characters, with the usual squares for names and other palettes.

    >>> usual_colours("#SUTOM 🟥🟦🟡"), usual_colours("🟩🟧⬜")
    ('#SUTOM 🟩⬛🟡', '🟩🟨⬜')
    """
    text = NAMED.sub(lambda name: NAMES[name[1].lower()], text.translate(UNSEEN))
    text = SPACED.sub(lambda row: "".join(row[0].split()), text)
    signs = "".join(RUNS.findall(text))
    palettes = (palette for every, palette in PALETTES.items() if re.match(every, signs))
    return text.translate(next(palettes, {}))


def check_signs(text: str) -> None:
    """Check that squares, and other pictures in a row of them, have the colour of a mark."""
    from unicodedata import category, name  # here: few texts need it

    for word in plain(text).split():
        pictures = [] if word.isascii() else [sign for sign in word if category(sign) == "So"]
        other = [sign for sign in pictures if sign not in COLOURS]
        squares = [sign for sign in other if len(other) < len(pictures) or name(sign).endswith(" SQUARE")]
        if strange := [f"{sign} ({name(sign).lower()})" for sign in squares] or STRANGE.findall(word):
            known = "green or orange, yellow, blue or purple, black or white"
            raise NotationError(f"{strange[0]} in {word[:40]!r} is not a mark: squares are {known}")


def read_marks(text: str, guess: str) -> str:
    """Return the marks of a guess, from any form, in that of `games.marks`.

    >>> read_marks("bygBB", "crane"), read_marks("01200", "crane")
    ('X?OXX', 'X?OXX')
    """
    row = text.translate(UNSEEN)
    if len(row) != len(guess):
        sizes = f"marks {row[:40]!r} of {guess[:40]!r} are {len(row)}, it has {counted(len(guess), 'letter')}"
        raise NotationError(f"{sizes}: write one of {FORMS} per letter")
    for place, mark in enumerate(row, 1):
        if mark not in WRITTEN:
            fault = f"marks {row!r} of {guess} hold {mark!r} at place {place}"
            raise NotationError(f"{fault}: write {FORMS}")
    absent = {mark.upper() for mark in row if WRITTEN[mark] == ABSENT and mark not in COLOURS}
    if len(absent) > 1:  # in some programs one of them is not: - misplaced, or x placed (fwordlesolver 0.4.7)
        fault = f"marks {row!r} of {guess} have {' and '.join(sorted(absent))} for an absent letter"
        raise NotationError(f"{fault}: write {FORMS}")
    return "".join(WRITTEN[mark] for mark in row)


def read_positions(text: str, guess: str) -> str:
    """Return the places of a guessed letter, shown by `O` or the letter, in the form of `games.positions`.

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
            fault = f"places {text[:40]!r} of the letter {guess!r} hold {mark!r} at place {place}"
            raise NotationError(f"{fault}: write {guess} or O where it is, _ elsewhere")
    return row


def read_shown(text: str, guess: str, rule: Any) -> str:
    """Parse the feedback of a guess, in any form, and return it in the game's form.

    >>> read_shown("2b1w", "1122", Counts())
    '2,1'
    """
    if not isinstance(rule, Counts):
        return read_positions(text, guess) if rule is positions else read_marks(text, guess)
    if wrong := rule.fault(text, len(guess)):
        raise NotationError(f"{guess}: {wrong}")
    return rule.marks(rule.pattern(text), len(guess))


def word_length(guess: str, row: str) -> int:
    """Return the number of letters of the word, from a guess and its feedback; a letter has places."""
    return len(guess) if len(guess) > 1 or {*",!"} & {*row} else len(row)


def is_spelled(text: str, rule: Any) -> bool:
    """Return True if a text may be a word: only letters, or signs without letters; a code may have both."""
    if not text.isprintable() or any(map(str.isspace, text)):
        return False
    if isinstance(rule, Counts):
        return text.isalnum()
    return bool(text) and (text.isalpha() or not any(map(str.isalpha, text))) and not is_coloured(text)


def is_coloured(text: str) -> bool:
    """Return True if a text is a row of squares, circles or hearts."""
    return len(text) > 1 and COLOURS.keys() >= {*text}


def separated(text: str) -> str:
    """Return a line with a colon between a guess and its marks, in place of = and blanks around it.

    >>> separated("crane = BYBBG 1+2=3:BYBBG")
    'crane:BYBBG 1+2=3:BYBBG'
    """
    line = SEPARATOR.sub(lambda sign: sign[1] or ":", plain(text))
    return line.replace(" :", ":").replace(": ", ":")


def _printed(text: str, rule: Any) -> str:
    """Return a text with marks as XO? or 2,1 where a program printed an array, names or nouns.

    >>> _printed("[0, 1, 2] absent, present, correct", marks), _printed("(2, 1) 2 bulls, 1 cow", Counts())
    (' 012   X?O ', ' 2,1  2,1')
    """
    if rule is positions:
        return text
    counts = isinstance(rule, Counts)
    if not counts:
        text = SPELLED_ROW.sub(_spelled, text.translate(UNSEEN))

    def row(printed: re.Match[str]) -> str:
        parts = re.findall(r"[^\s,'\"]+", printed[1] or printed[2])
        signs = parts if counts else [MARKS.get(part.lower(), part) for part in parts]
        fits = all(map(str.isdigit, signs)) if counts else WRITTEN.keys() >= {*signs}
        return f" {(',' * counts).join(signs)} " if fits and len(signs) > 1 else printed[0]

    return ARRAY.sub(row, COUNTED.sub(r"\1,\2", text) if counts else text)


def _spelled(row: re.Match[str]) -> str:
    """Return a guess and its marks, from its letters with their marks.

    >>> SPELLED_ROW.sub(_spelled, "C(x) R(-) A(✓)"), SPELLED_ROW.sub(_spelled, "c<red> r<yellow> a<green>")
    (' CRA:x?O ', ' cra:X?O ')
    """
    cells = re.findall(SPELLED, row[0], re.IGNORECASE)
    names = {"red": ABSENT} | MARKS
    signs = "".join(names.get(sign.lower(), sign) + square for _, sign, square in cells)
    if "✓" in row.string or {*"-x"} <= {*signs.lower()}:
        signs = signs.replace("✓", "O").replace("-", "?")
    return f" {''.join(cell[0] for cell in cells)}:{signs} "


def pairs(text: str, rule: Any) -> tuple[list[tuple[str, str]], list[str]]:
    """Split a line into guesses with their marks as written, and other parts.

    A guess and its marks are joined by a colon or =, or follow each other; a coloured row may come first, and
    may lack its guess. In hangman a word with revealed letters gives its letters with their places.

    >>> from gpulingo.games import marks
    >>> pairs("crane X?XXO, slate=byBBg gobby", marks)
    ([('crane', 'X?XXO'), ('slate', 'byBBg')], ['gobby'])
    >>> pairs("_ e _ _ t:____", positions)
    ([('e', '_e__'), ('t', '____')], [])
    >>> pairs("_e__ t", positions)
    ([('e', '_e__'), ('t', '____')], [])
    """
    line = separated(joined(_printed(text, rule)))
    words = (line if isinstance(rule, Counts) else line.replace(",", " ")).split()
    marked, words = _seen(words) if rule is positions else ([], words)
    others, spaced = list[str](), False
    for word in words:
        word = word.strip(",")
        guess, colon, row = word.partition(":")
        before, marks = marked[-1] if marked else ("", "")
        last = others[-1] if others else ""
        if colon:
            marked.append((guess, row))
        elif spaced and _follows(word, before, marks, rule):
            marked[-1] = before, marks + word
            continue
        elif last and is_spelled(last, rule) and _is_row(word, last, rule):
            marked.append((others.pop(), word))
        elif is_coloured(word) and not isinstance(rule, Counts) and rule is not positions:
            marked.append(("", word))
        elif marked and not before and len(word) == len(marks) and is_spelled(word, rule):
            marked[-1] = word, marks
        else:
            others.append(word)
        spaced = bool(marked) and len(marked[-1][1]) == 1
    return [(leave(guess), leave(row)) for guess, row in marked], list(map(leave, others))


def _seen(words: list[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the letters that a word in a line of hangman reveals, with their places, and its other parts.

    Parts of letters alone after the word are misses.
    """
    parts, others, spaced = list[str](), list[str](), False
    for word in words:
        colon, row = word.partition(":")[1:]
        spaced = len(row) == 1 if colon else spaced  # then the other places follow
        (others if colon or spaced else parts).append(word)
    joins = all(len(word) == 1 for word in parts)
    line, missed = ("".join(row).lower() for row in ((parts, []) if joins else (parts[:1], parts[1:])))
    letters = line.translate(SHOWN) + missed
    if UNKNOWN not in line or not letters.isalpha() or {*missed} & {*line}:
        return [], words
    shown = [
        (letter, "".join(sign if sign in letter + positions.SIGNS else UNKNOWN for sign in line))
        for letter in dict.fromkeys(letters)
    ]
    return shown, others


def _is_row(text: str, guess: str, rule: Any) -> bool:
    """Return True if a text after a guess and a blank is its marks, or the first of them."""
    if isinstance(rule, Counts):
        return not rule.fault(text, len(guess))
    if rule is positions:
        signs = {*text.lower()} - {guess.lower(), *positions.SIGNS}
        return len(guess) == 1 < len(text) and any(signs <= kind for kind in KINDS)
    if text.isdigit() and guess.isdigit():
        return False  # words of digits: a list of primes
    word_like = text.isalpha() or not text.isascii()  # otherwise it is marks, perhaps too many
    fits = len(text) == len(guess) or (len(text) == 1 and text in WRITTEN) or not word_like
    return fits and any({*text} <= kind for kind in KINDS)


def _follows(sign: str, guess: str, row: str, rule: Any) -> bool:
    """Return True if a sign continues a row with blanks between its marks."""
    if isinstance(rule, Counts) or len(sign) > 1:
        return False
    known = sign in WRITTEN or sign.lower() == guess.lower()
    return known if rule is positions else known and len(row) < len(guess)


def read_history(parts: Sequence[str], rule: Any, entered: Entered = enter) -> list[tuple[str, str]]:
    """Return guesses and their marks, from texts such as crane:BYBBG.

    >>> from gpulingo.games import marks
    >>> read_history(["crane:BYBBG"], marks)
    [('crane', 'X?XXO')]
    """
    history, example = [], ":".join(rule.example)
    if rule is positions:  # places in one part are a word, to which the next part adds none
        parts = ["".join(part.split()) if PLACES.fullmatch(part) else part for part in parts]
    marked, others = pairs(" ".join(parts), rule)
    for part in others or ([""] if parts and not marked else []):
        check_signs(part)
        raise NotationError(f"{part[:60]!r} is not a guess with its marks: write it as {example}")
    for guess, row in marked:
        guess, _, places = entered(f"{guess}:{row}" if rule is positions else guess).partition(":")
        if not guess or not row:
            fault = f"{f'{guess}:{row}'.strip(':')[:60]!r} is not a guess with its marks"
            raise NotationError(f"{fault}: write it as {example}")
        if not is_spelled(guess, rule):
            raise NotationError(f"guess {guess[:40]!r} has more than letters: write it as {example}")
        if rule is positions and len(guess) > 1:
            raise NotationError(f"guess {guess[:40]!r} has {len(guess)} letters, expected one: as {example}")
        history.append((guess, read_shown(places or row, guess, rule)))
    check_one_length({word_length(guess, row): guess for guess, row in history})
    return history


def check_one_length(lengths: Mapping[int, str]) -> None:
    """Check that the words of a round, by their lengths, have one."""
    if len(lengths) > 1:
        sizes = " and ".join(f"{length} ({word[:40]})" for length, word in lengths.items())
        raise NotationError(f"words of {sizes} letters: give words of one length")


READINGS = 3  # corrections that are printed


class Reading(NamedTuple):
    """A correction of a history that no word fits: one mark is changed."""

    turn: int  # of the guess, 1-based
    place: int  # of the mark, 1-based
    marks: str  # corrected marks of the guess
    words: int  # number of words that fit then


def fitting(words: Iterable[str], history: History, rule: ModuleType) -> list[str]:
    """Return the words that fit all marks, in list order.

    >>> fitting(["dents", "dozes", "reads"], [("dozes", "OXX?O")], marks)
    ['dents']
    """
    left = list(words)
    if rule is marks:
        left = _like(left, history)
    for guess, row in history:
        left = [word for word in left if rule.feedback(guess, word) == row]
    return left


def _like(words: list[str], history: History) -> list[str]:
    """Return a superset of the words that fit; one expression over a text takes a tenth of the time."""
    if not history or not words:
        return words
    length = len(words[0])
    placed, never, nowhere = [""] * length, [""] * length, ""
    for guess, row in history:
        for place, (letter, mark) in enumerate(zip(guess, row, strict=True)):
            if mark == "O":
                placed[place] = letter
            else:
                never[place] += letter
            if mark == "X" and all(m == "X" for other, m in zip(guess, row, strict=True) if other == letter):
                nowhere += letter
    parts = [letter or f"[^\n{no}{nowhere}]" for letter, no in zip(placed, never, strict=True)]
    return re.findall(f"^{''.join(parts)}$", "\n".join(words), re.MULTILINE)


def readings(words: Iterable[str], history: History, rule: ModuleType) -> list[Reading]:
    """Return the corrections by one mark that some words fit, most words first; none whose word was
    guessed before the last turn.

    >>> [(one.turn, one.marks, one.words) for one in readings(["dents"], [("dozes", "OXX?X")], marks)]
    [(1, 'OXX?O', 1)]
    """
    counts = Counter[tuple[int, int, str]]()
    before = {guess for guess, _ in history[:-1]}
    cells = partial(str.split, sep=",") if isinstance(rule, Counts) else str
    for word in words:
        if word in before if rule is marks else before.issuperset(word):
            continue
        wrong = list[tuple[int, int, str]]()
        for turn, (guess, row) in enumerate(history, 1):
            shown = rule.feedback(guess, word)
            places = enumerate(zip(cells(shown), cells(row), strict=True), 1)
            wrong += [(turn, place, shown) for place, (expected, mark) in places if expected != mark]
            if len(wrong) > 1:
                break
        if len(wrong) == 1:
            counts[wrong[0]] += 1
    best = sorted(counts, key=lambda key: (-counts[key], key))
    return [Reading(*key, counts[key]) for key in best]


def late_text(game: Game, turn: int, guess: str) -> str:
    """Return the message about a guess after the last turn."""
    most = counted(game.turns, "miss" if game.counts_misses else "guess")
    return f"guess {turn}, {guess}, comes after {most}, all that {game.code} allows"


def contradiction(targets: list[str], history: History, game: Game, letter: str = "") -> str:
    """Return which guess rules out all words, and which other marks would not, in one line.

    >>> from gpulingo.games.catalogue import lingo
    >>> contradiction(["dents"], [("dozes", "OXX?X")], lingo())
    'no word fits: guess 1, dozes GBBYB, rules out every word; if the s of dozes (place 5) were G instead of \
B, 1 would fit'
    """
    rule, noun = feedback_of(game), guessed(game)[0]
    if not targets:
        return f"no target begins with the letter {letter!r}: check it"
    turn = next(turn for turn in range(1, len(history) + 1) if not fitting(targets, history[:turn], rule))
    guess, row = history[turn - 1]
    fit = len(fitting(targets, history[: turn - 1], rule))
    before = f"the {noun} that fits" if fit == 1 else f"the {fit:,} {noun}s that fit"
    what = f"{before} those before it" if turn > 1 else f"every {noun}"
    fault = f"no {noun} fits: guess {turn}, {guess} {lettered(game, row)}, rules out {what}"
    clauses = []
    for fix in readings(targets, history, rule)[:READINGS]:
        guess, row = history[fix.turn - 1]
        one, now, other = f"place {fix.place} of {guess}", row[fix.place - 1], fix.marks[fix.place - 1]
        if rule is marks:
            one = f"the {guess[fix.place - 1]} of {guess} (place {fix.place})"
            now, other = marks.lettered(now), marks.lettered(other)
        elif isinstance(rule, Counts):
            one, now, other = f"the {rule.noun} of {guess}", row, fix.marks
        clauses.append(f"if {one} were {other} instead of {now}, {fix.words:,} would fit")
    return f"{fault}; {'; '.join(clauses) or 'no single other mark would do: check the guesses'}"
