"""A whole strategy for one list as arrays: a decision tree, its nodes in breadth-first order.

It holds indices into the list and no words. Making it is the search's business, filing it the checkpoint's.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import compress

from gpulingo.games.catalogue import LINGO, lingo

TYPE_CHECKING = False  # not typing's: importing it costs the light path more than reading a checkpoint
if TYPE_CHECKING:
    from collections.abc import Sequence

ARRAYS = ("guess", "pattern", "first", "hit")
FIELDS = ("game", "length", "turns", "words", "fingerprint", "strategy", "mean_points", "bound")
LIMITS = {"length": 39, "turns": 255, "words": 1 << 26}  # 3**39 < 2**63 < 3**40
NARROW_LENGTH = 19  # 3**19 < 2**31 < 3**20: patterns of longer words need int64


class Tree:
    """A decision tree: the guess for every history that can come up.

    The children of a node stand next to each other, sorted by pattern. The all-placed pattern has no
    child. A set of candidates that the last turn cannot tell apart keeps its guess only.

    Attributes:
        guess: [M] int32, index into the list of the guess at the node.
        pattern: [M] int32 (int64 over 19 letters), pattern that leads to the node; -1 at the root.
        first: [M + 1] int32, `first[i]:first[i + 1]` are the children of node i.
        hit: [M] uint8, 1 where the guess is itself a candidate, so that it is found on the turn of the level.
        length: letters a word. turns: guesses a round allows. words: words of the list.
        fingerprint: of the list, 64 hex digits. strategy: its name.
        mean_points: over the whole list. bound: proven upper limit of them for any strategy, or None.
    """

    __slots__ = (*ARRAYS, *FIELDS)

    def __init__(
        self,
        *,
        guess: Sequence[int],
        pattern: Sequence[int],
        first: Sequence[int],
        hit: Sequence[int],
        length: int,
        words: int,
        fingerprint: str,
        strategy: str,
        turns: int = 5,
        bound: float | None = None,
        mean_points: float | None = None,
        game: str = LINGO,
    ) -> None:
        """Take the arrays as they are, any buffer; `mean_points` is counted in the tree when not given.

        Raises:
            ValueError: a length, words or turns that no tree has.
        """
        for name, value in (("length", length), ("turns", turns), ("words", words)):
            if type(value) is not int or not 1 <= value <= LIMITS[name]:
                raise ValueError(
                    f"tree of {name} {value!r:.40}, expected a whole number of 1 to {LIMITS[name]}"
                )
        self.guess, self.pattern, self.first, self.hit = guess, pattern, first, hit
        self.game, self.length, self.turns, self.words = game, length, turns, words
        self.fingerprint, self.strategy, self.bound = fingerprint, strategy, bound
        self.mean_points = self.counted_points() if mean_points is None else mean_points

    def __len__(self) -> int:
        """Number of nodes, M."""
        return len(self.guess)

    def __eq__(self, other: object) -> bool:
        """Same fields and same integers, in whatever buffers."""
        if not isinstance(other, Tree):
            return NotImplemented
        fields = all(getattr(self, name) == getattr(other, name) for name in FIELDS)
        return fields and all(list(getattr(self, name)) == list(getattr(other, name)) for name in ARRAYS)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Name the header, not the arrays."""
        size = f"{len(self)} nodes, {self.mean_points:.3f} points"
        return f"Tree({self.game} {self.length} letters, {self.strategy}, {size})"

    def child(self, node: int, pattern: int) -> int | None:
        """Node that `pattern` leads to from `node`; None when no word fits, or the last turn is over."""
        start, end = int(self.first[node]), int(self.first[node + 1])
        place = bisect_left(self.pattern, pattern, start, end)
        return place if place < end and self.pattern[place] == pattern else None

    def levels(self) -> list[range]:
        """Nodes of each turn that the tree reaches, root first.

        Raises:
            ValueError: the arrays are no tree in breadth-first order of at most `turns` levels.
        """
        found, start, end = [], 0, 1
        while start < end:
            found.append(range(start, end))
            start, end = int(self.first[start]), int(self.first[end])
            deep = len(found) >= self.turns and start < end
            if deep or start != found[-1].stop or not start <= end <= len(self):
                raise ValueError(
                    f"level {len(found)} of the tree leads to nodes {start}:{end}: build it again"
                )
        if found[-1].stop != len(self):
            raise ValueError(
                f"{len(self)} nodes, but {found[-1].stop} in {len(found)} levels: build the tree again"
            )
        return found

    def turn_counts(self) -> list[int]:
        """Words found on turn 1, 2, ... `turns`."""
        # Bytes of a list, because bytes of a wider array are its bytes and not its items.
        hits = bytes(self.hit if getattr(self.hit, "itemsize", 0) == 1 else list(self.hit))
        counts = [hits.count(1, level.start, level.stop) for level in self.levels()]
        return counts + [0] * (self.turns - len(counts))

    @property
    def lost(self) -> int:
        """Words that no turn finds."""
        return self.words - sum(self.turn_counts())

    def counted_points(self) -> float:
        """Mean points over the whole list, counted in the tree."""
        return lingo(self.turns).mean_points(self.turn_counts(), self.words)

    @property
    def mean_guesses(self) -> float:
        """Mean guesses over the whole list, a lost word counting one more than there are turns."""
        return lingo(self.turns).mean_guesses(self.mean_points)

    def found_turns(self) -> bytearray:
        """[W] uint8, for every word of the list the turn it is found on; 0 is lost."""
        found = bytearray(self.words)
        for turn, level in enumerate(self.levels(), 1):
            part = slice(level.start, level.stop)
            for word in compress(self.guess[part], self.hit[part]):
                found[word] = turn
        return found
