"""The best guesses of a position, `outlooks`, and the values of the guesses of a round, `round_values`."""
