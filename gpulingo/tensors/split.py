"""`split`: what one guess per candidate set does to the sets; chooses no guesses."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import torch
from torch import Tensor

from gpulingo.tensors.checks import check_called, check_row, check_within
from gpulingo.tensors.feedback import code_dtype
from gpulingo.tensors.frontier import Frontier, check_sets, joined
from gpulingo.tensors.paircodes import Array
from gpulingo.tensors.rank import backend_of
from gpulingo.tensors.wordtable import WordTable


@dataclass(frozen=True, eq=False)
class Split:
    """The classes that S guesses leave, without the found words.

    Attributes:
        frontier: the C classes that are still open, ordered by parent, then by pattern.
        parents: [C] int64, the set each class comes from.
        patterns: [C] int32 (int64 from 20 letters on), the feedback that leads to it.
        hits: [S] bool, whether the guess was a candidate of its set, and so found that word.
    """

    frontier: Frontier
    parents: Tensor
    patterns: Tensor
    hits: Tensor


def split(
    table: WordTable, frontier: Frontier, guesses: Tensor, *, backend: ModuleType | None = None
) -> Split:
    """Partition every candidate set by the feedback of its guess.

    Args:
        table: the words all indices point into.
        frontier: S candidate sets, on the table's device.
        guesses: [S] int32, one guess for each set.
        backend: module `cpu`, `cuda` or `reference`; chosen by device when None.
    Returns:
        The open classes; the same on every backend.
    Raises:
        ValueError: sets or guesses of words beyond the table, or on another device; not a guess for each set.
        TypeError: an argument is of another kind.
    """
    check_sets(table, frontier)
    check_called(backend, None)
    guesses = check_row("guesses", guesses, torch.int32, table.device, frontier.sets)
    check_within("guesses", guesses, table.words)
    all_whole = 0 < frontier.members.shape[0] == frontier.sets * table.words
    if all_whole and backend is None and table.device.type == "cpu":
        from gpulingo.tensors.cpu import rank as cpu
        from gpulingo.tensors.cpu import split as cpu_split

        if cpu.codes_fit(table):
            return _split_whole([cpu_split.whole_classes(table, guess) for guess in guesses.tolist()], table)
    owners = frontier.owners
    members = frontier.members
    paired = guesses[owners]  # [M]
    found = members == paired
    hits = torch.zeros(frontier.sets, dtype=torch.bool, device=members.device)
    hits[owners[found]] = True
    members, paired, owners = members[~found], paired[~found], owners[~found]
    codes = (backend or backend_of(table)).paired_patterns(table, paired, members)
    # Two stable sorts: one key of owner x 3**N + code would overflow 64 bits for long words.
    order = codes.sort(stable=True).indices
    if frontier.sets > 1:
        order = order[owners[order].sort(stable=True).indices]
    members, owners, codes = members[order], owners[order], codes[order]
    starts = torch.ones(members.shape[0], dtype=torch.bool, device=members.device)
    starts[1:] = (owners[1:] != owners[:-1]) | (codes[1:] != codes[:-1])
    first = starts.nonzero().squeeze(1)
    end = torch.tensor([members.shape[0]], dtype=torch.int64, device=members.device)
    open_ = Frontier.unchecked(members, torch.cat([first, end]), frontier.below)
    return Split(open_, owners[first], codes[first], hits)


def _split_whole(made: list[tuple[Array, Array, Array]], table: WordTable) -> Split:
    """What guesses do to the whole list each, from the classes of each as the kernel gives them."""
    fronts = [
        Frontier.unchecked(torch.from_numpy(members), torch.from_numpy(starts), table.words)
        for members, starts, _ in made
    ]
    counts = torch.tensor([front.sets for front in fronts])
    patterns = torch.cat([torch.from_numpy(one) for _, _, one in made]).to(code_dtype(table.length))
    hits = torch.ones(len(made), dtype=torch.bool)
    return Split(joined(fronts), torch.arange(len(made)).repeat_interleave(counts), patterns, hits)
