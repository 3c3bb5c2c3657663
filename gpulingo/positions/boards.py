"""The next guess of a round of several boards: what each board has left, and the best guesses by rollouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice, product
from math import prod
from random import Random
from threading import Event
from typing import Any

import numpy as np

from gpulingo.advice.adviser import SHOWN, WIDTH, Adviser, Fit, unlisted_text, wrapped
from gpulingo.advice.notation import NoAnswer, NotationError, read_history
from gpulingo.games.catalogue import find_game
from gpulingo.games.game import Game
from gpulingo.optimise.deadline import Deadline
from gpulingo.player.question import USUAL_LENGTH, Limits
from gpulingo.positions.rollout import known_table
from gpulingo.positions.rounds import adviser_over, check_limits
from gpulingo.strategies.boards import BOARDS, BoardRounds, check_boards, play, sum_of_ranks
from gpulingo.tensors.arrays import Array, array_of, like
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import frontier
from gpulingo.words.letters import enter
from gpulingo.words.levels import unfit_words
from gpulingo.words.shown import brief, counted
from gpulingo.words.wordlist import WordList

DONE = "-"  # instead of marks of a board that is found
DRAWN = 100  # sets of answers of which each guess is rolled out; all, if there are no more
TRIED = 30  # guesses that are rolled out at most, and a third as many possible answers
History = list[tuple[str, str]]


@dataclass(frozen=True)
class BoardGuess:
    """A guess for all boards.

    Attributes:
        guess: the word.
        turn: mean turn of the last board, if the guess is followed by the usual strategy.
        won: share of the rounds that are won then.
        answers: numbers of the boards whose word it may be, from 1.

    >>> BoardGuess("crane", turn=6.95, won=1.0, answers=[2])
    BoardGuess(guess='crane', turn=6.95, won=1.0, answers=[2])
    """

    guess: str
    turn: float
    won: float
    answers: list[int]


@dataclass(eq=False, repr=False)
class BoardsAnswer:
    """The words that each board has left, and the best next guesses.

    Attributes:
        game, turn, source: the rules, the number of the next guess, the origin of the words.
        left: possible words of each board; the word alone if it is found.
        found: whether the word of each board is found.
        guesses: the best first.
        how: how they were found.

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
    final: bool = True

    def __repr__(self) -> str:
        best = ", ".join(f"{own.guess} {own.turn:.3f}" for own in self.guesses[:3])
        return brief("BoardsAnswer", f"{self.game.code}, turn {self.turn}: {best}")

    def lines(self, every: bool = False, width: int = WIDTH, remedy: str = "") -> list[str]:
        """Return text in `width` columns; all words left, or the first."""
        lines = []
        for number, (words, found) in enumerate(zip(self.left, self.found, strict=True), 1):
            shown = words if every else words[:SHOWN]
            more = f" .. and {len(words) - len(shown):,} more" if len(shown) < len(words) else ""
            what = "found" if found else f"{counted(len(words), 'word')} left"
            lines += wrapped(f"board {number}: {what}: {' '.join(shown)}{more}", width)
        if not self.guesses:
            return lines
        size = max(5, len(self.guesses[0].guess))
        rows = [f"{'guess':{size}}  done by     won  answer on"]
        for own in self.guesses:
            boards = ", ".join(map(str, own.answers)) or "none"
            rows.append(f"{own.guess:{size}}  {own.turn:7.3f}  {100 * own.won:4.1f} %  {boards}")
        return [*lines, "", *rows, "", *wrapped(self.how, width)]

    def entry(self, every: bool = False, remedy: str = "") -> dict[str, Any]:
        """Return a JSON object."""
        boards = [
            {"found": found, "left": len(words), "candidates": words if every else words[:SHOWN]}
            for words, found in zip(self.left, self.found, strict=True)
        ]
        guesses = [
            {"guess": own.guess, "mean_turn": own.turn, "won": own.won, "answer_on": own.answers}
            for own in self.guesses
        ]
        return {
            "game": self.game.code, "list": self.source, "turn": self.turn, "boards": boards, "how": self.how,
            "suggestions": guesses,
        }  # fmt: skip


