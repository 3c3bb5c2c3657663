"""The best strategy of a list that can be found, and a bound on all of them: branch and bound at the root.

A node is a set of candidates and a branch is a guess; below a branch all classes of it count. The root has a
branch for each word, the openings. A search works from both sides until they meet, or are near enough: better
trees come from openings that are rolled out, or searched to their end; the bound of the list is the greatest
of the openings, so each opening that may have more than the best tree is to be lowered.

    state.py        the problem, and what is known of it: the best tree, bounds of all openings, what was
                    rolled out; a checkpoint and a certificate are what stands of it on disk
    units.py        units of work: each lowers the bounds of some openings, or rolls some out
    solver.py       the coordinator: `Solver.next_unit` reads what is known and the clock, and says what is
                    done next, in phases; `Solver.merge` joins what came of it; an executor works units out,
                    one after the other here, or many at a time on a cluster (`machines/searches.py`)
    lowering.py     of the phase that lowers the greatest bounds: which openings, and by what
    lookahead.py    rollouts: the guesses of greatest rank are expanded, the best kept
    every_guess.py  the strategy that a search of every guess finds
    none_lost.py    words that are lost: an opening that loses none, the least worst turn
    openings.py     openings side by side, by rollout and by bound
    solve.py        all of it as one function
"""

MEMORY = 4 << 30  # bytes that remembered sets may take where nobody says: a limit
