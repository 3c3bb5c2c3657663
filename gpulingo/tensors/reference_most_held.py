"""The operations on guessed letters in plain Python and torch: what every backend must answer."""

from __future__ import annotations

import torch
from torch import Tensor

from gpulingo.tensors.features import letter_places
from gpulingo.tensors.outcomes import LetterTree
from gpulingo.tensors.wordtable import WordTable


def most_held_tree(
    table: WordTable, members: Tensor, lives: int, counts: Tensor, before: Tensor
) -> LetterTree:
    """As `most_held.most_held_tree`: one set after the other."""
    places, sums_of = letter_places(table), counts
    sets, lives_left, pattern = [members.long()], [lives], [-1]
    guess: list[int] = []
    first: list[int] = []
    for node, candidates in enumerate(sets):  # which grows meanwhile
        first.append(len(sets))
        if len(candidates) == 1:
            guess.append(int(candidates))
            continue
        shown, sums = places[candidates], sums_of[candidates].sum(0)  # [n, A], [A]
        parting = (shown != shown[:1]).any(0)
        letter = max(parting.nonzero()[:, 0].tolist(), key=lambda x: (int(sums[x]), int(before[x]), -x))
        guess.append(table.words + letter)
        for code in shown[:, letter].unique().tolist():
            if left := lives_left[node] - (code == 0):
                sets.append(candidates[shown[:, letter] == code])
                lives_left.append(left)
                pattern.append(code)
    ids = torch.tensor(guess, dtype=torch.int32)
    numbers = torch.tensor([*first, len(sets)], dtype=torch.int32)
    return LetterTree(ids, torch.tensor(pattern), numbers, (ids < table.words).to(torch.uint8))
