"""A played round: guesses and marks, read from a line, a share text, or a target and guesses."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from gpulingo.advice.contradiction import contradiction
from gpulingo.advice.notation import (
    NotationError,
    is_coloured,
    is_spelled,
    pairs,
    read_history,
    read_marks,
)
from gpulingo.games.catalogue import breach, feedback_of
from gpulingo.games.game import Game
from gpulingo.games.marks import LONGEST, ContradictionError
from gpulingo.storage import fields
from gpulingo.words.letters import enter
from gpulingo.words.shown import brief, counted
from gpulingo.words.wordlist import WordList

MOST_TEXT = 100_000  # characters of a share text
MOST_LINE = 10_000  # characters of a line of a file
MOST_GUESSES = 1000  # of a round: more than any game allows, including letters that hit in hangman
JSON_ROUND = {"target": fields.text, "guesses": fields.list_of(fields.text)}
TITLE = re.compile(r"\b([0-9X])/([0-9])(?![0-9])")  # as in `Wordle 1,234 4/6*`


class RoundError(ContradictionError):
    """An impossible round, in one line."""


@dataclass(slots=True, eq=False, repr=False)
class Round:
    """A played round.

    Attributes:
        guesses: with their marks, in the internal form.
        letter: first letter of the target, in games that give it; otherwise empty.
        target: empty if it is not known.
        line: its line in a file, 1-based; 0: no file.

    >>> from gpulingo.games.catalogue import lingo
    >>> marked_round(["crane:bygbb"], lingo())
    Round(crane:X?OXX)
    """

    guesses: Sequence[tuple[str, str]]
    letter: str = ""
    target: str = ""
    line: int = field(default=0, init=False)

    def __repr__(self) -> str:
        return brief("Round", " ".join(map(":".join, self.guesses)))

    @property
    def length(self) -> int:
        """Letters of the target."""
        guess, row = self.guesses[0]
        shown = len(guess) < 2 and "," not in row  # places of a letter, not counts of a code of one peg
        return len(row) if shown else len(guess)


def marked_round(
    parts: Sequence[str], game: Game, letter: str = "", entered: Callable[[str], str] = enter
) -> Round:
    """Return the round of guesses with their marks, such as crane:BYBBG.

    >>> from gpulingo.games.catalogue import lingo
    >>> marked_round(["crane:bygbb"], lingo()).guesses
    [('crane', 'X?OXX')]
    """
    if not parts:
        raise RoundError("no guesses, expected at least one with its marks, for example crane:BYBBG")
    try:
        return Round(_bounded(read_history(list(parts), feedback_of(game), entered)), letter)
    except NotationError as error:
        raise RoundError(error) from None


def target_round(
    target: str, guesses: Sequence[str], game: Game, entered: Callable[[str], str] = enter
) -> Round:
    """Return the round of a target and the guesses, with marks by the reference rule.

    >>> from gpulingo.games.catalogue import lingo
    >>> target_round("reads", ["dozes"], lingo()).guesses
    [('dozes', '?XX?O')]
    """
    rule, target = feedback_of(game), entered(target)
    if not is_spelled(target, rule) or len(target) > LONGEST:
        raise RoundError(f"target {target[:40]!r}, expected a word of letters only, at most {LONGEST}")
    if not guesses:
        raise RoundError(f"no guesses of {target}, expected at least one")
    size, history = 1 if game.guesses_letters else len(target), []
    for turn, guess in enumerate(map(entered, guesses), 1):
        if not is_spelled(guess, rule) or len(guess) != size:
            what = "a letter" if game.guesses_letters else f"a word of {size} letters, as {target}"
            raise RoundError(f"guess {turn} is {guess[:40]!r}, expected {what}")
        history.append((guess, rule.feedback(guess, target)))
    return Round(_bounded(history), target[0] if game.given else "", target)


def shared_rows(text: str, game: Game) -> list[tuple[str, str]]:
    """Return the coloured rows of a share text, each with the word next to it, if there is one.

    >>> from gpulingo.games.catalogue import wordle
    >>> shared_rows("Wordle 1,234 2/6*\\n\\n⬛🟨\\n🟩🟩 AX\\nwell!", wordle())
    [('', '⬛🟨'), ('AX', '🟩🟩')]
    """
    rule = feedback_of(game)
    lines = [[own for own in pairs(line, rule)[0] if is_coloured(own[1])] for line in text.splitlines()]
    across = [sum(not word for word, _ in own) for own in lines]  # boards next to each other
    if max(across, default=0) > 1 < sum(map(bool, lines)):
        boards = sum(own for own, before in zip(across, [0, *across[:-1]], strict=True) if not before)
        raise RoundError(f"the squares of {boards} boards: give the rows of one board")
    return [own for line in lines for own in line]


def shared_round(
    text: str,
    words: Sequence[str],
    game: Game,
    entered: Callable[[str], str] = enter,
    *,
    blank: bool = False,
) -> Round:
    """Return the round of a share text and the guessed words, given in order or next to the rows;
    `blank`: the rows may lack them.
    """
    if game.guesses_letters:
        raise RoundError(f"rows and words in {game.code}, where letters are guessed: give e:_O__ instead")
    if len(text) > MOST_TEXT:
        raise RoundError(
            f"a text of {len(text):,} characters, expected at most {MOST_TEXT:,}: paste one round"
        )
    rows = shared_rows(text, game)
    if not rows:
        seen = "no rows of coloured squares in the text"
        raise RoundError(seen, "paste it whole, or give the target", "no rows")
    beside = [word for word, _ in rows]
    if words and len(rows) != len(words):
        counts = f"{counted(len(rows), 'row')} of squares and {counted(len(words), 'word')}"
        raise RoundError(f"{counts}: give a word for each row")
    if not (words or all(beside) or blank):
        seen = f"{counted(len(rows), 'row')} of squares, {beside.count('')} without a word beside it"
        raise RoundError(seen, "give the guesses", "no words")
    title = TITLE.search(text)
    if title and title[1] != "X" and int(title[1]) != len(rows):
        raise RoundError(
            f"the title says {title[0]}, the text has {counted(len(rows), 'row')}: paste it whole"
        )
    history = []
    for turn, (word, (_, row)) in enumerate(zip(map(entered, words or beside), rows, strict=True), 1):
        if word and not word.isalpha():
            raise RoundError(f"word {turn} is {word[:40]!r}, expected letters only")
        try:
            history.append((word, read_marks(row, word or row)))
        except NotationError as error:
            raise RoundError(f"row {turn}: {error}") from None
    if len({len(row) for _, row in history}) > 1:
        raise RoundError("words of several lengths: give those of one round")
    return Round(_bounded(history))


def line_round(text: str, game: Game, letter: str = "", entered: Callable[[str], str] = enter) -> Round:
    """Return the round of a line of a file: guesses with marks, or the target and then the guesses, or JSON.

    >>> from gpulingo.games.catalogue import lingo
    >>> line_round("reads dozes", lingo()).guesses == line_round("dozes:YBBYG", lingo()).guesses
    True
    >>> line_round('{"target": "reads", "guesses": ["dozes"]}', lingo())
    Round(dozes:?XX?O)
    """
    if len(text) > MOST_LINE:
        raise RoundError(f"{len(text):,} characters, expected at most {MOST_LINE:,}")
    if text.lstrip().startswith("{"):
        try:
            own = fields.checked(fields.parsed_json(text), JSON_ROUND, defaults={"target": ""}, others=True)
        except ValueError as error:
            raise RoundError(f'{error}: write {{"target": "reads", "guesses": ["dozes"]}}') from None
        target, parts = own["target"], own["guesses"]
        if target:
            return target_round(target, parts, game, entered)
        return marked_round(parts, game, letter, entered)
    found, others = pairs(text, feedback_of(game))
    if ":" in text or "=" in text or (found and not others):
        return marked_round([text], game, letter, entered)
    if not text.strip():
        raise RoundError("no guesses")
    target, *parts = text.replace(",", " ").split()
    return target_round(target, parts, game, entered)


def read_round(
    text: str,
    game: Game,
    *,
    words: Sequence[str] = (),
    target: str = "",
    letter: str = "",
    bare: bool = False,
    entered: Callable[[str], str] = enter,
) -> Round:
    """Return the round that a person enters: guesses with marks, a share text, or a target and guesses.
    `bare`: coloured rows may lack their words, and the target may come before the guesses.
    """
    if target:
        return target_round(target, words or text.replace(",", " ").split(), game, entered)
    rows = not game.guesses_letters and shared_rows(text, game)
    found, others = pairs(text, feedback_of(game))
    if words or (rows and (others or not all(guess for guess, _ in found))):
        played = shared_round(text, words, game, entered, blank=bare)
        played.letter = letter
        return played
    line = " ".join(text.split())
    if bare:
        return line_round(line, game, letter, entered)
    return marked_round(line.split(), game, letter, entered)


def check_round(played: Round, game: Game) -> None:
    """Check that the guesses of a round are legal in turn, as far as that needs no list."""
    rule, left, found, shown = feedback_of(game), game.turns, 0, set[int]()
    length = played.length
    if length > LONGEST:
        raise RoundError(f"words of {length} letters, expected at most {LONGEST}")
    for turn, (guess, row) in enumerate(played.guesses, 1):
        name = f"guess {turn}, {guess},"
        if found:
            raise RoundError(f"{name} comes after the word was found by guess {found}: leave it out")
        if left < 1:
            most = counted(game.turns, "miss" if game.counts_misses else "guess")
            seen = f"{name} comes after {most}, all that {game.code} allows"
            raise RoundError(seen, "leave it out", "longer round", game=game, turns=game.turns + 1)
        if broken := breach(game, played.guesses[: turn - 1], guess, played.letter):
            raise RoundError(f"{name} is not allowed in {game.code}: {broken}")
        shown |= {place for place, mark in enumerate(row) if mark == "O"}
        solved = rule.pattern(row) == rule.solved(length)
        if solved or (game.guesses_letters and len(shown) == length):
            found = turn
        left = game.left_after(left, rule.pattern(row))


def strange_guesses(played: Round, words: WordList, game: Game) -> list[str]:
    """Return the guesses of a round that are not words of the list, each once."""
    if game.guesses_letters:
        return []
    return list(dict.fromkeys(guess for guess, _ in played.guesses if guess not in words))


def fault_of(played: Round, words: WordList, game: Game) -> str:
    """Return the message about a round whose marks fit no target."""
    if played.target and played.target not in words.targets:
        more = f", targets {words.targets_source}" if words.targets_source else ""
        return (
            f"{played.target} is not among the targets of {words.source}{more}: name another list or target"
        )
    targets = [word for word in words.targets if word.startswith(played.letter)]
    return contradiction(targets, played.guesses, game, played.letter)


def _bounded(history: list[tuple[str, str]]) -> list[tuple[str, str]]:
    if len(history) > MOST_GUESSES:
        raise RoundError(f"{len(history):,} guesses, expected at most {MOST_GUESSES:,}: give one round")
    return history
