"""Cases of malformed arguments: `python malformed.py CASES SEED` prints how many were answered and refused.

A valid call of an operation is made first, then up to three of its arguments are spoiled. Whatever comes but
an answer, a ValueError, a TypeError or a LookupError is told on stderr, as are backends whose answers differ.
"""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable
from typing import Any

import torch

import gpulingo
from gpulingo import (
    Choice,
    Frontier,
    Objective,
    Searcher,
    Tree,
    WordTable,
    encode,
    feedback,
    frontier,
    marks,
    named,
    parse,
    pattern,
    patterns,
    rank,
    simulate,
    split,
    tree_lines,
    verify,
)
from gpulingo.storage.arguments import checked
from gpulingo.tensors import feedback as batches
from gpulingo.tensors import operations, reference
from gpulingo.tensors.cpu import backend as cpu
from gpulingo.tensors.frontier import joined
from gpulingo.tensors.outcomes import CappedClasses

NAMES = ("refined", "class_counts", "most_classes", "greatest_capped")
refined, class_counts, most_classes, greatest_capped, paired_patterns = (
    checked(function, gpulingo.HOMES)
    for function in (*(getattr(operations, name) for name in NAMES), batches.paired_patterns)
)
ALLOWED = (ValueError, TypeError, LookupError)
Call = tuple[Callable[..., Any], dict[str, Any]]
ODD = [None, 0, -1, 1, 5, 1.5, 1 << 40, 1 << 70, True, "", "able", b"able", [], [0, 1], {}, (), object()]
ODD.append(float("nan"))
EDGES = [1 << 31, 1 << 63]  # the first beyond the whole numbers of a tensor
NUMBERS = [
    -9,
    -1,
    0,
    1,
    2,
    39,
    40,
    41,
    255,
    65536,
    1 << 31,
    *(-edge for edge in EDGES),
    *(edge - 1 for edge in EDGES),
]
TYPES = [torch.int64, torch.int32, torch.int16, torch.uint8, torch.uint16, torch.float32, torch.float64,
         torch.bool, torch.complex64]  # fmt: skip
WORDS = 40
MEMORY = 12 << 30  # bytes of address space, so that a call that asks for more ends in a MemoryError


def drawn_words(draw: random.Random, count: int) -> list[str]:
    """Distinct words of 5 letters of few."""
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(draw.choices("abcde", k=5))] = None
    return list(words)


class Operations:
    """Valid calls, drawn."""

    def __init__(self, draw: random.Random) -> None:
        self.draw = draw
        self.words = drawn_words(random.Random(5), WORDS)
        self.list = parse("\n".join(self.words)).of_length(5)
        self.table = encode(self.words)
        self.tree = simulate(self.list, "letters", device="cpu").tree

    def row(self, size: int, rising: bool = True) -> torch.Tensor:
        numbers = self.draw.sample(range(WORDS), size)
        return torch.tensor(sorted(numbers) if rising else numbers, dtype=torch.int32)

    def sets(self) -> Frontier:
        return frontier([self.row(self.draw.randint(1, 30)) for _ in range(self.draw.randint(1, 4))])

    def objective(self) -> Objective:
        table = torch.cat([torch.zeros(1), torch.arange(WORDS) % 7 - 3]).long()
        return Objective(table, self.draw.randint(0, 3))

    def backend(self) -> Any:
        return self.draw.choice([None, cpu, reference])

    def rank(self) -> Call:
        pool = self.draw.choice([None, self.row(20), self.table.pool])
        more = {"objective": self.objective(), "width": self.draw.randint(1, 5), "backend": self.backend()}
        return rank, {"table": self.table, "frontier": self.sets(), "pool": pool} | more

    def split(self) -> Call:
        sets = self.sets()
        guesses = self.row(sets.sets, rising=False)
        return split, {"table": self.table, "frontier": sets, "guesses": guesses, "backend": self.backend()}

    def refined(self) -> Call:
        steps = torch.ones(30, dtype=torch.int64)
        sets = frontier([self.row(30)])
        return refined, {"table": self.table, "guesses": self.row(3), "sets": sets, "steps": steps}

    def class_counts(self) -> Call:
        return class_counts, {"table": self.table, "members": self.row(self.draw.choice([5, 39]))}

    def most_classes(self) -> Call:
        sets, ceilings = self.sets(), torch.full((3, WORDS), WORDS, dtype=torch.uint16)
        rows = [torch.tensor([0, 2]) for _ in range(sets.sets)]
        return most_classes, {"table": self.table, "sets": sets, "ceilings": ceilings, "rows": rows}

    def greatest_capped(self) -> Call:
        def call(classes: Any, caps: Any, front: Any, most: Any) -> Any:
            return greatest_capped(CappedClasses(classes, caps), front, most)

        sets = self.sets()
        classes, caps = torch.zeros(WORDS, WORDS, dtype=torch.uint8), torch.ones(WORDS, 3, dtype=torch.int32)
        return call, {"classes": classes, "caps": caps, "front": sets, "most": torch.ones(sets.sets).long()}

    def patterns(self) -> Call:
        letters = self.table.letters
        return self.draw.choice([patterns, paired_patterns]), {"guesses": letters, "targets": letters}

    def frontier(self) -> Call:
        def call(members: Any, offsets: Any, sets: Any, at: Any) -> Any:
            made = Frontier(members, offsets)
            made.take(sets)
            made.candidates(at)
            split(self.table, made, made.firsts)
            return rank(self.table, made, None, self.objective())

        sets, at = self.sets(), self.draw.randint(0, 5)
        return call, {"members": sets.members, "offsets": sets.offsets, "sets": torch.tensor([0]), "at": at}

    def joined(self) -> Call:
        def call(first: Any, second: Any) -> Any:
            sets = joined([frontier([first]), frontier([second, first])])
            return rank(self.table, sets, None, self.objective())

        return call, {"first": self.row(3), "second": self.row(7)}

    def table_of_words(self) -> Call:
        def call(letters: Any, alphabet: Any) -> Any:
            table = WordTable(letters, alphabet)
            return rank(table, frontier([torch.arange(2)]), table.pool, self.objective())

        return call, {"letters": self.table.letters, "alphabet": self.table.alphabet}

    def encoded(self) -> Call:
        return encode, {"words": list(self.words)}

    def objective_table(self) -> Call:
        def call(table: Any, bonus: Any, largest: Any) -> Any:
            return rank(self.table, self.sets(), None, Objective(table, bonus, largest))

        return call, {"table": torch.arange(WORDS + 1) * 0, "bonus": 1, "largest": False}

    def played(self) -> Call:
        class Strategy:
            name = "drawn"

            def choose(self, table: Any, front: Any, left: int, progress: Any = None) -> Any:
                return choice(guesses) if kind == "choice" else guesses

        guesses: Any = None
        choice, kind = Choice, "choice"

        def call(answer: Any, how: Any) -> Any:
            nonlocal guesses, kind
            guesses, kind = answer, how
            return simulate(self.list, Strategy(), device="cpu")

        return call, {"answer": self.row(1), "how": "choice"}

    def shown(self) -> Call:
        fields = {name: getattr(self.tree, name) for name in Tree.__slots__}

        def call(**changed: Any) -> Any:
            made = Tree(**changed)
            made.levels()
            tree_lines(made, self.list.words)
            return verify(made, self.list)

        arrays = {name: list(fields[name]) for name in ("guess", "pattern", "first", "hit")}
        return call, fields | arrays

    def searched(self) -> Call:
        searcher = Searcher(self.list, "cpu", named("letters"))
        guess, target = self.draw.choices(self.words, k=2)
        return searcher.guess, {"history": [(guess, feedback(guess, target))]}

    def rules(self) -> Call:
        function, value = self.draw.choice([(pattern, "XO?XO"), (lambda code: marks(code, 5), 7)])
        return lambda value: function(value), {"value": value}


