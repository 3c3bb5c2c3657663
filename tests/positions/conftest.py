"""Shared by these tests: small lists, and the best value after each of their openings."""

from exhaustive import game, games

__all__ = ["game", "games"]
