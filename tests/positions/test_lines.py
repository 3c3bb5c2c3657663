"""Shortest lines against a host that keeps the largest class, compared with playing out all lines."""

import random
from functools import cache

import pytest
import torch

from gpulingo.games.catalogue import lingo
from gpulingo.games.marks import feedback, pattern
from gpulingo.positions.lines import LineSolver
from gpulingo.solvers.hosts.lines import LineSearch
from gpulingo.tensors.outcomes import Lines
from gpulingo.tensors.wordtable import encode, table_of
from gpulingo.words.listing import read

MEMORY = 1 << 20


marked = cache(feedback)


@cache
def rank(marks):
    """The order by which the host chooses among classes of equal size."""
    return marks.count("O"), marks.count("?"), pattern(marks)


def shown(words, candidates, guess):
    """The marks that the host shows, and the remaining candidates."""
    classes = {}
    for candidate in candidates:
        classes.setdefault(marked(words[guess], words[candidate]), []).append(candidate)
    marks = min(classes, key=lambda text: (-len(classes[text]), rank(text)))
    return marks, tuple(classes[marks])


def played_out(words, targets):
    """The fewest guesses that end a round, and first guess -> number of such lines, by playing out all."""

    @cache
    def lines(candidates, guesses):
        """Number of lines of so many guesses whose last guess ends the round."""
        count = 0
        for guess in range(len(words)):
            marks, left = shown(words, candidates, guess)
            ends = set(marks) == {"O"}
            count += guesses == 1 if ends else guesses > 1 and lines(left, guesses - 1)
        return count

    least = next(guesses for guesses in range(1, 99) if lines(tuple(targets), guesses))
    openings = {}
    for guess in range(len(words)):
        marks, left = shown(words, tuple(targets), guess)
        count = least == 1 if set(marks) == {"O"} else least > 1 and lines(left, least - 1)
        openings |= {guess: int(count)} if count else {}
    return least, openings


def families(first, last):
    """Words that differ in one letter: hard to separate."""
    return [a + b for a in first for b in last]


LISTS = {
    1: (["abc"], [0]),
    2: (["abc", "abd"], [0, 1]),
    3: (families("abcd", "mnopqr"), range(0, 24, 2)),
    4: (families("abc", "mnopqrs"), range(21)),
    5: (families("ab", "mnopqrs"), range(14)),
    6: ([*families("a", "mnopqrs"), "zz"], range(6)),
    7: ("ah bi ch eh fh gh hh".split(), range(7)),
    8: (sorted("sdd add fdd udd vdd ddd tdd atd".split()), range(8)),
}


def random_list(seed):
    """Random words, or some and six or seven that differ in the first letter; mostly all are targets."""
    draw = random.Random(seed)
    length, alike = draw.randint(2, 4), draw.choice([0, 0, 6, 6, 7])
    words = set(families(draw.sample("abcdefghijklm", alike), [draw.choice(["d" * 3, "hhd"])[: length - 1]]))
    letters, others = ("abcdh", draw.randint(0, 2)) if alike else ("abcdefgh", draw.randint(2, 30))
    words = sorted(words | {"".join(draw.choices(letters, k=length)) for _ in range(others)})
    spare = draw.choice([0, 0, 1, draw.randint(0, len(words) - 1)]) % len(words)
    return words, sorted(draw.sample(range(len(words)), len(words) - spare))


def check(words, targets):
    """Search the lines of a list, compare with playing out all, and return their number of guesses."""
    solver = LineSolver(encode(words).with_sets(targets=torch.tensor([*targets], dtype=torch.int32)), MEMORY)
    at_most = solver.at_most
    solver.run()
    assert (solver.at_least, solver.openings) == played_out(words, targets)
    assert solver.at_least == solver.at_most <= at_most and solver.done
    for opening in solver.openings:
        candidates = tuple(targets)
        line = solver.line(opening)
        for number, guess in enumerate(line, 1):
            marks, candidates = shown(words, candidates, guess)
            assert (set(marks) == {"O"}) == (number == len(line))
        assert line[0] == opening and len(line) == solver.at_least
    return solver.at_least


@pytest.mark.slow
def test_they_are_so_in_lists_of_which_a_third_take_six_guesses_or_more():
    guesses = [check(*random_list(seed)) for seed in range(30)]
    assert 3 * sum(count >= 6 for count in guesses) >= len(guesses)


@pytest.mark.parametrize("ended", [3])
def test_a_search_that_is_ended_knows_what_it_has_and_goes_on(ended):
    words, targets = LISTS[5]
    solver = LineSolver(encode(words), MEMORY)

    def end(done, total, guesses):
        assert 0 <= done <= total
        if guesses == ended:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solver.run(end)
    assert (solver.at_least, solver.done) == (ended, False) and solver.at_most > ended
    solver.at_least = 1
    solver.run()
    assert (solver.at_least, solver.openings) == played_out(words, targets)


@pytest.mark.slow
def test_at_absurdle_611_lines_of_four_guesses_begin_with_tyler(wordle_lists):
    pool, targets = (read(wordle_lists / f"{name}.txt").of_length(5) for name in ("pool", "targets"))
    words = pool.with_targets(targets.words)
    table = table_of(words, lingo())
    search = LineSearch(table, 1 << 30)
    left = search.after(table.targets, words.index("tyler"))
    assert search.shortest(left, limit=3) == Lines(3, 611)
    assert search.shortest(table.targets, limit=3) == Lines()
