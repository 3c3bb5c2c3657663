"""A complete strategy for one list as arrays: a decision tree, its nodes in breadth-first order.

It has indices into the list, not words. A search makes it, `checkpoint` stores it; `verify` checks that the
children of a node are the marks that its words really give.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from itertools import compress, islice
from operator import le
from typing import Any

from gpulingo.games.catalogue import MOST_TURNS, feedback_of, lingo
from gpulingo.games.game import Game
from gpulingo.games.marks import LONGEST
from gpulingo.storage.faults import refuse
from gpulingo.words.wordlist import MOST_WEIGHT

ARRAYS = ("guess", "pattern", "first", "hit")
FIELDS = ("game", "length", "words", "targets", "fingerprint", "strategy", "mean_points", "bound")
WEIGHTS = "weights"  # an array that only the tree of a list with weights has
LETTERS = 0x110000  # code points: letters are below it
MOST_LETTERS = 255  # different letters of a list's words, which may be guesses
LIMITS = {"length": LONGEST, "turns": MOST_TURNS, "words": 1 << 26}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Tree:
    """A decision tree: the guess for every history that can occur; its arrays may be any buffer.

    The children of a node are adjacent, sorted by pattern. The all-placed pattern has no child. A set of
    candidates that the last turn cannot split has only its guess. If targets have weights, every
    count of words and every sum over them is weighted.

    Attributes:
        guess: [M] int32, index into the list of the guess at the node; if letters are guessed, W + i is
            letter i of the list's letters, in code point order, and a word is guessed when it is the last.
        pattern: [M] int32 (int64 over 19 letters), pattern that leads to the node; -1 at the root. If the
            first letter is given, each letter has a root, in order: code point - LETTERS, below 0.
        first: [M + 1] int32, `first[i]:first[i + 1]` are the children of node i; roots are before `first[0]`.
        hit: [M] uint8, 1 if the guess is itself a candidate, so that it is found on the turn of the node.
        game, strategy: its rules, and its name.
        length, words, fingerprint: of the list: letters of a word, number of words, 64 hex digits.
        targets: number of words that may be the target.
        weights: [W] int32, weight of each word as a target, 0 for other words; None: each target counts 1.
        mean_points: over all targets.
        bound: proven upper limit of the mean points of any strategy, or None.

    >>> from gpulingo import simulate
    >>> simulate(["dents", "dozes", "reads"]).tree.turn_counts()
    [1, 2, 0, 0, 0]
    """

    guess: Sequence[int]
    pattern: Sequence[int]
    first: Sequence[int]
    hit: Sequence[int]
    game: Game = field(default_factory=lingo)
    length: int
    words: int
    targets: int = None  # type: ignore[assignment]  # all words
    fingerprint: str
    strategy: str
    mean_points: float = None  # type: ignore[assignment]  # counted
    bound: float | None = None
    weights: Sequence[int] | None = None

    def __post_init__(self) -> None:
        if self.targets is None:
            object.__setattr__(self, "targets", self.words)
        for name, most in (LIMITS | {"targets": self.words}).items():
            value = getattr(self, name)
            if type(value) is not int or not 1 <= value <= most:
                raise ValueError(f"tree of {name} {value!r:.40}, expected a whole number of 1 to {most}")
        if self.mean_points is None:
            mean = self.game.mean_points(self.turn_counts(), self.total_weight)
            object.__setattr__(self, "mean_points", mean)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle copies of views, which belong to this process."""
        values = {attr.name: getattr(self, attr.name) for attr in fields(self)}
        views = {name: view for name, view in values.items() if isinstance(view, memoryview)}
        copies = {name: array(view.format, view.tobytes()) for name, view in views.items()}
        return partial(type(self), **values | copies), ()

    def replaced(self, **fields: Any) -> Tree:
        """Return a tree of the same arrays and fields, except for the given ones."""
        return replace(self, **fields)

    def __len__(self) -> int:
        """Number of nodes, M."""
        return len(self.guess)

    def __eq__(self, other: object) -> bool:
        """Return True if all fields and integers are equal; their buffers may differ."""
        if not isinstance(other, Tree):
            return NotImplemented
        return self._content() == other._content()

    def _content(self) -> list[Any]:
        rows = [getattr(self, name) for name in (*ARRAYS, WEIGHTS)]
        return [getattr(self, name) for name in FIELDS] + [None if row is None else list(row) for row in rows]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """Show the header, not the arrays."""
        from gpulingo.words.shown import brief  # here, because a round does not need it

        size = f"{len(self)} nodes, {self.mean_points:.3f} points"
        return brief("Tree", f"{self.game.code} {self.length} letters, {self.strategy}, {size}")

    @property
    def turns(self) -> int:
        """Guesses that a round allows."""
        return self.game.turns

    @property
    def roots(self) -> int:
        """Number of nodes at which a round may begin: one, or one for each given first letter."""
        roots = int(self.first[0]) if self.game.given else 1
        if not 1 <= roots <= max(len(self), 1):
            raise ValueError(f"has {roots} first guesses in {len(self)} nodes: build the tree again")
        return roots

    def root(self, target: str) -> int | None:
        """Return the root of a target, or of its first letter; None if no target has that letter."""
        if not self.game.given:
            return 0
        code = ord(target[0]) - LETTERS
        place = bisect_left(self.pattern, code, 0, self.roots)
        return place if place < self.roots and self.pattern[place] == code else None

    def letter(self, root: int) -> str:
        """Return the given first letter of a root; empty in games without one."""
        return chr(int(self.pattern[root]) + LETTERS) if self.game.given else ""

    def child(self, node: int, pattern: int) -> int | None:
        """The node that `pattern` leads to from `node`; None if no word fits, or after the last turn."""
        start, end = int(self.first[node]), int(self.first[node + 1])
        place = bisect_left(self.pattern, pattern, start, end)
        return place if place < end and self.pattern[place] == pattern else None

    def levels(self) -> list[range]:
        """Nodes of each level, roots first; a level is a turn if guesses cost turns.

        Raises:
            ValueError: the arrays are not a tree in breadth-first order, or have more levels than turns.
        """
        levels, start, end = [], 0, self.roots
        while start < end:
            levels.append(range(start, end))
            start, end = int(self.first[start]), int(self.first[end])
            deep = not self.game.counts_misses and len(levels) >= self.turns and start < end
            if deep or start != levels[-1].stop or not start <= end <= len(self):
                fault = f"level {len(levels)} of the tree leads to nodes {start}:{end}"
                raise ValueError(f"{fault}: build it again")
        if levels[-1].stop != len(self):
            fault = f"{len(self)} nodes, but {levels[-1].stop} in {len(levels)} levels"
            raise ValueError(f"{fault}: build the tree again")
        return levels

    def node_turns(self) -> list[int]:
        """Return [M], the turn of every node: its level, or the misses before it plus one if misses count.

        Raises:
            ValueError: the arrays are not a tree, or have rounds that continue after the last turn.
        """
        levels = self.levels()
        if not self.game.counts_misses:
            return [turn for turn, level in enumerate(levels, 1) for _ in level]
        first, misses = list(self.first), [not pattern for pattern in self.pattern]
        turns = [1] * len(self)
        for node, turn in enumerate(turns):  # children come after their parent
            for child in range(first[node], first[node + 1]):
                turns[child] = turn + misses[child]
        if max(turns) > self.turns:
            raise ValueError(f"continues after turn {self.turns}: build the tree again")
        return turns

    def turn_counts(self) -> list[int]:
        """Words found on turn 1, 2, ... `turns`, or their weight."""
        if self.game.counts_misses or self.weights is not None:
            counts, words = [0] * self.turns, self.words if self.weights is None else len(self.weights)
            for turn, word in self._hits():
                if word >= words:
                    raise ValueError(f"has hits outside a list of {words} words")
                counts[turn - 1] += 1 if self.weights is None else self.weights[word]
            return counts
        # Items of a list, because `bytes` of a wider array would take its bytes instead of its items.
        hits = bytes(self.hit if getattr(self.hit, "itemsize", 0) == 1 else list(self.hit))
        counts = [hits.count(1, level.start, level.stop) for level in self.levels()]
        return counts + [0] * (self.turns - len(counts))

    @property
    def total_weight(self) -> int:
        """Number of targets, or the sum of their weights."""
        return self.targets if self.weights is None else sum(self.weights)

    @property
    def lost(self) -> int:
        """Number of targets that no turn finds, or their weight."""
        return self.total_weight - sum(self.turn_counts())

    @property
    def value(self) -> int:
        """Credits summed over all targets, computed from the nodes."""
        return self.game.credits_of(self.turn_counts(), self.total_weight)

    @property
    def bound_value(self) -> int | None:
        """The bound in credits, summed over all targets; None without one."""
        return None if self.bound is None else self.game.value_of(self.bound, self.total_weight)

    @property
    def optimal(self) -> bool:
        """Return True if no strategy is better, by its bound; then each of its branches is best too."""
        return self.bound is not None and self.bound <= self.mean_points

    @property
    def mean_guesses(self) -> float:
        """Mean guesses over all targets, a lost one counting one more than there are turns."""
        return self.game.mean_guesses(self.mean_points)

    @property
    def total_guesses(self) -> int:
        """Guesses summed over all targets, a lost one counting one more than there are turns."""
        counts = self.turn_counts()
        guesses = sum(turn * count for turn, count in enumerate(counts, 1))
        return guesses + (self.turns + 1) * (self.total_weight - sum(counts))

    def found_turns(self) -> list[int]:
        """Return [W], the turn on which every word of the list is found; 0: lost, or no target."""
        turns = [0] * self.words
        for turn, word in self._hits():
            turns[word] = turn
        return turns

    def _hits(self) -> Iterator[tuple[int, int]]:
        """Return the turn and the word of each hit, node by node."""
        return compress(zip(self.node_turns(), self.guess, strict=True), self.hit)


