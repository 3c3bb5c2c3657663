"""Lists of words, as text."""
