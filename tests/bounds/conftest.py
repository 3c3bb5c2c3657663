"""Shared by these tests: small lists, and the best value after each of their openings."""

from exhaustive import any_game, game, games

__all__ = ["any_game", "game", "games"]
