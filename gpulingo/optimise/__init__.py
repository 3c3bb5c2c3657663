"""The best strategy of a list that can be found, and a bound on all of them: branch and bound at the root.

A node is a set of candidates and a branch is a guess; below a branch all classes of it count. The root has a
branch for each word, the openings. A search works from both sides until they meet, or are near enough:
rollouts and complete searches of openings give better trees; the bound of the list is the greatest bound of
an opening, so every opening that may have more than the best tree must be lowered.

    state.py        the problem, and what is known of it: the best tree, bounds of all openings, rollouts so
                    far; the tree is stored as a checkpoint, the bounds as a certificate
    units.py        units of work: each lowers the bounds of some openings, or rolls some out
    solver.py       the coordinator: `Solver.next_unit` chooses the next unit, by phase, from what is known
                    and the clock; `Solver.merge` merges its result; an executor runs the units, one after
                    the other here, or many at a time on a cluster (`machines/searches.py`)
    lowering.py     the phase that lowers the greatest bounds: which openings, and by which method
    lookahead.py    rollouts: the guesses of greatest rank are expanded, the best kept; sets that lose no word
    every_guess.py  the strategy that a search of every guess finds
    most_found.py   hangman against a random word: the tree that finds most words
    adversary.py    hangman against an adversary: the misses that each side can force
    openings.py     openings side by side, by rollout and by bound
    kept.py         trees and certificates in files: what a search begins with and leaves
    stored_search.py  searches that begin with these files and write them, with their limits; the least worst
                    turn and the fewest lost words, by searches of several games
    solve.py        all of it as one function
"""

MEMORY = 4 << 30  # a limit: default bytes of remembered sets
