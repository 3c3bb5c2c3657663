"""A round of several boards: its guesses as they are written, what each board has left, and the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.answer import SHOWN, WIDTH, Fit, among, unlisted_text, wrapped
from gpulingo.advice.notation import (
    Entered,
    NotationError,
    check_one_length,
    fitting,
    plain,
    read_history,
    read_marks,
)
from gpulingo.advice.round import RoundError, shared_boards
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.games.marks import ContradictionError
from gpulingo.hosts.host import check_boards
from gpulingo.player.question import USUAL_LENGTH
from gpulingo.storage.faults import NO_WORDS
from gpulingo.words.letters import enter
from gpulingo.words.shown import brief, counted, first_of

DONE = "-"  # instead of marks of a board that is found
History = list[tuple[str, str]]


@dataclass(frozen=True, repr=False)
class BoardGuess:
    """A guess for all boards.

    Attributes:
        guess: the word.
        turn: mean turn of the last board, if the guess is followed by the best strategy, or the usual one.
        won: share of the rounds that are won then.
        answers: numbers of the boards whose word it may be, from 1.
        exact: True if no strategy that begins with it has a lower mean turn, and one has this; otherwise it
            is an estimate.

    >>> BoardGuess("crane", turn=6.95, won=1.0, answers=[2])
    BoardGuess(crane: done by 6.950)
    """

    guess: str
    turn: float
    won: float
    answers: list[int]
    exact: bool = False

    def __repr__(self) -> str:
        return brief("BoardGuess", f"{self.guess}: done by {self.turn:.3f}{', exact' * self.exact}")

    def entry(self, *_: object) -> dict[str, Any]:
        """Return a JSON object; its values depend on no other guess."""
        row = {"guess": self.guess, "mean_turn": self.turn, "won": self.won, "answer_on": self.answers}
        return row | {"exact": self.exact}


@dataclass(eq=False, repr=False)
class BoardsAnswer:
    """The words that each board has left, and the best next guesses.

    Attributes:
        game, turn, source: the rules, the number of the next guess, the origin of the words.
        left: possible words of each board; the word alone if it is found.
        found: whether the word of each board is found.
        guesses: the best first.
        how: how they were found.

    >>> from gpulingo import suggest_boards
    >>> suggest_boards(words=["dents", "dozes", "reads"], game="dordle", device="cpu")
    BoardsAnswer(dordle7, turn 1: dents 2.333, dozes 2.333, reads 2.333)
    """

    game: Game
    turn: int
    source: str  # of the words
    left: list[list[str]]  # of each board; the word alone if it is found
    found: list[bool]
    guesses: list[BoardGuess] = field(default_factory=list)
    how: str = ""
    final: bool = False  # True: searched

    def __repr__(self) -> str:
        best = ", ".join(f"{row.guess} {row.turn:.3f}" for row in self.guesses[:3])
        return brief("BoardsAnswer", f"{self.game.code}, turn {self.turn}: {best}")

    def lines(self, every: bool = False, width: int = WIDTH, remedy: str = "") -> list[str]:
        """Return text in `width` columns; all words left, or the first."""
        lines = []
        for number, (words, solved) in enumerate(zip(self.left, self.found, strict=True), 1):
            what = "found" if solved else f"{counted(len(words), 'word')} left"
            lines += wrapped(f"board {number}: {what}: {first_of(words, None if every else SHOWN)}", width)
        if not self.guesses:
            return lines
        size = max(5, len(self.guesses[0].guess))
        rows = [f"{'guess':{size}}  done by     won  answer on"]
        for row in self.guesses:
            boards = ", ".join(map(str, row.answers)) or "none"
            rows.append(f"{row.guess:{size}}  {row.turn:7.3f}  {100 * row.won:4.1f} %  {boards}")
        return [*lines, "", *rows, "", *wrapped(self.how, width)]

    def entry(self, every: bool = False, remedy: str = "") -> dict[str, Any]:
        """Return a JSON object."""
        boards = [
            {"found": solved, "left": len(words), "candidates": words if every else words[:SHOWN]}
            for words, solved in zip(self.left, self.found, strict=True)
        ]
        return {
            "game": self.game.code, "list": self.source, "turn": self.turn, "boards": boards, "how": self.how,
            "suggestions": [row.entry() for row in self.guesses],
        }  # fmt: skip


def read_boards(parts: Sequence[str], adviser: Adviser, *, listed: bool = False) -> list[History]:
    """Return the history of each board, from guesses such as crane:BYBBG,BBBBG; `-` for one that is found.

    Args:
        listed: whether the list must have the guesses; otherwise others are reported.
    Raises:
        NotationError: the first fault, with its guess and board.
    """
    game, rule = adviser.game, adviser.rule
    boards, solved = [History() for _ in range(game.boards)], dict[int, str]()
    more = [".."] * (game.boards > 4)
    example = "crane:" + ",".join(["BYBBG", "BBBBG", DONE, "GBBYB"][: game.boards] + more)
    written = plain(" ".join(parts)).replace("=", ":").split()
    entered = adviser.entering()
    for turn, part in enumerate(written, 1):
        guess, colon, text = part.partition(":")
        name, rows = f"guess {turn}, {guess[:40]},", text.split(",")
        if len(solved) == game.boards:
            raise NotationError(f"{name} comes after every word was found: leave it out")
        if not colon:
            raise NotationError(f"{part[:60]!r} is not a guess with its marks: write it as {example}")
        if len(rows) != game.boards:
            fault = f"{name} has marks of {counted(len(rows), 'board')}, {game.name} has {game.boards}"
            raise NotationError(f"{fault}: write {DONE} for one that is found, as in {example}")
        for number, (row, history) in enumerate(zip(rows, boards, strict=True), 1):
            is_empty = row in ("", DONE)
            if number in solved and not is_empty:
                fault = f"{name} has marks of board {number}, which {solved[number]} found"
                raise NotationError(f"{fault}: write {DONE} for it")
            if number not in solved and is_empty:
                raise NotationError(f"{name} has no marks of board {number}, which is not found: write them")
            try:
                history += read_history([] if is_empty else [f"{guess}:{row}"], rule, entered)
            except NotationError as error:
                raise NotationError(f"{name} board {number}: {error}") from None
            if not is_empty and rule.pattern(history[-1][1]) == rule.solved(len(history[-1][0])):
                solved[number] = f"guess {turn}"
    guesses = dict.fromkeys(guess for history in boards for guess, _ in history)
    check_one_length({len(guess): guess for guess in guesses})
    for guess in guesses:
        adviser.check_length(len(guess))
        if guess not in (words := adviser.words(len(guess))):
            if listed:
                raise NotationError(f"{guess} is not among {among(words, game)}: name another list")
            adviser.complain(unlisted_text(guess, words, game))
    return boards


def written_boards(
    text: str, game: Game, words: Sequence[str] = (), targets: Sequence[str] = (),
    entered: Entered = enter,
) -> list[str]:  # fmt: skip
    """Return the guesses of a round of several boards with their marks, such as crane:BYBBG,-.

    Args:
        text: these, or the squares of all boards, or with targets the guesses.
        words: the guesses, if the text is squares. targets: the word of each board, if they are known.
    Raises:
        RoundError: other numbers of boards, targets or words; squares and targets.

    >>> from gpulingo.games.catalogue import find_game
    >>> written_boards("dents reads", find_game("dordle"), [], ["dents", "reads"])
    ['dents:OOOOO,?OXXO', 'reads:-,OOOOO']
    """
    squares = shared_boards(text, game)
    if not (words or targets) and (":" in text or not squares):  # guesses with their marks
        return text.split()
    if squares and targets:
        raise RoundError("squares and targets: give one of them")
    if squares and not words:
        raise RoundError(f"squares of {counted(len(squares), 'board')} without the guesses", NO_WORDS)
    guesses = list(map(entered, words or text.replace(",", " ").split()))
    answers = list(map(entered, targets))
    if targets:
        check_one_length({len(word): word for word in [*answers, *guesses]})
    rows = [[feedback_of(game).feedback(guess, word) for guess in guesses] for word in answers] or squares
    if len(rows) != game.boards:
        what = "targets" if targets else "the squares"
        raise RoundError(f"{what} of {counted(len(rows), 'board')}, {game.name} has {game.boards}: give all")
    for board in rows:
        solved = (turn for turn, row in enumerate(board, 1) if {*read_marks(row, row)} == {"O"})
        del board[min(solved, default=len(board)) :]
    longest = max(map(len, rows))
    if longest != len(guesses) and not targets:
        fault = f"{counted(longest, 'row')} of squares and {counted(len(guesses), 'word')}"
        raise RoundError(f"{fault}: give a word for each row")
    marks = (",".join(row[turn] if turn < len(row) else DONE for row in rows) for turn in range(len(guesses)))
    return list(map(":".join, zip(guesses, marks, strict=True)))


def stand(adviser: Adviser, boards: Sequence[History], length: int = 0) -> BoardsAnswer:
    """Return what each board has left, without guesses; `length`: of the words, before the first guess.

    Raises:
        ContradictionError: no word fits a board.
    """
    game, rule = adviser.game, adviser.rule
    usual = length or adviser.question.length or USUAL_LENGTH
    words = adviser.words(next((len(guess) for history in boards for guess, _ in history), usual))
    check_boards(game, words)
    solved = [bool(pairs) and rule.pattern(pairs[-1][1]) == rule.solved(words.length) for pairs in boards]
    left = list[list[str]]()
    for number, (done, history) in enumerate(zip(solved, boards, strict=True), 1):
        # A word that was found may be one that the list lacks.
        fits = fitting([history[-1][0]], history, rule) if done else adviser.left(words.length, history)[1]
        left.append(fits)
        if not fits:
            raise ContradictionError(f"board {number}: {adviser.contradiction(words.length, history)}")
        if not have_apart(left):
            fault = f"board {number}: every word that fits is that of a board before it"
            raise ContradictionError(f"{fault}, and the words of a round are different")
    return BoardsAnswer(game, 1 + max(map(len, boards)), Fit(words.source, 0).list_text, left, solved)


def have_apart(lists: Sequence[Sequence[Any]]) -> bool:
    """Return True if a different member can be taken of each list, by a matching.

    >>> have_apart(["ab", "ab", "abc"]), have_apart(["ab", "ab", "ab"])
    (True, False)
    """
    if all(len(members) > place for place, members in enumerate(sorted(lists, key=len))):
        return True
    holder: dict[Any, int] = {}

    def seated(number: int, tried: set[Any]) -> bool:
        for member in lists[number]:
            if member not in tried:
                tried.add(member)
                if member not in holder or seated(holder[member], tried):
                    holder[member] = number
                    return True
        return False

    return all(seated(number, set()) for number in range(len(lists)))


def apart(lists: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Yield rows of different members, one of each list; each is found soon."""
    if not lists:
        yield ()
        return
    for first in lists[0]:
        rest = [[other for other in others if other != first] for others in lists[1:]]
        if have_apart(rest):
            yield from ((first, *others) for others in apart(rest))
