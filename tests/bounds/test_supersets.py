"""Sets given by constraints, and the bounds they give for their subsets, against plain loops over words."""

from itertools import combinations

import exhaustive
import numpy as np
import pytest
import torch
from gpulingo.bounds.supersets import Constraints, SupersetCounts, Supersets

from gpulingo.bounds import supersets
from gpulingo.bounds.certificate import CertificateError, certificate_of
from gpulingo.bounds.checker import prove
from gpulingo.bounds.partitions import opening_classes
from gpulingo.bounds.state import BoundState
from gpulingo.games.catalogue import lingo
from gpulingo.tensors.frontier import frontier
from gpulingo.tensors.reference import most_classes
from gpulingo.tensors.wordtable import encode
from gpulingo.words.listing import parse

WORDS = "able bale cart zone pale gale babe eels".split()


def holds(word, constraint, alphabet):
    """Whether a word meets a constraint, in plain Python."""
    if constraint < len(alphabet):
        return alphabet[constraint] in word
    if constraint < 2 * len(alphabet):
        return alphabet[constraint - len(alphabet)] not in word
    place, letter = divmod(constraint - 2 * len(alphabet), len(alphabet))
    return word[place] == alphabet[letter]


@pytest.mark.parametrize("targets", [range(8), [1, 2, 4, 5, 7]])
def test_constraints_hold_for_the_targets_that_they_name(targets):
    table = encode(WORDS).with_sets(targets=torch.tensor(targets, dtype=torch.int32))
    constraints, alphabet = Constraints(table), table.alphabet
    assert constraints.count == 2 * len(alphabet) + 4 * len(alphabet)
    for constraint in range(constraints.count):
        words = [at for at in targets if holds(WORDS[at], constraint, alphabet)]
        assert constraints.members((constraint,)).tolist() == words
        assert constraints.sizes[constraint] == constraints.size((constraint,)) == len(words)
    no_b, third_l = len(alphabet) + alphabet.index("b"), 4 * len(alphabet) + alphabet.index("l")
    both = [WORDS[at] for at in constraints.members((no_b, third_l))]
    assert both == [word for word in ("pale", "gale", "eels") if WORDS.index(word) in targets]
    assert constraints.implies[third_l] == alphabet.index("l") and constraints.implies[no_b] == -1


def test_words_have_in_common_what_holds_for_each():
    table = encode(WORDS)
    constraints = Constraints(table)
    sets = [[0, 1, 6], [3], list(range(8))]
    front = frontier([torch.tensor(members, dtype=torch.int32) for members in sets])
    for members, bits in zip(sets, constraints.common(front), strict=True):
        expected = [
            constraint
            for constraint in range(constraints.count)
            if all(holds(WORDS[at], constraint, table.alphabet) for at in members)
        ]
        assert constraints.listed(bits) == expected
    keys = [(0, 5), (3,)]
    assert [constraints.listed(bits) for bits in constraints.bits(keys)] == [[0, 5], [3]]


@pytest.fixture(scope="module")
def known(random_words):
    """A table, and the two-turn values of sets given by one or two constraints."""
    table = encode(random_words(7, 300, 4, letters="abcdefghijkl"))
    constraints = Constraints(table)
    keys = [key for count in (1, 2) for key in combinations(range(constraints.count), count)]
    keys = [key for key in keys if constraints.size(key) > 0]
    two = most_classes(table, frontier([torch.from_numpy(constraints.members(key)) for key in keys]))[
        0
    ].tolist()
    return table, constraints, dict(zip(keys, two, strict=True))


@pytest.mark.slow
def test_no_more_is_found_of_a_set_than_of_the_least_that_holds_it(known):
    table, constraints, two = known
    counted = Supersets(constraints)
    counted.two |= two
    members = {key: sum(1 << m for m in constraints.members(key).tolist()) for key in two}  # as bits
    below = 0
    for opening in range(0, 300, 50):
        front = opening_classes(table, opening)
        bounds = counted.bounds(front)
        assert bounds.dtype == torch.int64
        for at, bound in enumerate(bounds.tolist()):
            mine = front.candidates(at).tolist()
            bits = sum(1 << member for member in mine)
            least = min((two[key] for key in two if not bits & ~members[key]), default=len(mine) + 1)
            assert bound == min(least, len(mine) + 1)
            below += bound <= len(mine)
        assert bool((bounds >= most_classes(table, front)[0]).all())
    assert below > 20


@pytest.fixture
def small_sets_too(monkeypatch):
    monkeypatch.setattr(supersets, "SMALLEST", 3)


@pytest.fixture
def table(random_words, small_sets_too):
    return encode(random_words(4, 150, 5, letters="abcdefghij"))


def counts_of(table, **memory):
    return SupersetCounts(table, **memory)


def pairs_of(counts, table, more):
    """Pairs reported by one count of the classes of every twelfth word."""
    told = []
    for opening in range(0, table.words, 12):
        front = opening_classes(table, opening)
        two = counts.two_turns(front, more, told.append)
        assert np.array_equal(two, most_classes(table, front)[0])
    return sum(told)


@pytest.mark.slow
def test_memory_is_not_exceeded_and_what_is_required_is_counted_all_the_same(table):
    rows = 3
    counts = counts_of(table, memory=rows * 2 * table.words)
    pairs_of(counts, table, more=True)
    pairs_of(counts, table, more=True)
    assert len(counts._rows) == rows
    key = next((one,) for one in range(counts.constraints.count) if (one,) not in counts.supersets.two)
    counts.require(key)
    members = frontier([torch.from_numpy(counts.constraints.members(key))])
    assert counts.supersets.two[key] == int(most_classes(table, members)[0]) and len(counts._rows) == rows


@pytest.mark.slow
def test_what_is_counted_lowers_bounds_and_is_checked_by_its_own_means(table, random_words):
    wordlist = parse("\n".join(random_words(4, 150, 5, letters="abcdefghij"))).of_length(5)
    state = BoundState(table, lingo(4))
    openings = list(range(0, 150, 3))
    exhaustive.counted(state, openings[:20], 0)
    assert len(state.supersets.two) > 0
    exhaustive.counted(state, openings[20:], exhaustive.middle(state.evidence.bounds[openings[20:]]) - 10)
    certificate = certificate_of(wordlist, state.game, state.evidence)
    assert list(prove(table, certificate))[-1] == 150
    by_size = BoundState(table, lingo(4)).evidence.bounds
    lowered = next(opening for opening in openings if state.evidence.bounds[opening] < by_size[opening])
    certificate.bounds[lowered] -= 1
    with pytest.raises(CertificateError, match=f"place {lowered} "):
        list(prove(table, certificate))
