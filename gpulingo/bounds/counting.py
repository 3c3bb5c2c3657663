"""Two-turn values of classes: counted, shared between openings, and turned into bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from gpulingo.bounds.certificate import Certificate, Evidence, certificate_of, merged
from gpulingo.bounds.formulas import three_bound
from gpulingo.bounds.partitions import (
    Evaluated,
    all_classes,
    bounds_by_parts,
    largest_first,
    opening_classes,
    partition_of,
    three_turns,
)
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.arrays import Array, array_of, like, parts_of
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.frontier import joined
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import most_classes
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable, letter_copies
from gpulingo.words.listing import WordList

KNOWN = 2  # words of the largest class that needs no count: its two-turn value is its size plus 1
# One call counts classes that hold 1/50 of the targets together. `python benchmarks/bounds.py 5 --gap 55`,
# the pit's list: 11.6 CPU seconds; 11.7 with 10, 12.2 with 500.
SHARE = 50


def evaluate(state: BoundState, openings: list[int], progress: Progress | None = None) -> Evidence:
    """Count all classes of openings, so that they can bound others."""
    fronts = [opening_classes(state.table, opening) for opening in openings]
    looked = [front.sets for front in fronts]
    counts = parts_of(most_classes(state.counting_table, joined(fronts), progress), looked)
    partitions = [partition_of(state.table, front) for front in fronts]
    evaluated = dict(zip(openings, map(Evaluated, partitions, counts), strict=True))
    return replace(by_counts(state, evaluated), looked=np.array(looked, np.int32))


def open_counts(state: BoundState, value: int) -> dict[int, Array]:
    """Return two-turn values of the largest classes of openings that may have more than a value."""
    evidence, above = state.evidence, state.lowest > value
    counts = {opening: two for opening, two in evidence.counted.items() if above[opening]}
    for opening, evaluated in evidence.evaluated.items():
        if above[opening]:
            sizes = evaluated.partition.sizes
            large = largest_first(sizes)[: int((sizes > KNOWN).sum())]
            counts[opening] = evaluated.two[large].astype(np.int32)
    return counts


def fitting(table: WordTable, counted: Mapping[int, Array]) -> bool:
    """Return True if counts of openings' largest classes are possible by the sizes of these classes."""
    for opening, two in counted.items():
        sizes = opening_classes(table, opening).sizes
        largest = sizes[largest_first(sizes)]
        if len(two) > len(largest) or bool((two > largest[: len(two)] + 1).any()):
            return False
    return True


def proof_of(
    wordlist: WordList, state: BoundState | None, given: Certificate | None, value: int
) -> Certificate | None:
    """Return the proof of a search's bounds and of the given ones; None without bounds.

    For openings that may have more credits than `value` it also has the counts of their classes.
    """
    if state is None:
        return given
    evidence = replace(state.evidence, counted=open_counts(state, value))
    certificate = certificate_of(wordlist, state.game, evidence)
    if given is None:
        return certificate
    both = merged([given, certificate])
    of_first = both.bounds[state.first]  # no opening has a greater bound than the first of its orbit
    return replace(both, evidence=replace(both.evidence, bounds=np.minimum(both.bounds, of_first)))


def recalled(state: BoundState, counted: Mapping[int, Array]) -> Evidence:
    """Evidence of openings whose classes were counted earlier; see `open_counts`."""
    some, bounds, evaluated = dict[int, Array](), dict[int, Array](), dict[int, Evaluated]()
    looked = list[int]()
    for opening, two in counted.items():
        classes = opening_classes(state.table, opening)
        of_all, large = classes.sizes + 1, int((classes.sizes > KNOWN).sum())
        two = two[:large]  # older searches stored one class more
        of_all[largest_first(classes.sizes)[: len(two)]] = two
        bounds[opening] = state.by_two(classes.sizes, of_all)
        if len(two) == large:
            evaluated[opening] = Evaluated(partition_of(state.table, classes), of_all)
            looked.append(classes.sets)
        else:
            some[opening] = two
            looked.append(len(two))
    columns = np.array(looked, np.int32)
    return replace(state.lowered(bounds), looked=columns, counted=some, evaluated=evaluated)