def turns_below(tree: Tree, node: int, turn: int) -> list[int]:
    """Return the words found on each turn in the branch of a node, guessed on `turn`, or their weight.
    If misses cost, `turn` is one more than the misses before it.
    """
    counts, weights, hits_cost = [0] * tree.turns, tree.weights, not tree.game.counts_misses
    level = [(node, turn)]
    while level:
        for parent, at in level:
            if tree.hit[parent]:
                counts[at - 1] += 1 if weights is None else weights[tree.guess[parent]]
        level = [
            (child, at + (hits_cost or not tree.pattern[child]))
            for parent, at in level
            for child in range(tree.first[parent], tree.first[parent + 1])
        ]
    return counts


def check_counts(tree: Tree) -> None:
    """Check weights, that the levels contain all nodes, and that the header agrees."""
    weights, total = tree.weights, tree.total_weight
    if weights is not None:
        refuse({
            f"has {len(weights)} weights, expected {tree.words} of 0 or more":
                len(weights) != tree.words or min(weights) < 0,
            f"has a total weight of {total}, expected 1 to {MOST_WEIGHT}": not 1 <= total <= MOST_WEIGHT,
        }, ValueError)  # fmt: skip
    counts = tree.turn_counts()
    points = tree.game.mean_points(counts, total)
    refuse({
        f"finds {sum(counts)} words in a list of {total}": sum(counts) > total,
        f"says {tree.mean_points} mean points, its nodes give {points}": tree.mean_points != points,
    }, ValueError)  # fmt: skip


