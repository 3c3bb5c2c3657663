"""Answers about a round: the words left, the next guess, and the value of each guess."""