def by_counts(state: BoundState, evaluated: dict[int, Evaluated]) -> Evidence:
    """Evidence of openings whose classes have all been counted."""
    bounds = dict[int, Array]()
    for opening, counted in evaluated.items():
        sizes, three = counted.partition.sizes, counted.three
        bounds[opening] = state.by_two(sizes, counted.two)
        if three is not None and state.left >= 3:
            bounds[opening] = np.minimum(bounds[opening], three_bound(sizes, three, state.left))
    return replace(state.lowered(bounds), evaluated=evaluated)


class Pending:
    """An opening whose C classes are counted one after the other.

    Attributes:
        order: [L] int64, the classes whose values are not known, from the largest down.
        bounds: [C] int64, the lowest known bound of each class.
        counted: [K] int32, two-turn values of the first K of that order.
    """

    def __init__(self, state: BoundState, opening: int) -> None:
        self.opening, self.classes, evidence = opening, opening_classes(state.table, opening), state.evidence
        sizes = self.classes.sizes
        self.bounds = state.with_known(opening, state.by_size(sizes))
        self.counted = evidence.counted.get(opening, np.empty(0, np.int32))
        large = 0 if opening in evidence.evaluated else int((sizes > KNOWN).sum())
        self.order = largest_first(sizes)[:large]

    def next(self, words: int) -> Array:
        """Return the next classes to count, with about `words` words in total, no small one."""
        left = self.order[self.counted.shape[0] :]
        together = self.classes.sizes[left].cumsum(0)
        return left[: int((together < words).sum()) + 1]


def count_until(
    state: BoundState, openings: list[int], goal: int, progress: Progress | None = None
) -> Iterator[Evidence]:
    """Count classes of openings, largest first, until their bounds are at most the goal; yield evidence."""
    unsearched = [opening for opening in openings if opening not in state.evidence.searched]
    pending = shared([partial(Pending, state, opening) for opening in unsearched])
    known = state.evidence.bounds

    def bound(tally: Pending) -> int:
        return state.sum(tally.opening, tally.bounds)

    if lowered := [tally for tally in pending if bound(tally) < known[tally.opening]]:
        yield _evidence(state, lowered)
    while True:
        lowest, left = state.lowest, [tally for tally in pending if len(tally.order) > len(tally.counted)]
        going = [tally for tally in left if min(bound(tally), lowest[tally.opening]) > goal]
        if not going:
            return
        share = state.table.targets.shape[0] // SHARE
        following = [tally.next(share) for tally in going]
        sets = [tally.classes.take(classes) for tally, classes in zip(going, following, strict=True)]
        counts = most_classes(state.counting_table, joined(sets), progress)
        two_turns = parts_of(counts, [len(classes) for classes in following])
        for tally, classes, two in zip(going, following, two_turns, strict=True):
            by_two = state.by_two(tally.classes.sizes[classes], two)
            tally.bounds[classes] = np.minimum(tally.bounds[classes], by_two)
            tally.counted = np.concatenate([tally.counted, two.astype(np.int32)])
        yield _evidence(state, going)


def _evidence(state: BoundState, pending: list[Pending]) -> Evidence:
    rows = state.lowered({tally.opening: tally.bounds for tally in pending})
    looked = np.array([len(tally.counted) for tally in pending], np.int32)
    counted = {tally.opening: tally.counted for tally in pending if len(tally.counted)}
    return replace(rows, looked=looked, counted=counted)


class TwoGuesses:
    """Two-turn values of all classes of all openings, each of which was evaluated."""

    def __init__(self, state: BoundState) -> None:
        self.state, evaluated = state, state.evidence.evaluated
        two = {opening: counted.two for opening, counted in evaluated.items()}
        self._classes = all_classes(state.counting_table, two)

    def evaluate(self, opening: int, progress: Progress | None = None) -> Evidence:
        """Bound an opening by three-turn values of its classes, from two more guesses."""
        counted = self.state.evidence.evaluated[opening]
        classes = opening_classes(self.state.counting_table, opening)
        three = three_turns(self._classes, classes, like(counted.two, classes.sizes), progress)
        rows = by_counts(self.state, {opening: replace(counted, three=array_of(three))})
        return replace(rows, two_guesses=np.ones_like(rows.two_guesses))


