"""Openings side by side: what each really yields, played out, and what it can yield at most."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gpulingo.bounds.evidence import opening_bounds
from gpulingo.bounds.partitions import split_whole
from gpulingo.search.lookahead import KNOWN, Lookahead
from gpulingo.search.solver import CEILINGS, MEMORY
from gpulingo.strategies.objectives import ObjectiveOf
from gpulingo.tensors.frontier import whole
from gpulingo.tensors.objective import Progress
from gpulingo.tensors.operations import rank
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True)
class Opening:
    """A first guess.

    Attributes:
        word: its index.
        value: turns, summed over the words: of the strategy that was played out after it.
        bound: turns, summed over the words: no strategy that begins with it has more.
        classes: that it makes of the list. largest: words in the largest of them.
    """

    word: int
    value: int
    bound: int
    classes: int
    largest: int


def openings(
    table: WordTable,
    turns: int,
    count: int,
    order: ObjectiveOf,
    widths: Mapping[int, int],
    progress: Progress | None = None,
    memory: int = MEMORY,
    known: Mapping[int, Opening] | None = None,
) -> Iterator[Opening]:
    """Play out the openings that an objective ranks highest.

    Args:
        table: the words.
        turns: of a round, at least 3.
        count: openings.
        order: ranks the openings, and the guesses after them.
        widths: turns left -> guesses to play out for each set.
        progress: told the pairs evaluated.
        memory: bytes that remembered sets may take; an eighth more for counts.
        known: word -> opening that was played out before in the same way.
    Yields:
        Openings in the order of their rank, those that are known first.
    """
    known = known or {}
    held = opening_bounds(table, turns, progress, memory // CEILINGS)
    ranked = rank(table, whole(table), table.pool, order(table.words, turns), min(count, table.words))
    for word in sorted(ranked.guesses[0].tolist(), key=lambda word: word not in known):
        if word in known:
            yield known[word]
            continue
        lookahead = Lookahead(table, widths, order, most_known=memory // KNOWN)
        lookahead.progress = progress
        classes = split_whole(table, word).frontier
        value = turns + int(lookahead.values(classes, turns - 1).lower.sum())
        held.look_until([word], value, progress)
        largest = int(classes.sizes.max()) if classes.sets else 1
        yield Opening(word, value, max(value, int(held.bounds[word])), int(held.classes[word]), largest)
