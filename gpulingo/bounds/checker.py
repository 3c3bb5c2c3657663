"""Check a certificate independently: no bound is taken from the search that made it.

Only set operations and the bounds of `formulas` are used, in the simplest order; classes are counted and
values are searched here. docs/bounds.md says why a certificate that passes is a proof.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from gpulingo.bounds import formulas, partitions
from gpulingo.bounds.automorphisms import orbits
from gpulingo.bounds.certificate import Certificate, CertificateError
from gpulingo.bounds.every_guess import OPENINGS, Searches, in_three_turns, ranks_alone
from gpulingo.tensors.arrays import Array, Tensor, add_at, array_of, cut, like, namespace, parts_of, wide
from gpulingo.tensors.objective import Progress, perfect_split
from gpulingo.tensors.operations import class_counts, most_classes
from gpulingo.tensors.outcomes import CappedClasses
from gpulingo.tensors.threads import threads
from gpulingo.tensors.wordtable import WordTable

TOGETHER = 8  # a limit of memory: openings whose classes are in memory at once
ROUNDS = 16  # in which these are counted, the largest first, until their openings are proven
SEARCH_MEMORY = 1 << 28  # a limit of memory: bytes that a search of every guess may take
REMOVE_IT = "remove the certificate and search again"


def in_parts(certificate: Certificate, rest: Array, parts: int) -> list[list[int]]:
    """Split openings into parts of about equally many; those with the same neighbours stay together.

    Each opening with neighbours, those of most first, goes to the part that has most of these neighbours.
    """
    neighbours, openings = certificate.evidence.neighbours, rest.tolist()
    if parts == 1:
        return [openings]
    near = sorted(neighbours.keys() & {*openings}, key=lambda opening: (-len(neighbours[opening]), opening))
    others = np.array([opening for opening in openings if opening not in neighbours], np.int64)
    chosen, named = [list[int]() for _ in range(parts)], [set[int]() for _ in range(parts)]
    for opening in near:
        needed = {*map(int, neighbours[opening])}
        free = [part for part in range(parts) if len(chosen[part]) * parts < len(near)]
        part = max(free, key=lambda part: (len(needed & named[part]), -len(chosen[part])))
        named[part] |= needed
        chosen[part].append(opening)
    shares = zip(chosen, np.array_split(others, parts), strict=True)
    return [[*first, *more.tolist()] for first, more in shares]


def prove(
    table: WordTable,
    certificate: Certificate,
    progress: Callable[[int], None] | None = None,
    part: tuple[int, int] = (1, 1),
) -> Iterator[int]:
    """Check a certificate, opening by opening.

    Args:
        table: the words of its list.
        progress: called with the pairs evaluated.
        part: (K, N): the Kth of N parts of the openings that need more than class sizes; see `in_parts`.
    Yields:
        The number of openings proven so far: in the end all of them, or those of the part and all that need
            only class sizes.
    Raises:
        CertificateError: the bound of an opening does not follow from the certificate's evidence, or it has
            another number of words.
        ValueError: the formulas do not hold for the game or table; or there is no such part.

    >>> from gpulingo import encode, solve
    >>> words = ["dents", "dozes", "reads"]
    >>> list(prove(encode(words), solve(words).certificate))[-1]
    3
    """
    formulas.check_game(certificate.game, table)
    number, parts = part
    if not 1 <= number <= parts <= table.words:
        raise ValueError(f"part is {number}/{parts}, expected one of at most {table.words:,} parts")
    claimed, xp = like(certificate.bounds, table.letters), namespace(table.letters)
    if len(claimed) != table.words:
        fault = f"the certificate has {len(claimed):,} words, the table {table.words:,}"
        raise CertificateError(f"{fault}: name the list of the certificate")
    if len(zero := table.pool[claimed[table.pool] < 1]):  # any guess may find a word later
        raise CertificateError(too_low(int(zero[0]), 0, 1))
    checker = _Checker(table, certificate, progress)
    above = formulas.opening_size_bounds(table, certificate.game, checker.classes, progress) > claimed
    if len(certificate.evidence.automorphisms):  # openings of one orbit have equal value
        orbit = orbits(table, certificate.evidence.automorphisms)
        first, is_first = (like(row, claimed) for row in (orbit, orbit == np.arange(table.words)))
        above &= is_first | (claimed < claimed[first])
    mine = in_parts(certificate, array_of(xp.nonzero(above)[0]), parts)[number - 1]
    done = int((~above).sum())
    yield done
    rest = like(np.array(mine, np.int64), claimed)
    counted = formulas.counts_classes(certificate.game, table)
    if counted or formulas.counts_help(certificate.game, table):
        checker.ask_neighbours(set(mine))
    if not counted:
        yield from checker.search_anew(rest, claimed, done)
        return
    for openings in cut(rest, TOGETHER):
        derived = checker.derived(openings, claimed[openings]).tolist()
        for opening, follows in zip(openings.tolist(), derived, strict=True):
            if opening in certificate.evidence.searched:
                values = certificate.evidence.searched[opening]
                searched = checker.checked_values(opening, values, checker.left).sum()
                follows = min(follows, int(checker.credits[opening] + searched))
            if follows > int(claimed[opening]):
                raise CertificateError(too_low(opening, int(claimed[opening]), follows))
        done += openings.shape[0]
        yield done


def too_low(opening: int, claimed: int, follows: int) -> str:
    said = f"the opening at place {opening} of the list is said to have at most {claimed}"
    return f"{said}, what is named for it gives {follows}: {REMOVE_IT}"


class _Checker:
    """Derives bounds from the evidence of a certificate; see `prove` for the arguments."""

    def __init__(self, table: WordTable, certificate: Certificate, progress: Progress | None) -> None:
        self.table, self.game, self.certificate = table, certificate.game, certificate
        self.evidence, self.progress = certificate.evidence, progress
        self.left = certificate.turns - 1
        self.credits = formulas.opening_credits(table, certificate.game)
        self.two: dict[int, Tensor] = {}  # opening -> [C] int64, of its classes
        self.three: dict[int, Tensor] = {}  # the same
        self.classes = wide(class_counts(table, table.targets, progress))
        self.most_classes = int(self.classes.max())
        self.by_neighbours: dict[int, Array] = {}  # opening -> [C] int32 bounds of its classes

    def two_turns_after(self, opening: int) -> Tensor:
        if opening not in self.two:
            classes = partitions.opening_classes(self.table, opening)
            self.two[opening] = most_classes(self.table, classes, self.progress)
        return self.two[opening]

    def three_turns_after(self, opening: int) -> Tensor:
        """[C] int64: three-turn values of an opening's classes, from two-turn values of all classes."""
        if opening not in self.three:
            sets, two = partitions.opening_classes(self.table, opening), self.two_turns_after(opening)
            self.three[opening] = partitions.three_turns(self.all_classes, sets, two, self.progress)
        return self.three[opening]

    @cached_property
    def all_classes(self) -> CappedClasses:
        two = {opening: self.two_turns_after(opening) for opening in self.table.pool.tolist()}
        return partitions.all_classes(self.table, two)

    def ask_neighbours(self, openings: set[int]) -> None:
        """Bound the classes of openings by those of the neighbours that the certificate names."""
        neighbours: dict[int, list[int]] = {}
        for opening in sorted(openings & self.evidence.neighbours.keys()):
            for other in self.evidence.neighbours[opening]:
                neighbours.setdefault(int(other), []).append(opening)
        for other, named in neighbours.items():
            two, three, table = array_of(self.two_turns_after(other)), None, self.table.here
            if bool(self.evidence.two_guesses[other]) and self.left >= 3:
                three = array_of(self.three_turns_after(other))
            partition = partitions.partition_of(table, partitions.opening_classes(table, other))
            counted = partitions.Evaluated(partition, two, three)
            counts, _, bounds = partitions.bounds_by_parts(
                self.table, named, counted, self.left, self.progress
            )
            for opening, by_other in zip(named, parts_of(bounds, counts), strict=True):
                known = self.by_neighbours.get(opening, by_other)
                self.by_neighbours[opening] = np.minimum(known, by_other).astype(np.int32)

    def derived(self, openings: Tensor, enough: Tensor) -> Tensor:
        """Return [K] int64 bounds of openings by evidence, except searches; counting stops at `enough`."""
        classes, xp = partitions.split_by_each(self.table, openings), namespace(openings)
        sets, parents, credits = classes.frontier, classes.parents, self.credits[openings]
        bounds = formulas.size_bound(sets.sizes, self.most_classes, self.left)

        def above() -> Tensor:
            """[C'] int64: the classes of the openings whose bounds are still too high."""
            return xp.nonzero((add_at(credits + 0, parents, bounds) > enough)[parents])[0]

        unproven, looked = set(parents[above()].tolist()), [parents[:0]]
        for row, opening in enumerate(openings.tolist()):
            # Three-turn values of an opening are checked even if its bound is low enough already.
            if row not in unproven and opening not in self.evidence.three_turns:
                continue
            places = xp.nonzero(parents == row)[0]
            of_whole = self.of_whole_partitions(opening, sets.sizes[places])
            bounds[places] = xp.minimum(bounds[places], of_whole)
            if opening not in self.two:  # else its classes are counted already
                order = xp.argsort(~sets.sizes[places], stable=True)
                looked.append(places[order[: int(self.evidence.looked[opening])]])
        large = xp.concat(looked)
        large = large[partitions.largest_first(sets.sizes[large])]
        for some in cut(large, 1 + large.shape[0] // ROUNDS):
            classes = some[xp.isin(some, above()) & (sets.sizes[some] > 2)]
            if classes.shape[0]:
                two = most_classes(self.table, sets.take(classes), self.progress)
                by_two = formulas.count_bound(sets.sizes[classes], two, self.left)
                bounds[classes] = xp.minimum(bounds[classes], by_two)
        return add_at(credits, parents, bounds)

    def of_whole_partitions(self, opening: int, sizes: Tensor) -> Tensor:
        """[C] int64: bounds of an opening's classes that need no counts of single classes."""
        bounds, minimum = perfect_split(sizes, self.left), namespace(sizes).minimum
        if bool(self.evidence.two_guesses[opening]) and self.left >= 3:
            bounds = minimum(bounds, formulas.three_bound(sizes, self.three_turns_after(opening), self.left))
        if opening in self.evidence.three_turns and self.left >= 3 and self.game.legal == "any":
            three = self.checked_values(opening, self.evidence.three_turns[opening], 3)
            bounds = minimum(bounds, formulas.three_bound(sizes, three, self.left))
        if opening in self.by_neighbours:
            bounds = minimum(bounds, like(self.by_neighbours[opening], bounds))
        if opening in self.two:
            bounds = minimum(bounds, formulas.count_bound(sizes, self.two_turns_after(opening), self.left))
        return bounds

    def checked_values(self, opening: int, values: Array, left: int) -> Tensor:
        """Return [C] int64: the certificate's values of an opening's classes, if they hold."""
        sets = partitions.opening_classes(self.table, opening)
        if values.shape != (sets.sets,):
            fault = f"the opening at place {opening} has {sets.sets} classes, not {values.shape[0]}"
            raise CertificateError(f"{fault}: {REMOVE_IT}")
        found = self.searches.values(sets, left, values.tolist(), self.progress, [opening])
        if any(not 0 <= result.value <= most for result, most in zip(found, values.tolist(), strict=True)):
            fault = f"a class of the opening at place {opening} has more than its bound"
            raise CertificateError(f"{fault}: {REMOVE_IT}")
        return namespace(sets.sizes).minimum(like(values, sets.sizes), perfect_split(sets.sizes, left))

    def search_anew(self, openings: Tensor, claimed: Tensor, done: int) -> Iterator[int]:
        """Search whether openings exceed the greatest bound, alone proven; yield the number proven."""
        most, helped = int(claimed.max()), formulas.counts_help(self.game, self.table)
        if not openings.shape[0]:
            return
        ranked = cut(openings, OPENINGS) if ranks_alone(self.game, self.table) else ()
        for block in ranked:
            bounds = in_three_turns(self.table, self.game, block, most, self.progress)
            if int(bounds.max()) > most:
                raise CertificateError(too_low(int(block[bounds.argmax()]), most, int(bounds.max())))
            done += block.shape[0]
            yield done
        for block in () if ranked else cut(openings, TOGETHER * threads()):
            tried = (block[self.derived(block, block * 0 + most) > most] if helped else block).tolist()
            opened = self.searches.after_each(tried, self.game.turns, most, self.progress) if tried else []
            for opening, result in zip(tried, opened, strict=True):
                if not 0 <= result.value <= most:
                    raise CertificateError(too_low(opening, most, result.value))
            done += block.shape[0]
            yield done

    @cached_property
    def searches(self) -> Searches:
        return Searches(self.table, self.game, SEARCH_MEMORY)
