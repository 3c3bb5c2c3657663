"""Searches for the value of a set of candidates: one recurrence, with a game's rules as its parts.

solver.py          the search for a game's values: of words, of letters, or none
words/             every guess of a set of words: `ValueSearch`
letters/           every letter of a set of words: `LetterSearch`
hosts/             what a host without a word in mind forces: `LineSearch`, `AdversaryMisses`
depth_first.py     depth-first branch and bound with a stack of frames, and the split of a set: shared by all
transpositions.py  transposition tables: stored values of sets, by hash
payoffs.py         payoffs of found words
"""
