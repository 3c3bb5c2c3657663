"""The best guesses of a round of several boards, and its review.

Where few sets of answers are left, every guess and all that follows is searched; otherwise guesses are rolled
out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import inf
from random import Random

import numpy as np

from gpulingo.advice.adviser import Adviser
from gpulingo.advice.notation import NotationError, RoundError
from gpulingo.advice.outlook import EXACT, PLAYED
from gpulingo.advice.round import Review, Round, SetValue, Turn, fault_of
from gpulingo.advice.several import DONE, BoardGuess, BoardsAnswer, apart, read_boards, stand, written_boards
from gpulingo.positions.rollout import known_table
from gpulingo.strategies.boards import BOARDS, BoardRounds, SumOfRanks, play
from gpulingo.tensors.arrays import Array, array_of, like
from gpulingo.tensors.clock import Deadline, OutOfTime
from gpulingo.tensors.device import find_device
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.operations import paired_patterns
from gpulingo.words.shown import counted
from gpulingo.words.targets import unfit_words

SEARCH = 2.0  # usual seconds of each search of a review
LEAST = 20  # sets that are drawn of many boards
DRAWN = 100  # sets of answers of which each guess is rolled out; all, if there are no more
BEST, OTHERS = 0.6, 0.5  # shares of the time that is left: to prove the best guess, then the others
LARGEST = 1 << 48  # number of a class
TRIED = 30  # guesses that are rolled out at most, and a third as many possible answers
Progress = Callable[[list["BoardGuess"], str], None]  # gets the best guesses so far, and how they were found


def reviewed(
    adviser: Adviser, text: str, words: Sequence[str] = (), targets: Sequence[str] = (),
    seconds: float = SEARCH, check: Callable[[], None] = lambda: None,
) -> Review:  # fmt: skip
    """Return the review of a round of several boards: values are mean turns of the last word.

    Args:
        text, words, targets: see `written_boards`.
        seconds: most time of each search; what is not proven is rolled out.
        check: called before each search, and may raise.
    Raises:
        NotationError: malformed, or a guess that the list lacks. ContradictionError: no word fits a board.
        RoundError: a target that the list lacks; see `written_boards`.
    """
    entered = adviser.entering()
    for target in map(entered, targets):
        if target not in (known := adviser.words(len(target), wider=True)).targets:
            raise RoundError(fault_of(Round([], target=target), known, adviser.game))
    parts = written_boards(text, adviser.game, words, targets, entered)
    boards, turns = read_boards(parts, adviser, listed=True), list[Turn]()
    game = replace(adviser.game, shown="guesses", payoff=range(adviser.game.turns + 1))
    longest = max(boards, key=len)
    if not longest:
        raise NotationError("no guesses, expected at least one with its marks")
    if len(longest) > game.turns:
        raise NotationError(f"{len(longest)} guesses, {game.code} has {game.turns}: leave the others out")
    begun = ([history[:turn] for history in boards] for turn in range(len(longest) + 1))
    stands = [stand(adviser, histories, len(longest[0][0])) for histories in begun]
    after, end = None, stands[-1]
    for turn, (guess, _) in reversed([*enumerate([*longest, ("", "")])]):
        answer = stands[turn]
        left = sum(len(fits) for fits, solved in zip(answer.left, answer.found, strict=True) if not solved)
        if all(answer.found) or turn == game.turns:
            credits = game.turns - turn + 1 if all(answer.found) else 0
            after = SetValue(credits, 1, left, EXACT, proven=True)
            continue
        check()
        search = BoardsSearch(answer, adviser, Deadline(seconds))
        best, played = search.compared(guess)
        how, rows = EXACT if best.exact else PLAYED, len(search.targets)
        # Credits are the turns that are left after the last words, summed over the sets of answers.
        before, chosen = (rows * (game.turns + 1) - round(row.turn * rows) for row in (best, played))
        value = SetValue(before, rows, left, how, best.guess, best.exact)
        if after is not None:
            marks = ",".join(row[turn][1] if turn < len(row) else DONE for row in boards)
            turns.insert(0, Turn(guess, marks, value, chosen, after, game, played.exact))
        after = value
    state = "found" if all(end.found) else "lost" if len(longest) == game.turns else "open"
    return Review(Round([(turn.guess, turn.marks) for turn in turns]), game, turns, state)


class BoardsSearch:
    """The guesses of a position: all searched if few sets of answers are left, otherwise some rolled out."""

    def __init__(self, answer: BoardsAnswer, adviser: Adviser, deadline: Deadline) -> None:
        self.answer, self.words, self.deadline = answer, adviser.words(len(answer.left[0][0])), deadline
        table = known_table(self.words, answer.game).to(find_device(adviser.question.limits.device))
        self.pool: list[int] = array_of(table.pool).tolist()
        place = {word: number for number, word in enumerate(self.words.words)}
        numbers = ([place.get(word, -1) for word in words] for words in answer.left)  # -1: found, not listed
        members = [np.sort(np.array(words, np.int32)) for words in numbers]
        self.open = {board: members[board].tolist() for board, done in enumerate(answer.found) if not done}
        self.sets = np.full((1, len(members)), -1)
        self.sets[0, [*self.open]] = range(len(self.open))
        front = frontier([like(members[board], table.letters) for board in self.open])
        self.position = BoardRounds(table, answer.game, front, self.sets, answer.turn)
        self.targets, self.are_all = answers(members, answer.found)

    @cached_property
    def exact(self) -> ExactBoards:
        return ExactBoards(self.position, self.targets)

    def run(self, count: int, *, unfit: bool = False, progress: Progress | None = None) -> None:
        """Find the best guesses; `unfit`: vulgar ones too."""
        hidden, answer = frozenset() if unfit else unfit_words(self.words.length), self.answer
        # Where a board has no other words left, they are shown.
        hidden = hidden.difference(*(words for words in answer.left if hidden.issuperset(words)))
        usable = [number for number in self.pool if self.words[number] not in hidden] or self.pool
        rows, rolled = len(self.targets), list[BoardGuess]()
        over = f"over {f'all {rows:,}' if self.are_all else f'{rows:,} drawn'} sets of answers"
        over = over if rows > 1 else "over the only set of answers"
        tried = self._tried(usable)
        if progress:
            rolled = self._rolled_out(tried[:1])
            progress(rolled, f"rolled out {over}")
        with suppress(OutOfTime):
            for most, share in ((1, BEST), (count, OTHERS)) if self.are_all else ():
                answer.guesses = self._proven(usable, most, share)
                answer.how = f"every guess searched {over}: proven"
                if progress:
                    progress(answer.guesses, answer.how)
            if answer.guesses:
                return
        exact = [row.guess for row in answer.guesses]
        rolled += self._rolled_out(tried[len(rolled) :], at_least=1 - len(rolled))
        others = [row for row in rolled if row.guess not in exact]
        ranked = sorted(others, key=lambda row: (row.turn, -len(row.answers)))
        answer.guesses = [*answer.guesses, *ranked][:count]
        proven = f"{exact[0]} proven best; others " if exact else ""
        answer.how = f"{proven}rolled out {over}, the best of {counted(len(rolled), 'guess')}: not proven"

    def compared(self, guess: str) -> tuple[BoardGuess, BoardGuess]:
        """Return the best guess and this one; of no guess, the best for both."""
        self.run(1, unfit=True)
        best, made = self.answer.guesses[0], list[BoardGuess]()
        if not guess:
            return best, best
        number = self.words.index(guess)
        with suppress(OutOfTime):
            made = self._proven([number], 1, 1.0) if best.exact else []
        (row,) = made or self._rolled_out([number])
        return best if best.exact or best.turn <= row.turn else row, row

    def _proven(self, usable: Sequence[int], count: int, share: float) -> list[BoardGuess]:
        """Return the best of some guesses; `share` of the time that is left."""
        best = self.exact.best(usable, count, self.deadline.part(share))
        return [self._guess(number, *sums, exact=True) for number, *sums in best]

    def _tried(self, usable: Sequence[int]) -> list[int]:
        """Return the guesses whose ranks have the greatest sums, with some possible answers."""
        (total,) = SumOfRanks(BOARDS).summed(self.position, self.sets)
        sums = dict(zip(self.pool, (-array_of(total)[0]).tolist(), strict=True))
        ranked = sorted(usable, key=sums.__getitem__)
        likely = set().union(*self.open.values())
        tried = {*ranked[:TRIED], *islice((guess for guess in ranked if guess in likely), TRIED // 3)}
        return [guess for guess in ranked if guess in tried]

    def _rolled_out(self, guesses: Sequence[int], at_least: int = 1) -> list[BoardGuess]:
        """Return guesses, each followed by the usual strategy, until the deadline."""
        rounds, rolled = self.position.take(np.zeros(len(self.targets), np.int64)), list[BoardGuess]()
        for guess in guesses:
            if len(rolled) >= at_least and self.deadline.over():
                break
            first = np.full(len(self.targets), guess, np.int32)
            turns = play(rounds, self.targets, SumOfRanks(BOARDS), first)
            lost = ((turns == 0) & (self.sets >= 0)).any(1)
            last = np.where(lost, self.answer.game.turns + 1, turns.max(1))
            rolled.append(self._guess(guess, int(last.sum()), int(lost.sum())))
        return rolled

    def _guess(self, guess: int, total: int, lost: int, *, exact: bool = False) -> BoardGuess:
        """Return a guess with the sum of the turns of the last words, and the rounds that are lost."""
        on = [board + 1 for board, members in self.open.items() if guess in members]
        rows = len(self.targets)
        return BoardGuess(self.words[guess], total / rows, 1 - lost / rows, on, exact)


class ExactBoards:
    """The guesses that need fewest turns until the last word, over [R, K] sets of answers, -1 where found.

    A value is the sum of these turns, one more than the game has for a lost round, and then the lost rounds.
    All guesses are searched depth first, those with the least bound first.
    """

    def __init__(self, position: BoardRounds, targets: Array) -> None:
        table = position.table
        self.first, self.turns, self.deadline = position.turn, position.game.turns, Deadline(inf)
        self.unit = len(targets) + 1  # of a turn
        self.lost = self.unit * (self.turns + 1) + 1  # value of a round that is lost
        words, pool = np.unique(targets[targets >= 0]), array_of(table.pool)
        pairs = np.repeat(pool, len(words)), np.tile(words, len(pool))
        made = (like(numbers.astype(np.int32), table.letters) for numbers in pairs)
        signs, codes = np.unique(array_of(paired_patterns(table, *made)), return_inverse=True)
        self.codes, kinds = np.unique(codes.reshape(len(pool), len(words)), axis=0, return_inverse=True)
        self.kind = dict(zip(pool.tolist(), kinds.reshape(-1).tolist(), strict=True))  # of equal guesses
        self.solved, self.signs = len(signs) - 1, len(signs)  # the greatest code is that of the word itself
        self.rows = np.where(targets < 0, -1, np.searchsorted(words, targets))
        self._values: dict[tuple[int, bytes], int] = {}

    def best(self, guesses: Sequence[int], count: int, deadline: Deadline) -> list[tuple[int, int, int]]:
        """Return the best of some guesses, each with the sum of its turns and the lost rounds; OutOfTime."""
        self.deadline = deadline
        deadline.check()
        bounds, ranked = self._bounds(self.rows, self.first), list[tuple[int, bool, int]]()
        named: dict[int, list[int]] = {}
        for guess in guesses:
            named.setdefault(self.kind[guess], []).append(guess)
        for kind in sorted(named, key=bounds.__getitem__):
            cap = sorted(ranked)[count - 1][0] + 1 if len(ranked) >= count else self.lost * len(self.rows) + 1
            if bounds[kind] >= cap:
                break
            value = self._after(kind, self.rows, self.first, cap)
            is_word = bool((self.codes[kind] == self.solved).any())
            ranked += [(value, not is_word, guess) for guess in named[kind]] if value < cap else []
        return [(guess, *divmod(value, self.unit)) for value, _, guess in sorted(ranked)[:count]]

    def _value(self, rows: Array, turn: int) -> int:
        """Return the least value of some sets of answers that are left on a turn."""
        if turn > self.turns:
            return self.lost * len(rows)
        if len(rows) == 1:
            last = turn - 1 + int((rows >= 0).sum())
            return self.unit * last if last <= self.turns else self.lost
        key = turn, rows.tobytes()
        if key not in self._values:
            bounds, best = self._bounds(rows, turn), self.lost * len(rows)
            for kind in bounds.argsort(kind="stable").tolist():
                if bounds[kind] >= best:
                    break
                best = min(best, self._after(kind, rows, turn, best))
            self._values[key] = best
        return self._values[key]

    def _after(self, kind: int, rows: Array, turn: int, cap: int) -> int:
        """Return the value after a guess; at least `cap` if it is not less."""
        self.deadline.check()
        codes = np.where(rows < 0, -1, self.codes[kind][rows])
        classes: dict[bytes, list[int]] = {}
        for number, row in enumerate(codes):
            classes.setdefault(row.tobytes(), []).append(number)
        if turn > self.first and len(classes) == 1 and not (codes == self.solved).any():
            return cap  # it shows nothing
        after = [np.where(codes[members] == self.solved, -1, rows[members]) for members in classes.values()]
        ends = [turn + int((class_rows[0] >= 0).sum()) for class_rows in after]
        least = [
            self.unit * len(class_rows) * end if end <= self.turns else self.lost * len(class_rows)
            for class_rows, end in zip(after, ends, strict=True)
        ]
        total = sum(least)
        for class_rows, less in sorted(zip(after, least, strict=True), key=lambda pair: len(pair[0])):
            if total >= cap:
                return total
            if (class_rows >= 0).any():
                total += self._value(class_rows, turn + 1) - less
        return total

    def _bounds(self, rows: Array, turn: int) -> Array:
        """Return [kinds] int64, a lower bound of the value after every guess.

        To find k open boards in k guesses, the next one is the word of a board: of one word on that board,
        with any words on the others.
        """
        shape = len(self.codes), len(rows)
        keys, hits, most = np.zeros(shape, np.int64), np.zeros(shape, bool), np.ones(shape, np.int64)
        fewest = np.full(shape, len(rows))
        for column in (rows[:, board] for board in np.flatnonzero(rows[0] >= 0)):
            codes, words = self.codes[:, column], np.unique(column)
            solved = codes == self.solved
            hits |= solved
            if len(words) > 1:
                places = np.arange(shape[0])[:, None] * self.signs
                sizes = np.bincount(
                    (self.codes[:, words] + places).reshape(-1), minlength=places.size * self.signs
                )
                sizes = np.where(solved, 1, sizes[codes + places])
                keys, most = keys * self.signs + codes, np.minimum(most * sizes, len(rows) ** 2)
                if keys.max() > LARGEST:  # of many boards: numbered again
                    keys = np.unique(keys, return_inverse=True)[1].reshape(shape)
            else:
                sizes = np.ones(shape, np.int64)
            fewest = np.where(solved, fewest, np.minimum(fewest, sizes))
        left = (rows[0] >= 0).sum() - hits
        order = keys.argsort(axis=1)
        first = np.ones(shape, bool)
        ordered = np.take_along_axis(keys, order, 1)
        first[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
        # The rows of a class, in the order of its keys, beyond those that can be found at once.
        starts = np.maximum.accumulate(np.where(first, np.arange(shape[1]), 0), axis=1)
        quick = np.take_along_axis(most // fewest, order, 1)
        more = (np.arange(shape[1]) - starts >= quick) & (np.take_along_axis(left, order, 1) > 0)
        last = turn + np.take_along_axis(left, order, 1) + more
        return self.unit * last.clip(max=self.turns + 1).sum(1)


def answers(members: Sequence[Array], found: Sequence[bool]) -> tuple[Array, bool]:
    """Return [R, K] int32, different answers of the boards, -1 where found, and whether the rows are all."""
    order = sorted(range(len(members)), key=lambda board: len(members[board]))  # few words first
    lists, chance = [members[board].tolist() for board in order], Random(0)
    rows = list(islice(apart(lists), DRAWN + 1)) if len(lists[-1]) <= DRAWN + len(lists) else []
    if not (is_few := 0 < len(rows) <= DRAWN):
        count = max(LEAST, min(DRAWN, 4 * DRAWN // len(lists)))
        rows = [tuple(map(chance.choice, lists)) for _ in range(2 * count)]
        rows = [row for row in rows if len({*row}) == len(row)][:count]
        while len(rows) < count:
            rows.append(next(apart([chance.sample(words, len(words)) for words in lists])))
    made = np.array(rows, np.int32)[:, np.argsort(order)]
    made[:, np.array(found)] = -1
    return made, is_few
