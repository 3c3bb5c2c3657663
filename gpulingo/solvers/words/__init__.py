"""Values of sets in games with guesses of words: `ValueSearch`."""
