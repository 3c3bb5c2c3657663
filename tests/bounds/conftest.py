"""What these tests share: small lists, and the best value after each of their openings."""

import pytest
import torch
from exhaustive import any_game, game, games

from gpulingo.bounds import state

__all__ = ["any_game", "game", "games"]


@pytest.fixture
def every_opening(monkeypatch):
    """Bound every opening, also of lists with automorphisms."""
    monkeypatch.setattr(state, "automorphisms", lambda table: torch.empty((0, 0), dtype=torch.int64))
