"""Hard mode on the CPU: as `tensors.hints`, set by set, with one word for what a guess has at all places."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from gpulingo.tensors.cpu.compile import compiled
from gpulingo.tensors.frontier import Frontier
from gpulingo.tensors.reference import hint_bits
from gpulingo.tensors.wordtable import WordTable


def using_hints(
    table: WordTable, legal: Frontier, guesses: Tensor, parents: Tensor, patterns: Tensor
) -> Frontier:
    """As `hints.using_hints`: counted first, so that only what is kept takes memory."""
    placed, copied = (bits.numpy() for bits in hint_bits(table, guesses, parents, patterns))
    sizes, most = np.zeros(parents.shape[0] + 1, np.int64), int(legal.sizes.max()) if legal.sets else 0
    room = np.empty((2, most), np.int64)
    sets = (table.letters.numpy(), legal.members.numpy(), legal.offsets.numpy(), guesses.numpy())
    hints = (parents.numpy(), placed, copied)
    keep_hinted(*sets, *hints, room, sizes[1:], np.empty(0, np.int32))
    offsets = sizes.cumsum()
    members = np.empty(offsets[-1], np.int32)
    keep_hinted(*sets, *hints, room, sizes[1:], members)
    return Frontier.unchecked(torch.from_numpy(members), torch.from_numpy(offsets), legal.below)


@compiled
def keep_hinted(letters, members, offsets, guesses, parents, placed, copied, room, sizes, kept):
    """Count the legal guesses of each class that use its hints; write them where `kept` is not empty."""
    before, place = -1, 0
    for c in range(parents.shape[0]):
        s = parents[c]
        legal = members[offsets[s] : offsets[s + 1]]
        if s != before:
            before = s
            guess = letters[guesses[s]]
            for k in range(legal.shape[0]):
                word = letters[legal[k]]
                room[0, k] = room[1, k] = 0
                for i in range(guess.shape[0]):
                    copies = 0
                    for j in range(guess.shape[0]):
                        copies += word[j] == guess[i]
                    for j in range(i):
                        copies -= guess[j] == guess[i]
                    room[0, k] |= np.int64(word[i] == guess[i]) << i
                    room[1, k] |= np.int64(copies > 0) << i
        count = 0
        for k in range(legal.shape[0]):
            if (placed[c] & ~room[0, k]) | (copied[c] & ~room[1, k]) == 0:
                if kept.shape[0] > 0:
                    kept[place + count] = legal[k]
                count += 1
        sizes[c] = count
        place += count
