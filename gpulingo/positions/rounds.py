"""Questions about a round: what to guess next, and the cost of each choice in a finished one.

This is the Python interface; command line and page call the same functions below it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.outlook import GuessStats
from gpulingo.advice.review_text import exact_text, mean_rows, summary
from gpulingo.advice.round import (
    PASS,
    Review,
    Round,
    RoundError,
    Turn,
    given_parts,
    given_rounds,
    tell_strange,
    tiles,
    wider_text,
)
from gpulingo.advice.several import BoardsAnswer
from gpulingo.games.catalogue import HOSTED, LINGO, feedback_of, find_game, one_board
from gpulingo.games.game import Game
from gpulingo.games.marks import LONGEST
from gpulingo.games.units import UNITS
from gpulingo.player.question import MOST_SECONDS, MOST_TOP, Limits, ListNames, Question
from gpulingo.positions import outlooks
from gpulingo.positions.round_values import Reviewed, RoundValues
from gpulingo.storage.faults import reported, warned
from gpulingo.tensors.device import find_device
from gpulingo.tensors.operations import paired_patterns
from gpulingo.trees.book import OpeningTree
from gpulingo.trees.stored import stored_starts
from gpulingo.words.letters import enter, leave
from gpulingo.words.shown import brief, counted, html_table
from gpulingo.words.targets import listed
from gpulingo.words.wordlist import WordList, WordListError

if TYPE_CHECKING:
    from torch import Tensor

    from gpulingo.strategies.batch import Rounds


@contextmanager
def _written() -> Iterator[None]:
    """Show words in an error in their written form."""
    try:
        yield
    except ValueError as error:
        error.args = (leave(str(error)),)
        raise


@dataclass(frozen=True)
class Suggestions:
    """The next guesses of a round, the best first.

    Attributes:
        game: its rules.
        guesses: empty if no turn is left.
        candidates: possible answers that fit the history.
        exact: True if the values of all guesses are proven; otherwise some are lower limits.
        source: how the guesses were found: a stored tree or a search.

    >>> found = suggest(["dozes:?XX?O"], ["dents", "dozes", "reads"], device="cpu")
    >>> found.guesses[0].guess, found.guesses[0].expected(found.game), found.candidates
    ('reads', 400.0, ['reads'])
    """

    game: Game
    guesses: list[GuessStats]
    candidates: list[str]
    exact: bool
    source: str

    def __repr__(self) -> str:
        left = counted(len(self.candidates), "candidate") + ", exact" * self.exact
        best = ", ".join(f"{row.guess} {row.expected(self.game):.3f}" for row in self.guesses[:3])
        return brief("Suggestions", f"{left}: {best}" if best else left)

    def _repr_html_(self) -> str:
        rows = [
            (tiles(row.guess, "", self.game), row.expected(self.game), row.classes, row.largest, row.bits)
            for row in self.guesses
        ]
        return html_table(self, ["guess", UNITS[self.game.shown].name, "classes", "largest", "bits"], rows)


@_written()
def suggest(
    history: str | Sequence[str | tuple[str, str]] = (),
    words: WordList | Sequence[str] | int = 5,
    game: Game | str = LINGO,
    *,
    letter: str = "",
    top: int = 10,
    seconds: float = 2.0,
    device: str = "auto",
) -> Suggestions:
    """Return the best next guesses of a round.

    Args:
        history: guesses with their marks so far: `crane:BYBBG` or pairs.
        words: a list; its words, of one length, in lower case, distinct; or a length.
        game: the rules, or their name.
        letter: first letter of the answer, in games that give it.
        top: number of guesses, 1 to 1000.
        seconds: time of a search, 0 to 86,400.
        device: auto, cpu, cuda or cuda:1.
    Returns:
        The guesses, and the possible answers. Odd guesses are reported as warnings.
    Raises:
        ContradictionError: no word fits the marks, they are malformed, or the game does not allow a guess.
        WordListError, UnknownGameError, DeviceError: no such list, game or device.
        ValueError: top, seconds or letter out of range.

    >>> suggest(["dozes:?XX?O"], ["dents", "dozes", "reads"], device="cpu")
    Suggestions(1 candidate, exact: reads 400.000, dents 300.000)
    """
    adviser = adviser_over(words, game, letter, seconds=seconds, device=device, top=top)
    size = adviser.question.length
    if not 0 < size <= LONGEST:
        raise WordListError(f"words of {size} letters, expected 1 to {LONGEST}")
    answer = adviser.advised(given_parts(history))
    exact = bool(answer.guesses) and all(guess.exact for guess in answer.guesses)
    return Suggestions(answer.game, answer.guesses, answer.left, exact, answer.how())


@_written()
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
        game: the rules, or their name: dordle, quordle, octordle, 3-wordle.
        seconds: time of the search; one guess is rolled out however long that takes.
        words, top, device: see `suggest`.
    Raises:
        ContradictionError: no word fits a board, or the marks are malformed; the message names the board.
        WordListError, UnknownGameError, DeviceError: no such list, game or device.

    >>> words = ["dents", "dozes", "reads", "tours"]
    >>> found = suggest_boards("dozes:?XX?O,XOXXO", words, "dordle", device="cpu")
    >>> found.guesses[0].guess, found.left
    ('reads', [['reads'], ['tours']])
    """
    adviser = adviser_over(words, game, several=True, seconds=seconds, device=device, top=top)
    answer: BoardsAnswer = adviser.advised([history] if isinstance(history, str) else history)
    return answer


