"""Positions of rounds from the guesses that were made in them, and whether a rule allows a guess there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import torch
from torch import Tensor

from gpulingo.games.game import Game
from gpulingo.strategies.strategy import Position, first_letters, first_position, legal_on
from gpulingo.tensors.operations import allows, paired_patterns, split
from gpulingo.tensors.round_arrays import RoundArrays
from gpulingo.tensors.wordtable import WordTable


def keep_rule(table: WordTable, game: Game, words: Tensor, guesses: Tensor, targets: Tensor) -> Tensor:
    """Return [R] bool: whether the game's rule allows each of [R] int32 words after the [R, H] guesses.

    The [R] int32 targets answered them; a guess below 0 showed nothing. Does not wait for the device.
    """
    legal = torch.ones_like(words, dtype=torch.bool)
    if game.legal == "candidates":
        legal = torch.zeros_like(table.letters[:, 0], dtype=torch.bool)
        legal = legal.index_fill_(0, table.targets.long(), True)[words]
    for past in guesses.unbind(1):
        before = past.clamp(min=0)
        patterns = paired_patterns(table, before, targets)
        legal &= (past < 0) | allows(game.legal, table, words, before, patterns)
    return legal


class Replay:
    """The positions of rounds; those of each number of guesses are stored, for the turn after it."""

    def __init__(self, table: WordTable, game: Game) -> None:
        self.table, self.game = table, game
        # By number of valid guesses: these and the targets of all rounds, the position, and the set of each.
        self._known: dict[int, tuple[Tensor, Tensor, Position, Tensor]] = {}

    def positions(self, rounds: RoundArrays, which: Tensor) -> Iterator[tuple[Position, Tensor]]:
        """Yield a position for each turn that some rounds are on, and [B] int64, the set of each round or -1.

        Rounds with another number of invalid guesses are apart as well. The word of none is found.
        """
        most, sets = rounds.guesses.shape[1] + 1, torch.full_like(rounds.targets, -1, dtype=torch.int64)
        kinds = torch.where(which, rounds.turn * most + (rounds.guesses >= 0).sum(1), -1)
        for kind in kinds.unique().tolist():
            if kind < 0:
                continue
            numbers, (made, valid) = (kinds == kind).nonzero()[:, 0], divmod(kind, most)
            past = rounds.guesses[numbers]
            order = (past < 0).to(torch.uint8).sort(stable=True).indices[:, :valid]
            position, set_ids = self._position(rounds, numbers, past.gather(1, order))
            if (allowed := position.allowed) is not None:
                position = replace(position, **legal_on(self.table, self.game, made + 1, allowed))
            left, lives = self.game.turns - made, None
            if self.game.counts_misses:
                lefts = rounds.turns_left[numbers].long()
                left, lives = (
                    int(lefts.max()),
                    torch.zeros_like(position.frontier.sizes).scatter_(0, set_ids, lefts),
                )
            position = replace(position, turn=made + 1, turns_left=left, lives=lives)
            yield position, sets.scatter(0, numbers, set_ids)

    def _position(self, rounds: RoundArrays, numbers: Tensor, guesses: Tensor) -> tuple[Position, Tensor]:
        """Return the position after [R, H] guesses, and [R] int64, the sets; equal histories share one."""
        valid, targets = guesses.shape[1], rounds.targets[numbers]
        first = self.table.words if self.table.guesses_letters else 0
        rows = torch.full_like(rounds.guesses[:, :valid], -1).index_copy_(0, numbers, guesses)
        position, sets, begun = first_position(self.table, self.game), torch.zeros_like(numbers), 0
        if (known := self._known.get(valid - 1)) is not None:
            same = (known[0] == rows[:, :-1]).all(1) & (known[1] == rounds.targets) & (known[3] >= 0)
            if bool(same[numbers].all()):
                position, sets, begun = known[2], known[3][numbers], valid - 1
        if self.game.given and not begun:
            letters = first_letters(self.table, position.frontier.firsts)
            sets = torch.searchsorted(letters, first_letters(self.table, targets))
        for guessed in (guesses[:, begun:] + first).unbind(1):
            pairs, sets = (sets * self.table.guesses + guessed).unique(return_inverse=True)
            row, position = (pairs % self.table.guesses).int(), position.take(pairs // self.table.guesses)
            classes = split(self.table, position.frontier, row)
            places = classes.places_of(sets, paired_patterns(self.table, guessed.contiguous(), targets))
            assert places is not None  # the target is in one of them
            position, sets = position.after(row, classes), places
        kept, sets = sets.unique(return_inverse=True)
        position = position.take(kept)
        every = torch.full_like(rounds.targets, -1, dtype=torch.int64).scatter_(0, numbers, sets)
        self._known[valid] = rows, rounds.targets.clone(), position, every
        return position, sets