# Openings left by `python benchmarks/bounds.py 7 --gap 10 --every 3 --limit 40 --set neighbours.NAME=VALUE`,
# the pit's list: 3,778 with these values.
SAMPLED = 64  # words whose neighbourhoods are compared; 4,516 with 1, 4,830 with 512
OTHERS = 4096  # words that may be in them; 3,874 with 512
NEAREST = 512  # a neighbourhood holds one word in 512; 3,878 with 64, 4,411 with 4096
# Progress of 1/50 of the way to the goal is recorded. CPU seconds of `benchmarks/bounds.py 5 --gap 55`: 11.6;
# 17.5 with 1, 11.6 with 1000000.
PART = 50


def bounded_by(
    state: BoundState, openings: Array, other: int, goal: int | None = None, progress: Progress | None = None
) -> Evidence:
    """Evidence for those of [G] int64 openings that the classes of another, evaluated opening lower.

    A bound that comes neither to the goal nor 1/PART of the way there is left out.
    """
    evidence, known = state.evidence, state.evidence.evaluated[other]
    counts, sizes, by_parts = bounds_by_parts(state.counting_table, openings, known, state.left, progress)
    by_other = parts_of(np.minimum(by_parts, state.by_size(sizes)), counts)
    neighbours, lower_bounds = dict[int, list[int]](), dict[int, Array]()
    for opening, bounds in zip(openings.tolist(), by_other, strict=True):
        bounds = state.with_known(opening, bounds)
        least, bound = state.sum(opening, bounds), int(evidence.bounds[opening])
        enough = goal is None or least <= goal or (bound - least) * PART >= bound - goal
        if least < bound and enough and opening not in evidence.searched:
            neighbours[opening] = [other]
            lower_bounds[opening] = bounds
    return replace(state.lowered(lower_bounds), neighbours=neighbours)


class Nearness:
    """Distance between openings: estimated conditional entropy of one word's feedback given the other's.

    An estimate, not a bound: letters are treated as independent.
    """

    def __init__(self, table: WordTable) -> None:
        self._letters, self._places = array_of(table.letters), np.arange(table.length)
        counts = [np.bincount(column, minlength=len(table.alphabet)) for column in self._letters.T]
        placed, having = np.stack(counts), (letter_copies(table.here) > 0).mean(0)
        # The mark of a letter shows whether the word has it, and if so, whether it is at that place.
        self._where = having * _bits(placed / table.words / having.clip(min=1e-9))
        self._both = _bits(having) + self._where

    def densest(self, words: Array, draw: Draw) -> int:
        """Return the word of [M] int64 in the densest neighbourhood, judged by a sample."""
        if words.shape[0] <= NEAREST:
            return int(words[0])
        drawn = words[draw.order(len(words))]
        others = drawn[:OTHERS]
        count = max(1, others.shape[0] // NEAREST)
        sampled = drawn[:SAMPLED].tolist()
        reach = [np.partition(self.conditional_bits(word, others), count)[count] for word in sampled]
        return int(drawn[reach.index(min(reach))])

    def conditional_bits(self, word: int, others: Array) -> Array:
        """Return [M] float64: bits that [M] int64 other words add to this one."""
        letters = self._letters[word]
        bits = self._both.copy()
        bits[:, letters] = self._where[:, letters]
        bits[self._places, letters] = 0
        return bits[self._places, self._letters[others]].sum(1)


def _bits(chance: Array) -> Array:
    """Return the bits of information in a yes or no, if yes has this chance."""
    chance = chance.clip(0, 1)
    return -sum(part * np.log2(part.clip(min=1e-99)) for part in (chance, 1 - chance))
