"""Reviews of played rounds, guess by guess: the value of each position; all rounds of a block at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from gpulingo.advice.review import EXACT, Review, SetValue, Turn
from gpulingo.advice.round import Round, RoundError, fault_of
from gpulingo.games.catalogue import feedback_of
from gpulingo.games.game import Game
from gpulingo.positions.set_values import (
    SMALL,
    SMALL_OF_LETTERS,
    TRIED,
    TRIED_OF_LETTERS,
    SetValues,
    turns_left,
    with_lives,
)
from gpulingo.positions.strangers import table_with
from gpulingo.strategies.strategy import Position, first_letters, first_position
from gpulingo.tensors.device import find_device
from gpulingo.tensors.operations import split
from gpulingo.tensors.threads import one_each
from gpulingo.trees.text import guess_names
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

MEMBERS = 1 << 18  # words left after the first guesses of the rounds that are reviewed together, about
TOGETHER = 4096  # rounds, at most
Prefix = tuple[tuple[str, str], ...]
Answer = Review | RoundError


def reviews(
    rounds: Sequence[Round],
    words: WordList,
    game: Game,
    *,
    tree: Tree | None = None,
    device: str = "auto",
    small: int | None = None,
    tried: int | None = None,
    often: Callable[[int], bool] = lambda count: True,
    check: Callable[[], None] = lambda: None,
) -> list[Answer | None]:
    """Return the values of every round, turn by turn.

    Args:
        rounds: of words of the list's length, that `check_round` passes.
        words: that may be guessed, with targets and weights.
        tree: stored for them.
        device: where to compute.
        small, tried: as in `set_values`; None: as usual.
        often: asked before each block of rounds; where it says no, the rest is left out.
        check: called again and again; what it raises ends the reviews.
    Returns:
        For each round its review, an error where no target fits it, or None where it was left out.
    Raises:
        DeviceError: there is no such device.
    """
    guesses = (guess for own in rounds for guess, _ in own.guesses)
    table, more = table_with(words, game, guesses)
    table, names = table.to(find_device(device)), guess_names(game, more.words)
    tree_names = guess_names(game, words.words) if tree else ()
    letters = game.counts_misses
    small = (SMALL_OF_LETTERS if letters else SMALL) if small is None else small
    tried = (TRIED_OF_LETTERS if letters else TRIED) if tried is None else tried
    values = SetValues(table, names, game, tree, tree_names, small=small, tried=tried, check=check)
    walk = _Walk(values, {name: index for index, name in enumerate(names)}, words, frozenset(words.targets))
    answers: list[Answer | None] = [None] * len(rounds)
    start: _Stage | None = None
    for block in _blocks(rounds, max(1, MEMBERS // len(table.targets))):
        if not often(len(block)):
            break
        with one_each():
            start = start or walk.start({played.letter for played in rounds})
            found = walk.answers(start, [rounds[own] for own in block])
        for own, answer in zip(block, found, strict=True):
            answers[own] = answer
    return answers


def _blocks(rounds: Sequence[Round], openings: int) -> Iterator[list[int]]:
    """Yield the rounds' numbers in blocks of at most `openings` first guesses, alike ones side by side."""
    block, seen = list[int](), set[tuple[str, str]]()
    for own in sorted(range(len(rounds)), key=lambda own: (rounds[own].letter, rounds[own].guesses)):
        opening = rounds[own].letter, rounds[own].guesses[0][0]
        if block and (len(seen | {opening}) > openings or len(block) == TOGETHER):
            yield block
            block, seen = [], set()
        block.append(own)
        seen.add(opening)
    if block:
        yield block


@dataclass
class _Stage:
    """The positions that rounds have reached, on one turn.

    Attributes:
        position: S sets.
        nodes: of the stored tree, or None where it was left.
        worths: of every set.
        numbers: of every history the set that it leads to.
    """

    position: Position
    nodes: list[int | None]
    worths: list[SetValue]
    numbers: dict[tuple[str, Prefix], int]


@dataclass
class _Made:
    """Classes and values after one guess in each of R sets.

    Attributes:
        before: [R] value of the set.
        chosen: [R] credits after the choice, before the marks.
        found: [R] payoff of the guess itself, where it is a candidate.
        position: the C classes.
        nodes: [C], as in a stage.
        worths: [C].
        numbers: of each set and pattern the class.
    """

    before: list[SetValue]
    chosen: list[int]
    found: list[SetValue | None]
    position: Position
    nodes: list[int | None]
    worths: list[SetValue]
    numbers: dict[tuple[int, int], int]


