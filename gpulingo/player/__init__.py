"""The player of the pit: standard library alone, as long as a tree fits the list."""
