"""Search for the best strategy of a list: better openings from below, smaller bounds from above.

Two kinds of work take turns, each as long as the other: openings are played out, more and more widely the
better they are; and the greatest bounds of openings are made smaller, until both meet. What is known at any
moment can be kept in a file and gone on from (`work`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import torch
from torch import Tensor

from gpulingo.bounds.certificate import Certificate
from gpulingo.bounds.descent import FIRST, Descent
from gpulingo.bounds.evidence import OpeningBounds, opening_bounds
from gpulingo.bounds.partitions import split_whole
from gpulingo.bounds.two_guesses import table_bytes
from gpulingo.games.catalogue import lingo
from gpulingo.games.game import Game
from gpulingo.search.lookahead import KNOWN, Lookahead
from gpulingo.search.stages import Stage, stages
from gpulingo.strategies.build import build
from gpulingo.strategies.objectives import ObjectiveOf, parts, points
from gpulingo.strategies.registry import Ranking
from gpulingo.tensors.clock import TimeIsUp, clock
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import encode
from gpulingo.trees.tree import Tree
from gpulingo.words.listing import WordList

WIDTHS = (4, 16, 64, 256)  # of the searches that bound an opening, one after the other until it is exact
SHARES = {None: 1, False: 3, True: 20}  # how much longer bounds are worked on than openings, by `exact`
MEMORY = 4 << 30  # bytes
CEILINGS = 8  # an eighth of that more for counts that make looks at classes faster
NEAR = 200  # a search that leaves less than one turn in so many words open is worth widening


class Solver:
    """A search for the best strategy of one list.

    Args:
        wordlist: each word is a target and each may be guessed.
        game: its number of turns, at least 3.
        plan: stages in which openings are played out; `stages` when None.
        order: ranks guesses where their number of classes does not lead to exact values.
        device: where the table lives. seed: of the identities of sets.
        memory: bytes that remembered sets may take, and tables of classes; an eighth more for their counts.
    Attributes:
        value: turns, summed over the words, of the best strategy found.
        tree: that strategy.
        bounds: of all openings.
        given: a certificate that the search began with, or None.
        played: stage, opening -> value.
        seconds: spent from below and from above.
    """

    def __init__(
        self,
        wordlist: WordList,
        game: Game | None = None,
        *,
        plan: Sequence[Stage] | None = None,
        order: ObjectiveOf = points,
        device: str | torch.device = "cpu",
        seed: int = 0,
        memory: int = MEMORY,
    ) -> None:
        self.wordlist, self.game, self.order, self.seed = wordlist, game or lingo(), order, seed
        self.memory = memory
        if self.game.turns < 3:
            raise ValueError(
                f"{self.game.turns} turns, expected at least 3: `gpulingo build` is exact for fewer"
            )
        self.plan = stages(self.game.turns) if plan is None else list(plan)
        self.table = encode(wordlist.words).to(device)
        self.value = 0
        self.tree: Tree | None = None
        self.bounds: OpeningBounds | None = None
        self.given: Certificate | None = None
        self.played: list[dict[int, int]] = [{} for _ in self.plan]
        self.widths: dict[int, int] = {}  # opening -> how wide it was searched for its bound
        self.seconds = [0.0, 0.0]
        self.exact: bool | None = None  # whether the first search closed its bound; None: not tried
        self.by_classes = False  # whether the order of the classes yields more than the one given
        self.open = 0  # turns between value and bound of the last search of an opening
        self._descent: Descent | None = None
        self._first: list[int] | None = None
        self._check: Callable[[], None] = lambda: None

    @property
    def bound(self) -> int:
        """No strategy has more, in turns summed over the words."""
        most = self.game.turns + (self.table.words - 1) * (self.game.turns - 1)
        return max(self.value, most if self._lowest is None else int(self._lowest.max()))

    def above(self, value: int) -> int:
        """How many openings may have more turns than this, summed over the words."""
        return self.table.words if self._lowest is None else int((self._lowest > value).sum())

    @property
    def _lowest(self) -> Tensor | None:
        """[W] int64: bounds of all openings, found here or given; None before there are any."""
        if self.bounds is not None:
            return self.bounds.lowest
        return None if self.given is None else self.given.bounds

    def begin_with(self, tree: Tree | None, given: Certificate | None) -> None:
        """Take what others found where it is better; what is found here does not rest on it.

        Args:
            tree: of this list and number of turns; its hits are true. given: a certificate of the same.
        """
        self.given = given
        if self.bounds is not None:
            self.bounds.given = None if given is None else given.bounds.to(self.table.device)
        self._take(self.value if tree is None else self._value_of(tree), tree)

    def _take(self, value: int, tree: Tree | None) -> None:
        """Keep a tree if it is the best."""
        if value > self.value:
            self.value, self.tree = value, tree
        if self.given is not None and self.tree is not None:
            limit = int(self.given.bounds[self.tree.guess[0]])
            if min(limit, self.given.bound) < self.value:  # it does not hold
                self.begin_with(None, None)

    def _value_of(self, tree: Tree) -> int:
        return sum(count * (self.game.turns - turn) for turn, count in enumerate(tree.turn_counts()))

    @property
    def ceilings(self) -> int:
        """Bytes that counts may take that make looks at classes faster."""
        return self.memory // CEILINGS

    def mean_points(self, value: int) -> float:
        """A value as mean points."""
        return 100 * value / self.table.words

    def run(self, check: Callable[[], None], enough: int = 0) -> bool:
        """Work until the bound is at most `enough` more than the value.

        Args:
            check: called often; may raise `TimeIsUp`, which ends the work.
            enough: turns, summed over the words.
        Returns:
            Whether that was reached; False: time is up, or nothing is left to try.
        """
        self._check = check
        idle = [False, False]
        if self.tree is None:  # so that there is a strategy, however soon the time is up
            first, device = Ranking("solve", parts), self.table.device
            made = build(self.wordlist, first, self.game, device=device, report=self._patient)
            self._take(self._value_of(made.tree), made.tree)
        try:
            check()
            if self.given is None:
                self._bounds()
            while self.bound > self.value + enough:
                self._bounds()
                below, above = self.seconds
                # Where searches are exact, the bounds name the openings that are worth playing out.
                share = SHARES[self.exact]
                kind = int(self.exact is None or idle[0] or (not idle[1] and above < share * below))
                begun = clock()
                try:
                    idle[kind] = not (self._lower_bound(enough) if kind else self._play())
                finally:
                    self.seconds[kind] += clock() - begun
                check()
                if all(idle):
                    return False
        except TimeIsUp:
            return False
        return True

    def _progress(self, pairs: int) -> None:
        self._check()

    def _patient(self, turn: int, pairs: int, most: int) -> None:
        """Progress of what must come to its end though the time be up."""
        with suppress(TimeIsUp):
            self._check()

    def _play(self) -> bool:
        """Play out one opening; False when all stages are done."""
        for at, stage in enumerate(self.plan):
            todo = self._openings() if at == 0 else self._best(at - 1)
            for opening in todo[: stage.openings]:
                if opening in self.played[at]:
                    continue
                if self.bounds is not None and int(self.bounds.lowest[opening]) <= self.value:
                    continue
                by_classes = self.exact or self.by_classes
                lookahead = self._lookahead(stage.widths, None if by_classes else self.order)
                self.played[at][opening] = self._value(opening, lookahead)
                return True
        return False

    def _openings(self) -> list[int]:
        """Openings for the first stage: by number of classes, and by rank where that is not the way."""
        if self._first is None:
            everything = whole(self.table)
            count = min(self.plan[0].openings, self.table.words)
            classes = self._bounds().classes.sort(descending=True, stable=True).indices[:count]
            if self.exact or self.by_classes:
                self._first = classes.tolist()
                return self._first
            objective = self.order(self.table.words, self.game.turns)
            ranked = rank(
                self.table, everything, everything.members, objective, count, progress=self._progress
            )
            mixed = torch.stack([ranked.guesses[0].long(), classes], dim=1).reshape(-1)
            self._first = list(dict.fromkeys(mixed.tolist()))
        return self._first

    def _best(self, stage: int) -> list[int]:
        """Openings of a stage, the best first."""
        values = self.played[stage]
        return sorted(values, key=lambda opening: (-values[opening], opening))

    def _value(self, opening: int, lookahead: Lookahead) -> int:
        """What a search finds for an opening; the best tree is kept."""
        classes = split_whole(self.table, opening).frontier
        value = self.game.turns + int(lookahead.values(classes, self.game.turns - 1).lower.sum())
        self._keep(opening, value, lookahead)
        return value

    def _keep(self, opening: int, value: int, lookahead: Lookahead) -> None:
        """Keep the tree of a search if it is the best."""
        if value > self.value:
            word = self.wordlist[opening]
            made = build(self.wordlist, lookahead, self.game, opening=word, device=self.table.device)
            assert made.tree.mean_points == self.mean_points(value), (made.tree.mean_points, value)
            self._take(value, made.tree)

    def _bounds(self) -> OpeningBounds:
        if self.bounds is None:
            made = opening_bounds(self.table, self.game.turns, self._progress, self.ceilings)
            made.given = None if self.given is None else self.given.bounds.to(self.table.device)
            self.bounds = made
        return self.bounds

    def _lower_bound(self, enough: int) -> bool:
        """Make the greatest bounds smaller; False when that is beyond this search."""
        held = self._bounds()
        if not held.seen:
            order = held.classes.sort(descending=True, stable=True).indices
            held.look(order[:FIRST].tolist(), self._progress)
            return True
        if self.exact is None:
            self._probe()
            return True
        if self._descent is None:
            further = not self.exact and table_bytes(self.table.words) <= self.memory
            self._descent = Descent(held, further, at_once=enough > 0)  # a gap is wanted, and no more
        if self._descent.work(self.value + enough, self._progress):
            return True
        return self.exact and self._search(int(held.lowest.argmax()))

    def _probe(self) -> None:
        """Find out whether searches of openings are exact here."""
        held = self._bounds()
        opening = int(held.complete[held.lowest[held.complete].argmax()])
        wider = self._search(opening)
        if opening in held.searched:
            self.exact = True
        elif not wider or self.open * NEAR > self.table.words:
            self.exact = False
            self._choose_order(opening)

    def _choose_order(self, opening: int) -> None:
        """Play an opening out in both orders, equally widely, and keep to the one that yields more."""
        widths = dict.fromkeys(range(3, self.game.turns), WIDTHS[0])
        values = [self._value(opening, self._lookahead(widths, order)) for order in (None, self.order)]
        self.by_classes = values[0] > values[1]

    def _search(self, opening: int) -> bool:
        """Search all classes of the opening whose bound is greatest, more widely than before."""
        held = self._bounds()
        wider = [width for width in WIDTHS if width > self.widths.get(opening, 0)]
        if not wider:
            return False
        widths = dict.fromkeys(range(3, self.game.turns), wider[0])
        lookahead = self._lookahead(widths, None)
        value, upper = held.search(opening, lookahead)
        self.open = upper - value
        self._keep(opening, value, lookahead)
        self.widths[opening] = wider[0]
        return True

    def _lookahead(self, widths: Mapping[int, int], order: ObjectiveOf | None) -> Lookahead:
        most = self.memory // KNOWN
        made = Lookahead(self.table, widths, order, name="solve", seed=self.seed, most_known=most)
        made.progress = lambda pairs: self._check()
        return made
