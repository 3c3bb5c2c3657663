"""Values of sets in games with guesses of words: `value_search`."""
