"""Values of sets where letters are guessed and misses cost: `letter_search`."""
