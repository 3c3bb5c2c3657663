"""Hangman against an adversary: the misses it forces, both strategies, and the host against every guesser."""

import random

import pytest
from exhaustive import least_misses as least
from exhaustive import random_words

from gpulingo.bounds.host_proof import check_host
from gpulingo.games import positions
from gpulingo.games.catalogue import hangman, lingo
from gpulingo.hosts.host import classes_of
from gpulingo.optimise.adversary import FewestMisses, adversary_host, host_proof, least_misses
from gpulingo.solvers.hosts.misses import AdversaryMisses
from gpulingo.strategies.build import build
from gpulingo.tensors.wordtable import table_of
from gpulingo.words.listing import find, parse
from gpulingo.words.wordlist import WordList

# Length -> least misses of the embedded list.
EMBEDDED = {3: 17, 4: 17, 12: 4, 20: 1}


def solved(words):
    """A list, its search, and bounds of its fewest misses."""
    table = table_of(words, lingo())
    search = AdversaryMisses(table, 1 << 28)
    return search, least_misses(search, table.targets)


def most_misses(tree, words):
    """The most misses of a guesser's tree over all words; each word is played."""
    guess, pattern, first, hit = map(list, (tree.guess, tree.pattern, tree.first, tree.hit))
    letters, misses = sorted(set("".join(words.words))), []
    for word in words.words:
        node, missed = 0, 0
        while not hit[node]:
            shown = positions.pattern(positions.feedback(letters[guess[node] - len(words)], word))
            missed += shown == 0
            (node,) = [child for child in range(first[node], first[node + 1]) if pattern[child] == shown]
        assert words.words[guess[node]] == word
        misses.append(missed)
    return max(misses)


@pytest.mark.parametrize("seed", range(6))
def test_both_strategies_hold_on_random_lists(seed: int) -> None:
    words = parse("\n".join(random_words(seed)))
    words = words.of_length(len(random_words(seed)[0]))
    search, answer = solved(words)
    assert answer.lower == answer.upper == least(words.words)
    tree = build(words, FewestMisses(search), hangman(answer.upper + 1)).tree
    assert most_misses(tree, words) == answer.upper
    assert check_host(host_proof(search, answer.nogood, words), words) == answer.lower


@pytest.mark.parametrize("length", [3, 20])
def test_both_strategies_hold_on_the_embedded_list(length: int) -> None:
    words = find(length, None).of_length(length)
    search, answer = solved(words)
    assert (answer.lower, answer.upper) == (EMBEDDED[length],) * 2
    tree = build(words, FewestMisses(search), hangman(answer.upper + 1)).tree
    assert most_misses(tree, words) == answer.upper
    assert check_host(host_proof(search, answer.nogood, words), words) == answer.lower


@pytest.mark.slow
@pytest.mark.parametrize("length", [4, 12])
def test_the_least_misses_of_the_embedded_list(length: int) -> None:
    _, answer = solved(find(length, None).of_length(length))
    assert (answer.lower, answer.upper) == (EMBEDDED[length],) * 2


@pytest.mark.parametrize("seed", range(2))
def test_no_guesser_needs_fewer_misses_than_can_be_forced(seed):
    draw = random.Random(seed)
    words = sorted({"".join(draw.choices("abcde", k=3)) for _ in range(14)})
    wordlist = WordList("a list", words)
    keep, table = adversary_host(wordlist), table_of(wordlist, hangman())
    forced = least_misses(AdversaryMisses(table, 1 << 22), table.targets)

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