@dataclass(frozen=True)
class _Walk:
    """Walks through rounds, a turn of all of them at a time.

    Attributes:
        values: of sets. numbers: of guesses by their text. words: the list. targets: of it.
    """

    values: SetValues
    numbers: dict[str, int]
    words: WordList
    targets: frozenset[str]

    def answers(self, stage: _Stage, rounds: Sequence[Round]) -> list[Answer]:
        """Return a review of every round from a start on, or the reason for its absence."""
        turns: list[list[Turn]] = [[] for _ in rounds]
        failed: dict[int, RoundError] = {}
        for own, played in enumerate(rounds):
            stranger = played.target and played.target not in self.targets
            if stranger or (played.letter, ()) not in stage.numbers:
                failed[own] = self._error(played)
        for turn in range(max(len(played.guesses) for played in rounds)):
            going = [own for own, played in enumerate(rounds)
                     if len(played.guesses) > turn and own not in failed]  # fmt: skip
            if not going:
                break
            stage = self._step(stage, turn, [(own, rounds[own]) for own in going], turns, failed)
        return [
            failed[own] if own in failed else Review(played, self._game, turns[own], self._state(played))
            for own, played in enumerate(rounds)
        ]

    @property
    def _game(self) -> Game:
        return self.values.game

    def _error(self, played: Round) -> RoundError:
        """Why no target fits a round."""
        return RoundError(fault_of(played, self.words, self._game))

    def start(self, given: set[str]) -> _Stage:
        """Return the sets that rounds begin with, of which some letters are given."""
        table, tree = self.values.table, self.values.tree
        position = with_lives(first_position(table, self._game))
        letters = [""]
        if self._game.given:
            every = first_letters(table, position.frontier.firsts).tolist()
            kept = [own for own, letter in enumerate(every) if table.alphabet[letter] in given]
            letters = [table.alphabet[every[own]] for own in kept]
            position = position.take(torch.tensor(kept, dtype=torch.int64, device=table.device))
        nodes = [None if tree is None else tree.root(letter) for letter in letters]
        numbers: dict[tuple[str, Prefix], int] = {(letter, ()): own for own, letter in enumerate(letters)}
        return _Stage(position, nodes, self.values.of(position, nodes), numbers)

    def _step(
        self,
        stage: _Stage,
        turn: int,
        going: list[tuple[int, Round]],
        turns: list[list[Turn]],
        failed: dict[int, RoundError],
    ) -> _Stage:
        """Add a turn to every round that continues, or its error; return the positions after it."""
        keys = [(played.letter, tuple(played.guesses[:turn]), played.guesses[turn][0]) for _, played in going]
        asked = {key: place for place, key in enumerate(dict.fromkeys(keys))}
        made = self._made(stage, asked)
        rule, numbers = feedback_of(self._game), dict[tuple[str, Prefix], int]()
        for (own, played), key in zip(going, keys, strict=True):
            place, (guess, marks) = asked[key], played.guesses[turn]
            code, before, found = rule.pattern(marks), made.before[place], made.found[place]
            if code == rule.solved(played.length) and found:
                after = found
            elif (place, code) in made.numbers:
                number = made.numbers[place, code]
                after = made.worths[number]
                numbers[played.letter, tuple(played.guesses[: turn + 1])] = number
            else:
                failed[own] = self._error(played)
                continue
            turns[own].append(Turn(guess, marks, before, made.chosen[place], after, self._game))
        kept = list(dict.fromkeys(numbers.values()))
        places = {number: place for place, number in enumerate(kept)}
        return _Stage(
            made.position.take(torch.tensor(kept, dtype=torch.int64, device=self.values.table.device)),
            [made.nodes[number] for number in kept],
            [made.worths[number] for number in kept],
            {key: places[number] for key, number in numbers.items()},
        )

    def _made(self, stage: _Stage, asked: Iterable[tuple[str, Prefix, str]]) -> _Made:
        """Return the results of guesses in the sets that histories lead to."""
        device, payoff = self.values.table.device, self._game.payoff
        sets, guesses = [], []
        for letter, prefix, guess in asked:
            sets.append(stage.numbers[letter, prefix])
            guesses.append(self.numbers[guess])
        here = stage.position.take(torch.tensor(sets, device=device))
        chosen = torch.tensor(guesses, dtype=torch.int32, device=device)
        parted = split(here.table, here.frontier, chosen)
        position = here.after(chosen, parted)
        parents, patterns = parted.parents.tolist(), parted.patterns.tolist()
        nodes = list(self._nodes([stage.nodes[own] for own in sets], chosen, parents, patterns))
        worths = self.values.of(position, nodes)
        weights, lefts = _found(here, chosen, parted.hits), turns_left(here).tolist()
        found = [
            SetValue(payoff[left] * weight, weight, 1, EXACT) if weight else None
            for left, weight in zip(lefts, weights, strict=True)
        ]
        credits = [worth.credits if worth else 0 for worth in found]
        for parent, worth in zip(parents, worths, strict=True):
            credits[parent] += worth.credits
        numbers = {pair: number for number, pair in enumerate(zip(parents, patterns, strict=True))}
        return _Made([stage.worths[own] for own in sets], credits, found, position, nodes, worths, numbers)

    def _nodes(
        self, before: list[int | None], chosen: Tensor, parents: list[int], patterns: list[int]
    ) -> Iterator[int | None]:
        """Yield the node of the stored tree of every class, or None where the guess is not the tree's."""
        tree, names = self.values.tree, self.values.tree_names
        guesses = [self.values.names[guess] for guess in chosen.tolist()]
        for parent, pattern in zip(parents, patterns, strict=True):
            node = before[parent]
            if tree is None or node is None or names[tree.guess[node]] != guesses[parent]:
                yield None
            else:
                yield tree.child(node, pattern)

    def _state(self, played: Round) -> str:
        """Return how a round ended."""
        rule, left, shown = feedback_of(self._game), self._game.turns, set[int]()
        for _, row in played.guesses:
            code = rule.pattern(row)
            shown |= {place for place, mark in enumerate(row) if mark == "O"}
            whole = self._game.guesses_letters and len(shown) == played.length
            if code == rule.solved(played.length) or whole:
                return "found"
            left = self._game.left_after(left, code)
        return "open" if left else "lost"


def _found(here: Position, chosen: Tensor, hits: Tensor) -> list[int]:
    """Return [S], the weight of the guess where it is a candidate of its set; otherwise 0."""
    weights = here.table.weights
    if weights is None:
        return hits.long().tolist()
    own = weights[chosen.clamp(max=here.table.words - 1).long()].long()
    return (hits.long() * own).tolist()
