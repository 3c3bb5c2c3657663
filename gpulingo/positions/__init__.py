"""What a set of candidates is worth, and the best guesses of it: suggestions, reviews, hosts that cheat."""
