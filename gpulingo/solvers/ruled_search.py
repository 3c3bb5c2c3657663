"""`value_search` on the CPU for all games but the plainest: legal guesses, a bonus for each word, weights."""

from __future__ import annotations

from functools import partial

import numpy as np
from torch import Tensor

from gpulingo.solvers.all_found import REFUTED, AllFound
from gpulingo.solvers.legal_bits import ANY, LANES, legality_of
from gpulingo.solvers.numbered_classes import classes_of, classes_of_targets
from gpulingo.solvers.openings import is_weighted, opened, target_weights, top_value
from gpulingo.solvers.ruled_frames import Worth, seek
from gpulingo.solvers.ruled_sets import Room, room_for
from gpulingo.solvers.set_table import new_rows
from gpulingo.solvers.value_table import UNKNOWN
from gpulingo.tensors.features import Array
from gpulingo.tensors.outcomes import Opened, Valued
from gpulingo.tensors.wordtable import WordTable

MOST_LABELS = 1 << 28  # a limit of memory: of all targets or of a set, 1 or 2 bytes each


class ValueSearch:
    """As `value.value_search`; not for several threads at once."""

    def __init__(self, table: WordTable, memory: int, legal: str, bonus: int, pace: int = 1) -> None:
        counts_found = legal == "any" and pace == 0  # who asks for all of them needs cores as well
        self._table, self._known = table, new_rows(memory // 2 if counts_found else memory)
        self._all_found = AllFound(table, self._known, memory // 2) if counts_found else None
        self._pool, self._targets = table.pool.numpy(), table.targets.numpy()
        self._numbers = np.random.default_rng(0).integers(1, 1 << 64, (table.words, 2), dtype=np.uint64)
        self._legality = legality_of(table, legal)
        self._weights = target_weights(table)
        self._worth = Worth(bonus, pace, is_weighted(table))
        self._room: Room | None = None
        self._count = np.zeros(2, np.int64)  # pairs evaluated, and the most there may be

    def value(
        self, members: Tensor, left: int, floor: int = -1, limit: int = 1 << 62, legal: Tensor | None = None
    ) -> Valued:
        """The value of a set; see `value.value_search`."""
        self._count[:] = 0, limit
        value, guess = self._value(members.numpy(), left, floor, legal=legal)
        return Valued(value, guess if value > floor else UNKNOWN, int(self._count[0]))

    def bracket(self, members: Tensor, left: int) -> tuple[int, int]:
        """The value of a set, twice."""
        value = self.value(members, left).value
        return value, value

    def forget(self) -> None:
        """Nothing is kept."""

    def after(
        self,
        opening: int,
        left: int,
        floor: int = -1,
        limit: int = 1 << 62,
        upper: Tensor | None = None,
    ) -> Opened:
        """What an opening leads to; see `value.value_search`."""
        self._count[:] = 0, limit
        value = partial(self._class_value, left - 1, opening)
        opening_value = opened(
            self._table, opening, left, floor=floor, upper=upper, value=value,
            bonus=self._worth.bonus, pace=self._worth.pace, large_first=self._all_found is not None,
        )  # fmt: skip
        return Opened(*opening_value, int(self._count[0]))

    def stop(self) -> None:
        """End, from another thread, what is searched now, as if its limit were reached."""
        self._count[1] = -1

    def _class_value(self, left: int, opening: int, words: Array, floor: int) -> int:
        return self._value(words, left, floor, opening)[0]

    def _value(
        self, words: Array, left: int, floor: int, opening: int = -1, legal: Tensor | None = None
    ) -> tuple[int, int]:
        """Value and guess of a set, whose legal guesses are those after an opening, or given."""
        order = np.argsort(-self._weights[words], kind="stable")  # the heaviest first
        words = words[order]
        top = top_value(self._weights[words], left, self._worth.bonus, self._worth.pace)
        if top <= floor or len(words) < 3 or left < 2:
            return top, int(words[0]) if left else UNKNOWN
        if len(words) * len(self._pool) > MOST_LABELS:
            return UNKNOWN, UNKNOWN
        ids = np.searchsorted(self._targets, words)
        known = np.array_equal(self._targets[ids.clip(max=len(self._targets) - 1)], words)
        has_room = known and len(self._targets) * len(self._pool) <= MOST_LABELS
        fewer = top - self._worth.bonus * int(self._weights[words].min())  # the lightest word is lost
        if self._all_found and fewer <= floor and has_room and legal is None:
            guess = self._all_found.guess(words, left, self._count)
            return top if guess >= 0 else fewer if guess == REFUTED else UNKNOWN, max(guess, UNKNOWN)
        if has_room:
            matrix = classes_of_targets(self._table)
        else:
            matrix, ids = classes_of(self._table, words), np.arange(len(words))
        room = self._room_for(len(words), matrix, left + 1)
        n = room.size[0] = len(words)
        room.words[:n], room.weights[:n], room.numbers[:n] = words, self._weights[words], self._numbers[words]
        room.legal[0] = self._legality.every if legal is None else self._bits(legal)
        goal = np.array([left, floor, opening, words[0]])
        value, guess = seek(
            room, self._known, self._legality, self._worth, self._pool, matrix, ids, goal, self._count
        )
        return int(value), int(guess)

    def _bits(self, legal: Tensor) -> Array:
        """Legal guesses as bits."""
        flags = np.zeros(len(self._legality.every) * LANES, np.uint8)
        flags[np.searchsorted(self._pool, legal.numpy())] = 1
        return np.packbits(flags, bitorder="little").view(np.uint64)

    def _room_for(self, words: int, matrix: Array, depths: int) -> Room:
        room = self._room
        if (
            room is None
            or len(room.words) < words
            or room.labels.dtype != matrix.dtype
            or len(room.frames) < depths
        ):
            most = len(self._targets) if matrix.shape[1] == len(self._targets) else words
            legality = self._legality
            room = self._room = room_for(
                most, len(self._pool), matrix.dtype, len(legality.every), legality.rule == ANY, depths
            )
        return room
