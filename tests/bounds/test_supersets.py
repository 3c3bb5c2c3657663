"""Sets given by facts, and what they say of the sets inside them, against plain loops over words."""

from itertools import combinations

import pytest
import torch

from gpulingo.bounds.constraints import Facts
from gpulingo.bounds.partitions import split_whole
from gpulingo.bounds.supersets import LargerSets
from gpulingo.tensors import reference
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.wordtable import encode

WORDS = "able bale cart zone pale gale babe eels".split()


def true_of(word, fact, alphabet):
    """The rule in words."""
    if fact < len(alphabet):
        return alphabet[fact] in word
    if fact < 2 * len(alphabet):
        return alphabet[fact - len(alphabet)] not in word
    place, letter = divmod(fact - 2 * len(alphabet), len(alphabet))
    return word[place] == alphabet[letter]


def test_facts_are_true_of_the_words_that_they_name():
    table = encode(WORDS)
    facts, alphabet = Facts(table), table.alphabet
    assert facts.count == 2 * len(alphabet) + 4 * len(alphabet)
    for fact in range(facts.count):
        words = [at for at, word in enumerate(WORDS) if true_of(word, fact, alphabet)]
        assert facts.members((fact,)).tolist() == words
        assert facts.sizes[fact] == facts.size((fact,)) == len(words)
    no_b, third_l = len(alphabet) + alphabet.index("b"), 4 * len(alphabet) + alphabet.index("l")
    assert [WORDS[at] for at in facts.members((no_b, third_l))] == ["pale", "gale", "eels"]
    assert facts.says[third_l] == alphabet.index("l") and facts.says[no_b] == -1


def test_words_have_in_common_what_is_true_of_each():
    table = encode(WORDS)
    facts = Facts(table)
    sets = [[0, 1, 6], [3], list(range(8))]
    front = frontier([torch.tensor(members, dtype=torch.int32) for members in sets])
    for members, bits in zip(sets, facts.common(front), strict=True):
        expected = [
            fact
            for fact in range(facts.count)
            if all(true_of(WORDS[at], fact, table.alphabet) for at in members)
        ]
        assert facts.listed(bits) == expected
    keys = [(0, 5), (3,)]
    assert [facts.listed(bits) for bits in facts.bits(keys)] == [[0, 5], [3]]


@pytest.fixture
def known(random_words):
    """A table, and what two turns find of sets given by one or two facts."""
    table = encode(random_words(7, 300, 4, letters="abcdefghijkl"))
    facts = Facts(table)
    keys = [key for count in (1, 2) for key in combinations(range(facts.count), count)]
    keys = [key for key in keys if facts.size(key) > 0]
    found = reference.most_classes(table, frontier([facts.members(key) for key in keys]))[0].tolist()
    return table, facts, dict(zip(keys, found, strict=True))


def test_no_more_is_found_of_a_set_than_of_the_least_that_holds_it(known):
    table, facts, found = known
    larger = LargerSets(facts, found)
    held = {key: set(facts.members(key).tolist()) for key in found}
    told = 0
    for opening in range(0, 300, 20):
        front = split_whole(table, opening).frontier
        bounds = larger.bounds(front)
        assert bounds.dtype == torch.int64
        for at, bound in enumerate(bounds.tolist()):
            mine = set(front.candidates(at).tolist())
            least = min((found[key] for key in found if mine <= held[key]), default=len(mine) + 1)
            assert bound == min(least, len(mine) + 1)
            told += bound <= len(mine)
        assert bool((bounds >= reference.most_classes(table, front)[0]).all())
    assert told > 20


def test_what_is_not_known_says_nothing(known):
    table, facts, found = known
    front = split_whole(table, 0).frontier
    larger = LargerSets(facts, {})
    assert torch.equal(larger.bounds(front), front.sizes + 1)
    for key in found:
        larger.add(key, found[key])
        larger.bounds(front)
    assert larger.found == found
    last = LargerSets(facts, found).bounds(front)
    assert bool((larger.bounds(front) >= last).all()) and bool(
        (larger.bounds(front) <= front.sizes + 1).all()
    )
