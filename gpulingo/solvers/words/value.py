"""`ValueSearch`: values of sets of words by every legal guess, by an exact search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from gpulingo.solvers.depth_first import LOST, WON
from gpulingo.solvers.payoffs import checked_payoff, target_weights, top_value
from gpulingo.solvers.transpositions import UNKNOWN, look_up, new_rows, note
from gpulingo.solvers.words.all_found import AllFound
from gpulingo.solvers.words.labelling import label_set
from gpulingo.solvers.words.legality import ANY, legality_of, narrowed, pool_bits
from gpulingo.solvers.words.search import Payoff, WordWorkspace, seek, workspace
from gpulingo.solvers.words.symmetries import orbits_of
from gpulingo.solvers.words.three_turns import value_in_three_turns
from gpulingo.tensors.arrays import Array, Tensor, array_of, like
from gpulingo.tensors.cpu.split import split
from gpulingo.tensors.frontier import Frontier, whole
from gpulingo.tensors.outcomes import Lowered, Opened, Valued
from gpulingo.tensors.wordtable import WordTable

RULES = ("hard", "consistent")
EVER = 1 << 62  # turns left: a rule that always binds
NO_LIMIT = 1 << 62
MOST_LABELS = 1 << 28  # a limit of memory: labels of a set, 1 or 2 bytes each
MANY_WORDS = 24  # with three turns left smaller sets use the depth-first search


class ValueSearch:
    """A search for the values of sets to the best strategy, by every legal guess; it runs on the CPU.

    It has a transposition table, and is for one thread, except `stop`.

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
    >>> ValueSearch(table, range(6), 1 << 20).value(table.targets, left=5)
    Valued(value=13, guess=0, pairs=0)
    """

    def __init__(
        self, table: WordTable, payoff: Sequence[int], memory: int, *, legal: str = "any",
        within: int = EVER, swaps: Array | Tensor | None = None,
    ) -> None:  # fmt: skip
        if legal not in ("any", "consistent") and (legal not in RULES or not table.shows_marks):
            raise ValueError(
                f"no rule {legal!r} of feedback {table.feedback!r}: use any, consistent, or hard of marks"
            )
        table, credits = table.to("cpu"), checked_payoff(table, payoff, 1 << 62)
        legal = legal if within > 0 else "any"
        if swaps is None or table.shows_marks or legal != "any":
            swaps = np.empty((0, table.length + len(table.alphabet)), np.int64)
        # If a found word counts the same on every turn, nogoods decide whether all can be found.
        counts_found = legal == "any" and credits[1] == credits[-1]
        self._table, self._known = table, new_rows(memory // 2 if counts_found else memory)
        self._all_found = AllFound(table, self._known, memory // 2) if counts_found else None
        self._pool, self._targets = array_of(table.pool), array_of(table.targets)
        self._is_target = np.zeros(table.words, np.bool_)
        self._is_target[self._targets] = True
        self._numbers = np.random.default_rng(0).integers(1, 1 << 64, (table.words, 2), dtype=np.uint64)
        self._legality, self._weights = legality_of(table, legal, within), target_weights(table)
        self._payoff = Payoff(credits, bool((self._weights[self._targets] != 1).any()))
        self._orbits = orbits_of(table, array_of(swaps), len(credits))
        rises_by_one = bool((np.diff(credits) == 1).all())
        self._plain = legal == "any" and rises_by_one and not self._payoff.weighted
        self._space: WordWorkspace | None = None  # of the last set, if any guess is legal
        self._count = np.zeros(2, np.int64)  # pairs evaluated, and their limit

    def value(
        self,
        members: Array | Tensor,
        left: int,
        floor: int = -1,
        limit: int = NO_LIMIT,
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
        value, guess = self._value(array_of(members), left, floor, self._bits(legal))
        return Valued(value, guess if value > floor else UNKNOWN, int(self._count[0]))

    best = value  # for callers that do not know what is guessed; see `LetterSearch.best`

    def after(self, opening: int, left: int, floor: int = -1, limit: int = NO_LIMIT) -> Opened:
        """Search a word of the pool as first guess, with all targets as candidates and all words legal.

        `opening` is the index of the guess; see `value` for the other arguments.
        """
        table, legality = self._table, self._legality
        classes = split(table, whole(table), like(np.array([opening], np.int32), table.letters))
        paid = int(self._weights[opening] * self._payoff.credits[left]) * int(classes.hits[0])

        def legal(number: int) -> Array:
            bits = legality.every.copy()
            if legality.rule != ANY:
                target = array_of(classes.frontier.candidates(number))[0]
                narrowed(legality, legality.every, bits, opening, target)
            return bits

        opened = self._sum_of(classes.frontier, left - 1, floor - paid, limit, legal, [opening])
        return replace(opened, value=paid + opened.value)

    def sum_of(self, sets: Frontier, left: int, floor: int, legal: Callable[[int], Tensor | None]) -> Opened:
        """Return the sum of the values of sets; see `value` for the arguments, `legal` by number of a set."""
        return self._sum_of(sets, left, floor, NO_LIMIT, lambda number: self._bits(legal(number)))

    def _sum_of(
        self, sets: Frontier, left: int, floor: int, limit: int, legal: Callable[[int], Array],
        past: Sequence[int] | None = None,
    ) -> Opened:  # fmt: skip
        weights = (self._weights[array_of(sets.candidates(number))] for number in range(sets.sets))
        tops = np.array([top_value(row, left, self._payoff.credits) for row in weights], np.int64)
        lowered = self.lowered(sets, left, tops, int(tops.sum()) - floor, limit, legal, past)
        return Opened(int(lowered.bounds.sum()), lowered.complete, lowered.pairs)

    def lowered(
        self, sets: Frontier, left: int, bounds: Array, excess: int, limit: int = NO_LIMIT,
        legal: Callable[[int], Array] | None = None, past: Sequence[int] | None = None,
    ) -> Lowered:  # fmt: skip
        """Lower bounds of the values of sets until their sum has fallen by the excess, or all are values.

        The smallest set is first; the largest, where one set with a lost word suffices. The excess is shared
        out, and the bound of each set has to fall by its share: that is cheaper than finding its value. A
        share is as large as the bound is above the number of words. If a set falls by less, later ones have
        to make up for it.

        Args:
            bounds: [S] int64, at most those by size. legal: guesses as bits, by number of a set; None: all.
            left, limit, past: see `value`; the limit is of all sets together.
        """
        self._count[:] = 0, limit
        self._orbits.begin(past)
        bounds, sizes = bounds.copy(), array_of(sets.sizes_here)
        one_is_enough = self._all_found is not None and excess <= int(self._payoff.credits[1])
        slack = np.maximum(1, bounds - sizes).tolist()
        order = (-sizes if one_is_enough else sizes).argsort(kind="stable").tolist()
        unknown = [number for number in order if sizes[number] > 2 and left > 1]  # the others have values
        while unknown and excess > 0:
            left_over, total = list[int](), sum(slack[number] for number in unknown)
            for number in unknown:
                before = int(bounds[number])
                floor = max(before - -(-excess * slack[number] // total), -1)
                bits = self._legality.every if legal is None else legal(number)
                value, _ = self._value(array_of(sets.candidates(number)), left, floor, bits)
                if value < 0:
                    return Lowered(bounds, False, int(self._count[0]))
                if value <= floor:
                    left_over.append(number)
                # A result below the floor depends on earlier searches; the floor does not.
                bounds[number] = min(before, max(value, floor))
                excess -= before - int(bounds[number])
                total -= slack[number]
                if excess <= 0:
                    break
            unknown = left_over
        return Lowered(bounds, True, int(self._count[0]))

    def stop(self) -> None:
        """Stop the running search, from another thread, as if its limit were reached."""
        self._count[1] = -1

    def _value(self, words: Array, left: int, floor: int, legal: Array) -> tuple[int, int]:
        """Value and guess of a set; [B] uint64: what is legal at first, as bits; adds to pairs."""
        if self._payoff.weighted:
            words = words[np.argsort(-self._weights[words], kind="stable")]  # the heaviest first
        top = top_value(self._weights[words], left, self._payoff.credits)
        if top <= floor or len(words) < 3 or left < 2:
            return top, int(words[0]) if left else UNKNOWN
        if len(words) * len(self._pool) > MOST_LABELS:
            return UNKNOWN, UNKNOWN
        lightest_lost = top - int(self._payoff.credits[1] * self._weights[words].min())
        few = len(self._targets) * len(self._pool) <= MOST_LABELS
        seeks_all = lightest_lost <= floor and few
        if seeks_all and self._all_found is not None and self._is_target[words].all():
            state, guess = self._all_found.guess(words, left, self._count)  # whether all words can be found
            return top if state == WON else lightest_lost if state == LOST else UNKNOWN, guess
        if not self._in_three_turns(words, left):
            return self._depth_first(words, left, floor, legal)
        upper, guess = map(int, look_up(self._numbers, words, left, self._known))
        if guess >= 0 or (0 <= upper <= floor):
            return upper, guess
        labels = label_set(self._table, words, self._pool, finest=True)
        space = workspace(labels, words, self._weights[words], self._numbers, 1, self._legality)
        letters = array_of(self._table.letters)
        value, guess = value_in_three_turns(letters, space, floor, self._known, self._count)
        if value >= 0:
            note(self._numbers, words, left, self._known, value, guess)
        return value, guess

    def _depth_first(self, words: Array, left: int, floor: int, legal: Array) -> tuple[int, int]:
        """Return the value of a set by every legal guess, its own words first."""
        space, given = self._space, (self._known, self._payoff, self._legality, self._orbits, left, floor)
        if is_new := space is None or left >= len(space.frames) or not np.array_equal(words, space.words):
            # Its own words may suffice, and are quickly labelled.
            value, guess = seek(self._workspace(words, words[:0], left), *given, True, self._count)
            if value >= 0:
                return int(value), int(guess)
        within = self._legality.within
        if space is None or is_new:
            among = self._legality.every if 0 < within < left else legal
            others = self._pool[np.unpackbits(among.view(np.uint8), bitorder="little")[: len(self._pool)] > 0]
            space = self._workspace(words, others, left)
            if left > within:
                self._space = space
        if within:
            space.legal[0] = legal
        value, guess = seek(space, *given, False, self._count)
        return int(value), int(guess)

    def _workspace(self, words: Array, guesses: Array, left: int) -> WordWorkspace:
        """Return working memory to search a set by its own words and other guesses."""
        labels = label_set(self._table, words, guesses, distinct=self._legality.rule == ANY)
        weights = self._weights[words]
        return workspace(labels, words, weights, self._numbers, left, self._legality)

    def _bits(self, legal: Tensor | None) -> Array:
        """Return guesses as bits of the pool; None: all of it, as where no rule binds."""
        if legal is None or not self._legality.within:
            return self._legality.every
        return pool_bits(np.isin(self._pool, array_of(legal)))

    def _in_three_turns(self, words: Array, left: int) -> bool:
        """Return True if the three-turn search is used for a set."""
        return self._plain and left == 3 and len(words) >= MANY_WORDS
