"""The best strategy that can be found."""

MEMORY = 4 << 30  # bytes that remembered sets may take where nobody says: a limit
