"""The operations on racks in plain torch: what the kernels must answer."""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from gpulingo.tiles.racks import RackNumbers

BLOCK = 1 << 20  # racks at once; about 8 bytes each for each kind of tile


def best_of_racks(racks: RackNumbers, tiles: int, smaller: Tensor, own: Tensor) -> Tensor:
    """As `rack_ranks.best_of_racks`: each rack is asked for all racks that lack one of its tiles."""
    blocks = [own[:0]]
    for start, rows in _every_rack(racks, tiles):
        best = own[start : start + rows.shape[0]]
        for place in range(tiles):
            rest = torch.cat([rows[:, :place], rows[:, place + 1 :]], 1)
            best = torch.maximum(best, smaller[racks.numbers(rest)])
        blocks.append(best)
    return torch.cat(blocks)


def draws_by_rank(racks: RackNumbers, tiles: int, ranks: Tensor, count: int) -> Tensor:
    """As `rack_ranks.draws_by_rank`: one rack after the other, by what its tiles can be drawn in."""
    found = torch.zeros(racks.kinds + 1, count, dtype=torch.int64, device=ranks.device)
    for start, rows in _every_rack(racks, tiles):
        draws = torch.ones(rows.shape[0], dtype=torch.int64, device=ranks.device)
        copies = torch.zeros(rows.shape[0], racks.kinds, dtype=torch.int64, device=ranks.device)
        for tile in rows.long().unbind(1):
            # C(n, k + 1) = C(n, k) (n - k) / (k + 1), where k of the n tiles of a kind came before.
            before = copies.gather(1, tile[:, None])[:, 0]
            draws = draws * (racks.limits[tile] - before) // (before + 1)
            copies.scatter_add_(1, tile[:, None], torch.ones_like(tile)[:, None])
        own = ranks[start : start + rows.shape[0]].long()
        for kind in range(racks.kinds):
            found[kind].index_add_(0, own, draws * (copies[:, kind] > 0))
        found[-1].index_add_(0, own, draws)
    return found


def _every_rack(racks: RackNumbers, tiles: int) -> Iterator[tuple[int, Tensor]]:
    """Yield all racks of `tiles` tiles in order, in blocks: the first number, and [B, n] uint8."""
    for start in range(0, racks.count(tiles), BLOCK):
        end = min(start + BLOCK, racks.count(tiles))
        yield start, racks.racks(torch.arange(start, end, device=racks.limits.device), tiles)
