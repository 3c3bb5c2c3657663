"""The best guesses of a position, and the values of a played round; `rounds` is the Python interface."""
