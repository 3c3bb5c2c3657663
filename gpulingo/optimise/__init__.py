"""The best strategy of a list that can be found, and a bound on all of them."""

MEMORY = 4 << 30  # bytes that remembered sets may take where nobody says: a limit