def spoiled(value: Any, draw: random.Random) -> Any:
    """A value that is a little or wholly another."""
    if isinstance(value, torch.Tensor) and draw.random() < 0.8:
        return spoiled_tensor(value, draw)
    if isinstance(value, list) and value and draw.random() < 0.7:
        made, at = list(value), draw.randrange(len(value))
        made[at] = spoiled(made[at], draw) if draw.random() < 0.7 else draw.choice([*ODD, *NUMBERS])
        return made if draw.random() < 0.8 else made[:at]
    if isinstance(value, int) and draw.random() < 0.5:
        return draw.choice(NUMBERS)
    return draw.choice(ODD)


def spoiled_tensor(value: torch.Tensor, draw: random.Random) -> Any:
    """A tensor of other numbers, order, size, axes, type or layout."""
    made = value.clone()
    match draw.randrange(9):
        case 0 | 1 if made.numel():
            info = torch.iinfo(made.dtype) if not made.is_floating_point() else None
            number = draw.choice(NUMBERS)
            number = max(info.min, min(info.max, number)) if info else number
            made.view(-1)[draw.randrange(made.numel())] = number
        case 2:
            return made.to(draw.choice(TYPES))
        case 3 if made.ndim:
            return made[: draw.randint(0, made.shape[0])]
        case 4:
            return torch.cat([made, made]) if made.ndim else made.reshape(1, 1)
        case 5:
            return made.reshape(-1, 1) if draw.random() < 0.5 else made[None]
        case 6 if made.ndim:
            return made.flip(0) if draw.random() < 0.5 else made[::2]
        case 7:
            kinds = [lambda: made.long().to_sparse(), lambda: made.to("meta"), made.tolist, made.numpy]
            return draw.choice(kinds)()
        case 8 if made.numel():
            return made.view(-1)[0].expand(made.shape)
    return made


def main(cases: int, seed: int) -> int:
    """Run the cases; the number of faults."""
    answered = refused = faults = 0
    torch.set_num_threads(1)
    operations = Operations(random.Random(seed))
    parts = ("row", "sets", "objective", "backend")
    kinds = [name for name in vars(Operations) if name not in parts and not name.startswith("__")]
    for case in range(cases):
        draw = operations.draw = random.Random(seed * 1_000_003 + case)
        kind = draw.choice(kinds)
        call, arguments = getattr(operations, kind)()
        for name in draw.sample(list(arguments), min(len(arguments), draw.choice([0, 1, 1, 1, 2, 3]))):
            arguments[name] = spoiled(arguments[name], draw)
        try:
            found = call(**arguments)
            answered += 1
            if call is rank:
                other = rank(**arguments | {"backend": reference})
                assert torch.equal(found.guesses, other.guesses), "two backends differ"
                assert torch.equal(found.ranks, other.ranks), "two backends differ"
        except ALLOWED:
            refused += 1
        except BaseException as error:
            faults += 1
            print(f"case {case}, {kind}: {type(error).__name__}: {str(error)[:300]}", file=sys.stderr)
    print(answered, refused)
    return faults


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.exit(min(1, main(int(sys.argv[1]), int(sys.argv[2]))))
