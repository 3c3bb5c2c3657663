"""The host who cheats perfectly, played against every guesser on tiny lists."""

import random

import pytest

from gpulingo.games import positions
from gpulingo.games.catalogue import hangman
from gpulingo.hosts.host import classes_of
from gpulingo.positions.adversary import adversary_host, least_misses
from gpulingo.solvers.adversary_misses import adversary_misses
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.wordlist import WordList


@pytest.mark.parametrize("seed", range(4))
def test_no_guesser_needs_fewer_misses_than_can_be_forced(seed):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcde", k=3)) for _ in range(14)})
    wordlist = WordList("a list", words)
    keep, table = adversary_host(wordlist), table_of(wordlist, hangman())
    forced = least_misses(adversary_misses(table, 1 << 22), table.targets.numpy())

    def fewest(candidates, guessed):
        """Misses of the best guesser against this host."""
        if len(candidates) == 1:
            return 0
        found = []
        for letter in sorted(set().union(*candidates) - guessed):
            classes = classes_of(positions, letter, candidates)
            if len(classes) > 1:
                marks = keep(classes, [(letter, "")])
                found.append(("O" not in marks) + fewest(classes[marks], guessed | {letter}))
        return min(found)

    assert fewest(words, frozenset()) == forced.lower == forced.upper
