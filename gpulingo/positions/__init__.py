"""Values of sets of candidates, and the best guesses of them: suggestions, reviews, hosts that cheat."""
