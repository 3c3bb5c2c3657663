"""A played round, read from a line, a share text, or a target and guesses; its review, as HTML for notebooks.

A review has the value before each guess, after the choice, and after the marks: whole credits over the words
left, and fractions, without rounding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from html import escape
from typing import TYPE_CHECKING, Any

from gpulingo.advice.answer import among, unlisted_text
from gpulingo.advice.notation import (
    COLOURS,
    Entered,
    NotationError,
    RoundError,
    check_one_length,
    check_signs,
    contradiction,
    fitting,
    is_coloured,
    is_spelled,
    late_text,
    pairs,
    read_history,
    read_marks,
    separated,
    usual_colours,
    word_length,
)
from gpulingo.games import marks
from gpulingo.games.catalogue import breach, feedback_of
from gpulingo.games.game import Game
from gpulingo.games.units import mean_of, unit_of
from gpulingo.storage import fields
from gpulingo.storage.faults import LONGER_ROUND, NO_LETTER, NO_ROWS, NO_WORDS, Fault
from gpulingo.words.letters import capitals, enter, joined, leave
from gpulingo.words.shown import brief, counted, html_table
from gpulingo.words.wordlist import WordList, WordListError

if TYPE_CHECKING:
    from gpulingo.advice.adviser import Adviser

MOST_TEXT = 100_000  # characters of a share text
MOST_LINE = 10_000  # characters of a line of a file
MOST_GUESSES = 1000  # of a round: more than any game allows, including letters that hit in hangman
JSON_ROUND: fields.Shape = {"target": (fields.text, ""), "guesses": fields.list_of(fields.text)}
PASS = "\u00b7"  # a letter of no word: a guess of it costs a turn and shows nothing
WRITTEN = 'write {"target": "reads", "guesses": ["dozes"]}'
TITLE = re.compile(r"(?<![\w/])([0-9X])/([0-9])(?![0-9/])")  # as in `Wordle 1,234 4/6*`; no date


@dataclass(slots=True, eq=False, repr=False)
class Round:
    """A played round.

    Attributes:
        guesses: with their marks, in the internal form.
        letter: first letter of the target, in games that give it; otherwise empty.
        target: empty if it is not known.
        line: its line in a file, 1-based; 0: no file.
        player: name of its player in a match; otherwise empty.
        unmarked: the words of a line that may be a target and its guesses as well; otherwise empty.

    >>> from gpulingo.games.catalogue import lingo
    >>> line_round(["crane:bygbb"], lingo())
    Round(crane:X?OXX)
    """

    guesses: Sequence[tuple[str, str]]
    letter: str = ""
    target: str = ""
    line: int = field(default=0, init=False)
    player: str = field(default="", init=False)
    unmarked: Sequence[str] = field(default=(), init=False)

    def __post_init__(self) -> None:
        if (count := len(self.guesses)) > MOST_GUESSES:
            raise RoundError(f"{count:,} guesses, expected at most {MOST_GUESSES:,}: give one round")

    def __repr__(self) -> str:
        return brief("Round", " ".join(map(":".join, self.guesses)))

    @property
    def length(self) -> int:
        """Letters of the target."""
        return word_length(*self.guesses[0])


def target_round(target: str, guesses: Sequence[str], game: Game, entered: Entered = enter) -> Round:
    """Return the round of a target and the guesses, with marks by the reference rule.

    >>> from gpulingo.games.catalogue import lingo
    >>> target_round("reads", ["dozes"], lingo()).guesses
    [('dozes', '?XX?O')]
    """
    rule, target = feedback_of(game), entered(target)
    if not is_spelled(target, rule) or len(target) > marks.LONGEST:
        raise RoundError(f"target {target[:40]!r}, expected a word of letters only, at most {marks.LONGEST}")
    if not guesses:
        raise RoundError(f"no guesses of {target}, expected at least one")
    guesses = [*map(entered, guesses)]
    for turn, guess in enumerate(guesses, 1):
        if not is_spelled(guess, rule) or len(guess) > (1 if game.guesses_letters else marks.LONGEST):
            what = "a letter" if game.guesses_letters else "a word of letters only"
            raise RoundError(f"guess {turn} is {guess[:40]!r}, expected {what}")
    if not game.guesses_letters:
        check_one_length({len(word): word for word in (target, *guesses)})
    history = [(guess, rule.feedback(guess, target)) for guess in guesses]
    return Round(history, target[0] if game.given else "", target)


def shared_boards(text: str, game: Game) -> list[list[str]]:
    """Return the coloured rows of each board of a share text, whose boards are beside and below each other.

    >>> from gpulingo.games.catalogue import wordle
    >>> shared_boards("🟩🟨 ⬛🟩\\n⬛⬛ 🟩🟩\\n\\n🟩🟩\\n", wordle())
    [['🟩🟨', '⬛⬛'], ['⬛🟩', '🟩🟩'], ['🟩🟩']]
    """
    boards, block = list[list[str]](), list[list[str]]()
    # Other lines may have squares too, those of lost boards.
    lines = [line if COLOURS.keys() & {*line} else "" for line in usual_colours(text).splitlines()]
    for line in [*_coloured("\n".join(lines), game), []]:
        if block and len(line) != len(block[0]):
            boards, block = [*boards, *map(list, zip(*block, strict=True))], []
        block += [[row for _, row in line]] if line else []
    return boards


def _coloured(text: str, game: Game) -> list[list[tuple[str, str]]]:
    """Return the coloured rows of each line, each with the word next to it, if there is one."""
    check_signs(text)
    rule, lines = feedback_of(game), usual_colours(text).splitlines()
    return [[pair for pair in pairs(line, rule)[0] if is_coloured(pair[1])] for line in lines]


def _shared_history(
    text: str, rows: Sequence[tuple[str, str]], words: Sequence[str], entered: Entered, *, blank: bool
) -> list[tuple[str, str]]:
    """Return the guesses of a share text with its rows, each next to a word; `blank`: it may lack them."""
    if not rows:
        raise RoundError("no rows of coloured squares in the text", NO_ROWS)
    beside = [word for word, _ in rows]
    if words and all(beside) and [*map(entered, beside)] != [*map(entered, words)]:
        raise RoundError(f"guesses as words and beside their rows, {beside[0][:40]!r}: give them once")
    if words and len(rows) != len(words):
        counts = f"{counted(len(rows), 'row')} of squares and {counted(len(words), 'word')}"
        raise RoundError(f"{counts}: give a word for each row")
    if not (words or all(beside) or blank):
        fault = f"{counted(len(rows), 'row')} of squares, {beside.count('')} without a word beside it"
        raise RoundError(fault, NO_WORDS)
    title = TITLE.search(text)
    if title and title[1] != "X" and int(title[1]) != len(rows):
        what = f"the title says {title[0]}, the text has {counted(len(rows), 'row')}"
        raise RoundError(f"{what}: paste it whole")
    history = []
    for turn, (word, (_, row)) in enumerate(zip(map(entered, words or beside), rows, strict=True), 1):
        if word and not is_spelled(word, marks):
            raise RoundError(f"word {turn} is {word[:40]!r}, expected letters only")
        try:
            history.append((word, read_marks(row, word or row)))
        except NotationError as error:
            raise RoundError(f"row {turn}: {error}") from None
    check_one_length({len(row): word for word, row in history})
    return history


def line_round(given: Any, game: Game, letter: str = "", entered: Entered = enter) -> Round:
    """Return the round of a line of a file: guesses with marks, or the target and then the guesses, or JSON;
    or of what JSON may hold: guesses with their marks, or an object with these or a target.

    >>> from gpulingo.games.catalogue import lingo
    >>> line_round("reads dozes", lingo()).guesses == line_round(["dozes:YBBYG"], lingo()).guesses
    True
    >>> line_round('{"target": "reads", "guesses": ["dozes"]}', lingo())
    Round(dozes:?XX?O)
    """
    if isinstance(given, str) and len(given) > MOST_LINE:
        raise RoundError(f"{len(given):,} characters, expected at most {MOST_LINE:,}")
    words = list[str]()
    if isinstance(given, dict) or (isinstance(given, str) and given.lstrip().startswith("{")):
        try:
            entry = given if isinstance(given, dict) else fields.parsed_json(given)
            values = fields.checked(entry, JSON_ROUND, others=True)
        except ValueError as error:
            raise RoundError(f"{error}: {WRITTEN}") from None
        if values["target"]:
            return target_round(values["target"], values["guesses"], game, entered)
        parts = values["guesses"]
    elif isinstance(given, str):
        (marked, others), words, parts = (
            pairs(given, feedback_of(game)),
            given.replace(",", " ").split(),
            [given],
        )
        if ":" not in separated(given) and (others or not marked):
            if not words:
                raise RoundError("no guesses")
            return target_round(words[0], words[1:], game, entered)
    else:
        parts = given_parts(given)
    if not parts:
        raise RoundError("no guesses, expected at least one with its marks, for example crane:BYBBG")
    played = Round(read_history(parts, feedback_of(game), entered), letter)
    played.unmarked = [*map(entered, words)]
    return played


def given_parts(guesses: str | Sequence[str | tuple[str, str]]) -> list[str]:
    """Return guesses in the form of the command line."""
    parts = guesses.split() if isinstance(guesses, str) else guesses
    return [part if isinstance(part, str) else ":".join(part) for part in parts]


def read_round(
    text: str, game: Game, *, words: Sequence[str] = (), target: str = "", letter: str = "",
    bare: bool = False, entered: Entered = enter,
) -> Round:  # fmt: skip
    """Return the round that a person enters: guesses with marks, a share text, or a target and guesses.

    Args:
        words: the guesses, in order, of a share text; they may stand next to its rows instead.
        bare: coloured rows may lack their words, and the target may come before the guesses.

    >>> from gpulingo.games.catalogue import wordle
    >>> read_round("Wordle 1,234 2/6*\\n\\n⬛🟨\\n🟩🟩\\nwell!", wordle(), words=["xa", "ax"])
    Round(xa:X? ax:OO)
    """
    if target:
        if words and text.strip():
            raise RoundError(f"guesses as words and as {text.strip()[:40]!r}: give them once")
        return target_round(target, words or text.replace(",", " ").split(), game, entered)
    lines = [] if game.guesses_letters else _coloured(text, game)
    rows = [row for line in lines for row in line]
    across = [sum(not word for word, _ in line) for line in lines]
    if max(across, default=0) > 1 < sum(map(bool, lines)):  # boards next to each other
        boards = len(shared_boards(text, game))
        raise RoundError(f"the squares of {boards} boards: give the rows of one board")
    marked, others = pairs(text, feedback_of(game))
    # Guesses that a colon joins to their marks are no share text, whose other parts are no guesses.
    written = any(guess and f"{guess}:{row}" in separated(text) for guess, row in rows)
    if words or (rows and not written and (others or not all(guess for guess, _ in marked))):
        if game.guesses_letters:
            raise RoundError(f"rows and words in {game.code}, where letters are guessed: give e:_O__ instead")
        return Round(_shared_history(text, rows, words, entered, blank=bare), letter)
    return line_round(" ".join(text.split()) if bare else text.split(), game, letter, entered)


def check_round(played: Round, game: Game, words: Callable[[], WordList] | None = None) -> None:
    """Check that the guesses of a round are legal in turn, and by the list that its line has one meaning."""
    left, last, length = game.turns, 0, played.length
    if game.opponent != "chance":
        raise RoundError(f"the host of {game.name} has no word in mind: review the round as wordle")
    line = played.unmarked
    if words and {len(word) for word in line} == {length} and all(map(words().__contains__, line)):
        marked = " ".join(map(":".join, zip(line[::2], line[1::2], strict=True)))
        either = json.dumps({"target": line[0], "guesses": [*line[1:]]}, ensure_ascii=False)
        raise RoundError(f"{' '.join(line)[:60]!r} has two meanings: write {marked} or {either}")
    for turn, (after, found) in enumerate(course(played, game), 1):
        guess = played.guesses[turn - 1][0]
        name = f"guess {turn}, {guess},"
        if last:
            raise RoundError(f"{name} comes after the word was found by guess {last}: leave it out")
        if left < 1:
            raise RoundError(late_text(game, turn, guess), LONGER_ROUND, game=game, turns=game.turns + 1)
        if broken := breach(game, played.guesses[: turn - 1], guess):
            raise RoundError(f"{name} is not allowed in {game.code}: {broken}")
        left, last = after, turn if found else last


def course(played: Round, game: Game) -> Iterator[tuple[int, bool]]:
    """Yield after each guess of a round the turns left, and whether the word is found."""
    rule, left, placed = feedback_of(game), game.turns, set[int]()
    for _, row in played.guesses:
        code = rule.pattern(row)
        placed |= {place for place, mark in enumerate(row) if mark == "O"}
        left = game.left_after(left, code)
        whole = game.guesses_letters and len(placed) == played.length
        yield left, whole or code == rule.solved(played.length)


def checked_round(adviser: Adviser, played: Round) -> Round:
    """Return a round, checked by the adviser's question, game and list."""
    adviser.check_length(played.length)
    if all(guess for guess, _ in played.guesses):
        check_round(played, adviser.game, partial(adviser.words, played.length))
    if adviser.game.given and not played.letter:
        name = adviser.game.name
        raise RoundError(f"no target in {name}, which gives its first letter", NO_LETTER, name=name)
    return played


