"""Two-turn values of classes: counted, shared between openings, and turned into bounds.

At the end of a search all bounds are computed again from the evidence found late.

A class of one guess inside a class of another lies in both, so its two-turn value is at most that of either.
That bounds three-turn values by one pass over all guesses once all openings are evaluated: P x P x T pairs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain

import numpy as np

from gpulingo.bounds.certificate import MOST_VALUE, Certificate, Evidence, certificate_of, merged
from gpulingo.bounds.partitions import (
    Evaluated,
    Pending,
    bounds_by_parts,
    classes_of_each,
    largest_first,
    opening_classes,
    partition_of,
)
from gpulingo.bounds.state import BoundState
from gpulingo.tensors.arrays import Array, array_of, cut, like, parts_of
from gpulingo.tensors.checks import narrowest
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.frontier import joined
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import greatest_capped
from gpulingo.tensors.outcomes import CappedClasses
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
    counts = state.counts.two_turns(joined(fronts), progress=progress)
    by_opening = zip(openings, fronts, parts_of(counts, [front.sets for front in fronts]), strict=True)
    evaluated = {
        opening: Evaluated(partition_of(state.table, front), two) for opening, front, two in by_opening
    }
    looked = np.array([front.sets for front in fronts], np.int32)
    return replace(by_counts(state, evaluated), looked=looked)


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
    wordlist: WordList, state: BoundState | None, given: Certificate | None, value: int = MOST_VALUE
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
    if not len(both.evidence.automorphisms):
        return both
    first = state.first  # no opening has a greater bound than the first of its orbit
    return replace(both, evidence=replace(both.evidence, bounds=np.minimum(both.bounds, both.bounds[first])))


def recalled(state: BoundState, counted: Mapping[int, Array]) -> Evidence:
    """Evidence of openings whose classes were counted earlier; see `open_counts`."""
    rows = state.evidence.rows(np.array(list(counted), np.int64))
    some, class_bounds = dict[int, Array](), dict[int, Array]()
    evaluated: dict[int, Evaluated] = {}
    for row, (opening, two) in enumerate(counted.items()):
        classes = opening_classes(state.table, opening)
        order, bounds = largest_first(classes.sizes), state.class_bounds.by_size(classes.sizes)
        of_all, large = classes.sizes + 1, int((classes.sizes > KNOWN).sum())
        two = two[:large]  # older searches stored one class more
        of_all[order[: len(two)]] = two
        if len(two) == large:
            evaluated[opening] = Evaluated(partition_of(state.table, classes), of_all)
            rows.looked[row] = classes.sets
        else:
            some[opening] = two
            rows.looked[row] = max(rows.looked[row], len(two))
        bounds = np.minimum(bounds, state.class_bounds.by_two(classes.sizes, of_all))
        rows.bounds[row] = min(rows.bounds[row], state.class_bounds.sum(opening, bounds))
        class_bounds[opening] = bounds.astype(np.int32)
    return replace(rows, counted=some, evaluated=evaluated, class_bounds=class_bounds)


def by_counts(state: BoundState, evaluated: Mapping[int, Evaluated]) -> Evidence:
    """Evidence of openings whose classes have all been counted."""
    rows, class_bounds = state.evidence.rows(np.array(list(evaluated), np.int64)), {}
    for row, (opening, counted) in enumerate(evaluated.items()):
        known = state.class_bounds.of(opening, counted.partition.sizes)
        bounds = np.minimum(known, state.class_bounds.by_counts(counted))
        rows.bounds[row] = min(rows.bounds[row], state.class_bounds.sum(opening, bounds))
        class_bounds[opening] = bounds.astype(np.int32)
    return replace(rows, evaluated=evaluated, class_bounds=class_bounds)


def count_until(
    state: BoundState, openings: list[int], goal: int, progress: Progress | None = None
) -> Iterator[Evidence]:
    """Count classes of openings, largest first, until their bounds are at most the goal; yield evidence."""
    unsearched = [opening for opening in openings if opening not in state.evidence.searched]
    pending = shared([partial(_pending, state, opening) for opening in unsearched])
    lowest = state.lowest[unsearched].tolist()
    known = state.evidence.bounds[unsearched].tolist()
    if lowered := [tally for tally, before in zip(pending, known, strict=True) if tally.bound < before]:
        yield _evidence(state, lowered)
    while True:
        above = [tally for tally, low in zip(pending, lowest, strict=True) if min(tally.bound, low) > goal]
        going = [tally for tally in above if tally.large > len(tally.counted)]
        if not going:
            return
        share = state.table.targets.shape[0] // SHARE
        following = [tally.next(share) for tally in going]
        sets = [tally.classes.take(classes) for tally, classes in zip(going, following, strict=True)]
        counts = state.counts.two_turns(joined(sets), more=True, progress=progress)
        two_turns = parts_of(counts, [len(classes) for classes in following])
        for tally, classes, two in zip(going, following, two_turns, strict=True):
            by_two = state.class_bounds.by_two(tally.classes.sizes[classes], two)
            tally.bounds[classes] = np.minimum(tally.bounds[classes], by_two)
            tally.counted = np.concatenate([tally.counted, two.astype(np.int32)])
            tally.bound = state.class_bounds.sum(tally.opening, tally.bounds)
        yield _evidence(state, going)


def _pending(state: BoundState, opening: int) -> Pending:
    classes, evidence = opening_classes(state.table, opening), state.evidence
    before = state.class_bounds.of(opening, classes.sizes, classes=classes)
    bounds = np.minimum(before, state.class_bounds.by_supersets(classes))
    counted = evidence.counted.get(opening, np.empty(0, np.int32))
    large = 0 if opening in evidence.evaluated else int((classes.sizes > KNOWN).sum())
    bound = state.class_bounds.sum(opening, bounds)
    return Pending(opening, classes, largest_first(classes.sizes), bounds, counted, large, bound)


def _evidence(state: BoundState, pending: list[Pending]) -> Evidence:
    rows = state.evidence.rows(np.array([tally.opening for tally in pending]))
    rows.bounds[:] = np.minimum(rows.bounds, [tally.bound for tally in pending])
    rows.looked[:] = np.maximum(rows.looked, [len(tally.counted) for tally in pending])
    class_bounds = {tally.opening: tally.bounds.astype(np.int32) for tally in pending}
    counted = {tally.opening: tally.counted for tally in pending if len(tally.counted)}
    return replace(rows, counted=counted, class_bounds=class_bounds)


def table_bytes(words: int) -> int:
    """Bytes of the classes of all words by all openings: here, and again in the evaluated partitions."""
    return 4 * words * words


class TwoGuesses:
    """Two-turn values of all classes of all openings, each of which was evaluated."""

    def __init__(self, state: BoundState) -> None:
        self.state = state
        table, evaluated = state.counts.table, state.evidence.evaluated
        widest = max(counted.two.shape[0] for counted in evaluated.values()) + 1
        small = narrowest(widest - 1, "uint8", "int16", "int32")
        classes = np.zeros((table.words, table.words), small)
        caps = np.zeros((table.words, widest), np.int32)
        for opening, counted in evaluated.items():
            count = counted.two.shape[0]
            classes[opening, state.table.targets] = counted.partition.ids
            caps[opening, :count] = counted.two
            caps[opening, count] = 2  # the opening itself, alone
        self._capped = CappedClasses(like(classes, table.letters), like(caps, table.letters))
        self._most = 1 + int(caps.sum(1).max())  # upper bound of all targets in three turns

    def evaluate(self, opening: int, progress: Progress | None = None) -> Evidence:
        """Bound an opening by three-turn values of its classes, from two more guesses."""
        counted = self.state.evidence.evaluated[opening]
        classes = opening_classes(self.state.table, opening)
        two, caps = counted.two, self._capped.caps
        three = greatest_capped(self._capped, classes.to(caps.device), like(two, caps), progress)
        three = like(three, two).clip(max=self._most)
        rows = by_counts(self.state, {opening: replace(counted, three=three)})
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
    state: BoundState,
    openings: Array,
    other: int,
    goal: int | None = None,
    *,
    progress: Progress | None = None,
) -> Evidence:
    """Evidence for those of [G] int64 openings that the classes of another, evaluated opening lower.

    A bound that comes neither to the goal nor 1/PART of the way there is left out.
    """
    evidence, class_bounds = state.evidence, state.class_bounds
    class_bounds.recall(state.lowest > (0 if goal is None else goal), progress)
    counts, sizes, by_parts = bounds_by_parts(
        state.counts.table, openings, evidence.evaluated[other], class_bounds.left, progress=progress
    )
    columns = (parts_of(column, counts) for column in (sizes, class_bounds.by_size(sizes), by_parts))
    lowered: dict[int, int] = {}
    neighbours: dict[int, list[int]] = {}
    lower_bounds: dict[int, Array] = {}
    for opening, its_sizes, by_size, by_other in zip(openings.tolist(), *columns, strict=True):
        bounds = np.minimum(class_bounds.of(opening, its_sizes, by_size=by_size), by_other)
        least, bound = class_bounds.sum(opening, bounds), int(evidence.bounds[opening])
        enough = goal is None or least <= goal or (bound - least) * PART >= bound - goal
        if least < bound and enough and opening not in evidence.searched:
            others = evidence.neighbours.get(opening, [])
            neighbours[opening] = others if other in others else [*others, other]
            lowered[opening], lower_bounds[opening] = least, bounds.astype(np.int32)
    rows = evidence.rows(np.array(list(lowered), np.int64))
    rows.bounds[:] = list(lowered.values())
    return replace(rows, neighbours=neighbours, class_bounds=lower_bounds)


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

    def nearest(self, word: int, others: Array) -> Array:
        """Return [M] int64 other words, those that add fewest bits to this one first."""
        return others[self.conditional_bits(word, others).argsort(stable=True)]

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


BETWEEN = 64  # openings between two looks at the time: at most a fifth of a second
TOGETHER = 8  # openings whose classes are bounded in one call on each thread


def tighten(state: BoundState, value: int, go_on: Callable[[], bool]) -> None:
    """Lower bounds of openings to what the current evidence gives, the greatest first, while `go_on`.

    Bounds up to `value` credits that rest on class sizes alone stay as they are.
    """
    # Counted supersets, and openings whose three-turn values are known.
    learnt = len(state.supersets.two)
    learnt += sum(counted.three is not None for counted in state.evidence.evaluated.values())
    state.supersets.sort()
    for openings in cut(_outdated(state, value, learnt), BETWEEN):
        if not go_on():
            return
        state.apply(tightened(state, openings.tolist()))
        state.tightened[openings] = learnt


def tightened(state: BoundState, openings: list[int]) -> Evidence:
    """Evidence of those openings that supersets known now, or three turns of neighbours, lower."""
    class_bounds, evaluated = state.class_bounds, state.evidence.evaluated
    wanted = np.zeros_like(state.evidence.two_guesses)
    wanted[openings] = True
    class_bounds.recall(wanted)
    blocks = [openings[first : first + TOGETHER] for first in range(0, len(openings), TOGETHER)]
    least = dict(chain(*shared([partial(_by_supersets, state, block) for block in blocks])))
    named: dict[int, list[int]] = {}
    for opening in openings:
        for other in _by_three(state, opening):
            named.setdefault(other, []).append(opening)
    for other, its in named.items():
        counts, _, bounds = bounds_by_parts(state.counts.table, its, evaluated[other], class_bounds.left)
        for opening, by_other in zip(its, parts_of(bounds, counts), strict=True):
            least[opening] = np.minimum(least[opening], by_other)
    sums = {opening: class_bounds.sum(opening, bounds) for opening, bounds in least.items()}
    lowered = [opening for opening in openings if sums[opening] < int(state.evidence.bounds[opening])]
    rows = state.evidence.rows(np.array(lowered, np.int64))
    rows.bounds[:] = [sums[opening] for opening in lowered]
    return replace(rows, class_bounds={opening: least[opening].astype(np.int32) for opening in lowered})


def _outdated(state: BoundState, value: int, learnt: int) -> Array:
    """[K] int64: openings with new evidence since they were tightened, the greatest bounds first."""
    evidence = state.evidence
    matter = (state.lowest > value) | (evidence.looked > 0)
    matter[list(evidence.neighbours)] = True
    matter[evidence.complete] = False  # supersets cannot lower these
    matter[[opening for opening in evidence.neighbours if _by_three(state, opening)]] = True
    matter &= state.tightened < learnt
    order = largest_first(state.lowest)
    return order[matter[order]]


def _by_three(state: BoundState, opening: int) -> list[int]:
    """Neighbours of an opening with known three-turn values, maybe known only since they bounded it."""
    evidence = state.evidence
    named = evidence.neighbours.get(opening, ())
    return [other for other in named if evidence.evaluated[other].three is not None]


def _by_supersets(state: BoundState, openings: list[int]) -> list[tuple[int, Array]]:
    """Openings and [C] int64 bounds of their classes by all recorded evidence and by all supersets."""
    class_bounds = state.class_bounds
    counts, classes = classes_of_each(state.table, openings)
    by_supersets = class_bounds.by_supersets(classes)
    columns = parts_of(classes.sizes, counts), parts_of(by_supersets, counts)
    return [
        (opening, np.minimum(class_bounds.of(opening, sizes, by_size=bounds), bounds))
        for opening, sizes, bounds in zip(openings, *columns, strict=True)
    ]
