"""Searches for the value of a set of candidates: one recurrence, with a game's rules as its parts."""