def given_rounds(adviser: Adviser, given: Sequence[Any], *, many: bool = True) -> list[Round]:
    """Return rounds as they are given, checked; errors name the round by its number if there are many."""
    played, targets = list[Round](), set[str]()
    for number, item in enumerate(given, 1):
        try:
            entered = adviser.entering()
            played.append(checked_round(adviser, line_round(item, adviser.game, adviser.letter, entered)))
            check_one_length({one.length: one.guesses[0][0] for one in (played[0], played[-1])})
            words = adviser.words(played[0].length, wider=True)
            targets = targets or {"", *words.targets}
            if played[-1].target not in targets:
                raise RoundError(fault_of(played[-1], words, adviser.game))
        except (Fault, WordListError) as error:
            if not many:
                raise
            raise RoundError(f"round {number}", error) from None
    if not played:
        raise RoundError("no rounds, expected at least one")
    return played


def tell_strange(adviser: Adviser, rounds: Sequence[Round], words: WordList, *, many: bool) -> None:
    """Report guesses that are no words of the list; of many rounds their number and the first."""
    guesses = () if adviser.game.guesses_letters else [guess for one in rounds for guess, _ in one.guesses]
    strange = dict.fromkeys(word for word in guesses if word not in words and not word.startswith(PASS))
    if many and strange:
        what = f"{counted(len(strange), 'guess')} not among {among(words, adviser.game)}"
        adviser.complain(f"{what}, {next(iter(strange))} first; their marks are taken")
    for guess in strange if not many else ():
        adviser.complain(unlisted_text(guess, words, adviser.game))


