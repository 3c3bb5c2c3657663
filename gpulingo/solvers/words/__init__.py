"""Values of sets where words are guessed: `value_search`."""