@_written()
def review(
    guesses: str | Sequence[str | tuple[str, str]],
    words: WordList | Sequence[str] | int = 5,
    game: Game | str = LINGO,
    *,
    target: str | None = None,
    letter: str = "",
    device: str = "auto",
) -> Review:
    """Review a finished round guess by guess, also one of several boards.

    Args:
        guesses: with their marks, `crane:BYBBG` or pairs, of several boards `crane:BYBBG,-`; with a target,
            the guesses alone.
        target: the answer, if it is known; those of several boards separated by commas.
        letter: first letter of the answer, in games that give it and without a target.
        words, game, device: see `suggest`.
    Returns:
        The review. Odd guesses are reported as warnings.
    Raises:
        ContradictionError: no word fits the marks, they are malformed, or the game does not allow a guess.
        WordListError, UnknownGameError, DeviceError: no such list, game or device.
        ValueError: letter out of range.

    >>> review(["dozes", "reads"], ["dents", "dozes", "reads"], target="reads", device="cpu").result
    Fraction(400, 1)
    """
    own_letter, parts = letter if target is None else None, given_parts(guesses)
    adviser = adviser_over(words, game, own_letter, several=True, device=device)
    if adviser.game.boards > 1:
        from gpulingo.positions import boards

        targets = target.replace(",", " ").split() if target else []
        return boards.reviewed(adviser, " ".join(parts), targets=targets)
    one = parts if target is None else {"target": target, "guesses": parts}
    return every_review(adviser, given_rounds(adviser, [one], many=False))[0][0]


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The loss of each guess of many rounds, and the luck of its marks, in the unit of the game.

    Attributes:
        reviews: [B] the rounds with their sums, which are exact fractions: see `Review`.

    Numbers are rows of B rounds with T guesses, 0 where a round has no such guess, on the CPU. Above 0 is a
    loss, or good luck, in every game.

    >>> scores = score(["reads dents dozes reads", "dozes dozes"], ["dents", "dozes", "reads"])
    >>> scores.guesses.tolist(), scores.lost.tolist()
    ([3, 1], [[0.0, 100.0, 0.0], [0.0, 0.0, 0.0]])
    """

    reviews: list[Review]

    @cached_property
    def lost(self) -> Tensor:
        """[B, T] float64: the loss of each guess against the best legal one."""
        return self._rows(lambda turn: float(turn.lost), 0.0)

    @cached_property
    def luck(self) -> Tensor:
        """[B, T] float64: the luck of its marks; proven where the losses of this guess and the next are."""
        return self._rows(lambda turn: float(turn.luck), 0.0)

    @cached_property
    def exact(self) -> Tensor:
        """[B, T] bool: True if the loss is proven, or there is no such guess; see `Turn.known` for others."""
        return self._rows(lambda turn: turn.known == "exact", True)

    @cached_property
    def guesses(self) -> Tensor:
        """[B] int64: guesses of each round."""
        import torch

        return torch.tensor([len(round_.turns) for round_ in self.reviews])

    def _rows(self, value: Callable[[Turn], Any], padding: Any) -> Tensor:
        import torch

        rows = [list(map(value, round_.turns)) for round_ in self.reviews]
        most = max(map(len, rows))
        return torch.tensor(
            [row + [padding] * (most - len(row)) for row in rows],
            dtype=torch.bool if padding is True else torch.float64,
        )

    def __repr__(self) -> str:
        entry = summary(self.reviews)
        numbers = ", ".join(f"{name} {mean['mean']:.3f}" for name, mean in entry["means"].items())
        count = f"{counted(len(self.reviews), 'round')} of {self.reviews[0].game.code}"
        return brief("Scores", f"{count}: {numbers}; {exact_text(entry['known'])}")

    def _repr_html_(self) -> str:
        rows = mean_rows(summary(self.reviews))
        return html_table(self, rows[0], [row.values() for row in rows])


@_written()
def score(
    rounds: Rounds | Sequence[str | Sequence[str | tuple[str, str]] | dict[str, Any]],
    words: WordList | Sequence[str] | int = 5,
    game: Game | str = LINGO,
    *,
    seconds: float = 60.0,
    device: str = "auto",
) -> Scores:
    """Score the guesses of many rounds against the best legal guess.

    Every set of words that the rounds reach, or that another answer would have reached, is valued once: by a
    proven tree, otherwise by a search of every guess, the smallest sets first. A set that is not proven in
    time has the value of a rollout. Later calls about the same words start with the values found before.

    Args:
        rounds: `Rounds`, with its own words and game, whose invalid guesses count as passes; or a sequence.
            An item is a line of a file for `review`, guesses with their marks, `crane:BYBBG` or pairs, or a
            dictionary, `{"target": "proxy", "guesses": ["crane", "proxy"]}`.
        game: the rules, or their name. If it gives the first letter, rounds name their target.
        seconds: most time of the searches, 0 to 86,400; splitting and rolling out come on top.
        words, device: see `suggest`.
    Raises:
        ContradictionError: see `review`; the message names the round. No round is scored then.
        WordListError, UnknownGameError, DeviceError: see `review`.
        ValueError: no rounds, or seconds out of range.

    >>> score([{"target": "reads", "guesses": ["dozes", "reads"]}], ["dents", "dozes", "reads"])
    Scores(1 round of lingo5: start 433.333, lost 0.000, luck -33.333, result 400.000; all exact)
    """
    if not rounds:
        raise ValueError("no rounds, expected at least one")
    batch = sys.modules.get("gpulingo.strategies.batch")  # loaded, and torch with it, if there are `Rounds`
    if batch is not None and isinstance(rounds, batch.Rounds):
        adviser = adviser_over(rounds.wordlist, rounds.game, seconds=seconds, device=device)
        played = list(_batch(rounds))
    else:
        adviser = adviser_over(words, game, seconds=seconds, device=device)
        played = given_rounds(adviser, cast(Sequence[Any], rounds))
    return Scores(every_review(adviser, played, many=True, seconds=seconds)[0])


def adviser_over(
    words: WordList | Sequence[str] | int, game: Game | str, letter: str | None = None,
    *, several: bool = False, **limits: Any,
) -> Adviser:  # fmt: skip
    """Return the adviser over a list, its words, or those of a length; what a caller gives is checked.

    Args:
        game: the rules, or their name, also that of a host without a word.
        letter: the first letter, empty in games that give none; None: each round has its own.
        several: whether the game may have several boards.
        limits: those of a question.
    """
    if isinstance(game, str):
        game = HOSTED[game]() if game in HOSTED else find_game(game)
    game = game if several else one_board(game)
    letter = None if letter is None or game.boards > 1 else enter(letter)
    if letter is not None and len(letter) != bool(game.given):
        expected = "the first letter of the answer" if game.given else "none"
        raise ValueError(f"letter is {letter[:40]!r} in {game.name}, expected {expected}")
    limited = Limits(**limits)
    if limited.top is not None and not 1 <= limited.top <= MOST_TOP:
        raise ValueError(f"top is {limited.top!r}, expected a whole number from 1 to {MOST_TOP}")
    if not 0 <= limited.seconds <= MOST_SECONDS:
        raise ValueError(f"seconds are {limited.seconds!r}, expected a number from 0 to {MOST_SECONDS:g}")
    find_device(limited.device)
    wordlist = None if type(words) is int else listed(words)  # type: ignore[arg-type]
    size: Any = words if wordlist is None else wordlist.length
    names = ListNames() if wordlist is None else ListNames(same=wordlist.same)
    letter = wordlist.enter(letter or "") if wordlist else letter or ""
    question = Question(game=game, length=size, words=names, letter=letter, limits=limited)
    adviser = Adviser(question, lambda: outlooks, lambda fault: warned(leave(str(fault))))
    if wordlist is not None:
        adviser.use(wordlist)
    return adviser


def _batch(rounds: Rounds) -> Iterator[Round]:
    table, game, words = rounds.table, rounds.game, rounds.wordlist.words
    rule, first = feedback_of(game), table.words if game.guesses_letters else 0
    names: Sequence[str] = table.alphabet if first else words
    passed = PASS * (1 if first else table.length), rule.marks(0, table.length)
    made, targets = rounds.guesses, rounds.targets[:, None].expand_as(rounds.guesses)
    codes = paired_patterns(table, made.clamp(min=0).reshape(-1) + first, targets.reshape(-1))
    columns = made, codes.reshape(made.shape), rounds.turn, rounds.targets
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for number, (guesses, patterns, turn, target) in enumerate(rows, 1):
        if not turn:
            raise RoundError(f"round {number}: no guesses, expected at least one")
        pairs = zip(guesses[:turn], patterns[:turn], strict=True)
        history = [
            (names[guess], rule.marks(code, table.length)) if guess >= 0 else passed for guess, code in pairs
        ]
        yield Round(history, words[target][0] if game.given else "", words[target])


def every_review(
    adviser: Adviser, rounds: Sequence[Round], *, many: bool = False, **options: Any
) -> tuple[list[Review], WordList]:
    """Return the reviews of rounds, see `reviewed`; raise the error of the first round that has none, with
    its number if there are `many`. Guesses that the list lacks are reported.
    """
    answers, words = reviewed(adviser, rounds, **options)
    tell_strange(adviser, rounds, words, many=many)
    reviews = []
    for number, answer in enumerate(answers, 1):
        if not isinstance(answer, Review):
            fault = answer or RoundError("no review")
            raise RoundError(f"round {number}", fault) if many else fault
        reviews.append(answer)
    return reviews, words


def reviewed(
    adviser: Adviser, rounds: Sequence[Round], **options: Any
) -> tuple[list[Reviewed | None], WordList]:
    """Return the reviews of rounds of one length, and the words that they refer to.

    Rounds that no usual target fits are reviewed over all words, which is reported, unless the targets were
    named. The best stored tree of the words is used, and after an opening of a stored book that of the
    opening. For `options` see `RoundValues`.
    """
    game, report, length = adviser.game, adviser.complain, rounds[0].length
    words, options["device"] = adviser.words(length), adviser.question.limits.device

    def with_tree(rounds: Sequence[Round], words: WordList) -> list[Reviewed | None]:
        begun = {guess for played in rounds for guess, _ in played.guesses[:1] if guess in words}
        firsts = set(map(words.index, begun))
        starts = reported(stored_starts(words, game, among=firsts, thorough=False), report)
        after = {words[tree.guess[0]]: tree for _, tree in starts if isinstance(tree, OpeningTree)}
        _, best = max(
            starts,
            key=lambda start: (start[1].mean_points, not isinstance(start[1], OpeningTree)),
            default=("", None),
        )
        if isinstance(best, OpeningTree):
            best = best.replaced(bound=None)  # other first guesses may be better
        return RoundValues(rounds, words, game, tree=best, after=after, **options).reviews()

    answers = with_tree(rounds, words)
    failed = [place for place, answer in enumerate(answers) if isinstance(answer, RoundError)]
    if not failed or (every := adviser.words(length, wider=True)) is words:
        return answers, words
    again = with_tree([rounds[place] for place in failed], every)
    for place, answer in zip(failed, again, strict=True):
        answers[place] = answer
    if fit := sum(isinstance(answers[place], Review) for place in failed):
        report(wider_text("the round" if len(rounds) == 1 else counted(fit, "round"), fit, every))
    return answers, every if len(failed) == len(rounds) else words
