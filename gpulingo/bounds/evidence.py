"""Upper bounds for every opening at once, and what makes them smaller.

A bound of an opening is the sum of the bounds of its classes. A class is bounded by its size; by the classes
of an opening nearly like it, which hold most of its words; or, from the largest class down, by the most
that two turns can find of it; last by a search of all classes. `lowering` says which is done when.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

import torch
from torch import Tensor

from gpulingo.bounds.constraints import Facts, Key
from gpulingo.bounds.formulas import by_size, capped, of_part, of_parts
from gpulingo.bounds.partitions import Seen, View, largest_first, parted, split_whole
from gpulingo.bounds.superset_counts import MEMORY, Ceilings
from gpulingo.bounds.supersets import LargerSets
from gpulingo.search.lookahead import Lookahead
from gpulingo.tensors.frontier import Frontier, joined, whole
from gpulingo.tensors.objective import Objective, Progress
from gpulingo.tensors.operations import class_counts, rank, refined
from gpulingo.tensors.threads import shared
from gpulingo.tensors.wordtable import WordTable

SHARE = 50  # one call looks at classes that hold a fiftieth of the list
PART = 50  # a fiftieth of the way to the goal is worth keeping


@dataclass(eq=False)
class OpeningBounds:
    """Bounds of all W openings of a list, and how they came about.

    What one rests on is noted before it is made smaller, so that it holds wherever the work ends.

    Attributes:
        table: the words. turns: of a round, at least 3.
        classes: [W] int64, of the whole list by each opening.
        bounds: [W] int64, turns: no strategy that begins with this word has more, by what is noted here.
        looked: [W] int32: so many classes, from the largest down, were looked at.
        twofold: [W] bool, bounded by two more guesses.
        near: opening -> openings that were seen in whole and bound its classes.
        seen: openings that were seen in whole.
        searched: opening -> [C] int64, values of its classes in the order of `split`, where those were found.
        known: the most that two turns find of larger sets, which bound the classes inside them.
        memory: bytes that counts may take that make looks faster.
        given: [W] int64, bounds that rest on something else, or None.
    """

    table: WordTable
    turns: int
    classes: Tensor
    bounds: Tensor
    looked: Tensor
    twofold: Tensor
    near: dict[int, list[int]] = field(default_factory=dict)
    seen: dict[int, Seen] = field(default_factory=dict)
    searched: dict[int, Tensor] = field(default_factory=dict)
    known: Mapping[Key, int] = field(default_factory=dict)
    memory: int = MEMORY
    given: Tensor | None = None
    # opening -> [C] int32, by sizes, `near` and larger sets; but for the classes that were looked at
    _worth: dict[int, Tensor] = field(default_factory=dict)
    _recalled: int | None = None  # `_worth` is there of openings that are near others and above this bound
    _larger: LargerSets = field(init=False)
    # [W] bool: its bound may rest on larger sets that were known from the start, its `_worth` does not yet
    _behind: Tensor = field(init=False)
    _ceilings: Ceilings = field(init=False)

    def __post_init__(self) -> None:
        self._larger = LargerSets(Facts(self.table), self.known)
        self._behind = torch.full((self.table.words,), len(self.known) > 0)
        self._ceilings = Ceilings(self.table, self._larger, self.memory)

    @property
    def bound(self) -> int:
        """No strategy has more, whatever its opening."""
        return int(self.lowest.max())

    @property
    def lowest(self) -> Tensor:
        """[W] int64: of every opening the lower of its bounds here and among those that are given."""
        return self.bounds if self.given is None else self.bounds.minimum(self.given)

    @property
    def complete(self) -> Tensor:
        """[K] int64: openings of which no class is left to look at."""
        return torch.tensor(list(self.seen), dtype=torch.int64, device=self.bounds.device)

    @property
    def counting(self) -> float:
        """Seconds spent on counts that make looks at other classes faster."""
        return self._ceilings.seconds

    @property
    def larger(self) -> Mapping[Key, int]:
        """The most that two turns find of larger sets, as far as it is known now."""
        return self._larger.found

    def by_size(self, sizes: Tensor) -> Tensor:
        """[C] int64: bounds of classes of which only the size is known, after the opening."""
        return by_size(sizes, int(self.classes.max()), self.turns - 1)

    def by_two(self, sizes: Tensor, found: Tensor) -> Tensor:
        """[C] int64: bounds of classes of which two turns find at most so much, or less than that."""
        found = found.minimum(sizes + 1)
        return capped(sizes, found, found.minimum(sizes), self.turns - 1).minimum(self.by_size(sizes))

    def by_seen(self, sizes: Tensor, found: Tensor, three: Tensor | None) -> Tensor:
        """[C] int64: bounds of classes of which two turns find at most so much, and three turns so much."""
        bounds, left = self.by_two(sizes, found), self.turns - 1
        return bounds if three is None or left < 3 else bounds.minimum(three + (left - 3) * sizes)

    def look(self, openings: list[int], progress: Progress | None = None) -> None:
        """Look at all classes of openings: they are then `seen`, and can bound others."""
        fronts = [self._classes(opening) for opening in openings]
        twos = self._ceilings.first_two(joined(fronts), progress=progress)
        for opening, found in zip(openings, twos.split([front.sets for front in fronts]), strict=True):
            self.looked[opening] = len(found)
            self._see(opening, Seen(parted(self.table, opening), found))

    def keep_three(self, opening: int, three: Tensor) -> None:
        """Keep what three turns find at most of the classes of an opening that was `seen`."""
        self.twofold[opening] = True
        self._see(opening, replace(self.seen[opening], three=three))

    def _see(self, opening: int, seen: Seen) -> None:
        self.seen[opening] = seen
        self._worth.pop(opening, None)
        bound = self.turns + int(self._worth_of(opening, seen.parted.sizes).sum())
        self.bounds[opening] = min(bound, int(self.bounds[opening]))

    def look_until(self, openings: list[int], goal: int, progress: Progress | None = None) -> None:
        """Look at classes of openings, largest first, until their bounds are at most the goal."""
        going = shared([partial(self._view, one) for one in openings if one not in self.searched])
        while going := [
            view
            for view in going
            if view.large > int(self.looked[view.opening]) and int(self.lowest[view.opening]) > goal
        ]:
            some = [view.next(int(self.looked[view.opening]), self.table.words // SHARE) for view in going]
            pieces = joined([view.classes.take(at) for view, at in zip(going, some, strict=True)])
            found = self._ceilings.first_two(pieces, more=True, progress=progress)
            for view, at, twos in zip(going, some, found.split([len(at) for at in some]), strict=True):
                less = view.worth[at] - self.by_two(view.classes.sizes[at], twos)
                self.looked[view.opening] += at.shape[0]
                self.bounds[view.opening] -= int(less.clamp(min=0).sum())

    def _view(self, opening: int) -> View:
        classes = self._classes(opening)
        large = int((classes.sizes > 2).sum())  # smaller ones have their value already
        order = largest_first(classes.sizes)
        return View(opening, classes, order, self._by_larger(opening, classes, order), large)

    def _by_larger(self, opening: int, classes: Frontier, order: Tensor) -> Tensor:
        """[C] int64: bounds of the classes of an opening, those by larger sets as well."""
        before = self._worth_of(opening, classes.sizes)
        worth = before.minimum(self.by_two(classes.sizes, self._larger.bounds(classes)))
        gain = before - worth
        gain[order[: int(self.looked[opening])]] = 0  # what was found of these is not kept
        if int(gain.sum()) > 0:
            self._worth[opening] = worth.to(torch.int32)
            self.bounds[opening] -= int(gain.sum())
        return worth

    def look_near(
        self, openings: Tensor, other: int, goal: int | None = None, progress: Progress | None = None
    ) -> None:
        """Bound the classes of [G] int64 openings by those of another that was `seen`.

        Args:
            openings: without the other. other: its index.
            goal: what brings a bound neither there nor a good part of the way is forgotten.
            progress: called with pairs evaluated.
        """
        self._recall(0 if goal is None else goal, progress)
        for opening, sizes, base, found in self._refined(openings, other, progress):
            before = self._worth_of(opening, sizes, base)
            worth = before.minimum(found)
            bound = int(self.bounds[opening])
            if opening in self.seen:
                less = bound - self.turns - int(worth.sum())
            else:  # what was found of the classes that were looked at is not kept
                gain = before - worth
                gain[largest_first(sizes)[: int(self.looked[opening])]] = 0
                less = int(gain.sum())
            enough = goal is None or bound - less <= goal or less * PART >= bound - goal
            if less > 0 and enough and opening not in self.searched:
                others = self.near.setdefault(opening, [])
                if other not in others:
                    others.append(other)
                self._worth[opening] = worth.to(torch.int32)
                self.bounds[opening] = bound - less

    def _refined(
        self, openings: Tensor, other: int, progress: Progress | None
    ) -> Iterator[tuple[int, Tensor, Tensor, Tensor]]:
        """Openings, the sizes of their classes, their bounds by size and by the classes of another opening.

        Turns find no more of a set than of a larger one, and no more than of its parts together; the first
        turn finds one word.
        """
        sets, steps = self._steps(other)
        made = refined(self.table, openings.to(torch.int32), sets, steps, progress)
        columns = (made.sizes, self.by_size(made.sizes), of_parts(made.worth))
        cuts = made.counts.tolist()
        yield from zip(openings.tolist(), *(column.split(cuts) for column in columns), strict=True)

    def _steps(self, other: int) -> tuple[Frontier, Tensor]:
        """The classes of an opening that was `seen`, itself the last, and what each further word adds."""
        seen = self.seen[other]
        ids = seen.parted.ids.long()
        sizes = torch.cat([seen.parted.sizes, seen.parted.sizes.new_ones(1)])
        members = ids.sort(stable=True).indices.to(torch.int32)
        sets = Frontier.unchecked(members, torch.cat([sizes.new_zeros(1), sizes.cumsum(0)]), members.shape[0])
        held = torch.arange(1, members.shape[0] + 1, device=members.device) - sets.offsets[:-1][sets.owners]
        found = torch.cat([seen.found, seen.found.new_full((1,), 2)])
        three = None
        if seen.three is not None and self.turns > 3:
            three = torch.cat([seen.three, seen.three.new_full((1,), 3)])[sets.owners]
        worth = of_part(held, found[sets.owners], three, self.turns - 1)
        steps = worth.diff(prepend=worth.new_zeros(1))
        steps[sets.offsets[:-1]] = worth[sets.offsets[:-1]]
        return sets, steps

    def _recall(self, goal: int, progress: Progress | None) -> None:
        """Find out what the classes of all openings above a goal are worth by `near`, each asked once."""
        if self._recalled is not None and self._recalled <= goal:
            return
        self._recalled = goal
        above = set((self.lowest > goal).nonzero().squeeze(1).tolist())
        named: dict[int, list[int]] = {}
        for opening, others in self.near.items():
            for other in others if opening in above and opening not in self._worth else ():
                named.setdefault(other, []).append(opening)
        worths: dict[int, Tensor] = {}
        for other, openings in named.items():
            some = torch.tensor(openings, device=self.table.device)
            for opening, sizes, base, found in self._refined(some, other, progress):
                before = worths[opening] if opening in worths else self._by_itself(opening, sizes, base)
                worths[opening] = before.minimum(found).to(torch.int32)
        self._worth.update(worths)

    def _worth_of(self, opening: int, sizes: Tensor, base: Tensor | None = None) -> Tensor:
        """[C] int64: bounds of the classes of an opening, of these sizes, by those and by `near`."""
        if opening in self._worth:
            worth = self._worth[opening].long()
        else:
            worth = self._by_itself(opening, sizes, self.by_size(sizes) if base is None else base)
            one = torch.tensor([opening], device=self.table.device)
            for other in self.near.get(opening, ()):
                for _, _, _, found in self._refined(one, other, None):
                    worth = worth.minimum(found)
        if self._behind[opening]:
            self._behind[opening] = False
            worth = worth.minimum(self.by_two(sizes, self._larger.bounds(self._classes(opening))))
            if int(self.looked[opening]) == 0:
                self.bounds[opening] = min(int(self.bounds[opening]), self.turns + int(worth.sum()))
        if opening in self.near or self.known:
            self._worth[opening] = worth.to(torch.int32)
        return worth

    def _by_itself(self, opening: int, sizes: Tensor, base: Tensor) -> Tensor:
        """[C] int64: bounds of the classes of an opening without others, no more than the base."""
        seen = self.seen.get(opening)
        return base if seen is None else base.minimum(self.by_seen(sizes, seen.found, seen.three))

    def search(self, opening: int, lookahead: Lookahead) -> tuple[int, int]:
        """Search all classes of an opening; the bound counts if the search found the best of every class.

        Returns:
            The value that the search found, and the most that it left open.
        """
        found = lookahead.values(self._classes(opening), self.turns - 1)
        value = self.turns + int(found.lower.sum())
        if bool((found.lower == found.upper).all()):
            self.searched[opening] = found.upper
            self.bounds[opening] = min(int(self.bounds[opening]), value)
        return value, self.turns + int(found.upper.sum())

    def _classes(self, opening: int) -> Frontier:
        return split_whole(self.table, opening).frontier


def opening_bounds(
    table: WordTable, turns: int, progress: Progress | None = None, memory: int = MEMORY
) -> OpeningBounds:
    """Bounds of all openings by the sizes of their classes."""
    classes = class_counts(table, table.pool, progress).long()
    none = torch.zeros_like(classes)
    made = OpeningBounds(table, turns, classes, classes, none.to(torch.int32), none.bool(), memory=memory)
    sizes = torch.arange(1, table.words + 1, device=table.device)
    worth = torch.cat([sizes.new_zeros(1), made.by_size(sizes)]).cpu()
    ranked = rank(table, whole(table), table.pool, Objective(worth), table.words, progress=progress)
    # The opening itself is found a turn sooner than a class of one word.
    made.bounds = ranked.by_word[0] + 1
    return made
