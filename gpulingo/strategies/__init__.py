"""Ways to choose the guess of every candidate set, and their results over a list."""
