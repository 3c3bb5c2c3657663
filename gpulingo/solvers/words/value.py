"""`value_search`: values of sets of words by every legal guess, by an exact search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from gpulingo.solvers.depth_first import LOST, WON
from gpulingo.solvers.payoffs import checked_payoff, is_weighted, target_weights, top_value
from gpulingo.solvers.transpositions import UNKNOWN, look_up, new_rows, note
from gpulingo.solvers.words.all_found import AllFound
from gpulingo.solvers.words.labelling import label_set
from gpulingo.solvers.words.legality import ANY, legality_of, narrowed, pool_bits
from gpulingo.solvers.words.search import Payoff, WordWorkspace, seek, workspace
from gpulingo.solvers.words.symmetries import orbits_of
from gpulingo.solvers.words.three_turns import EVERY, ThreeTurns
from gpulingo.tensors.arrays import Array, Tensor, array_of, like
from gpulingo.tensors.cpu.split import split
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.wordtable import WordTable

RULES = ("hard", "consistent")
EVER = 1 << 62  # turns left: a rule that always binds
MOST_LABELS = 1 << 28  # a limit of memory: labels of a set, 1 or 2 bytes each
MANY_WORDS = 24  # with three turns left smaller sets use the depth-first search
TRIED = 8  # guesses tried for a lower bound of a set


class ValueSearch:
    """A search for the values of sets, with a transposition table; for one thread, except `stop`."""

    def __init__(
        self, table: WordTable, payoff: Array, memory: int, legal: str, within: int, swaps: Array
    ) -> None:
        # If a found word counts the same on every turn, nogoods decide whether all can be found.
        counts_found = legal == "any" and payoff[1] == payoff[-1]
        self._table, self._known = table, new_rows(memory // 2 if counts_found else memory)
        self._all_found = AllFound(table, self._known, memory // 2) if counts_found else None
        self._pool, self._targets = array_of(table.pool), array_of(table.targets)
        self._is_target = np.zeros(table.words, np.bool_)
        self._is_target[self._targets] = True
        self._numbers = np.random.default_rng(0).integers(1, 1 << 64, (table.words, 2), dtype=np.uint64)
        self._legality, self._weights = legality_of(table, legal, within), target_weights(table)
        self._payoff = Payoff(payoff, is_weighted(table))
        self._orbits = orbits_of(table, swaps, len(payoff))
        rises_by_one = bool((np.diff(payoff) == 1).all())
        self._plain = legal == "any" and rises_by_one and not self._payoff.weighted
        self._space: WordWorkspace | None = None  # of the last set, if any guess is legal
        # Labelled sets with three turns left, until their value is searched; bytes that are free.
        self._kept, self._free = dict[bytes, ThreeTurns](), memory
        self._count = np.zeros(2, np.int64)  # pairs evaluated, and their limit

    def value(
        self,
        members: Array | Tensor,
        left: int,
        floor: int = -1,
        limit: int = 1 << 62,
        legal: Tensor | None = None,
        past: Sequence[int] | None = None,
    ) -> Valued:
        """Return the value of one set, over every legal guess.

        Args:
            members: [n] int32, ascending, not empty, all of them targets.
            left: turns left, the guess included, at least 1.
            floor: credits that the value must exceed to be needed; at least 0, or -1.
            limit: most pairs of guess and candidate to evaluate.
            legal: [L] int32, ascending, the members among them: the guesses that all hints allow; None: the
                whole pool.
            past: the guesses whose feedback left the set, of all targets; None: unknown.
        """
        self._count[:] = 0, limit
        self._orbits.begin(past)
        legal = legal if self._legality.within else None
        value, guess = self._value(array_of(members), left, floor, legal=legal)
        return Valued(value, guess if value > floor else UNKNOWN, int(self._count[0]))

    best = value  # for callers that do not know what is guessed; see `LetterSearch.best`

    def bracket(self, members: Tensor, left: int) -> tuple[int, int]:
        """Return lower and upper bounds of a set's value, -1 if it is too large; see `value`.

        Labels of the set may be kept until its value is searched.
        """
        words = array_of(members)
        if not self._in_three_turns(words, left) or len(words) * len(self._pool) > MOST_LABELS:
            value = self.value(members, left).value
            return value, value
        self._count[:] = 0, 1 << 62
        labelled = self._taken(words) or self._labelled(words)
        if labelled.bytes <= self._free:  # otherwise it is labelled again: earlier sets stay
            self._free -= labelled.bytes
            self._kept[words.tobytes()] = labelled
        most = labelled.value(EVERY, self._known, self._count)[0]  # by a floor above all values
        return labelled.value(UNKNOWN, self._known, self._count, TRIED)[0], most

    def forget(self) -> None:
        """Drop the labels of sets that `bracket` has kept."""
        self._free += sum(labelled.bytes for labelled in self._kept.values())
        self._kept.clear()

    def after(self, opening: int, left: int, floor: int = -1, limit: int = 1 << 62) -> Opened:
        """Search a word of the pool as first guess, with all targets as candidates and all words legal.

        Its classes are searched one by one until its bound is at most the floor: the smallest first, or the
        largest, as one class with a lost word suffices.

        `opening` is the index of the guess; see `value` for the other arguments.
        """
        self._count[:] = 0, limit
        self._orbits.begin([opening])
        table, weights, credits = self._table, self._weights, self._payoff.credits
        parted = split(table, whole(table), like(np.array([opening], np.int32), table.letters))
        members = array_of(parted.frontier.members)
        sets = [members[start:stop] for start, stop in pairwise(parted.frontier.offsets.tolist())]
        bounds = [top_value(weights[words], left - 1, credits) for words in sets]
        total = int(weights[opening] * credits[left]) * int(parted.hits[0]) + sum(bounds)
        sizes = [len(words) for words in sets]
        # The others have bounds already.
        unknown = [number for number in range(len(sets)) if left > 2 and sizes[number] > 2]
        one_is_enough = self._all_found is not None and total - int(credits[1]) <= floor
        unknown.sort(key=lambda number: sizes[number], reverse=one_is_enough)

        def value(number: int, below: int) -> int:
            return self._value(sets[number], left - 1, below, opening)[0]

        total, complete = lowered(bounds, sizes, unknown, total, floor, value)
        return Opened(total, complete, int(self._count[0]))

    def stop(self) -> None:
        """Stop the running search, from another thread, as if its limit were reached."""
        self._count[1] = -1

    def _value(
        self, words: Array, left: int, floor: int, opening: int = -1, legal: Tensor | None = None
    ) -> tuple[int, int]:
        """Value and guess of a set; legal guesses are those after an opening, or given; adds to pairs."""
        taken = self._taken(words) if self._in_three_turns(words, left) else None
        if self._payoff.weighted:
            words = words[np.argsort(-self._weights[words], kind="stable")]  # the heaviest first
        top = top_value(self._weights[words], left, self._payoff.credits)
        if top <= floor or len(words) < 3 or left < 2:
            return top, int(words[0]) if left else UNKNOWN
        if len(words) * len(self._pool) > MOST_LABELS:
            return UNKNOWN, UNKNOWN
        lightest_lost = top - int(self._payoff.credits[1] * self._weights[words].min())
        few = len(self._targets) * len(self._pool) <= MOST_LABELS
        seeks_all = legal is None and lightest_lost <= floor and few
        if seeks_all and self._all_found is not None and self._is_target[words].all():
            state, guess = self._all_found.guess(words, left, self._count)  # whether all words can be found
            return top if state == WON else lightest_lost if state == LOST else UNKNOWN, guess
        if not self._in_three_turns(words, left):
            return self._depth_first(words, left, floor, opening, legal)
        upper, guess = map(int, look_up(self._numbers, words, left, self._known))
        if guess >= 0 or (0 <= upper <= floor):
            return upper, guess
        value, guess = (taken or self._labelled(words)).value(floor, self._known, self._count)
        if value >= 0:
            note(self._numbers, words, left, self._known, value, guess)
        return value, guess

    def _depth_first(
        self, words: Array, left: int, floor: int, opening: int, legal: Tensor | None
    ) -> tuple[int, int]:
        """Return the value of a set by every legal guess, its own words first."""
        space, given = self._space, (self._known, self._payoff, self._legality, self._orbits, left, floor)
        if is_new := space is None or left >= len(space.frames) or not np.array_equal(words, space.words):
            # Its own words may suffice, and are quickly labelled.
            value, guess = seek(self._workspace(words, words[:0], left), *given, True, self._count)
            if value >= 0:
                return int(value), int(guess)
        bits, within = self._bits(words[0], opening, legal), self._legality.within
        if space is None or is_new:
            among = self._legality.every if 0 < within < left else bits
            others = self._pool[np.unpackbits(among.view(np.uint8), bitorder="little")[: len(self._pool)] > 0]
            space = self._workspace(words, others, left)
            if left > within:
                self._space = space
        if within:
            space.legal[0] = bits
        value, guess = seek(space, *given, False, self._count)
        return int(value), int(guess)

    def _workspace(self, words: Array, guesses: Array, left: int) -> WordWorkspace:
        """Return working memory to search a set by its own words and other guesses."""
        labels = label_set(self._table, words, guesses, distinct=self._legality.rule == ANY)
        weights = self._weights[words]
        return workspace(labels, words, weights, self._numbers, left, self._legality)

    def _bits(self, target: int, opening: int, legal: Tensor | None) -> Array:
        """Return the guesses that are legal at first, as bits of the pool."""
        legality = self._legality
        if legal is not None:
            return pool_bits(np.isin(self._pool, array_of(legal)))
        if legality.rule == ANY or opening < 0:
            return legality.every
        bits = np.empty_like(legality.every)
        narrowed(legality, legality.every, bits, opening, target)
        return bits

    def _in_three_turns(self, words: Array, left: int) -> bool:
        """Return True if the three-turn search is used for a set."""
        return self._plain and left == 3 and len(words) >= MANY_WORDS

    def _labelled(self, words: Array) -> ThreeTurns:
        """Return a set with all guesses labelled, except the dominated ones."""
        labels = label_set(self._table, words, self._pool, finest=True)
        space = workspace(labels, words, self._weights[words], self._numbers, 1, self._legality)
        return ThreeTurns(array_of(self._table.letters), space)

    def _taken(self, words: Array) -> ThreeTurns | None:
        """Remove and return a set that is in memory labelled; None without one."""
        kept = self._kept.pop(words.tobytes(), None)
        if kept is not None:
            self._free += kept.bytes
        return kept


def lowered(
    bounds: list[int],
    sizes: Sequence[int],
    unknown: Sequence[int],
    total: int,
    floor: int,
    value: Callable[[int, int], int],
) -> tuple[int, bool]:
    """Lower bounds of classes until their total is at most a floor; return it, and if no search was stopped.

    The excess over the floor is shared out by words, and the bound of each class has to fall by its share:
    that is cheaper than finding its value. If a class falls by less, later ones have to make up for it.

    Args:
        bounds: of the classes, which are lowered. unknown: those whose values are not known, in order.
        total: of the bounds, and of what else is paid.
        value: value of a class if above a floor, otherwise a bound of it; negative if its search was stopped.
    """
    while unknown and total > floor:
        left_over, words = [], sum(sizes[number] for number in unknown)
        for number in unknown:
            below = max(bounds[number] - -(-(total - floor) * sizes[number] // words), -1)
            found = value(number, below)
            if found < 0:
                return total, False
            if found <= below:
                left_over.append(number)
            total += min(found - bounds[number], 0)
            bounds[number] = min(found, bounds[number])
            words -= sizes[number]
            if total <= floor:
                break
        unknown = left_over
    return total, True


def value_search(
    table: WordTable,
    payoff: Sequence[int],
    memory: int,
    *,
    legal: str = "any",
    within: int = EVER,
    swaps: Array | Tensor | None = None,
) -> ValueSearch:
    """Return a search for values of sets to the best strategy, by every legal guess; it runs on the CPU.

    Args:
        table: the words; guesses are the legal words of its pool.
        payoff: credits of a word, times its weight, by turns left, 0, 1, .., the guess
            included; the first is 0, none falls. Its length limits the turns.
        memory: bytes of the transposition table; when full, new sets replace old ones.
        legal: "any", or a rule of RULES.
        within: the rule binds with at most this many turns left; before, any guess is legal.
        swaps: [K, N + A] int64, automorphisms of the list: of guesses that they map to each other one is
            searched, if feedback does not show places; None: no automorphisms.
    Raises:
        ValueError: no such rule, a payoff that falls or pays for a lost word, or values past 62 bits.

    >>> from gpulingo import encode
    >>> table = encode(["dents", "dozes", "reads"])
    >>> value_search(table, range(6), 1 << 20).value(table.targets, left=5)
    Valued(value=13, guess=0, pairs=0)
    """
    if legal not in ("any", "consistent") and (legal not in RULES or not table.shows_marks):
        raise ValueError(
            f"no rule {legal!r} of feedback {table.feedback!r}: use any, consistent, or hard of marks"
        )
    credits, legal = checked_payoff(table, payoff, 1 << 62), legal if within > 0 else "any"
    if swaps is None or table.shows_marks or legal != "any":
        swaps = np.empty((0, table.length + len(table.alphabet)), np.int64)
    return ValueSearch(table.to("cpu"), credits, memory, legal, within, array_of(swaps))
