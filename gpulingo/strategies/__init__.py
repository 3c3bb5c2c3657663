"""Ways to choose the guess of every candidate set, and what they come to over a list."""
