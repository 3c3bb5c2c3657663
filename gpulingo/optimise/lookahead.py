"""Lookahead: the guesses of greatest rank are expanded, all sets of a frontier together; the best is kept.

With guesses in the order of their number of classes, the search stops once no remaining guess can be better.
Another order, for example of a value table, finds better values earlier.

`NoneLost` finds a guess after which no word is lost, by a best-first search. Classes are searched one by
one, each up to a limit, and the next is always of the guess with fewest words so far in classes that the
limit left open. Open classes of the best guess are searched in the same way.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise

import numpy as np

from gpulingo.bounds.automorphisms import first_of_orbits, swaps
from gpulingo.bounds.formulas import growth_bound
from gpulingo.games.game import Game
from gpulingo.optimise import MEMORY
from gpulingo.solvers.payoffs import FOUND
from gpulingo.solvers.words.symmetries import FEWEST
from gpulingo.solvers.words.value import ValueSearch
from gpulingo.storage.faults import ANOTHER_SEED, Fault
from gpulingo.strategies.objectives import ObjectiveOf, two_turns
from gpulingo.strategies.strategy import Choice, Position
from gpulingo.tensors.arrays import Array, Tensor, add_at, array_of, as_type, like, namespace, raise_at, wide
from gpulingo.tensors.draws import Draw
from gpulingo.tensors.frontier import Frontier, frontier, whole
from gpulingo.tensors.objective import Objective, Progress, classes, perfect_split
from gpulingo.tensors.operations import rank, split
from gpulingo.tensors.outcomes import Ranked, Valued
from gpulingo.tensors.threads import alone
from gpulingo.tensors.wordtable import WordTable

ENTRY_BYTES = 300  # approximate size of an entry: tuples and dict of CPython


class SetHash:
    """Two sums of random 64-bit numbers, one number per member: the hash of a set, and a second one to check.

    Args:
        words: of the table.
        seed: of the random numbers.
    Source: Zobrist (1970), with sums in place of exclusive or.
    """

    def __init__(self, words: int, seed: int = 0) -> None:
        drawn = Draw(seed).bits(4 * words).reshape(words, 2, 2)
        # As by torch.randint with this seed.
        self.numbers = (drawn @ np.array([1 << 32, 1], np.uint64) ^ np.uint64(1 << 63)).view(np.int64)

    def of(self, front: Frontier) -> Array:
        """Return [S, 2] int64: hash and check of every set of a frontier."""
        sums: Array = np.add.reduceat(self.numbers[array_of(front.members)], array_of(front.offsets[:-1]))
        return sums


EXPANDED = 1 << 22  # a limit of memory: candidates of all guesses that are expanded together
MOST_TOGETHER = 16  # a limit: guesses of one set that are expanded together; each round takes twice as many

# Of S sets: [S] int64 credits, the value of a strategy that was found; [S] int32, its first guess.
KnownValues = tuple[Tensor, Tensor]


def _take_better(best: Tensor, guesses: Tensor, sets: Tensor, chosen: Tensor, lower: Tensor) -> None:
    """Replace, in place, the best values and guesses of sets by better ones of [E] expanded guesses."""
    xp, none = namespace(best), -sets.shape[0]
    top = raise_at(xp.full_like(best, -1), sets, lower)
    # On ties the first guess, so that the result is the same on every device.
    better = xp.nonzero((lower == top[sets]) & (lower > best[sets]))[0]
    first = raise_at(xp.full_like(best, none), sets[better], -better)
    changed = xp.nonzero(first > none)[0]
    guesses[changed] = chosen[-first[changed]]
    best[:] = xp.maximum(best, top)


def _blocks(front: Frontier, sets: Tensor, times: int) -> Iterator[Tensor]:
    """Runs of the sets with about EXPANDED candidates each, counting every set `times` times."""
    block = (front.sizes[sets].cumsum(0) - 1) * times // EXPANDED
    edges = (namespace(block).nonzero(block[1:] != block[:-1])[0] + 1).tolist()
    for first, last in pairwise([0, *edges, sets.shape[0]]):
        yield sets[first:last]


LIMIT = 1 << 30  # most pairs of a search for a guess that loses no word of a set
ASKED = 1 << 28  # bytes of memory of that search
WIDELY = 1 << 27  # of one for a guess that loses fewer, in three turns, where swaps preserve the list
# By depth: guesses to compare, those of most classes, and most pairs per class. On the 12,972 words of
# Wordle's pool, 6 turns, 40 openings give a solution after 21 G pairs; limits of a quarter take 8 times as
# many searches, and openings in their order alone 118 G.
PLAN = ((40, 1 << 26), (400, 1 << 25))
Seeking = Generator[None, None, int | None]  # each step searches a class; returns the guess


class NoneLost:
    """Sets whose words can all be found, and the guesses for that; for one thread at a time.

    Args:
        memory: bytes for values of sets.
        progress: called with the pairs evaluated; may raise to end the work.
    """

    def __init__(self, table: WordTable, memory: int, progress: Progress) -> None:
        self._table, self.progress = table.here, progress
        self._search = ValueSearch(table, FOUND, memory)
        self._guesses: dict[tuple[int, bytes], int] = {}

    def value(self, members: Array, left: int, floor: int, limit: int) -> Valued:
        """As `ValueSearch.value`, in a game with one credit per word found."""
        guess = self._guesses.get((left, members.tobytes()))
        if guess is not None:
            return Valued(len(members), guess, 0)
        return self._search.value(members, left, floor, limit)

    def stop(self) -> None:
        """Stop the running search, from another thread."""
        self._search.stop()

    def seek(self, members: Array, left: int, depth: int = 0) -> Seeking:
        """Find a guess after which all words of a set can be found in the turns left; None if none is found.

        Args:
            members: [n] int32, ascending. left: turns, at least three.
        """
        width, limit = PLAN[depth]
        front, table = frontier([members]), self._table
        many = min(width, table.pool.shape[0])
        ranked = rank(table, front, table.pool, classes(len(members), 1), many, progress=self.progress)
        guesses = ranked.guesses[0]
        queue: list[tuple[int, int, list[Array], list[Array]]] = []
        for place, sets in enumerate(self._classes(front, guesses)):
            heappush(queue, (0, place, [], sets))
        while queue:  # by words in hard classes, then by number of classes
            words, place, hard, rest = heappop(queue)
            if rest:
                won = self._finds(rest[0], left - 1, limit)
                yield
                if won is None:
                    hard, words = [*hard, rest[0]], words + len(rest[0])
                rest = rest[1:]
            elif not hard:
                self._guesses[left, members.tobytes()] = guess = int(guesses[place])
                return guess
            elif depth + 1 == len(PLAN) or left == 3:
                return None  # other guesses have more words in hard classes
            else:
                won = (yield from self.seek(hard[0], left - 1, depth + 1)) is not None
                words, hard = words - len(hard[0]), hard[1:]
            if won is not False:
                heappush(queue, (words, place, hard, rest))
        return None

    def _finds(self, members: Array, left: int, limit: int) -> bool | None:
        """Return True if all words of a set can be found; None if the limit was reached."""
        search = partial(self._search.value, members, left, len(members) - 1, limit)
        answer = alone(search, self._search.stop, self.progress)
        self.progress(answer.pairs)
        return True if answer.guess >= 0 else None if answer.value < 0 else False

    def _classes(self, front: Frontier, guesses: Array) -> list[list[Array]]:
        """The classes of three or more words that each guess leaves of the only set, the smallest first."""
        made = split(self._table, front.take(np.zeros(len(guesses), np.int64)), guesses)
        classes_of: list[list[Array]] = [[] for _ in guesses]
        for number, parent in enumerate(made.parents.tolist()):
            classes_of[parent].append(made.frontier.candidates(number))
        return [sorted((words for words in every if len(words) > 2), key=len) for every in classes_of]


class Lookahead:
    """A search, and the strategy it finds.

    Args:
        table: the words, with targets and legal guesses.
        game: the rules; see `is_searchable`.
        widths: turns left -> guesses to expand for each set; the default is 1.
        order: ranks the guesses to expand; None: by number of classes.
        seed: of the hashes of sets.
        memory: bytes for sets with two turns left; when full, all are forgotten.
        progress: called with the pairs evaluated; may raise to end the work.
        all_found: finds a guess that loses no word of a set, if words found count first; None: a new one.
    Attributes:
        pairs: of guess and candidate evaluated so far.
    """

    name = "solve"

    def __init__(
        self,
        table: WordTable,
        game: Game,
        widths: Mapping[int, int],
        order: ObjectiveOf | None = None,
        *,
        seed: int = 0,
        memory: int = MEMORY,
        progress: Progress | None = None,
        all_found: ValueSearch | NoneLost | None = None,
    ) -> None:
        assert is_searchable(game, table), game.code
        self.table, self.game, self.widths, self.order = table, game, dict(widths), order
        self.progress, self.pairs = progress, 0
        self._hash = SetHash(table.words, seed)
        # Turns left -> hash -> value, guess.
        self._known: dict[int, dict[tuple[int, ...], tuple[int, int]]] = {}
        self._most_known = memory // ENTRY_BYTES
        self._all_found = all_found
        if game.bonus and all_found is None:
            self._all_found = ValueSearch(table, FOUND, ASKED)

    def choose(self, position: Position, progress: Progress | None = None) -> Choice:
        """Choose the guesses of all sets, as a strategy; table and game must be those of the search."""
        self.progress = progress or self.progress
        before = self.pairs
        _, guesses = self.values(position.frontier, position.turns_left)
        return Choice(guesses, self.pairs - before)

    def values(self, front: Frontier, left: int) -> KnownValues:
        """Values and guesses of all sets of a frontier with `left` turns left."""
        sizes, guesses = front.sizes, front.firsts
        lower = perfect_split(sizes, left, self.game.payoff)  # exact for one word, two, and the last turn
        large = namespace(sizes).nonzero(sizes > 2)[0]
        if left > 1 and large.shape[0]:
            lower[large], guesses[large] = self._distinct(front.take(large), left)
        return lower, guesses

    def values_of(self, openings: Sequence[int]) -> list[int]:
        """Credits of the tree found after each opening, summed over targets; all are searched together."""
        guesses = like(np.array(openings, np.int32), self.table.letters)
        every = whole(self.table).take(wide(guesses * 0))
        values: list[int] = self.guess_values(every, guesses, self.game.turns).tolist()
        return values

    def guess_values(self, front: Frontier, guesses: Tensor, left: int) -> Tensor:
        """Return [S] int64 values of one guess for each set; the guess may be a member."""
        classes = split(self.table, front, guesses)
        lower = wide(classes.hits) * self.game.payoff[left]
        if classes.frontier.sets:
            add_at(lower, classes.parents, self.values(classes.frontier, left - 1)[0])
        return lower

    def best_of(self, front: Frontier, left: int, tried: Tensor, bounds: Tensor) -> KnownValues:
        """Return the best of guesses with `left` turns left, at least 2.

        Args:
            tried: [S, K] int32 guesses in the order of expansion; -1 for none, at the end only.
            bounds: [S, K] int64 credits: upper bounds of the guess and of all after it, descending.
        """
        xp, guesses = namespace(tried), front.firsts
        best = xp.full((front.sets,), -1, dtype=xp.int64, device=tried.device)
        going = xp.arange(front.sets, dtype=xp.int64, device=tried.device)
        done, together, width = 0, 1, tried.shape[1]
        while done < width and going.shape[0]:
            together = min(together, width - done)
            for block in _blocks(front, going, together):
                sets = xp.repeat(block, together)
                chosen = tried[block, done : done + together].reshape(-1)
                sets, chosen = sets[chosen >= 0], chosen[chosen >= 0]
                _take_better(best, guesses, sets, chosen, self.guess_values(front.take(sets), chosen, left))
            done += together
            together = min(2 * together, MOST_TOGETHER)
            if done < width:
                more = (tried[going, done] >= 0) & (best[going] < bounds[going, done])
                going = going[more]
        return best, guesses

    def _distinct(self, front: Frontier, left: int) -> KnownValues:
        """Search each distinct set once, unless its value is known."""
        sums = self._hash.of(front)
        _, first, inverse = np.unique(sums[:, 0], return_index=True, return_inverse=True)
        if left == 2 and len(self._known.get(left, ())) > self._most_known:
            del self._known[left]
        known = self._known.setdefault(left, {})
        rows = [tuple(row) for row in sums[first].tolist()]
        if not np.array_equal(sums[first][inverse], sums):
            raise Fault("two candidate sets have one hash", ANOTHER_SEED)
        entries = [known.get(row) for row in rows]
        new = [place for place, entry in enumerate(entries) if entry is None]
        if new:
            values, guesses = self._searched(front.take(like(first[new], front.members)), left)
            for place, *entry in zip(new, values.tolist(), guesses.tolist(), strict=True):
                entries[place] = known[rows[place]] = (entry[0], entry[1])
        table = like(np.array(entries, np.int64)[inverse], front.members)
        return table[:, 0], as_type(table[:, 1], "int32")

    def _searched(self, front: Frontier, left: int) -> KnownValues:
        """Values of sets of more than two words."""
        sizes, payoff = front.sizes, self.game.payoff
        ranked = self._rank(front, None, classes(int(front.sizes_here.max()), 1), 1)
        first, guesses, xp = ranked.ranks[:, 0], ranked.guesses[:, 0], namespace(sizes)
        # All classes of one word, or all but one pair: optimal, because no other guess makes the former.
        lower = perfect_split(sizes, left, payoff) - (sizes + 1 - first) * (
            payoff[left - 1] - payoff[left - 2]
        )
        # With two turns left the second word of the pair is lost, but another guess may find all.
        enough = sizes + 1 if left == 2 and self.game.bonus else sizes
        is_open = first < enough
        if left > 3 and self.widths.get(left, 1) > 1:
            unsplit = xp.nonzero(is_open & (first == 3))[0]  # candidates split off only themselves
            unsplit = unsplit[self._unsplit(front.take(unsplit))]
            turns = like(np.cumsum(payoff[left:0:-1]), sizes)
            lower[unsplit] = turns[sizes[unsplit].clip(max=left) - 1]
            is_open[unsplit] = False
        rest = xp.nonzero(is_open)[0]
        if rest.shape[0]:
            open_sets = front.take(rest)
            if left == 2:  # the value is exact: the number of classes, one more for a candidate
                objective = two_turns(int(open_sets.sizes_here.max()), self.game.payoff)
                ranked = self._rank(open_sets, self.table.pool, objective, 1)
                lower[rest], guesses[rest] = ranked.ranks[:, 0], ranked.guesses[:, 0]
            else:
                lower[rest], guesses[rest] = self._more_left(open_sets, left)
        return lower, guesses

    def _unsplit(self, front: Frontier) -> Tensor:
        """Return [S] bool: no guess splits a set whose candidates each split off only themselves."""
        sizes, pool = front.sizes, self.table.pool
        if not front.sets:
            return sizes > 0
        # The ranking has the candidates first, which make most classes; after them the best other guess.
        width = min(int(front.sizes_here.max()) + 1, pool.shape[0])
        ranks = self._rank(front, pool, classes(width, 1), width).ranks
        rows = namespace(sizes).arange(front.sets, dtype=sizes.dtype, device=sizes.device)
        return (sizes >= width) | (ranks[rows, sizes.clip(max=width - 1)] < 2)

    def _more_left(self, front: Frontier, left: int) -> KnownValues:
        """Expand the first guesses of the order."""
        sizes, xp = front.sizes, namespace(front.sizes)
        largest, width = int(front.sizes_here.max()), min(self.widths.get(left, 1), self.table.pool.shape[0])
        if self.order is not None:
            objective = self.order(largest, left, range(left + 1))  # credits: a turn counts, found or not
            ranked = self._distinct_guesses(front, objective, width)
            # No candidate splits the set into single words: that case was handled before.
            most = perfect_split(sizes, left, self.game.payoff) - 1
            if self.game.bonus:  # a guess that loses no word suffices
                most = sizes * self.game.bonus
            bounds = xp.broadcast_to(most[:, None], ranked.guesses.shape)
        else:
            ranked = self._distinct_guesses(front, classes(largest, 1), width)
            most = xp.minimum(ranked.ranks[:, :1], sizes[:, None])
            bounds = growth_bound(sizes[:, None], ranked.ranks, most, left)
        known = self.best_of(front, left, ranked.guesses, bounds)
        if self._all_found is not None:
            self._find_all(front, left, *known)
        return known

    def _distinct_guesses(self, front: Frontier, objective: Objective, width: int) -> Ranked:
        """Rank the pool; for large sets the first guess of each orbit of the swaps that preserve the set."""
        ranked, images = self._rank(front, self.table.pool, objective, width), swaps(self.table)
        pool, hashes, xp = self.table.pool, self._hash.numbers[:, 0], namespace(front.sizes)
        for number in xp.nonzero(front.sizes >= FEWEST)[0][:, None] if len(images) else ():
            only = front.take(number)
            members = array_of(only.members)
            same = images[hashes[images[:, members]].sum(1) == hashes[members].sum()]
            if len(same):
                first = like(first_of_orbits(self.table.words, same), pool)
                alike = self._rank(only, pool[first[pool] == pool], objective, width)
                ranked.guesses[number], ranked.ranks[number] = alike.guesses, alike.ranks
        return ranked

    def _find_all(self, front: Frontier, left: int, lower: Tensor, guesses: Tensor) -> None:
        """Replace, in place, guesses that lose a word by others that lose none, if a search finds one."""
        assert self._all_found is not None
        counts, widely = lower // self.game.bonus, left == 3 and len(swaps(self.table)) > 0
        for number in namespace(counts).nonzero(counts < front.sizes)[0].tolist():
            words = array_of(front.candidates(number))
            most = (int(counts[number]), WIDELY) if widely else (len(words) - 1, LIMIT)
            search = partial(self._all_found.value, words, left, *most)
            answer = alone(search, self._all_found.stop, self.progress)
            self.pairs += answer.pairs
            if self.progress:
                self.progress(answer.pairs)
            if answer.guess >= 0:
                place, guesses[number] = like(np.array([number]), lower), answer.guess
                lower[place] = self.guess_values(front.take(place), guesses[place], left)

    def _rank(self, front: Frontier, pool: Tensor | None, objective: Objective, width: int) -> Ranked:
        ranked = rank(self.table, front, pool, objective, width, progress=self.progress)
        self.pairs += ranked.pairs
        return ranked


def is_searchable(game: Game, table: WordTable) -> bool:
    """Return True if values are sums, as a lookahead assumes: of turns left, or mainly of words found."""
    by_lot = game.opponent == "chance" and game.legal == "any" and not game.given
    plain = game.rises_by_one or game.bonus > 0
    return plain and by_lot and not game.counts_misses and table.weights is None