def read_boards(parts: Sequence[str], adviser: Adviser) -> list[History]:
    """Return the history of each board, from guesses such as crane:BYBBG,BBBBG; `-` for one that is found.

    Raises:
        NotationError: the first fault, with its guess and board.
    """
    game, rule = adviser.game, adviser.rule
    boards, found = [History() for _ in range(game.boards)], dict[int, str]()
    example = "crane:" + ",".join(["BYBBG", "BBBBG", DONE][: game.boards])
    for turn, part in enumerate(" ".join(parts).split(), 1):
        guess, colon, text = part.replace("=", ":").partition(":")
        name, rows = f"guess {turn}, {guess[:40]},", text.split(",")
        if not colon:
            raise NotationError(f"{part[:60]!r} is not a guess with its marks: write it as {example}")
        if len(rows) != game.boards:
            seen = f"{name} has marks of {counted(len(rows), 'board')}, {game.name} has {game.boards}"
            raise NotationError(f"{seen}: write {DONE} for one that is found, as in {example}")
        for number, row in enumerate(rows, 1):
            if number in found and row not in ("", DONE):
                seen = f"{name} has marks of board {number}, which {found[number]} found"
                raise NotationError(f"{seen}: write {DONE} for it")
            if number not in found and row in ("", DONE):
                raise NotationError(f"{name} has no marks of board {number}, which is not found: write them")
            if number in found:
                continue
            entered = partial(enter, same=adviser.question.words.same)
            try:
                ((own, marks),) = read_history([f"{guess}:{row}"], rule, entered)
            except NotationError as error:
                raise NotationError(f"{name} board {number}: {error}") from None
            boards[number - 1].append((own, marks))
            if rule.pattern(marks) == rule.solved(len(own)):
                found[number] = f"guess {turn}"
    lengths = dict.fromkeys(len(guess) for history in boards for guess, _ in history)
    if len(lengths) > 1:
        raise NotationError(f"words of {' and '.join(map(str, lengths))} letters: give guesses of one round")
    return boards


def answer_boards(
    adviser: Adviser, parts: Sequence[str], stop: Event | None = None, *, search: bool = True
) -> BoardsAnswer:
    """Return the answer to the history of a round of several boards.

    Args:
        adviser: has the lists, the game and the limits. parts: see `read_boards`.
        stop: ends the rollouts early. search: whether guesses are searched.
    Raises:
        NotationError: malformed. NoAnswer: no word fits a board, or every board is found.
    """
    game, rule, boards = adviser.game, adviser.rule, read_boards(parts, adviser)
    length, turn = adviser.question.length or USUAL_LENGTH, 1 + max(map(len, boards))
    if guesses := dict.fromkeys(guess for history in boards for guess, _ in history):
        length = len(next(iter(guesses)))
        if adviser.question.length not in (0, length):
            seen = f"words of {adviser.question.length} letters, marks of {length}"
            raise NotationError(f"{seen}: give one length")
    words = adviser.words(length)
    check_boards(game, words)
    for guess in guesses:
        if guess not in words:
            adviser.complain(unlisted_text(guess, words, game))
    left = [adviser.left(length, history)[1] for history in boards]
    for number, (own, history) in enumerate(zip(left, boards, strict=True), 1):
        if not own:
            raise NoAnswer(f"board {number}: {adviser.contradiction(length, history)}")
    found = [bool(own) and rule.pattern(own[-1][1]) == rule.solved(length) for own in boards]
    if all(found):
        raise NoAnswer("every board is found: there is nothing left to guess")
    if turn > game.turns:
        raise NoAnswer(f"{game.code} allows no more guesses")
    answer = BoardsAnswer(game, turn, Fit(words.source, 0).list_text, left, found, final=search)
    if search:
        roll_out(answer, words, adviser.question.limits, stop)
    return answer


