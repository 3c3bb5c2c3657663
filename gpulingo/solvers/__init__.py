"""Searches for the value of a set of candidates: one recurrence, with a game's rules as its parts.

solver.py          which search finds the values of a game: of words, of letters, or none
words/             every guess of a set of words: `value_search`
letters/           every letter of a set of words: `letter_search`
hosts/             what a host without a word in mind forces: `line_search`, `adversary_misses`
depth_first.py     branch and bound, depth first: what all of them share, in frames
transpositions.py  what is known of sets, by hash
payoffs.py         what a found word counts
"""
