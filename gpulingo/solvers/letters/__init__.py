"""Values of sets in games with guesses of letters, in which misses cost: `LetterSearch`."""