def roll_out(answer: BoardsAnswer, words: WordList, limits: Limits, stop: Event | None) -> None:
    """Roll out the guesses whose ranks have the greatest sums, and keep the best."""
    table, deadline = known_table(words, answer.game), Deadline(limits.seconds, stop)
    table = table.to(find_device(limits.device))
    place = {word: number for number, word in enumerate(words.words)}
    members = [np.array([place[word] for word in own], np.int32) for own in answer.left]
    sets = np.where(answer.found, -1, np.arange(len(members)))[None]
    open_ = np.flatnonzero(sets[0] >= 0)
    front, strategy = frontier([like(own, table.letters) for own in members]), sum_of_ranks(BOARDS)
    position = BoardRounds(table, answer.game, front, sets, answer.turn)
    (total,) = strategy.summed(position, sets)
    ranked = array_of(table.pool)[np.argsort(-array_of(total)[0], kind="stable")].tolist()
    unfit = frozenset() if limits.unfit else unfit_words(words.length)
    usable = [guess for guess in ranked if words[guess] not in unfit]
    likely = {word for number in open_ for word in members[number].tolist()}
    tried = {*usable[:TRIED], *islice((guess for guess in usable if guess in likely), TRIED // 3)}
    targets, are_all = answers(members, answer.found)
    rounds, rolled = position.take(np.zeros(len(targets), np.int64)), list[BoardGuess]()
    for guess in (guess for guess in usable if guess in tried):
        if rolled and deadline.over():
            break
        turns = play(rounds, targets, strategy, np.full(len(targets), guess, np.int32))
        lost = ((turns == 0) & (sets >= 0)).any(1)
        last = np.where(lost, answer.game.turns + 1, turns.max(1))
        on = [number + 1 for number in open_.tolist() if guess in members[number]]
        rolled.append(BoardGuess(words[guess], float(last.mean()), float(1 - lost.mean()), on))
    answer.guesses = sorted(rolled, key=lambda own: (own.turn, -len(own.answers)))[: limits.top or SHOWN // 2]
    over = f"all {len(targets):,}" if are_all else f"{len(targets):,} drawn"
    answer.how = (
        f"the best of {counted(len(rolled), 'guess')} rolled out over {over} sets of answers: not proven"
    )


def suggest_boards(
    history: str | Sequence[str] = (),
    words: WordList | Sequence[str] | int = 5,
    game: Game | str = "quordle",
    *,
    top: int = 10,
    seconds: float = 2.0,
    device: str = "auto",
) -> BoardsAnswer:
    """Return the best next guesses of a round of several boards, and what each board has left.

    Args:
        history: guesses with their marks on every board, `crane:BYBBG,BBBBG`; `-` for one that is found.
        words: a list; its words, of one length, in lower case, distinct; or a length.
        game: the rules, or their name: dordle, quordle, octordle, 3-wordle.
        top: number of guesses, 1 to 1000.
        seconds: time of the rollouts; one guess is rolled out however long that takes.
        device: auto, cpu, cuda or cuda:1.
    Raises:
        ContradictionError: no word fits a board, or the marks are malformed; the message names the board.
        WordListError, UnknownGameError, DeviceError: no such list, game or device.

    >>> words = ["dents", "dozes", "reads", "tours"]
    >>> found = suggest_boards("dozes:?XX?O,XOXXO", words, "dordle", device="cpu")
    >>> found.guesses[0].guess, found.left
    ('reads', [['reads'], ['tours']])
    """
    rules = game if isinstance(game, Game) else find_game(game)
    check_limits(top, seconds, device)
    adviser = adviser_over(words, rules, seconds=seconds, device=device, top=top)
    return answer_boards(adviser, [history] if isinstance(history, str) else history)


def answers(members: Sequence[Array], found: Sequence[bool]) -> tuple[Array, bool]:
    """Return [R, K] int32, sets of different answers of the boards, -1 where one is found, and whether these
    are all, or some that are drawn.
    """
    open_ = [own if not done else np.array([-1]) for own, done in zip(members, found, strict=True)]
    is_small = prod(map(len, open_)) <= DRAWN
    if is_small:
        rows = list(product(*(own.tolist() for own in open_)))
    else:
        chance = Random(0)
        rows = [tuple(int(chance.choice(own)) for own in open_) for _ in range(2 * DRAWN)]
    apart = [row for row in rows if len({*row} - {-1}) == len(row) - row.count(-1)] or rows
    return np.array(list(islice(apart, DRAWN)), np.int32), is_small