def check_nodes(tree: Tree) -> None:
    """Check ranges and order of every node, as far as possible without words."""
    guess, first, pattern = list(tree.guess), list(tree.first), list(tree.pattern)
    solved = feedback_of(tree.game).solved(tree.length)
    most = tree.words + (MOST_LETTERS if tree.game.guesses_letters else 0)
    codes, hits = pattern[: tree.roots], list(compress(guess, tree.hit))
    rooted = -LETTERS <= min(codes) and max(codes) < 0 if tree.game.given else codes == [-1]
    # A pattern may be below the one before it only where another node's children begin.
    falls = compress(range(1, len(pattern)), map(le, islice(pattern, 1, None), pattern))
    refuse({
        f"has guesses outside a list of {tree.words} words":
            min(guess) < 0 or max(guess) >= most or max(hits, default=0) >= tree.words,
        "has children out of order": first != sorted(first),
        f"has patterns that {tree.length} letters do not have":
            not rooted or min(pattern[tree.roots :], default=0) < 0 or max(pattern) >= solved,
        "has children of one node out of order": not set(falls).issubset(first),
        "finds a word twice": len(set(hits)) != len(hits),
        "has hits that are not 0 or 1": not set(tree.hit) <= {0, 1},
    }, ValueError)  # fmt: skip