def wider_text(rounds: str, count: int, words: WordList) -> str:
    """Return the note about rounds that no usual answer fits, and that are reviewed over all words."""
    are = "is" if count == 1 else "are"
    return f"no answer fits {rounds}, which {are} reviewed over all {len(words):,} words of {words.source}"


def fault_of(played: Round, words: WordList, game: Game) -> str:
    """Return the message about a round whose marks fit no target, or only targets of weight 0."""
    if played.target and played.target not in words.targets:
        more = f", targets {words.targets_source}" if words.targets_source else ""
        what = f"{played.target} is not among the targets of {words.source}{more}"
        return f"{what}: name another list or target"
    targets = [word for word in words.targets if word.startswith(played.letter)]
    if fitting(targets, played.guesses, feedback_of(game)):
        return f"the words left weigh 0 in {words.weights_source}: weigh one of them"
    return contradiction(targets, played.guesses, game, played.letter)


def shown(game: Game, credits: int, weight: int) -> Fraction:
    """Return credits of a set in the game's unit, as the mean over its words."""
    return Fraction(*mean_of(game, credits, weight))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SetValue:
    """Value of a set of candidates; all sets of a review follow one rule.

    Attributes:
        credits: summed over the candidates, each times its weight.
        weight: total weight of the candidates.
        words: number of candidates.
        how: `tree`, the value of the stored tree; `exact`, proven best; otherwise the best of some
            rollouts, a lower limit.
        best: the guess with this value; empty if there is nothing to guess.
        proven: True if no strategy has more; a tree's value may be proven too.
        lives: those left in the words found, summed as credits are, where they decide on ties; otherwise 0.

    >>> SetValue(13, 3, 3, "exact", "dozes")
    SetValue(3 words, 13 credits, exact: dozes)
    """

    credits: int
    weight: int
    words: int
    how: str
    best: str = ""
    proven: bool = False
    lives: int = 0

    def __repr__(self) -> str:
        best = f": {self.best}" * bool(self.best)
        return brief("SetValue", f"{counted(self.words, 'word')}, {self.credits:,} credits, {self.how}{best}")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Turn:
    """A guess of a round, with the values around it, in the game's unit.

    Attributes:
        guess, marks: what was played.
        before, after: values of the words left before the guess and after its marks.
        chosen: credits after the choice and before its marks, summed over the words left before.
        game: the rules.
        proven: True if `chosen` is proven; otherwise it is a lower limit.
        lives: those that go with `chosen`, see `SetValue`.

    >>> from gpulingo import review
    >>> turn = review(["dozes:?XX?O"], ["dents", "dozes", "reads"]).turns[0]
    >>> turn.guess, float(turn.expected_chosen), float(turn.expected_after), float(turn.lost)
    ('dozes', 433.3333333333333, 400.0, 0.0)
    """

    guess: str
    marks: str
    before: SetValue
    chosen: int
    after: SetValue
    game: Game
    proven: bool = False
    lives: int = 0

    def __repr__(self) -> str:
        lost, luck = (f"{float(value):.3f}" for value in (self.lost, self.luck))
        return brief("Turn", f"{self.guess} {self.marks}: lost {lost}, luck {luck}")

    @property
    def expected_before(self) -> Fraction:
        """Value before the guess."""
        return shown(self.game, self.before.credits, self.before.weight)

    @property
    def expected_chosen(self) -> Fraction:
        """Value after the choice, before its marks."""
        return shown(self.game, self.chosen, self.before.weight)

    @property
    def expected_after(self) -> Fraction:
        """Value after the marks."""
        return shown(self.game, self.after.credits, self.after.weight)

    @property
    def lost(self) -> Fraction:
        """The loss of the choice against the best guess known; below 0 if the choice is better."""
        less = self.expected_before - self.expected_chosen
        return less if unit_of(self.game).rises else -less

    @property
    def missed(self) -> Fraction:
        """The misses, on average, that the choice cost where it lost nothing else; 0 if they have a value."""
        tied = not self.lost and self.before.lives > self.lives
        return Fraction(self.before.lives - self.lives, self.before.weight) if tied else Fraction(0)

    @property
    def known(self) -> str:
        """The kind of `lost`: exact, at most (`chosen` may be more), at least (`before` may), or about."""
        if self.proven:
            return "exact" if self.before.proven else "at least"
        return "at most" if self.before.proven else "about"

    @property
    def luck(self) -> Fraction:
        """The luck of the marks; above 0 is good."""
        more = self.expected_after - self.expected_chosen
        return more if unit_of(self.game).rises else -more


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Review:
    """A finished round with the value before and after every guess.

    start + lost - luck = result if fewer is better, start - lost + luck = result if more is.

    Attributes:
        played: the round.
        game: the rules.
        turns: its guesses.
        state: `found`, `lost`, or `open` if turns were left; the result is then the expected one.

    >>> from gpulingo import review
    >>> review(["dozes:?XX?O", "reads:OOOOO"], ["dents", "dozes", "reads"])
    Review(lingo5: found on guess 2, result 400.000, start 433.333, lost 0.000, luck -33.333)
    """

    played: Round
    game: Game
    turns: list[Turn]
    state: str

    def __repr__(self) -> str:
        end = f"found on guess {len(self.turns)}" if self.state == "found" else self.state
        parts = [f"{name} {float(getattr(self, name)):.3f}" for name in ("result", "start", "lost", "luck")]
        return brief("Review", f"{self.game.code}: {end}, {', '.join(parts)}")

    def _repr_html_(self) -> str:
        rows = [
            (tiles(turn.guess, turn.marks, self.game), turn.expected_before, turn.lost, turn.luck)
            for turn in self.turns
        ]
        return html_table(self, ["guess", "expected", "lost", "luck"], rows)

    @property
    def start(self) -> Fraction:
        """The expected result before the first guess."""
        return self.turns[0].expected_before

    @property
    def result(self) -> Fraction:
        """The result of the round."""
        return self.turns[-1].expected_after

    @property
    def lost(self) -> Fraction:
        """The sum of the losses of the choices."""
        return sum((turn.lost for turn in self.turns), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """The sum of the luck of the marks."""
        return sum((turn.luck for turn in self.turns), Fraction(0))

    @property
    def balanced(self) -> bool:
        """Return True if start, luck, losses and result agree exactly, as they must."""
        gained = self.luck - self.lost
        return self.result == self.start + (gained if unit_of(self.game).rises else -gained)


BACKGROUNDS = {"O": "#3a7d44", "?": "#a67c00", "X": "#5f6368"}  # white text on each has a contrast above 3.6
PLAIN = "#44546a"  # of a guess without marks
TILE = "display:inline-block;width:1.6em;line-height:1.6em;margin:1px;text-align:center;color:#fff;"


def tiles(word: str, row: str, game: Game) -> str:
    """Return a guess as tiles, plain before it has marks; in a game without marks of letters,
    its feedback follows the word.

    >>> from gpulingo.games.catalogue import lingo
    >>> tiles("ab", "OX", lingo()).count("<span")
    2
    """
    coloured = bool(row) and feedback_of(game) is marks
    colours = [BACKGROUNDS[mark] for mark in row] if coloured else [PLAIN] * len(word)
    spans = [
        f'<span style="{TILE}background:{colour}">{escape(capitals(letter))}</span>'
        for letter, colour in zip(joined(leave(word)), colours, strict=True)
    ]
    return "".join(spans) + ("" if coloured or not row else f" <code>{escape(row)}</code>")
